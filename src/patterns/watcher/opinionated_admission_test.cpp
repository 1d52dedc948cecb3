// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/watcher/opinionated_admission.hpp>

#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <pintle/json/pointer.hpp>
#include <pintle/sim/simulated_executor.hpp>

namespace pintle::watcher {
namespace {

// The values of createdBy, updatedBy and updateTimestamp; empty: the object does not have the annotation.
struct Annotations {
  std::string created_by{};
  std::string updated_by{};
  std::string update_timestamp{};
};

constexpr const char* early = "2026-01-02T03:04:05Z";
constexpr const char* late = "2026-01-02T03:04:06Z";

Object widget(const Annotations& annotations) {
  json::object all;
  if (!annotations.created_by.empty()) all[created_by_annotation] = annotations.created_by;
  if (!annotations.updated_by.empty()) all[updated_by_annotation] = annotations.updated_by;
  if (!annotations.update_timestamp.empty()) all[update_timestamp_annotation] = annotations.update_timestamp;
  return Object(json::Value{
      {"apiVersion", "example.com/v2"}, {"kind", "Widget"}, {"metadata", {{"name", "a"}, {"annotations", all}}}});
}

class OpinionatedAdmissionTest : public ::testing::Test {
 protected:
  // A request of the user "me".
  AdmissionRequest request(AdmissionOperation operation, const Object& object, const Object& old = {}) {
    AdmissionRequest made;
    made.operation = operation;
    made.kind = {"example.com/v2", "Widget"};
    made.user.name = "me";
    made.object = object;
    made.old_object = old;
    return made;
  }
  Result<MutatingResponse> mutate(const AdmissionRequest& request,
                                  std::shared_ptr<MutatingAdmissionController> underlying = nullptr) {
    const AdmissionContext context(request, Instant::max(), {}, {});
    return OpinionatedMutatingAdmissionController(executor_, std::move(underlying)).mutate(request.object, context);
  }
  // Returns the name of the annotation that was denied, "admitted", or "unexpected" with the verdict.
  static std::string validate(const AdmissionRequest& request, OpinionatedValidatingOptions options = {}) {
    const AdmissionContext context(request, Instant::max(), {}, {});
    const auto verdict = OpinionatedValidatingAdmissionController(nullptr, options).validate(request.object, context);
    if (!verdict) return "unexpected " + verdict.error().to_string();
    if (verdict->is_admitted) return "admitted";
    const std::string prefix = "cannot set /metadata/annotations/grafana.com/";
    const bool is_expected =
        verdict->code == 400 && verdict->reason == "field_not_allowed" && verdict->message.starts_with(prefix);
    return is_expected ? verdict->message.substr(prefix.size()) : "unexpected " + verdict->message;
  }

