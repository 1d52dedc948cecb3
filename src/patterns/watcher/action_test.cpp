// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/watcher/action.hpp>

#include <gtest/gtest.h>

namespace pintle::watcher {
namespace {

// Actions convert in both directions; an action without a counterpart becomes `unknown` or `none` (T4-28).
TEST(Action, ConvertsBothWaysAndOthersAreUnknown) {
  EXPECT_EQ(reconcile_action_from(ResourceAction::create), ReconcileAction::created);
  EXPECT_EQ(reconcile_action_from(ResourceAction::update), ReconcileAction::updated);
  EXPECT_EQ(reconcile_action_from(ResourceAction::delete_), ReconcileAction::deleted);
  EXPECT_EQ(reconcile_action_from(ResourceAction::none), ReconcileAction::unknown);

  EXPECT_EQ(resource_action_from(ReconcileAction::created), ResourceAction::create);
  EXPECT_EQ(resource_action_from(ReconcileAction::updated), ResourceAction::update);
  EXPECT_EQ(resource_action_from(ReconcileAction::deleted), ResourceAction::delete_);
  EXPECT_EQ(resource_action_from(ReconcileAction::resynced), ResourceAction::none);
  EXPECT_EQ(resource_action_from(ReconcileAction::unknown), ResourceAction::none);
}

TEST(Action, HasTheNamesOfTheOriginal) {
  EXPECT_EQ(to_string(ResourceAction::create), "CREATE");
  EXPECT_EQ(to_string(ResourceAction::update), "UPDATE");
  EXPECT_EQ(to_string(ResourceAction::delete_), "DELETE");
  EXPECT_EQ(to_string(ResourceAction::none), "");
  EXPECT_EQ(to_string(ReconcileAction::resynced), "resynced");
}

}  // namespace
}  // namespace pintle::watcher
