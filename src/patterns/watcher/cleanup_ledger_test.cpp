// SPDX-License-Identifier: Apache-2.0
#include "cleanup_ledger.hpp"

#include <gmock/gmock.h>

#include <pintle/sim/simulated_executor.hpp>

namespace pintle::watcher {
namespace {

using Progress = CleanupProgress;

Object ledger_state(const json::Value& metadata, const char* text = "1") {
  return Object(json::Value{{"metadata", metadata}, {"spec", {{"text", text}}}});
}

class CleanupLedgerTest : public ::testing::Test {
 protected:
  static CleanupLedger::Key key(const char* uid, HandlerId handler, const char* finalizer = "f") {
    return {.uid = uid, .handler = handler, .finalizer = finalizer};
  }
  void set(const CleanupLedger::Key& key, Progress progress) { ledger.set(key, {.progress = progress}); }

  SimulatedExecutor executor;
  CleanupLedger ledger{executor};
};

TEST_F(CleanupLedgerTest, KeepsOneEntryForEachObjectHandlerAndFinalizer) {
  EXPECT_EQ(ledger.find(key("a", 1)).progress, Progress::none);
  set(key("a", 1), Progress::begun);
  set(key("a", 1), Progress::handled);
  set(key("a", 1, "g"), Progress::begun);
  set(key("a", 2), Progress::cleaned);
  set(key("b", 1), Progress::begun);
  EXPECT_EQ(ledger.size(), 4U);
  EXPECT_EQ(ledger.find(key("a", 1)).progress, Progress::handled);
  ledger.erase(key("a", 1));
  EXPECT_EQ(ledger.find(key("a", 1)).progress, Progress::none);
  EXPECT_EQ(ledger.find(key("a", 1, "g")).progress, Progress::begun);
}

TEST_F(CleanupLedgerTest, ACleanupIsOwedByItsHandlerForItsObject) {
  set(key("a", 1), Progress::cleaned);
  set(key("a", 1, "g"), Progress::owed);
  set(key("a", 2), Progress::begun);
  set(key("b", 1), Progress::handled);
  EXPECT_TRUE(ledger.is_owed(1, "a")) << "for any finalizer";
  EXPECT_FALSE(ledger.is_owed(2, "a"));
  EXPECT_FALSE(ledger.is_owed(1, "b"));
  EXPECT_FALSE(ledger.is_owed(1, ""));
}

TEST_F(CleanupLedgerTest, ForgetsOneObjectOfAHandlerOrAWholeHandler) {
  for (const char* uid : {"a", "b"}) {
    for (const HandlerId handler : {1, 2}) {
      set(key(uid, handler), Progress::owed);
      set(key(uid, handler, "g"), Progress::owed);
    }
  }
  ledger.forget_object_of(1, "a");
  EXPECT_EQ(ledger.size(), 6U);
  EXPECT_FALSE(ledger.is_owed(1, "a"));
  EXPECT_TRUE(ledger.is_owed(2, "a"));
  EXPECT_TRUE(ledger.is_owed(1, "b"));
  ledger.forget_handler(2);
  EXPECT_EQ(ledger.size(), 2U);
  EXPECT_TRUE(ledger.is_owed(1, "b"));
}

TEST(HasSameContent, ComparesGenerationsOrAllButFinalizers) {
  const auto of_generation = [](int generation, const char* text) {
    return ledger_state({{"name", "x"}, {"generation", generation}}, text);
  };
  EXPECT_TRUE(has_same_content(of_generation(1, "1"), of_generation(1, "2")));
  EXPECT_FALSE(has_same_content(of_generation(1, "1"), of_generation(2, "1")));
  const json::Value held{{"name", "x"}, {"resourceVersion", "2"}, {"finalizers", json::array{"f"}}};
  EXPECT_TRUE(has_same_content(ledger_state({{"name", "x"}, {"resourceVersion", "1"}}), ledger_state(held)));
  EXPECT_FALSE(has_same_content(ledger_state({{"name", "x"}}), ledger_state(held, "2")));
  EXPECT_FALSE(
      has_same_content(ledger_state({{"name", "x"}}), ledger_state({{"name", "x"}, {"labels", {{"a", "b"}}}})));
}

}  // namespace
}  // namespace pintle::watcher