  SimulatedExecutor executor_;
};

// A creation is labelled with the version and records the user, also over a wrong name (T4-34).
TEST_F(OpinionatedAdmissionTest, ACreationRecordsItsUserAndVersion) {
  const auto response = mutate(request(AdmissionOperation::create, widget({.created_by = "someone"})));
  ASSERT_TRUE(response);
  EXPECT_EQ(response->updated_object.print(),
            R"({"apiVersion":"example.com/v2","kind":"Widget","metadata":{"name":"a",)"
            R"("annotations":{"grafana.com/createdBy":"me"},"labels":{"grafana-app-sdk-resource-version":"v2"}}})");
  EXPECT_TRUE(response->verdict.is_admitted);
}

// An update records its user and time, and keeps other labels and the creator (T4-34).
TEST_F(OpinionatedAdmissionTest, AnUpdateRecordsItsUserTimeAndVersion) {
  json::Value object = widget({.created_by = "you", .updated_by = "someone"}).to_value();
  ASSERT_TRUE(json::set(object, "/metadata/labels/foo", "bar"));
  const auto response = mutate(request(AdmissionOperation::update, Object(object), widget({.created_by = "you"})));
  ASSERT_TRUE(response);
  const Object& updated = response->updated_object;
  EXPECT_EQ(updated.annotation(created_by_annotation), "you");
  EXPECT_EQ(updated.annotation(updated_by_annotation), "me");
  EXPECT_EQ(updated.annotation(update_timestamp_annotation), format_time(executor_.wall_now()));
  EXPECT_EQ(updated.label(version_label), "v2");
  EXPECT_EQ(updated.label("foo"), "bar");
}

// An object without metadata of its own is changed too, and a connection is not (T4-34).
TEST_F(OpinionatedAdmissionTest, OnlyCreationsAndUpdatesAreChanged) {
  const Object bare = Object::parse(R"({"apiVersion":"example.com/v2","kind":"Widget"})").value();
  EXPECT_EQ(mutate(request(AdmissionOperation::create, bare))->updated_object.annotation(created_by_annotation), "me");
  EXPECT_FALSE(mutate(request(AdmissionOperation::connect, bare))->updated_object.exists());
  const Object wrong = Object::parse(R"({"kind":"Widget","metadata":{"labels":7}})").value();
  EXPECT_FALSE(mutate(request(AdmissionOperation::create, wrong)));
}

// The underlying mutation runs first, and its result is extended (T4-34).
TEST_F(OpinionatedAdmissionTest, TheUnderlyingMutationRunsFirst) {
  Object seen;
  const auto underlying = std::make_shared<SimpleMutatingAdmissionController>(
      [&](const Object& object, const AdmissionContext&) -> Result<MutatingResponse> {
        seen = object;
        json::Value next = object.to_value();
        (void)json::set(next, "/spec", "changed");
        (void)json::set(next, "/metadata/annotations/grafana.com~1createdBy", "underlying");
        return MutatingResponse{.updated_object = Object(next), .verdict = admitted().with_warning("careful")};
      });
  const auto response = mutate(request(AdmissionOperation::create, widget({})), underlying);
  ASSERT_TRUE(response);
  EXPECT_EQ(seen, widget({}));
  EXPECT_EQ(response->updated_object["/spec"], "changed");
  EXPECT_EQ(response->updated_object.annotation(created_by_annotation), "me");
  EXPECT_EQ(response->verdict.warnings, std::vector<std::string>{"careful"});

  const auto unchanged = std::make_shared<SimpleMutatingAdmissionController>(nullptr);
  EXPECT_EQ(mutate(request(AdmissionOperation::create, widget({})), unchanged)
                ->updated_object.annotation(created_by_annotation),
            "me");
}

// An error or a denial of the underlying mutation is returned as it is (T4-34).
TEST_F(OpinionatedAdmissionTest, AFailureOfTheUnderlyingMutationIsReturned) {
  const auto failing = std::make_shared<SimpleMutatingAdmissionController>(
      [](const Object&, const AdmissionContext&) -> Result<MutatingResponse> {
        return fail(ErrorCode::unavailable, "not now");
      });
  const auto failed = mutate(request(AdmissionOperation::create, widget({})), failing);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message, "not now");

  const auto denying = std::make_shared<SimpleMutatingAdmissionController>(
      [](const Object&, const AdmissionContext&) -> Result<MutatingResponse> {
        return MutatingResponse{.verdict = denied("no", 409, "some_err")};
      });
  const auto refused = mutate(request(AdmissionOperation::create, widget({})), denying);
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->verdict.reason, "some_err");
  EXPECT_FALSE(refused->updated_object.exists());
}

// The table of a creation (T4-34).
TEST_F(OpinionatedAdmissionTest, ACreationMayOnlyNameItsUser) {
  EXPECT_EQ(field_not_allowed_reason, "field_not_allowed");
  const std::pair<Annotations, std::string> cases[] = {
      {{}, "admitted"},
      {{.created_by = "me"}, "admitted"},
      {{.created_by = "someone"}, "createdBy"},
      {{.updated_by = "me"}, "admitted"},
      {{.updated_by = "someone"}, "updatedBy"},
      {{.created_by = "me", .updated_by = "someone else"}, "updatedBy"},
      {{.update_timestamp = early}, "updateTimestamp"},
      {{.created_by = "me", .updated_by = "me", .update_timestamp = early}, "updateTimestamp"},
  };
  for (const auto& [annotations, expected] : cases) {
    const auto made = request(AdmissionOperation::create, widget(annotations));
    EXPECT_EQ(validate(made), expected) << made.object.print();
    EXPECT_EQ(validate(made, {.with_opinionated_mutation = true}), expected) << made.object.print();
  }
}

