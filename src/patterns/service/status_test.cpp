// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/service/status.hpp>

#include <gtest/gtest.h>

#include <pintle/sim/simulated_executor.hpp>

namespace pintle::service {
namespace {

using namespace std::chrono_literals;

struct NoFinalizer {
  static constexpr Type type{"test.pintle.dev/v1", "NoFinalizer"};
  Metadata metadata{};
  Status status{};
};
struct NoPhase {
  static constexpr Type type{"test.pintle.dev/v1", "NoPhase"};
  static constexpr std::string_view finalizer = "test.pintle.dev/finalizer";
  struct Status {
    std::int64_t observed_generation = 0;
    std::vector<StatusCondition> conditions{};
    static constexpr auto fields() { return pintle::fields(field("conditions", &Status::conditions)); }
  };
  Metadata metadata{};
  Status status{};
};
struct Whole {
  static constexpr Type type{"test.pintle.dev/v1", "Whole"};
  static constexpr std::string_view finalizer = "test.pintle.dev/finalizer";
  Metadata metadata{};
  Status status{};
};
static_assert(Api<Whole> && !Api<NoFinalizer> && !Api<NoPhase>);

class ServiceStatusTest : public ::testing::Test {
 protected:
  [[nodiscard]] static Object object(const json::Value& status = json::object{}) {
    return Object(json::Value{{"apiVersion", "test.pintle.dev/v1"},
                              {"kind", "Whole"},
                              {"metadata", {{"name", "a"}, {"uid", "u"}, {"generation", 7}}},
                              {"status", status}});
  }
  // Applies a function to the status of an object, and returns the resulting status.
  template <class SetStatus>
  [[nodiscard]] Status status_of(SetStatus set_status, const json::Value& before = json::object{}) {
    StatusDraft draft(object(before), executor);
    set_status(draft);
    const auto status = draft.as<Status>();
    EXPECT_TRUE(status);
    EXPECT_EQ(status->observed_generation, 7);
    EXPECT_EQ(status->conditions.size(), 1U);
    EXPECT_EQ(status->conditions[0].type, ready_condition);
    EXPECT_EQ(status->conditions[0].observed_generation, 7);
    return *status;
  }

  SimulatedExecutor executor{{.seed = 1}};
};

// The status of a service that is ready (T3-24).
TEST_F(ServiceStatusTest, StatusReadyWritesTheReadyStatus) {
  const Status status = status_of([](StatusDraft& draft) { status_ready(draft); });
  EXPECT_EQ(status.phase, phase_ready);
  EXPECT_EQ(status.conditions[0].status, ConditionStatus::true_);
  EXPECT_EQ(status.conditions[0].reason, "ReconcileSuccess");
  EXPECT_EQ(status.conditions[0].message, "Domain Service is ready");
}

// The status of a service that is created or updated contains the reason (T3-24).
TEST_F(ServiceStatusTest, StatusProgressingWritesTheReason) {
  const Status status = status_of([](StatusDraft& draft) { status_progressing(draft, "NoRoom", "the disk is full"); });
  EXPECT_EQ(status.phase, phase_progressing);
  EXPECT_EQ(status.conditions[0].status, ConditionStatus::false_);
  EXPECT_EQ(status.conditions[0].reason, "NoRoom");
  EXPECT_EQ(status.conditions[0].message, "the disk is full");
}

// The status of a deletion reports the clean-up, or what delays it (T3-24).
TEST_F(ServiceStatusTest, StatusTerminatingWritesTheReasonOrTheDefault) {
  const Status plain = status_of([](StatusDraft& draft) { status_terminating(draft); });
  EXPECT_EQ(plain.phase, phase_terminating);
  EXPECT_EQ(plain.conditions[0].status, ConditionStatus::false_);
  EXPECT_EQ(plain.conditions[0].reason, "Terminating");
  EXPECT_EQ(plain.conditions[0].message, "Cleanup in progress");
  const Status why = status_of([](StatusDraft& draft) { status_terminating(draft, "Busy", "somebody reads"); });
  EXPECT_EQ(why.phase, phase_terminating);
  EXPECT_EQ(why.conditions[0].reason, "Busy");
  EXPECT_EQ(why.conditions[0].message, "somebody reads");
}

// A second status_ready() keeps the transition time (T3-24).
TEST_F(ServiceStatusTest, ReadyTwiceKeepsTheTransitionTime) {
  StatusDraft first(object(), executor);
  status_ready(first);
  const json::Value then = first.value();
  executor.sleep_for(1h);
  StatusDraft second(object(then), executor);
  status_ready(second);
  EXPECT_EQ(second.value(), then);
  status_progressing(second, "NoRoom", "the disk is full");
  EXPECT_NE(second.as<Status>()->conditions[0].last_transition_time,
            first.as<Status>()->conditions[0].last_transition_time);
}

}  // namespace
}  // namespace pintle::service
