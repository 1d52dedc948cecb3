// SPDX-License-Identifier: Apache-2.0
// The status that `reports_ready` requires.
#include <optional>

#include <gmock/gmock.h>

#include "test_support.hpp"

namespace pintle::external {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

struct SpecOfSize {
  std::int64_t size = 1;
  static constexpr auto fields() { return pintle::fields(field("size", &SpecOfSize::size, "How much is in it.")); }
};
struct BucketWithoutStatus {
  static constexpr Type type{"test.pintle.dev/v1", "BucketWithoutStatus"};
  Metadata metadata{};
  SpecOfSize spec{};
};
struct BucketWithPhase {
  static constexpr Type type{"test.pintle.dev/v1", "BucketWithPhase"};
  struct Status {
    std::string phase{};
    std::vector<StatusCondition> conditions{};
    static constexpr auto fields() {
      return pintle::fields(field("phase", &Status::phase), field("conditions", &Status::conditions));
    }
  };
  Metadata metadata{};
  SpecOfSize spec{};
  std::optional<Status> status{};
};
struct BucketWithAnyStatus {
  static constexpr Type type{"test.pintle.dev/v1", "BucketWithAnyStatus"};
  Metadata metadata{};
  SpecOfSize spec{};
  json::Value status{};
};

template <class T>
class Idle final : public Reconciler<T> {
 public:
  using Meta = std::monostate;
  Outcome read(const T&, Context&, Scratch&, Meta&) override { return done; }
  Result<Diff> diff(const T&, Context&, Scratch&, Meta&) override { return Diff{}; }
  Outcome create(const T&, Context&, Scratch&, Meta&) override { return done; }
  Outcome update(const T&, Context&, Scratch&, Meta&) override { return done; }
  Outcome remove(const T&, Context&, Scratch&, Meta&) override { return done; }
};

template <class T>
std::string refusal(bool reports_ready = true) {
  const StdReconciler<Idle<T>> reconciler{.reconciler = std::make_shared<Idle<T>>(), .reports_ready = reports_ready};
  std::string all;
  for (const Error& error : reconciler.controller().errors) all += error.to_string() + "\n";
  return all;
}

// The status would be written after a reconcile that had created the resource, and the error of that write would keep
// the finalizer for ever.
TEST(ExternalDeclaredStatus, AKindWithoutStatusIsRefused) {
  EXPECT_THAT(refusal<BucketWithoutStatus>(), HasSubstr("BucketWithoutStatus has no status"));
  EXPECT_THAT(refusal<BucketWithoutStatus>(false), IsEmpty());
}

// The server would drop the members that the schema of the kind does not contain.
TEST(ExternalDeclaredStatus, AStatusWithoutItsMembersIsRefused) {
  EXPECT_THAT(refusal<BucketWithPhase>(), AllOf(HasSubstr("isOnError, lastErrorMessage, observedGeneration"),
                                                HasSubstr("of BucketWithPhase"), Not(HasSubstr("conditions"))));
  EXPECT_THAT(refusal<BucketWithPhase>(false), IsEmpty());
}

TEST(ExternalDeclaredStatus, AStatusWithItsMembersIsAccepted) {
  EXPECT_THAT(refusal<Bucket>(), IsEmpty());
  EXPECT_THAT(refusal<BucketWithAnyStatus>(), IsEmpty()) << "it has any members";
}

TEST_F(ExternalReconcilerTest, AStatusThatCannotBeReportedIsRefusedAtStart) {
  const StdReconciler<Idle<BucketWithoutStatus>> reconciler{.reconciler = std::make_shared<Idle<BucketWithoutStatus>>(),
                                                            .reports_ready = true};
  testkit::Instance refused(simulation, {.name = "test-operator", .log_sink = log},
                            [&](Manager& manager) { manager.add(reconciler.controller()); });
  refused.start();
  refused.join();
  ASSERT_FALSE(refused.started());
  EXPECT_THAT(refused.started().error().to_string(), HasSubstr("BucketWithoutStatus has no status"));
}

}  // namespace
}  // namespace pintle::external