// The table of an update (T4-34).
TEST_F(OpinionatedAdmissionTest, AnUpdateMayOnlyRecordItsUser) {
  const Annotations old{.created_by = "you", .updated_by = "you", .update_timestamp = early};
  struct Case {
    Annotations before{};
    Annotations after{};
    std::string expected{};
  };
  const Case cases[] = {
      {old, old, "admitted"},
      {{}, {}, "admitted"},
      {old, {.created_by = "me", .updated_by = "you", .update_timestamp = early}, "createdBy"},
      {old, {.updated_by = "you", .update_timestamp = early}, "createdBy"},
      {{}, {.created_by = "me"}, "createdBy"},
      {old, {.created_by = "you", .updated_by = "me", .update_timestamp = early}, "admitted"},
      {old, {.created_by = "you", .updated_by = "someone", .update_timestamp = early}, "updatedBy"},
      {old, {.created_by = "you", .update_timestamp = early}, "updatedBy"},
      {{.updated_by = "me"}, {.updated_by = "someone"}, "updatedBy"},
      {old, {.created_by = "you", .updated_by = "you", .update_timestamp = late}, "updateTimestamp"},
      {old, {.created_by = "you", .updated_by = "you"}, "updateTimestamp"},
      {old, {.created_by = "you", .updated_by = "me", .update_timestamp = late}, "updateTimestamp"},
      {{.created_by = "me"}, {.created_by = "me", .update_timestamp = late}, "updateTimestamp"},
  };
  for (const auto& [before, after, expected] : cases) {
    const auto made = request(AdmissionOperation::update, widget(after), widget(before));
    EXPECT_EQ(validate(made), expected) << made.object.print();
  }
}

// In the original, the two Opinionated controllers together denied each update, because the mutation changes the time.
TEST_F(OpinionatedAdmissionTest, AValidationWithTheMutationAdmitsItsTime) {
  const OpinionatedValidatingOptions both{.with_opinionated_mutation = true};
  const Object old = widget({.created_by = "you", .updated_by = "you", .update_timestamp = early});
  const Object mutated = mutate(request(AdmissionOperation::update, old, old))->updated_object;
  EXPECT_EQ(validate(request(AdmissionOperation::update, mutated, old), both), "admitted");
  EXPECT_EQ(validate(request(AdmissionOperation::update, mutated, old)), "updateTimestamp");

  const Object created = mutate(request(AdmissionOperation::create, widget({})))->updated_object;
  EXPECT_EQ(validate(request(AdmissionOperation::create, created), both), "admitted");

  const Object by_other = widget({.created_by = "you", .updated_by = "you", .update_timestamp = late});
  EXPECT_EQ(validate(request(AdmissionOperation::update, by_other, old), both), "updateTimestamp");
}

// Other operations are not checked, and the underlying validation decides about them (T4-34).
TEST_F(OpinionatedAdmissionTest, OtherOperationsAreNotChecked) {
  const Object wrong = widget({.created_by = "someone", .update_timestamp = early});
  EXPECT_EQ(validate(request(AdmissionOperation::delete_, wrong)), "admitted");
  EXPECT_EQ(validate(request(AdmissionOperation::connect, wrong)), "admitted");
}

// The underlying validation runs after a successful check only, and its result is returned (T4-34).
TEST_F(OpinionatedAdmissionTest, TheUnderlyingValidationRunsAfterTheCheck) {
  int calls = 0;
  OpinionatedValidatingAdmissionController controller(std::make_shared<SimpleValidatingAdmissionController>(
      [&](const Object& object, const AdmissionContext&) -> Result<AdmissionVerdict> {
        ++calls;
        return denied(std::string(object.name()), 409, "some_err");
      }));
  const auto ask = [&](const AdmissionRequest& request) {
    const AdmissionContext context(request, Instant::max(), {}, {});
    return controller.validate(request.object, context).value();
  };
  EXPECT_EQ(ask(request(AdmissionOperation::create, widget({.created_by = "someone"}))).code, 400);
  EXPECT_EQ(calls, 0);

  const AdmissionVerdict verdict = ask(request(AdmissionOperation::create, widget({.created_by = "me"})));
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(verdict.code, 409);
  EXPECT_EQ(verdict.reason, "some_err");
  EXPECT_EQ(verdict.message, "a");
  EXPECT_FALSE(ask(request(AdmissionOperation::delete_, widget({}))).is_admitted);
  EXPECT_EQ(calls, 2);
}

// Controllers without a function admit, and change nothing.
TEST_F(OpinionatedAdmissionTest, SimpleControllersWithoutFunctionsSucceed) {
  const AdmissionRequest made = request(AdmissionOperation::create, widget({}));
  const AdmissionContext context(made, Instant::max(), {}, {});
  EXPECT_TRUE(SimpleValidatingAdmissionController(nullptr).validate(made.object, context)->is_admitted);
  const auto response = SimpleMutatingAdmissionController(nullptr).mutate(made.object, context);
  EXPECT_TRUE(response->verdict.is_admitted);
  EXPECT_FALSE(response->updated_object.exists());
}

}  // namespace
}  // namespace pintle::watcher
