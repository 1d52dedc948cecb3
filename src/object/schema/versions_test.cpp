#include <pintle/object/versions.hpp>

#include <gtest/gtest.h>

#include <pintle/json/pointer.hpp>

namespace pintle {
namespace {

std::string found_at(const json::Value& value, std::string_view pointer) {
  const json::Value* found = json::find(value, pointer);
  return found == nullptr ? "missing" : json::print(*found);
}

std::vector<std::string> faults_of(const json::Value& crd) {
  std::vector<std::string> errors;
  const auto sound = validate_crd(crd);
  if (sound) return errors;
  for (const StatusCause& cause : sound.error().causes) errors.push_back(cause.field + ": " + cause.message);
  return errors;
}

// Versions with different fields: the old one has one text for host and port.
struct Bridge;
struct OldBridge {
  static constexpr Type type{"demo.pintle.dev/v1beta1", "Bridge"};
  static constexpr std::string_view deprecated = "use demo.pintle.dev/v1";
  struct Spec {
    std::string address{};
    static constexpr auto fields() { return pintle::fields(field("address", &Spec::address)); }
  };
  Metadata metadata{};
  Spec spec{};

  void to(Bridge& stored) const;
  void from(const Bridge& stored);
};
struct Bridge {
  static constexpr Type type{"demo.pintle.dev/v1", "Bridge"};
  static constexpr std::array short_names{"br"};
  using versions = Versions<Bridge, OldBridge>;
  struct Spec {
    std::string host{};
    std::int32_t port = 0;
    static constexpr auto fields() {
      return pintle::fields(field("host", &Spec::host).column("Host"), field("port", &Spec::port));
    }
  };
  Metadata metadata{};
  Spec spec{};
};
void OldBridge::to(Bridge& stored) const {
  const std::size_t colon = spec.address.rfind(':');
  stored.spec.host = spec.address.substr(0, colon);
  if (colon != std::string::npos) stored.spec.port = std::stoi(spec.address.substr(colon + 1));
}
void OldBridge::from(const Bridge& stored) { spec.address = stored.spec.host + ":" + std::to_string(stored.spec.port); }

// Versions with the same fields.
template <std::size_t N>
struct Plain {
  static constexpr std::array names{"demo.pintle.dev/v1", "demo.pintle.dev/v2"};
  static constexpr Type type{names[N], "Plain"};
  static constexpr bool served = N == 1;
  struct Spec {
    std::int32_t size = 0;
    static constexpr auto fields() { return pintle::fields(field("size", &Spec::size)); }
  };
  Metadata metadata{};
  Spec spec{};
};
using PlainVersions = Versions<Plain<1>, Plain<0>>;

TEST(Versions, AreAllInTheCrdAndTheFirstIsStored) {
  const json::Value crd = crd_of<Bridge>();
  EXPECT_EQ(found_at(crd, "/metadata/name"), "\"bridges.demo.pintle.dev\"");
  EXPECT_EQ(found_at(crd, "/spec/names/shortNames"), R"(["br"])");
  const json::Document document(crd);
  EXPECT_EQ(CrdView(document.root()).served_versions(), (std::vector<std::string>{"v1", "v1beta1"}));
  EXPECT_EQ(CrdView(document.root()).stored_version(), "v1");
  EXPECT_EQ(found_at(crd, "/spec/versions/0/deprecated"), "missing");
  EXPECT_EQ(found_at(crd, "/spec/versions/1/deprecated"), "true");
  EXPECT_EQ(found_at(crd, "/spec/versions/1/deprecationWarning"), "\"use demo.pintle.dev/v1\"");
  EXPECT_EQ(found_at(crd, "/spec/versions/0/additionalPrinterColumns/0/name"), "\"Host\"");
  EXPECT_EQ(found_at(crd, "/spec/versions/1/additionalPrinterColumns/0/name"), "\"Age\"");
  EXPECT_EQ(found_at(crd, "/spec/versions/1/schema/openAPIV3Schema/properties/spec/properties/address/type"),
            "\"string\"");
}

TEST(Versions, ThatConvertNeedAWebhook) {
  EXPECT_EQ(faults_of(crd_of<Bridge>()),
            std::vector<std::string>{
                "spec.conversion.webhook.clientConfig: Required value: set the address of the conversion "
                "webhook"});
  const json::Value by_service =
      Bridge::versions::crd({.service = "hook", .namespace_ = "ops", .path = "/convert", .ca_bundle = "CA"});
  EXPECT_TRUE(faults_of(by_service).empty());
  EXPECT_EQ(found_at(by_service, "/spec/conversion"),
            R"({"strategy":"Webhook","webhook":{"conversionReviewVersions":["v1"],"clientConfig":{"service":)"
            R"({"name":"hook","namespace":"ops","port":443,"path":"/convert"},"caBundle":"Q0E="}}})");
  EXPECT_EQ(found_at(Bridge::versions::crd({.url = "https://hook"}), "/spec/conversion/webhook/clientConfig"),
            R"({"url":"https://hook"})");
}

TEST(Versions, ThatDoNotConvertHaveTheSameFields) {
  const json::Value crd = PlainVersions::crd();
  EXPECT_TRUE(faults_of(crd).empty());
  EXPECT_EQ(found_at(crd, "/spec/conversion"), "missing");
  EXPECT_EQ(found_at(crd, "/spec/versions/0/served"), "true");
  EXPECT_EQ(found_at(crd, "/spec/versions/1/served"), "false");

  json::Value broken = crd;
  broken.at("spec").as_object().erase("conversion");
  json::Value& spec =
      broken.at("spec").at("versions").at(1).at("schema").at("openAPIV3Schema").at("properties").at("spec");
  spec.at("properties") = {{"size", {{"type", "string"}}}, {"colour", {{"type", "string"}}}};
  const std::string at = "spec.versions[1].schema.openAPIV3Schema.properties[spec].properties";
  EXPECT_EQ(
      faults_of(broken),
      (std::vector<std::string>{
          at + "[size]: Invalid value: version v2 has type \"integer\" instead of \"string\"; use the same type in "
               "all versions, or add a conversion webhook",
          at + "[colour]: Invalid value: version v2 does not have this field; add it, or add a conversion webhook",
          at + "[size]: Invalid value: version v1 has type \"string\" instead of \"integer\"; use the same type in "
               "all versions, or add a conversion webhook"}));
}

std::string converted(const char* object, std::string_view version) {
  const auto made = Bridge::versions::convert(*Object::parse(object), version);
  return made ? json::print(*made) : made.error().message;
}

TEST(Versions, ConvertObjects) {
  constexpr const char* old_one =
      R"({"apiVersion":"demo.pintle.dev/v1beta1","kind":"Bridge","metadata":{"name":"a","managedFields":[{}]},"spec":{"address":"h:80"}})";
  constexpr const char* new_one =
      R"({"apiVersion":"demo.pintle.dev/v1","kind":"Bridge","metadata":{"name":"a","managedFields":[{}]},"spec":{"host":"h","port":80}})";
  EXPECT_EQ(converted(old_one, "demo.pintle.dev/v1"), new_one);
  EXPECT_EQ(converted(new_one, "demo.pintle.dev/v1beta1"), old_one);
  EXPECT_EQ(converted(new_one, "demo.pintle.dev/v1"), new_one);
  EXPECT_EQ(converted(new_one, "demo.pintle.dev/v3"),
            "\"demo.pintle.dev/v3\" is not a version of Bridge; its versions are demo.pintle.dev/v1, "
            "demo.pintle.dev/v1beta1");
  EXPECT_EQ(converted(R"({"apiVersion":"v7","kind":"Bridge","metadata":{}})", "demo.pintle.dev/v1"),
            "\"v7\" is not a version of Bridge; its versions are demo.pintle.dev/v1, demo.pintle.dev/v1beta1");
  EXPECT_EQ(converted(R"({"apiVersion":"demo.pintle.dev/v1beta1","kind":"Bridge","metadata":{},"spec":{"address":1}})",
                      "demo.pintle.dev/v1"),
            "spec.address: expected a string, got an integer");
}

TEST(Versions, OfTheSameFieldsChangeOnlyTheirName) {
  const Object object = *Object::parse(
      R"({"apiVersion":"demo.pintle.dev/v1","kind":"Plain","metadata":{},"spec":{"size":1,"unknown":2}})");
  EXPECT_EQ(json::print(*PlainVersions::convert(object, "demo.pintle.dev/v2")),
            R"({"apiVersion":"demo.pintle.dev/v2","kind":"Plain","metadata":{},"spec":{"size":1,"unknown":2}})");
}

}  // namespace
}  // namespace pintle
