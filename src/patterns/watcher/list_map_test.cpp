// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/watcher/list_map.hpp>

#include <gmock/gmock.h>

#include <pintle/sim/simulated_executor.hpp>

namespace pintle::watcher {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ListMapTest : public ::testing::Test {
 protected:
  std::vector<int> items(const std::string& key) {
    std::vector<int> all;
    map.range(key, [&](std::size_t index, const int& value) {
      EXPECT_EQ(index, all.size());
      all.push_back(value);
    });
    return all;
  }
  static bool is_even(const int& value) { return value % 2 == 0; }

  SimulatedExecutor executor;
  ListMap<std::string, int> map{executor};
};

// Lists keep their order, and a missing key or index has no item (T4-27).
TEST_F(ListMapTest, KeepsTheOrderAndReturnsNothingForMissingKeys) {
  map.add_item("a", {1, 2});
  map.add_item("a", 3);
  EXPECT_THAT(items("a"), ElementsAre(1, 2, 3));
  EXPECT_EQ(map.item_at("a", 2), 3);
  EXPECT_EQ(map.item_at("a", 3), std::nullopt);
  EXPECT_EQ(map.item_at("b", 0), std::nullopt);
  EXPECT_THAT(items("b"), IsEmpty());
  EXPECT_EQ(map.key_size("b"), 0U);
  EXPECT_EQ(map.size(), 1U);
}

// A key stays with an empty list until it is removed (T4-27).
TEST_F(ListMapTest, AKeyStaysWithAnEmptyListUntilItIsRemoved) {
  map.add_item("a", 1);
  map.remove_item_at("a", 0);
  EXPECT_EQ(map.size(), 1U);
  EXPECT_EQ(map.key_size("a"), 0U);
  map.remove_key("a");
  map.remove_key("a");
  EXPECT_EQ(map.size(), 0U);
  EXPECT_THAT(map.keys(), IsEmpty());
}

// Only the first matching items are removed (T4-27).
TEST_F(ListMapTest, RemovesTheFirstMatchingItems) {
  const std::vector<int> before{2, 3, 4, 5, 6};
  const struct {
    int limit;
    std::vector<int> after;
  } cases[] = {{-1, {3, 5}}, {0, {3, 5}}, {1, {3, 4, 5, 6}}, {2, {3, 5, 6}}, {9, {3, 5}}};
  for (const auto& [limit, after] : cases) {
    map.remove_key("a");
    map.add_item("a", before);
    EXPECT_EQ(map.remove_items("a", is_even, limit), before.size() - after.size()) << limit;
    EXPECT_EQ(items("a"), after) << limit;
  }
  EXPECT_TRUE(map.remove_item("a", [](const int& value) { return value == 5; }));
  EXPECT_FALSE(map.remove_item("a", [](const int& value) { return value == 5; }));
  EXPECT_FALSE(map.remove_item("b", is_even));
  EXPECT_EQ(map.remove_items("b", is_even, 0), 0U);
  map.remove_item_at("a", 9);
  map.remove_item_at("b", 0);
  EXPECT_THAT(items("a"), ElementsAre(3));
}

// The original removed items in place while range() was running (T4-27).
TEST_F(ListMapTest, RangeVisitsTheListAsItWasAtTheStart) {
  map.add_item("a", {1, 2, 3});
  std::vector<int> seen;
  map.range("a", [&](std::size_t, const int& value) {
    map.remove_item_at("a", 0);
    map.add_item("a", value + 10);
    seen.push_back(value);
  });
  EXPECT_THAT(seen, ElementsAre(1, 2, 3));
  EXPECT_THAT(items("a"), ElementsAre(11, 12, 13));
}

// range_all() visits all keys (T4-27).
TEST_F(ListMapTest, RangeAllVisitsAllKeys) {
  map.add_item("a", {1, 2});
  map.add_item("b", 3);
  std::vector<std::string> seen;
  map.range_all([&](const std::string& key, std::size_t index, const int& value) {
    map.remove_key(key);
    seen.push_back(key + std::to_string(index) + std::to_string(value));
  });
  EXPECT_THAT(seen, ElementsAre("a01", "a12", "b03"));
  EXPECT_EQ(map.size(), 0U);
}

// No item is lost if a hundred threads add items to one key and to many keys (T4-27).
TEST(ListMapConcurrency, AHundredThreadsLoseNoItem) {
  const auto executor = make_real_executor();
  ListMap<std::string, int> map(*executor);
  std::vector<Thread> threads;
  for (int i = 0; i < 100; ++i) {
    threads.push_back(executor->spawn({}, [&map, i] {
      for (int n = 0; n < 20; ++n) {
        map.add_item("all", i);
        map.add_item(std::to_string(i), n);
        if (n == 10) map.remove_key("gone");
        map.add_item("gone", n);
        map.range("all", [](std::size_t, const int&) {});
      }
    }));
  }
  threads.clear();
  EXPECT_EQ(map.key_size("all"), 2000U);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(map.key_size(std::to_string(i)), 20U);
  EXPECT_EQ(map.size(), 102U);
}

}  // namespace
}  // namespace pintle::watcher
