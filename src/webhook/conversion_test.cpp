// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <pintle/http/handler.hpp>
#include <pintle/json/pointer.hpp>
#include <pintle/object/versions.hpp>
#include <pintle/sim/simulated_executor.hpp>

#include "webhook_handler.hpp"

namespace pintle {
namespace {

using ::testing::HasSubstr;
using namespace std::chrono_literals;  // NOLINT(google-build-using-namespace)

struct Gate;
struct OldGate {
  static constexpr Type type{"example.com/v1", "Gate"};
  struct Spec {
    std::string address{};
    static constexpr auto fields() { return pintle::fields(field("address", &Spec::address)); }
  };
  Metadata metadata{};
  Spec spec{};
  [[nodiscard]] Result<void> to(Gate& stored) const;
  void from(const Gate& stored);
};
struct Gate {
  static constexpr Type type{"example.com/v2", "Gate"};
  using versions = Versions<Gate, OldGate>;
  struct Spec {
    std::string host{};
    static constexpr auto fields() { return pintle::fields(field("host", &Spec::host)); }
  };
  Metadata metadata{};
  Spec spec{};
};
Result<void> OldGate::to(Gate& stored) const {
  if (spec.address.empty()) return fail(ErrorCode::invalid, "spec.address: is required");
  if (spec.address == "throw") throw std::runtime_error("no luck");
  stored.spec.host = spec.address;
  return {};
}
void OldGate::from(const Gate& stored) { spec.address = stored.spec.host; }

std::string gate(const std::string& name, const std::string& address) {
  return R"({"apiVersion":"example.com/v1","kind":"Gate","metadata":{"name":")" + name +
         R"(","namespace":"shop","uid":"u","resourceVersion":"7","labels":{"a":"b"}},"spec":{"address":")" + address +
         R"("}})";
}

std::string review(const std::string& objects, const std::string& version = "example.com/v2",
                   const std::string& review_version = "v1") {
  return R"({"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/)" + review_version +
         R"(","request":{"uid":"u-7","desiredAPIVersion":")" + version + R"(","objects":[)" + objects + "]}}";
}

class ConversionTest : public ::testing::Test {
 protected:
  http::Response post(std::string body, const std::string& method = "POST") {
    return handler_->handle({.method = method,
                             .target = "/convert?timeout=30s",
                             .headers = {{"Content-Type", "application/json"}},
                             .body = std::move(body)});
  }
  json::Value convert(std::string body) {
    auto response = post(std::move(body));
    EXPECT_EQ(response.status, 200) << response.body;
    std::string text;
    while (response.stream->read(text) == http::BodyStream::State::waiting) executor_.sleep_for(1ms);
    return json::parse(text).value();
  }
  static std::string at(const json::Value& value, const char* pointer) {
    const json::Value* found = json::find(value, pointer);
    return found == nullptr ? "missing" : json::print(*found);
  }
  void serve(std::vector<AnyConversion> conversions, bool serves_conversions = false) {
    handler_.emplace(executor_, std::vector<AdmissionWebhook>{},
                     WebhookHandlerOptions{.max_conversion_size = 10'000,
                                           .max_conversions_size = 15'000,
                                           .conversions = std::move(conversions),
                                           .serves_conversions = serves_conversions,
                                           .metrics = &metrics_});
  }
  void SetUp() override { serve({*conversion_of<Gate>()}); }

  SimulatedExecutor executor_;
  MetricsRegistry metrics_;
  std::optional<WebhookHandler> handler_;
};

// The API server requires the same order, the same count, and unchanged metadata (trap 80).
TEST_F(ConversionTest, ConvertsAllObjectsInTheirOrder) {
  const json::Value answer = convert(review(gate("a", "x") + "," + gate("b", "y")));
  EXPECT_EQ(at(answer, "/kind"), "\"ConversionReview\"");
  EXPECT_EQ(at(answer, "/apiVersion"), "\"apiextensions.k8s.io/v1\"");
  EXPECT_EQ(at(answer, "/response/uid"), "\"u-7\"");
  EXPECT_EQ(at(answer, "/response/result"), R"({"status":"Success"})");
  EXPECT_EQ(
      at(answer, "/response/convertedObjects/0"),
      R"({"apiVersion":"example.com/v2","kind":"Gate","metadata":{"name":"a","namespace":"shop","uid":"u","resourceVersion":"7","labels":{"a":"b"}},"spec":{"host":"x"}})");
  EXPECT_EQ(at(answer, "/response/convertedObjects/1/metadata/name"), "\"b\"");
  EXPECT_EQ(at(answer, "/response/convertedObjects/2"), "missing");
  EXPECT_EQ(at(convert(review("", "example.com/v2", "v1beta1")), "/apiVersion"), "\"apiextensions.k8s.io/v1beta1\"");
}

