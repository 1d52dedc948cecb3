// SPDX-License-Identifier: Apache-2.0
#include "admission_webhook.hpp"

#include <memory>
#include <string>
#include <utility>

#include <gmock/gmock.h>

#include "test_support.hpp"

namespace pintle {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr std::string_view wrong_greeting =
    R"({"apiVersion":"example.com/v1","kind":"Greeting","metadata":{"name":"a"},"spec":{"count":"x"}})";

CallResult decide(Admission<Greeting> admission, bool is_mutating, const AdmissionRequest& request) {
  const AdmissionWebhook webhook(std::make_shared<const AnyAdmission>(erase_type(std::move(admission))), is_mutating);
  return webhook.decide(request, AdmissionContext(request, Instant::max(), {}, {}));
}

Admission<Greeting> admission_of_greetings(FailurePolicy policy) {
  return {.defaults = [](Greeting&) {},
          .validate = [](const Greeting&, const AdmissionContext&) { return denied("never"); },
          .failure_policy = policy};
}

// A mutating webhook receives it before the API server compares it with the schema.
TEST(AdmissionWebhookTest, AnObjectThatCannotBeReadIsAMistakeOfTheClient) {
  for (const bool is_mutating : {true, false}) {
    const CallResult result =
        decide(admission_of_greetings(FailurePolicy::fail), is_mutating, request_with(wrong_greeting));
    EXPECT_EQ(result.outcome, AdmissionOutcome::denied);
    EXPECT_EQ(result.verdict.code, 422);
    EXPECT_EQ(result.verdict.reason, "Invalid");
    EXPECT_THAT(result.verdict.message, HasSubstr("/greeting cannot read the object: "));
    EXPECT_THAT(result.verdict.message, HasSubstr("spec.count"));
    EXPECT_EQ(result.error, "") << "the webhook has not failed";
  }
}

TEST(AdmissionWebhookTest, AnObjectThatCannotBeReadIsAdmittedIfFailuresAreIgnored) {
  const CallResult result = decide(admission_of_greetings(FailurePolicy::ignore), false, request_with(wrong_greeting));
  EXPECT_EQ(result.outcome, AdmissionOutcome::failed);
  EXPECT_TRUE(result.verdict.is_admitted);
}

// Otherwise its namespace could not be deleted either.
TEST(AdmissionWebhookTest, AnObjectThatCannotBeReadCanBeDeleted) {
  AdmissionRequest request;
  request.operation = AdmissionOperation::delete_;
  request.old_object = Object::parse(wrong_greeting).value();

  const CallResult result = decide(admission_of_greetings(FailurePolicy::fail), false, request);

  EXPECT_EQ(result.outcome, AdmissionOutcome::admitted);
  EXPECT_TRUE(result.verdict.is_admitted);
  ASSERT_THAT(result.verdict.warnings, SizeIs(1));
  EXPECT_THAT(result.verdict.warnings[0], HasSubstr("it is deleted without a check"));
  EXPECT_THAT(result.error, HasSubstr("spec.count")) << "for the log";
}

}  // namespace
}  // namespace pintle
