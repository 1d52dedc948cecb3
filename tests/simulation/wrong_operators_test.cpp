// SPDX-License-Identifier: Apache-2.0
// simulate() finds each wrong operator, and no fault in a right one of the same shape.
#include <algorithm>

#include <gtest/gtest.h>

#include <pintle/testing/seeds.hpp>
#include <pintle/webhook/admission.hpp>

#include "booth.hpp"
#include "wrong_operators.hpp"

namespace pintle::wrong_operators {
namespace {

using testkit::FaultClass;

class WrongOperatorTest : public testing::TestWithParam<WrongOperator> {};

TEST_P(WrongOperatorTest, IsCaught) {
  if (testkit::is_sanitized) GTEST_SKIP() << "the oracles do not depend on it";
  const WrongOperator& wrong = GetParam();
  if (!wrong.gap.empty()) GTEST_SKIP() << wrong.gap;
  const auto report = testkit::simulate(wrong.options, wrong.setup);
  ASSERT_TRUE(report.failure.has_value()) << "not caught within " << report.trials << " trials";
  EXPECT_TRUE(wrong.expected.contains(report.failure->oracle)) << report.text();
  EXPECT_LE(report.failure->events.size(), report.failure->events_before);
  EXPECT_LE(report.failure->events.size(), 10U) << report.text();
}

INSTANTIATE_TEST_SUITE_P(All, WrongOperatorTest, testing::ValuesIn(wrong_operators()),
                         [](const auto& tested) { return std::string(tested.param.name); });

Outcome report_result(const Booth& booth, Context& ctx, const Result<Object>& made) {
  ctx.status().set_condition({.type = "Ready",
                              .status = made ? ConditionStatus::true_ : ConditionStatus::false_,
                              .reason = made ? "Made" : "Failed"});
  ctx.status().set("/observedGeneration", booth.metadata.generation);
  return made ? Outcome(done) : failed(made.error());
}

TEST(WrongOperators, AreEnoughForAProof) {
  const auto all = wrong_operators();
  EXPECT_GE(std::ranges::count_if(all, [](const WrongOperator& one) { return one.gap.empty(); }), 30);
}

// Most of what a sanitizer can find is in the first trials.
constexpr std::uint64_t right_seeds = testkit::is_sanitized ? 20 : 100;

// The shape of most wrong operators: a child through the client.
TEST(RightOperatorTest, EnsuresCardAndStatus) {
  EXPECT_TRUE(testkit::simulate({.name = "right-card", .seeds = right_seeds},
                                with_reconcile([](const Booth& booth, Context& ctx) -> Outcome {
                                  return report_result(booth, ctx, ensure(ctx, card_of(booth)));
                                })));
}

// The shape of the wrong clean-ups: a child in another namespace with a finalizer. Lists that are old let it create a
// second one, as every operator that lets the server choose names.
TEST(RightOperatorTest, CleansUpFarCard) {
  const auto make = [] {
    Controller<Booth> controller =
        controller_of([](const Booth& booth, Context& ctx) -> Outcome { return ensure_far_card(ctx, booth); });
    controller.finalize = [](const Booth& booth, Context& ctx) -> Outcome { return remove_far_cards(ctx, booth); };
    controller.finalizer = "fair.example.com/far-cards";
    controller.resync_period = std::chrono::minutes(1);
    return controller;
  };
  EXPECT_TRUE(testkit::simulate({.name = "right-far-card",
                                 .seeds = right_seeds,
                                 .faults = {FaultClass::crash, FaultClass::restart, FaultClass::protocol},
                                 .without = {{testkit::Oracle::status_is_current, "it has no status"}}},
                                with_controller(make)));
}

// Webhooks that depend only on the object.
TEST(RightOperatorTest, SetsDefaultsAndChecks) {
  const auto set_up = [](testkit::Subject& subject) {
    subject.manager.webhooks.listen = "0.0.0.0:9443";
    subject.add_controllers = [](Manager& manager) {
      manager.add(owner_of_cards([](const Booth& booth, Context& ctx) -> Outcome {
        return report_result(booth, ctx, ensure(ctx, card_of(booth)));
      }));
      manager.add(Admission<Booth>{
          .defaults =
              [](Booth& booth) {
                if (!booth.spec.note) booth.spec.note = "of " + booth.metadata.name;
              },
          .validate =
              [](const Booth& booth, const AdmissionContext&) {
                return booth.spec.size == 3 ? denied("there are no three tables") : admitted();
              },
      });
    };
  };
  const auto report = testkit::simulate({.name = "right-webhook", .seeds = right_seeds, .max_faults = 6}, set_up);
  EXPECT_TRUE(report);
  if (testkit::is_sanitized) return;  // its few trials do not have all kinds of faults
  for (const char* kind : {"webhook-delay", "webhook-failure", "webhook-500", "webhook-lost-response",
                           "webhook-refusal", "webhook-wrong-review"}) {
    EXPECT_TRUE(report.faults.contains(kind)) << kind;
  }
}

}  // namespace
}  // namespace pintle::wrong_operators