// Labels and annotations are the only metadata that a conversion may change (trap 80).
TEST_F(ConversionTest, KeepsMetadataThatAFunctionChanges) {
  serve({{.kind = {"example.com/v2", "Gate"}, .convert = [](const Object&, std::string_view version) {
            return Result<json::Value>(json::object{
                {"apiVersion", version},
                {"kind", "Gate"},
                {"metadata", {{"name", "other"}, {"uid", "z"}, {"annotations", {{"c", "d"}, {"e", "f"}}}}}});
          }}});
  EXPECT_EQ(at(convert(review(gate("a", "x"))), "/response/convertedObjects/0/metadata"),
            R"({"name":"a","namespace":"shop","uid":"u","resourceVersion":"7","annotations":{"c":"d","e":"f"}})");
}

TEST_F(ConversionTest, FailsAsAWhole) {
  const std::string good = gate("a", "x");
  const std::tuple<std::string, std::string, std::string> cases[] = {
      {review(good + "," + gate("b", "")), "cannot convert shop/b to example.com/v2: spec.address: is required", "500"},
      {review(good + "," + gate("b", "throw")), "the conversion threw std::runtime_error: no luck", "500"},
      {review(good, "example.com/v3"), "\"example.com/v3\" is not a version of Gate", "500"},
      {review(good, "other.com/v1"), "are in group example.com", "500"},
      {review(R"({"apiVersion":"example.com/v1","kind":"Door","metadata":{"name":"d"}})"),
       "does not convert example.com/v1 Door", "422"},
  };
  for (const auto& [body, message, code] : cases) {
    const json::Value answer = convert(body);
    EXPECT_EQ(at(answer, "/response/result/code"), code) << message;
    EXPECT_EQ(at(answer, "/response/result/status"), "\"Failure\"") << message;
    EXPECT_THAT(json::find(answer, "/response/result/message")->get_string().c_str(), HasSubstr(message));
    EXPECT_EQ(at(answer, "/response/convertedObjects"), "[]");
  }
  EXPECT_THAT(metrics_.text(), HasSubstr("controller_runtime_conversion_webhook_panics_total 1"));
  EXPECT_THAT(metrics_.text(),
              HasSubstr(R"(pintle_webhook_outcomes_total{operation="CONVERT",outcome="failed",webhook="/convert"} 5)"));
}

// The status of a request that the function made is not the status of the conversion.
TEST_F(ConversionTest, FailsWithItsOwnStatus) {
  serve({{.kind = {"example.com/v2", "Gate"}, .convert = [](const Object&, std::string_view) -> Result<json::Value> {
            Error error = make_error(ErrorCode::not_found, "no such class");
            error.http_status = 404;
            return fail(std::move(error));
          }}});
  EXPECT_EQ(at(convert(review(gate("a", "x"))), "/response/result/code"), "500");
}

TEST_F(ConversionTest, CanBeServedWithoutAnyConversion) {
  serve({}, true);
  EXPECT_EQ(at(convert(review(gate("a", "x"))), "/response/result/code"), "422");
  EXPECT_EQ(at(convert(review("")), "/response/result/status"), "\"Success\"");
}

TEST_F(ConversionTest, RejectsAResultOfAnotherVersion) {
  serve({{.kind = {"example.com/v2", "Gate"},
          .convert = [](const Object& object, std::string_view) { return Result<json::Value>(object.to_value()); }}});
  EXPECT_THAT(at(convert(review(gate("a", "x"))), "/response/result/message"),
              HasSubstr("the conversion returned example.com/v1 Gate"));
}

