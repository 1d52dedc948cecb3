// SPDX-License-Identifier: Apache-2.0
#include <pintle/webhook/admission.hpp>

#include <stdexcept>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "admission_webhook.hpp"
#include "test_support.hpp"

// A struct of an author is not in the namespace of pintle, so no function of pintle is found by its arguments.
namespace shop {

struct Order {
  static constexpr pintle::Type type{"shop.example.com/v1", "Order"};
  struct Spec {
    int count = 0;
    static constexpr auto fields() { return pintle::fields(pintle::field("count", &Spec::count)); }
  };
  pintle::Metadata metadata{};
  Spec spec{};
};

}  // namespace shop

namespace pintle {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

CallResult decide(const AnyAdmission& admission, const AdmissionRequest& request, bool is_mutating) {
  const AdmissionWebhook webhook(std::make_shared<const AnyAdmission>(admission), is_mutating);
  return webhook.decide(request, AdmissionContext(request, Instant::max(), {}, {}));
}

std::string patch_of(const CallResult& result) { return json::print(result.patch.operations); }

TEST(Admission, SendsOnlyTheDifferenceOfATypedDraft) {
  const AnyAdmission admission = erase_type(Admission<Greeting>{.defaults =
                                                                    [](Greeting& draft) {
                                                                      if (draft.spec.name.empty())
                                                                        draft.spec.name = "world";
                                                                    },
                                                                .mutate =
                                                                    [](Greeting& draft, const AdmissionContext&) {
                                                                      draft.metadata.labels["team"] = "a";
                                                                      return admitted();
                                                                    }});
  const AdmissionRequest request = request_with(
      R"({"apiVersion":"example.com/v1","kind":"Greeting","metadata":{"name":"a","resourceVersion":"5",
          "labels":{"x":"y"},"foreign":1},"spec":{"unknown":{"deep":[1]}}})");

  const CallResult result = decide(admission, request, true);

  EXPECT_EQ(result.outcome, AdmissionOutcome::admitted);
  json::Value changed = request.object.to_value();
  ASSERT_TRUE(json::apply_patch(changed, result.patch.operations));
  EXPECT_EQ(Object(changed), Object::parse(R"({"apiVersion":"example.com/v1","kind":"Greeting","metadata":{
      "name":"a","resourceVersion":"5","labels":{"x":"y","team":"a"},"foreign":1},
      "spec":{"unknown":{"deep":[1]},"name":"world"}})")
                                 .value());
  EXPECT_EQ(result.patch.operations.size(), 2U) << patch_of(result);
}

TEST(Admission, AcceptsAStructOfAnotherNamespace) {
  const AnyAdmission admission = erase_type(
      Admission<shop::Order>{.mutate =
                                 [](shop::Order& draft, const AdmissionContext&) {
                                   draft.spec.count = 2;
                                   return admitted();
                                 },
                             .validate = [](const shop::Order&, const AdmissionContext&) { return denied("no"); }});
  const auto request =
      request_with(R"({"apiVersion":"shop.example.com/v1","kind":"Order","metadata":{"name":"a"},"spec":{"count":1}})");
  EXPECT_EQ(patch_of(decide(admission, request, true)), R"([{"op":"replace","path":"/spec/count","value":2}])");
  EXPECT_EQ(decide(admission, request, false).outcome, AdmissionOutcome::denied);
}

TEST(Admission, SendsNoPatchIfNothingChanges) {
  const AnyAdmission admission =
      erase_type(Admission<Greeting>{.mutate = [](Greeting&, const AdmissionContext&) { return admitted(); }});
  EXPECT_EQ(patch_of(decide(admission, request_with(greeting_text), true)), "[]");
}

TEST(Admission, ChangesPlainObjects) {
  const AnyAdmission admission = erase_type(
      Admission<Object>{.kind = {"v1", "ConfigMap"}, .mutate = [](json::Value& draft, const AdmissionContext&) {
                          draft.as_object()["data"] = json::object{{"k", "2"}};
                          return admitted();
                        }});
  const auto result = decide(admission, request_with(R"({"kind":"ConfigMap","data":{"k":"1"}})"), true);
  EXPECT_EQ(patch_of(result), R"([{"op":"replace","path":"/data/k","value":"2"}])");
  EXPECT_EQ(admission.resource, "configmaps");
}

// A deletion has no object, only an old one (trap 79).
TEST(Admission, ADeletionIsValidatedWithTheOldObjectAndNeverChanged) {
  int mutations = 0;
  std::string seen;
  const AnyAdmission admission =
      erase_type(Admission<Greeting>{.mutate =
                                         [&](Greeting&, const AdmissionContext&) {
                                           ++mutations;
                                           return admitted();
                                         },
                                     .validate =
                                         [&](const Greeting& object, const AdmissionContext&) {
                                           seen = object.metadata.name;
                                           return denied("keep");
                                         }});
  AdmissionRequest request = request_with(greeting_text);
  request.operation = AdmissionOperation::delete_;
  request.old_object = std::exchange(request.object, {});

  EXPECT_EQ(decide(admission, request, true).outcome, AdmissionOutcome::admitted);
  EXPECT_EQ(decide(admission, request, false).outcome, AdmissionOutcome::denied);
  EXPECT_EQ(mutations, 0);
  EXPECT_EQ(seen, "a");
}

