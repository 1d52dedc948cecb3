// SPDX-License-Identifier: Apache-2.0
#include "replacement.hpp"

#include <string>

#include <gtest/gtest.h>

#include <pintle/sim/simulated_executor.hpp>

namespace pintle {
namespace {

Object object(int number, int version) {
  return Object(json::Value{{"apiVersion", "v1"},
                            {"kind", "ConfigMap"},
                            {"metadata",
                             {{"name", "n" + std::to_string(number)},
                              {"uid", "u" + std::to_string(number)},
                              {"resourceVersion", std::to_string(version)}}}});
}

// The store is replaced by one step, and all deletions are delivered before other changes (trap 25).
TEST(Replacement, ReplacesInOneStepAndDeliversDeletionsFirst) {
  constexpr int count = 3'000;
  SimulatedExecutor executor;
  Store store(executor);
  OwnWrites own_writes(executor, store);
  for (int i = 0; i < count; ++i) (void)own_writes.put(object(i, 1 + i));
  Replace replace{.resource_version = "10000"};
  for (int i = count / 2; i < 2 * count; ++i) replace.objects.push_back(object(i, i % 2 == 0 ? 1 + i : 5'000 + i));

  Replacement replacement(std::move(replace), own_writes, ChangeCause::missed);
  int steps = 1;
  int replaced_at = 0;
  while (replacement.prepare()) {
    ++steps;
    const bool is_replaced = store.get({"", "n" + std::to_string(2 * count - 1)}).exists();
    EXPECT_EQ(is_replaced, !store.get({"", "n0"}).exists()) << "either all objects are replaced or none";
    EXPECT_EQ(is_replaced, replacement.has_replaced());
    if (is_replaced && replaced_at == 0) replaced_at = steps;
  }
  EXPECT_GE(steps, 2 * (3 * count / 2) / static_cast<int>(Replacement::slice));
  EXPECT_GT(replaced_at, 2);

  int deleted = 0;
  int changed = 0;
  int added = 0;
  for (auto some = replacement.take_changes(); !some.empty(); some = replacement.take_changes()) {
    EXPECT_LE(some.size(), Replacement::slice);
    for (const Change& change : some) {
      if (!change.current) {
        EXPECT_EQ(changed + added, 0) << change.old.name();
        ++deleted;
      } else {
        ++(change.old ? changed : added);
        EXPECT_EQ(change.current.resource_version(), store.get(change.current.key()).resource_version());
      }
    }
  }
  EXPECT_EQ(deleted, count / 2);
  EXPECT_EQ(changed, count / 4) << "an object with the same version has not changed";
  EXPECT_EQ(added, count);
}

}  // namespace
}  // namespace pintle