TEST_F(ConversionTest, RefusesWhatIsNoReview) {
  const std::pair<std::string, std::string> cases[] = {
      {"", "body is empty"},
      {"{", "not JSON"},
      {"[]", "expected a ConversionReview"},
      {R"({"kind":"AdmissionReview"})", "expected ConversionReview"},
      {R"({"kind":"ConversionReview","apiVersion":"v1"})", "conversionReviewVersions"},
      {R"({"kind":"ConversionReview","apiVersion":"apiextensions.k8s.io/v1"})", "request: missing"},
      {review("7"), "request.objects[0]: expected an object"},
      {review(gate("a", "x") + R"(,{"kind":"Gate"})"), "request.objects[1].apiVersion: missing"},
      {review(R"({"kind":"Gate","apiVersion":"v1"})"), "request.objects[0].metadata: missing"},
      {review("", ""), "request.desiredAPIVersion: missing"},
  };
  for (const auto& [body, message] : cases) {
    const auto response = post(body);
    EXPECT_EQ(response.status, 400) << message;
    EXPECT_THAT(response.body, HasSubstr(message));
  }
  EXPECT_EQ(post(review(""), "GET").status, 405);
  EXPECT_EQ(post(std::string(10'001, ' ')).status, 413);
  serve({});
  EXPECT_EQ(post(review("")).status, 404);
}

TEST_F(ConversionTest, LimitsTheBytesInProgress) {
  const std::string large = review(gate("a", std::string(8'000, 'x')));
  auto first = post(large);
  EXPECT_EQ(post(large).status, 503);
  first.stream.reset();
  executor_.sleep_for(1ms);
  EXPECT_EQ(at(convert(large), "/response/result/status"), "\"Success\"");
}

TEST(ConversionDeclaration, NamesEachMistake) {
  const auto errors_of = [](const std::function<void(AnyConversion&)>& change) {
    AnyConversion conversion = *conversion_of<Gate>();
    change(conversion);
    std::vector<std::string> messages;
    for (const Error& error : validate({conversion})) messages.push_back(error.message);
    return messages;
  };
  const auto of_gate = [](const std::string& text) {
    return testing::ElementsAre("the conversion of example.com/v2 Gate " + text);
  };
  EXPECT_THAT(errors_of([](AnyConversion&) {}), testing::IsEmpty());
  EXPECT_THAT(errors_of([](AnyConversion& one) { one.crd.reset(); }), testing::IsEmpty());
  EXPECT_THAT(errors_of([](AnyConversion& one) { one.kind = {}; }), testing::ElementsAre(HasSubstr("has no kind")));
  EXPECT_THAT(errors_of([](AnyConversion& one) { one.convert = {}; }), of_gate("has no function; set .convert"));
  EXPECT_THAT(errors_of([](AnyConversion& one) { one.versions.push_back("v1"); }),
              of_gate("has version v1 twice in .versions; remove one of the two"));
  EXPECT_THAT(errors_of([](AnyConversion& one) { one.versions.push_back("v3"); }),
              of_gate("has version v3, which no struct declares in the CRD gates.example.com; add its struct to "
                      "`using versions`, or remove it from .versions"));
  EXPECT_THAT(errors_of([](AnyConversion& one) { one.versions = {"v2"}; }),
              of_gate("has no path from version v1 of the CRD gates.example.com to the hub v2; convert it and add it "
                      "to .versions"));
  EXPECT_THAT(errors_of([](AnyConversion& one) {
                one.versions = {"v1"};
                one.crd.reset();
              }),
              of_gate("does not have its hub v2 in .versions; add it"));
  EXPECT_THAT(errors_of([](AnyConversion& one) { one.kind.version = "v1"; }),
              testing::ElementsAre("the conversion of example.com/v1 Gate has the hub v1, but its CRD "
                                   "gates.example.com stores v2; make the stored version the hub"));
  EXPECT_THAT(errors_of([](AnyConversion& one) {
                json::array& versions = one.crd->at("spec").at("versions").as_array();
                versions.push_back(versions.back());
              }),
              of_gate("has version v1 twice in its CRD gates.example.com; remove one of the two"));
  EXPECT_THAT(errors_of([](AnyConversion& one) {
                one.crd->at("spec").at("versions").as_array().pop_back();
                one.versions.clear();
              }),
              of_gate("has only one version in its CRD gates.example.com; list all structs in `using versions`, or "
                      "remove it"));
  EXPECT_THAT(
      errors_of([](AnyConversion& one) {
        (void)!json::set(*one.crd, "/metadata/annotations", json::object{{std::string(foreign_annotation), "true"}});
      }),
      of_gate("has the CRD gates.example.com of another operator, which converts the objects; remove the "
              "conversion"));
  EXPECT_THAT(errors_of([](AnyConversion& one) { (void)!json::set(*one.crd, "/spec/names/kind", "Door"); }),
              of_gate("has the CRD gates.example.com, which defines another kind; set .crd to the CRD of its kind"));
}

}  // namespace
}  // namespace pintle
