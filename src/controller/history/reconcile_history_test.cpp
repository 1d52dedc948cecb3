// SPDX-License-Identifier: Apache-2.0
#include "reconcile_history.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>

#include <pintle/sim/simulated_executor.hpp>

namespace pintle {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ReconcileHistoryTest : public ::testing::Test {
 protected:
  static ReconcileRecord record(const std::string& name, const std::string& outcome = "success") {
    return {.controller = "c", .key = {"default", name}, .outcome = outcome};
  }
  static std::vector<std::uint64_t> ids(const std::vector<ReconcileHistory::Record>& records) {
    std::vector<std::uint64_t> all;
    for (const auto& one : records) all.push_back(one->id);
    return all;
  }

  SimulatedExecutor executor_{{.seed = 1}};
};

TEST_F(ReconcileHistoryTest, KeepsTheNewestRecords) {
  ReconcileHistory history(executor_, 3);
  EXPECT_THAT(history.newest({}, 10), IsEmpty());
  for (const char* name : {"a", "b", "c", "d"}) history.add(record(name));
  EXPECT_THAT(ids(history.newest({}, 10)), ElementsAre(4, 3, 2));
  EXPECT_THAT(ids(history.newest({}, 1)), ElementsAre(4));
  EXPECT_THAT(ids(history.after(3)), ElementsAre(4));
  EXPECT_EQ(history.size().records, 3U);
  EXPECT_EQ(history.last_id(), 4U);
}

TEST_F(ReconcileHistoryTest, KeepsTheLastErrorLongerThanTheRecords) {
  ReconcileHistory history(executor_, 3);
  ReconcileRecord failure = record("bad", "error");
  failure.error = "no luck";
  history.add(failure);
  for (int i = 0; i < 10; ++i) history.add(record("good" + std::to_string(i)));
  EXPECT_THAT(history.newest({.key = ObjectKey{"default", "bad"}}, 10), IsEmpty());
  EXPECT_EQ(history.last_error("c", {"default", "bad"}), "no luck");
  EXPECT_EQ(history.last_error("other", {"default", "bad"}), "");
  EXPECT_EQ(history.last_error("c", {"default", "good0"}), "");
  failure.error = "still no luck";
  history.add(failure);
  EXPECT_EQ(history.last_error("c", {"default", "bad"}), "still no luck");
  history.add(record("bad", "requeue"));
  EXPECT_EQ(history.last_error("c", {"default", "bad"}), "");
}

TEST_F(ReconcileHistoryTest, BoundsTheLastErrors) {
  ReconcileHistory history(executor_, 1);
  ReconcileRecord failure = record("first", "error");
  failure.error = std::string(2000, 'x');
  history.add(failure);
  EXPECT_EQ(history.last_error("c", {"default", "first"}).size(), ReconcileHistory::max_error_bytes);
  for (std::size_t i = 0; i < ReconcileHistory::min_errors; ++i) {
    failure.key.name = "n" + std::to_string(i);
    history.add(failure);
  }
  EXPECT_EQ(history.last_error("c", {"default", "first"}), "");
  EXPECT_NE(history.last_error("c", {"default", "n0"}), "");
  EXPECT_GT(history.size().bytes, ReconcileHistory::min_errors * ReconcileHistory::max_error_bytes);
}

TEST_F(ReconcileHistoryTest, AnObjectInAHotLoopDoesNotDisplaceOthers) {
  ReconcileHistory history(executor_, 100);
  history.add(record("quiet"));
  for (int i = 0; i < 1000; ++i) history.add(record("hot"));
  EXPECT_EQ(history.size().records, 21U);
  EXPECT_THAT(ids(history.newest({.key = ObjectKey{"default", "quiet"}}, 10)), ElementsAre(1));
  EXPECT_EQ(history.newest({.key = ObjectKey{"default", "hot"}}, 100).front()->id, 1001U);
}

TEST_F(ReconcileHistoryTest, IsBoundedInBytes) {
  ReconcileHistory history(executor_, 10);
  for (int i = 0; i < 10; ++i) {
    ReconcileRecord large = record(std::to_string(i));
    large.error = std::string(10'000, 'x');
    history.add(std::move(large));
  }
  EXPECT_LE(history.size().bytes, 10 * ReconcileHistory::mean_bytes);
  EXPECT_GE(history.size().records, 3U);
  ReconcileRecord huge = record("huge");
  huge.error = std::string(1'000'000, 'x');
  history.add(std::move(huge));
  EXPECT_EQ(history.size().records, 1U) << "the newest one is always kept";
  history.add(record("small"));
  EXPECT_LT(history.size().bytes, 1'000U);
}

TEST_F(ReconcileHistoryTest, FiltersByControllerKeyAndOutcome) {
  ReconcileHistory history(executor_, 10);
  history.add(record("a"));
  history.add(record("a", "error"));
  history.add(record("b", "error"));
  history.add({.controller = "other", .key = {"default", "a"}, .outcome = "error"});
  EXPECT_THAT(ids(history.newest({.controller = "c"}, 10)), ElementsAre(3, 2, 1));
  EXPECT_THAT(ids(history.newest({.controller = "c", .key = ObjectKey{"default", "a"}}, 10)), ElementsAre(2, 1));
  EXPECT_THAT(ids(history.newest({.outcome = "error"}, 10)), ElementsAre(4, 3, 2));
}

}  // namespace
}  // namespace pintle