TEST(Admission, ADryRunHasNoEffect) {
  int effects = 0;
  const AnyAdmission admission =
      erase_type(Admission<Greeting>{.effect = [&](const Greeting&, const AdmissionContext&) -> Result<void> {
                                       ++effects;
                                       return {};
                                     },
                                     .side_effects = SideEffects::none_on_dry_run});
  AdmissionRequest request = request_with(greeting_text);

  request.is_dry_run = true;
  EXPECT_EQ(decide(admission, request, false).outcome, AdmissionOutcome::admitted);
  EXPECT_EQ(effects, 0);
  request.is_dry_run = false;
  EXPECT_EQ(decide(admission, request, false).outcome, AdmissionOutcome::admitted);
  EXPECT_EQ(effects, 1);
}

TEST(Admission, ADenialHasNoEffect) {
  int effects = 0;
  const AnyAdmission admission =
      erase_type(Admission<Greeting>{.validate = [](const Greeting&, const AdmissionContext&) { return denied("no"); },
                                     .effect = [&](const Greeting&, const AdmissionContext&) -> Result<void> {
                                       ++effects;
                                       return {};
                                     },
                                     .side_effects = SideEffects::none_on_dry_run});
  EXPECT_EQ(decide(admission, request_with(greeting_text), false).outcome, AdmissionOutcome::denied);
  EXPECT_EQ(effects, 0);
}

TEST(Admission, TheFailurePolicyDecidesAboutExceptionsAndBadObjects) {
  Admission<Greeting> admission{.validate = [](const Greeting&, const AdmissionContext&) -> AdmissionVerdict {
    throw std::runtime_error("no luck");
  }};
  const auto bad = request_with(R"({"apiVersion":"example.com/v1","kind":"Greeting","spec":{"name":7}})");

  const auto thrown = decide(erase_type(admission), request_with(greeting_text), false);
  EXPECT_FALSE(thrown.verdict.is_admitted);
  EXPECT_EQ(thrown.verdict.code, 500);
  EXPECT_THAT(thrown.verdict.message, HasSubstr("/validate/greeting failed: std::runtime_error: no luck"));
  EXPECT_THAT(decide(erase_type(admission), bad, false).verdict.message, HasSubstr("spec.name"));

  admission.failure_policy = FailurePolicy::ignore;
  const auto ignored = decide(erase_type(admission), request_with(greeting_text), false);
  EXPECT_TRUE(ignored.verdict.is_admitted);
  EXPECT_EQ(ignored.outcome, AdmissionOutcome::failed);
  EXPECT_THAT(ignored.verdict.warnings, ElementsAre(HasSubstr("no luck")));
}

TEST(Admission, ReadsTheOldObjectAsAStruct) {
  AdmissionRequest request = request_with(greeting_text);
  const AdmissionContext context(request, Instant::max(), {}, {});
  EXPECT_FALSE(context.old_object<Greeting>());
  request.old_object = request.object;
  EXPECT_EQ(context.old_object<Greeting>()->spec.name, "you");
}

TEST(Admission, AValidDeclarationHasNoErrors) {
  EXPECT_THAT(validate(erase_type(Admission<Greeting>{
                  .validate = [](const Greeting&, const AdmissionContext&) { return admitted(); }})),
              IsEmpty());
}

TEST(Admission, NamesEachMistakeOfADeclaration) {
  const auto check = [](const Greeting&, const AdmissionContext&) { return admitted(); };
  const auto effect = [](const Greeting&, const AdmissionContext&) -> Result<void> { return {}; };
  const auto mutate = [](Greeting&, const AdmissionContext&) { return admitted(); };
  const std::pair<Admission<Greeting>, std::string> cases[] = {
      {{}, "it has no function"},
      {{.name = "A_b", .validate = check}, ".name must be a DNS label"},
      {{.operations = {}, .validate = check}, ".operations is empty"},
      {{.operations = {AdmissionOperation::delete_}, .mutate = mutate}, "cannot be changed"},
      {{.validate = check, .timeout = std::chrono::seconds(31)}, ".timeout must be"},
      {{.validate = check, .timeout = std::chrono::milliseconds(1500)}, "got 1.5s"},
      {{.only_subresources = true, .validate = check}, ".subresources is empty"},
      {{.effect = effect}, "none_on_dry_run"},
      {{.validate = check, .namespace_selector = "a in (b"}, ".namespace_selector"},
      {{.validate = check, .object_selector = "a>3"}, "cannot compare"},
      {{.validate = check, .match_conditions = {{"a", "true"}, {"a", "true"}}}, "used twice"},
      {{.validate = check, .match_conditions = {{"a", ""}}}, "needs a name and an expression"},
  };
  for (const auto& [admission, expected] : cases) {
    const auto errors = validate(erase_type(admission));
    ASSERT_EQ(errors.size(), 1U) << expected;
    EXPECT_THAT(errors[0].message, HasSubstr(expected));
    EXPECT_THAT(errors[0].message, HasSubstr("admission "));
  }
}

}  // namespace
}  // namespace pintle
