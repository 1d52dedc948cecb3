// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/crud/reconcile_flags.hpp>

#include <atomic>

#include "test_support.hpp"

namespace pintle::crud {
namespace {

// Copies of a flag share its value (T2-16).
TEST(ReconcileFlag, IsSharedByItsCopies) {
  const ReconcileFlag flag;
  const ReconcileFlag copy = flag;  // NOLINT(performance-unnecessary-copy-initialization)
  EXPECT_FALSE(flag.is_set());
  copy.set();
  EXPECT_TRUE(flag.is_set());
  flag.set();
  EXPECT_TRUE(copy.is_set());
  EXPECT_FALSE(ReconcileFlag().is_set());
}

// Flags are independent of each other (T2-16).
TEST(ReconcileFlag, IsIndependentOfOtherFlags) {
  ReconcileFlags flags;
  flags.deletion_allowed.set();
  EXPECT_TRUE(flags.deletion_allowed.is_set());
  for (const ReconcileFlag* other : {&flags.reconciliation_canceled, &flags.resource_canceled, &flags.finalizer_kept,
                                     &flags.update_allowed, &flags.update_necessary}) {
    EXPECT_FALSE(other->is_set());
  }
  flags.deletion_allowed = {};
  EXPECT_FALSE(flags.deletion_allowed.is_set()) << "a new flag, for the next resource";
}

// Every function of a reconcile uses the same flags (T2-16).
class ReconcileFlagsTest : public CrudTest {};
TEST_F(ReconcileFlagsTest, AreSharedInAReconcileAndNewInTheNext) {
  on["r0.created"] = [](Context& ctx) -> Result<void> {
    const ReconcileFlag kept = reconcile_flags(ctx).update_allowed;
    kept.set();
    return {};
  };
  std::vector<bool> seen;
  on["r1.created"] = [&](Context& ctx) -> Result<void> {
    seen.push_back(reconcile_flags(ctx).update_allowed.is_set());
    return {};
  };
  run_in_reconcile([&](const Object& object, Context& ctx) {
    EXPECT_FALSE(reconcile_flags(ctx).update_allowed.is_set()) << "each reconcile has new flags";
    EXPECT_TRUE(process_update(object, ctx, plain(2)));
    EXPECT_TRUE(reconcile_flags(ctx).update_allowed.is_set());
  });
  EXPECT_THAT(seen, ::testing::ElementsAre(true));
}

// In the original, two threads that set a flag at the same time could crash the process (T2-16). The eight threads wait
// for each other, so that they set flags at the same time. Each of them then finds its own flag and the shared flag
// set, and observers never see a flag reset.
TEST(ReconcileFlagConcurrency, EightThreadsMaySetItAtOnce) {
  constexpr int setters = 8;
  const auto executor = make_real_executor(1);
  for (int round = 0; round < 50; ++round) {
    const ReconcileFlag shared;
    const std::vector<ReconcileFlag> own(setters);
    Mutex mutex(*executor);
    CondVar arrived(*executor);
    int ready = 0;
    std::atomic<int> found = 0;
    std::atomic<bool> went_back = false;
    const auto meet = [&](int all) {
      const MutexLock lock(mutex);
      ++ready;
      arrived.notify_all();
      while (ready < all) arrived.wait(mutex);
    };
    std::vector<Thread> threads;
    for (int i = 0; i < setters; ++i) {
      threads.push_back(executor->spawn({.name = "setter"}, [&, mine = own[static_cast<std::size_t>(i)], shared] {
        const bool was_set = mine.is_set();
        meet(setters + 1);
        shared.set();
        mine.set();
        if (!was_set && mine.is_set() && shared.is_set()) ++found;
      }));
    }
    threads.push_back(executor->spawn({.name = "watcher"}, [&, shared] {
      meet(setters + 1);
      bool was_set = false;
      for (int i = 0; i < 1000; ++i) {
        const bool is_set = shared.is_set();
        if (was_set && !is_set) went_back = true;
        was_set = is_set;
      }
    }));
    threads.clear();
    EXPECT_EQ(found, setters);
    EXPECT_FALSE(went_back);
    EXPECT_TRUE(shared.is_set());
    for (const ReconcileFlag& one : own) EXPECT_TRUE(one.is_set());
  }
}

}  // namespace
}  // namespace pintle::crud
