// SPDX-License-Identifier: Apache-2.0
#include <pintle/object/versions.hpp>

#include <gtest/gtest.h>

#include <pintle/json/pointer.hpp>

namespace pintle {
namespace {

std::string found_at(const json::Value& value, std::string_view pointer) {
  const json::Value* found = json::find(value, pointer);
  return found == nullptr ? "missing" : json::print(*found);
}

std::vector<std::string> errors_of(const json::Value& crd) {
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
  EXPECT_EQ(errors_of(crd_of<Bridge>()),
            std::vector<std::string>{
                "spec.conversion.webhook.clientConfig: Required value: set the address of the conversion "
                "webhook"});
  const json::Value by_service =
      Bridge::versions::crd({.service = "hook", .namespace_ = "ops", .path = "/convert", .ca_bundle = "CA"});
  EXPECT_TRUE(errors_of(by_service).empty());
  EXPECT_EQ(found_at(by_service, "/spec/conversion"),
            R"({"strategy":"Webhook","webhook":{"conversionReviewVersions":["v1"],"clientConfig":{"service":)"
            R"({"name":"hook","namespace":"ops","port":443,"path":"/convert"},"caBundle":"Q0E="}}})");
  EXPECT_EQ(found_at(Bridge::versions::crd({.url = "https://hook"}), "/spec/conversion/webhook/clientConfig"),
            R"({"url":"https://hook"})");
}

TEST(Versions, ThatDoNotConvertHaveTheSameFields) {
  const json::Value crd = PlainVersions::crd();
  EXPECT_TRUE(errors_of(crd).empty());
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
      errors_of(broken),
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

// The stored version has more than the old one can represent: a style, a list of notes with more than their texts, and
// names in mixed case.
struct Sign;
struct OldSign {
  static constexpr Type type{"demo.pintle.dev/v1alpha1", "Sign"};
  struct Spec {
    std::string name{};
    std::int32_t lines = 1;
    std::vector<std::string> notes{};
    std::optional<std::string> legacy{};
    static constexpr auto fields() {
      return pintle::fields(field("name", &Spec::name), field("lines", &Spec::lines), field("notes", &Spec::notes),
                            field("legacy", &Spec::legacy));
    }
  };
  Metadata metadata{};
  Spec spec{};
  [[nodiscard]] Result<void> to(Sign& stored) const;
  void from(const Sign& stored);
};
struct SmallSign {
  static constexpr Type type{"demo.pintle.dev/v1beta1", "Sign"};
  static constexpr bool keeps_lost_fields = false;
  struct Spec {
    std::string name{};
    std::string drop{};
    static constexpr auto fields() { return pintle::fields(field("name", &Spec::name), field("drop", &Spec::drop)); }
  };
  Metadata metadata{};
  Spec spec{};
  void to(Sign& stored) const;
  void from(const Sign& stored);
};
struct Sign {
  static constexpr Type type{"demo.pintle.dev/v1", "Sign"};
  using versions = Versions<Sign, OldSign, SmallSign>;
  struct Note {
    std::string text{};
    std::string author{};
    static constexpr auto fields() {
      return pintle::fields(field("text", &Note::text), field("author", &Note::author));
    }
  };
  struct Spec {
    std::string name{};
    std::int32_t rows = 1;
    std::optional<std::int32_t> size{};
    std::vector<Note> notes{};
    static constexpr auto fields() {
      return pintle::fields(field("name", &Spec::name), field("rows", &Spec::rows),
                            field("size", &Spec::size).minimum(0).maximum(9), field("notes", &Spec::notes));
    }
  };
  Metadata metadata{};
  Spec spec{};
};
Result<void> OldSign::to(Sign& stored) const {
  if (spec.name == "forbidden") return fail(ErrorCode::invalid, "spec.name: \"forbidden\" has no meaning in v1");
  stored.spec.name = spec.name;
  stored.spec.rows = spec.lines;
  for (const std::string& one : spec.notes) stored.spec.notes.push_back({.text = one});
  return {};
}
void OldSign::from(const Sign& stored) {
  for (const char c : stored.spec.name) spec.name += static_cast<char>(std::tolower(c));
  spec.lines = stored.spec.rows;
  for (const Sign::Note& one : stored.spec.notes) spec.notes.push_back(one.text);
}
void SmallSign::to(Sign& stored) const { stored.spec.name = spec.name; }
void SmallSign::from(const Sign& stored) { spec.name = stored.spec.name; }

class KeptFieldsTest : public ::testing::Test {
 protected:
  static json::Value convert(const json::Value& object, const std::string& version) {
    auto made = Sign::versions::convert(Object(object), "demo.pintle.dev/" + version);
    EXPECT_TRUE(made) << made.error().message;
    return made ? *made : json::Value();
  }
  static std::string kept_in(const json::Value& object) {
    return std::string(Object(object).annotation(conversion_annotation));
  }

  const json::Value sign_ = json::parse(R"({"apiVersion":"demo.pintle.dev/v1","kind":"Sign","metadata":{"name":"a",
      "annotations":{"mine":"1"}},"spec":{"name":"Anna","rows":3,"size":4,"notes":[{"text":"t","author":"Bo"}]}})")
                                .value();
};

TEST_F(KeptFieldsTest, SurviveAVersionThatCannotRepresentThem) {
  const json::Value old = convert(sign_, "v1alpha1");
  EXPECT_EQ(found_at(old, "/spec"), R"({"name":"anna","lines":3,"notes":["t"]})");
  EXPECT_EQ(found_at(old, "/metadata/annotations/mine"), "\"1\"");
  EXPECT_EQ(kept_in(old), R"({"v1":{"/spec/name":{"was":"anna","value":"Anna"},"/spec/size":{"value":4},)"
                          R"("/spec/notes":{"was":[{"text":"t","author":""}],"value":[{"text":"t","author":"Bo"}]}}})");
  EXPECT_EQ(convert(old, "v1"), sign_);
}

TEST_F(KeptFieldsTest, DoNotRevertChangesOfTheOtherVersion) {
  json::Value old = convert(sign_, "v1alpha1");
  (void)!json::set(old, "/spec/name", "eve");
  (void)!json::set(old, "/spec/notes/1", "more");

  const json::Value back = convert(old, "v1");

  EXPECT_EQ(found_at(back, "/spec/name"), "\"eve\"");
  EXPECT_EQ(found_at(back, "/spec/size"), "4");
  EXPECT_EQ(found_at(back, "/spec/notes"), R"([{"text":"t","author":"Bo"},{"text":"more","author":""}])");
  EXPECT_EQ(found_at(back, "/metadata/annotations"), R"({"mine":"1"})");
}

TEST_F(KeptFieldsTest, OfSeveralVersionsAreKeptApart) {
  json::Value old = convert(sign_, "v1alpha1");
  (void)!json::set(old, "/spec/legacy", "x");
  const json::Value stored = convert(old, "v1");
  EXPECT_EQ(kept_in(stored), R"({"v1alpha1":{"/spec/legacy":{"value":"x"}}})");

  const json::Value small = convert(stored, "v1beta1");
  const json::Value again = convert(small, "v1alpha1");

  EXPECT_EQ(found_at(again, "/spec/legacy"), "\"x\"");
  EXPECT_EQ(found_at(convert(again, "v1"), "/spec"), found_at(stored, "/spec"));
}

TEST_F(KeptFieldsTest, AreDroppedIfTheirVersionSaysSo) {
  const json::Value small =
      json::parse(R"({"apiVersion":"demo.pintle.dev/v1beta1","kind":"Sign","metadata":{"name":"a"},
      "spec":{"name":"n","drop":"d"}})")
          .value();
  const json::Value stored = convert(small, "v1");
  EXPECT_EQ(kept_in(stored), "");
  EXPECT_EQ(found_at(convert(stored, "v1beta1"), "/spec/drop"), "\"\"");
}

TEST_F(KeptFieldsTest, ContainMembersThatTheStructDoesNotHave) {
  json::Value unknown = sign_;
  (void)!json::set(unknown, "/spec/extra", json::object{{"a", 1}});
  (void)!json::set(unknown, "/spec/nothing", json::object{});
  const json::Value old = convert(unknown, "v1alpha1");
  EXPECT_EQ(found_at(old, "/spec/extra"), "missing");
  EXPECT_EQ(found_at(convert(old, "v1"), "/spec/extra"), R"({"a":1})");
}

TEST_F(KeptFieldsTest, AreIgnoredIfTheyAreInvalid) {
  const std::string plain = found_at(convert(sign_, "v1alpha1"), "/spec");
  for (const char* annotation :
       {"", "{", "[]", "7", R"({"v1":7})", R"({"v1":{"/spec/size":7}})",
        R"({"v1":{"/spec/size":{"value":10}}})",      // above its maximum
        R"({"v1":{"/spec/size":{"value":"text"}}})",  // cannot be decoded
        R"({"v1":{"/metadata/name":{"was":"a","value":"b"}}})", R"({"v1":{"/kind":{"was":"Sign","value":"b"}}})",
        R"({"v1":{"":{"value":{}}}})", R"({"v1":{"/spec/no/such":{"value":1}}})"}) {
    json::Value old = convert(sign_, "v1alpha1");
    (void)!json::set(old, "/metadata/annotations/pintle.dev~1conversion-data", annotation);
    const json::Value stored = convert(old, "v1");
    EXPECT_EQ(found_at(stored, "/spec"), R"({"name":"anna","rows":3,"notes":[{"text":"t","author":""}]})")
        << annotation;
    EXPECT_EQ(found_at(stored, "/metadata/name"), "\"a\"") << annotation;
    EXPECT_EQ(found_at(stored, "/kind"), "\"Sign\"") << annotation;
    EXPECT_EQ(found_at(convert(stored, "v1alpha1"), "/spec"), plain) << annotation;
  }
}

TEST_F(KeptFieldsTest, HaveTheLimitOfAnnotations) {
  json::Value large = sign_;
  (void)!json::set(large, "/spec/notes/0/author", json::Value(std::string(300'000, 'x')));
  const auto made = Sign::versions::convert(Object(large), "demo.pintle.dev/v1alpha1");
  ASSERT_FALSE(made);
  EXPECT_NE(made.error().message.find("the limit is 262144"), std::string::npos) << made.error().message;
}

TEST(Versions, ReturnTheErrorOfTheirConversion) {
  const auto made = Sign::versions::convert(
      *Object::parse(
          R"({"apiVersion":"demo.pintle.dev/v1alpha1","kind":"Sign","metadata":{},"spec":{"name":"forbidden"}})"),
      "demo.pintle.dev/v1");
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().message, "spec.name: \"forbidden\" has no meaning in v1");
}

TEST(Versions, AreServedOnlyIfTheyConvert) {
  const auto conversion = conversion_of<Sign>();
  ASSERT_TRUE(conversion);
  EXPECT_EQ(conversion->kind, GroupVersionKind(Sign::type));
  EXPECT_EQ(*conversion->crd, crd_of<Sign>());
  EXPECT_FALSE(conversion_of<Plain<1>>());
  EXPECT_FALSE(conversion_of<OldSign>());
}

}  // namespace
}  // namespace pintle
