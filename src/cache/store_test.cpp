// SPDX-License-Identifier: Apache-2.0
#include <pintle/cache/store.hpp>

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <pintle/base/random.hpp>
#include <pintle/json/value.hpp>
#include <pintle/sim/simulated_executor.hpp>

namespace pintle {
namespace {

Object placed(const char* namespace_, const char* name, const char* version) {
  return Object(json::object{
      {"metadata", json::object{{"namespace", namespace_}, {"name", name}, {"resourceVersion", version}}}});
}

TEST(Store, ReturnsTheFormerObject) {
  SimulatedExecutor executor;
  Store store(executor);
  EXPECT_FALSE(store.put(placed("a", "x", "1")));
  EXPECT_EQ(store.put(placed("a", "x", "2")).resource_version(), "1");
  EXPECT_EQ(store.get({"a", "x"}).resource_version(), "2");
  EXPECT_EQ(store.erase({"a", "x"}).resource_version(), "2");
  EXPECT_FALSE(store.erase({"a", "x"}));
  EXPECT_FALSE(store.get({"a", "x"}));
}

TEST(Store, ListsOneNamespaceOrAllInOrder) {
  SimulatedExecutor executor;
  Store store(executor);
  for (const auto* name : {"c", "a", "b"}) (void)store.put(placed("two", name, "1"));
  (void)store.put(placed("one", "z", "1"));
  (void)store.put(placed("two2", "z", "1"));
  EXPECT_EQ(store.list().size(), 5U);
  const auto two = store.list("two");
  ASSERT_EQ(two.size(), 3U);
  EXPECT_EQ(two.front().name(), "a");
  EXPECT_EQ(two.back().name(), "c");
  EXPECT_TRUE(store.list("none").empty());
}

// A snapshot that a caller holds does not change with the store (TX-14).
TEST(Store, ASnapshotOutlivesItsReplacement) {
  SimulatedExecutor executor;
  Store store(executor);
  (void)store.put(placed("a", "x", "1"));
  const Object held = store.get({"a", "x"});
  (void)store.replace({});
  EXPECT_EQ(held.resource_version(), "1");
  EXPECT_EQ(store.size(), 0U);
}

// A pod on a node, with a label, an owner that is its controller, and another owner.
Object pod(const std::string& name, const std::string& node, const std::string& app = "",
           const std::string& owner = "") {
  json::object metadata{{"namespace", "n" + name.substr(name.size() - 1)}, {"name", name}};
  if (!app.empty()) metadata["labels"] = json::object{{"app", app}};
  if (!owner.empty()) {
    metadata["ownerReferences"] =
        json::array{json::object{{"uid", owner}, {"controller", true}}, json::object{{"uid", "other-" + owner}}};
  }
  return Object(json::object{{"metadata", metadata}, {"spec", json::object{{"nodes", node}}}});
}

// A pod is on each node of its space-separated list.
std::vector<std::string> nodes_of(const Object& object) {
  std::vector<std::string> nodes;
  std::string text(object["/spec/nodes"].text());
  for (std::size_t space = text.find(' '); !text.empty(); space = text.find(' ')) {
    nodes.push_back(text.substr(0, space));
    text = space == std::string::npos ? std::string() : text.substr(space + 1);
  }
  return nodes;
}

std::string names(const std::optional<ObjectRange>& range) {
  if (!range) return "no index";
  std::string all;
  for (const Object& object : *range) all += std::string(object.name()) + " ";
  return all;
}

class StoreIndexes : public ::testing::Test {
 protected:
  SimulatedExecutor executor;
  Store store{executor};
};

// The old values of an object are removed before the new ones are added; it may have none or several (trap 33).
TEST_F(StoreIndexes, FollowTheValuesOfAnObject) {
  store.add_index("node", nodes_of);
  (void)store.put(pod("a", "one"));
  (void)store.put(pod("b", "one two one"));
  (void)store.put(pod("c", ""));
  EXPECT_EQ(names(store.find({"node", "one"})), "a b ");
  EXPECT_EQ(names(store.find({"node", "two"})), "b ");
  EXPECT_EQ(names(store.find({"node", ""})), "");
  (void)store.put(pod("a", "two"));
  (void)store.put(pod("b", ""));
  (void)store.put(pod("c", "one"));
  const std::uint64_t before = store.examined();
  EXPECT_EQ(names(store.find({"node", "one"})), "c ");
  EXPECT_EQ(names(store.find({"node", "two"})), "a ");
  EXPECT_EQ(store.examined() - before, 2U) << "no entry of a former value is left";
  (void)store.erase(pod("a", "").key());
  EXPECT_EQ(names(store.find({"node", "two"})), "");
  EXPECT_EQ(names(store.find({"rack", "one"})), "no index");
}

TEST_F(StoreIndexes, AreRestrictedToANamespace) {
  store.add_index("node", nodes_of);
  for (const auto* name : {"a1", "b2", "c1", "d3"}) (void)store.put(pod(name, "one"));
  EXPECT_EQ(names(store.find({"node", "one"}, "n1")), "a1 c1 ");
  EXPECT_EQ(names(store.find({"node", "one"}, "n")), "");
  EXPECT_EQ(names(store.find({"node", "one"})), "a1 c1 b2 d3 ");
}

// A count selects the index to search, so it must not read the objects itself.
TEST_F(StoreIndexes, CountWhatASearchWouldRead) {
  for (const auto* name : {"a1", "b2", "c1", "d3"}) (void)store.put(pod(name, "", "x"));
  (void)store.put(pod("e1", "", "y"));
  EXPECT_EQ(store.count(by_label("app", "x")), 4U);
  EXPECT_EQ(store.count(by_label("app", "x"), "n1"), 2U);
  EXPECT_EQ(store.count(by_label("app", "y")), 1U);
  EXPECT_EQ(store.count(by_label("app", "z")), 0U);
  EXPECT_EQ(store.count({"node", "one"}), std::nullopt);
  EXPECT_EQ(store.examined(), 0U);
  for (std::size_t i = 0; i < Store::max_label_indexes; ++i) (void)store.count(by_label(std::to_string(i), ""));
  EXPECT_EQ(store.count(by_label("further", "")), 5U) << "without an index, all objects are read";
  EXPECT_EQ(store.count(by_label("further", ""), "n1"), 3U);
}

// Readers receive the objects and the index of the same moment.
TEST_F(StoreIndexes, ARangeDoesNotChangeWithTheStore) {
  store.add_index("node", nodes_of);
  for (const auto* name : {"a", "b", "c"}) (void)store.put(pod(name, "one"));
  const auto before = store.find({"node", "one"});
  (void)store.put(pod("a", "two"));
  (void)store.erase(pod("b", "").key());
  EXPECT_EQ(names(before), "a b c ");
  EXPECT_EQ((*before->begin())["/spec/nodes"], "one");
  EXPECT_EQ(names(store.find({"node", "one"})), "c ");
}

TEST_F(StoreIndexes, OfOwnersAndLabelsNeedNoDeclaration) {
  (void)store.put(pod("a", "", "web", "u1"));
  (void)store.put(pod("b", "", "web", "u2"));
  EXPECT_EQ(names(store.find(by_label("app", "web"))), "a b ");
  EXPECT_EQ(names(store.find(by_controller("u1"))), "a ");
  EXPECT_EQ(names(store.find(by_owner("u1"))), "a ");
  EXPECT_EQ(names(store.find(by_owner("other-u1"))), "a ");
  EXPECT_EQ(names(store.find(by_controller("other-u1"))), "");
  (void)store.put(pod("b", "", "db", "u1"));
  EXPECT_EQ(names(store.find(by_label("app", "web"))), "a ");
  EXPECT_EQ(names(store.find(by_controller("u1"))), "a b ");
  EXPECT_EQ(names(store.find(by_label("tier", "web"))), "");
}

TEST_F(StoreIndexes, MoreLabelsThanTheLimitAreFoundWithoutAnIndex) {
  (void)store.put(pod("a", "", "web"));
  for (std::size_t i = 0; i < Store::max_label_indexes; ++i) (void)store.find(by_label(std::to_string(i), "x"));
  const std::uint64_t before = store.examined();
  EXPECT_EQ(names(store.find(by_label("app", "web"))), "a ");
  EXPECT_EQ(names(store.find(by_label("app", "db"))), "");
  EXPECT_EQ(store.examined() - before, 2U) << "each search reads the only object";
}

// A function of a user may fail for one object; the others are not affected.
TEST_F(StoreIndexes, AFailedFunctionIsReportedAndTheObjectStays) {
  std::vector<std::string> errors;
  const auto fussy = [](const Object& object) -> std::vector<std::string> {
    if (object["/spec/nodes"] == "bad") throw std::runtime_error("no node");
    if (object["/spec/nodes"] == "many") return std::vector<std::string>(max_index_values + 1, "x");
    return {std::string(object["/spec/nodes"].text())};
  };
  store.add_index("node", fussy, [&](const std::string& index, const Object& object, const std::string& error) {
    errors.push_back(index + " " + std::string(object.name()) + ": " + error);
  });
  for (const auto& [name, node] : {std::pair("a", "one"), {"b", "bad"}, {"c", "many"}, {"d", "one"}}) {
    (void)store.put(pod(name, node));
  }
  EXPECT_EQ(names(store.find({"node", "one"})), "a d ");
  EXPECT_EQ(names(store.find({"node", "x"})), "");
  EXPECT_EQ(store.size(), 4U);
  ASSERT_EQ(errors.size(), 2U);
  EXPECT_NE(errors[0].find("node b: "), std::string::npos) << errors[0];
  EXPECT_NE(errors[0].find("no node"), std::string::npos) << errors[0];
  EXPECT_NE(errors[1].find("1001 values; the limit is 1000"), std::string::npos) << errors[1];
  (void)store.put(pod("b", "one"));
  EXPECT_EQ(names(store.find({"node", "one"})), "a b d ");
}

TEST_F(StoreIndexes, ReplaceIndexesTheNewObjects) {
  store.add_index("node", nodes_of);
  (void)store.put(pod("old", "one"));
  ObjectTable table = store.new_table();
  (void)table.put(pod("a", "one"));
  (void)store.replace(std::move(table));
  EXPECT_EQ(names(store.find({"node", "one"})), "a ");
  ObjectTable without;
  (void)without.put(pod("b", "one"));
  (void)store.replace(std::move(without));
  EXPECT_EQ(names(store.find({"node", "one"})), "b ");
  (void)store.put(pod("b", "two"));
  EXPECT_EQ(names(store.find({"node", "one"})), "");
}

// An index that is added while a writer works agrees with the objects, whatever the order of their steps.
TEST(Store, BuildsAnIndexWhileAWriterWorks) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SimulatedExecutor executor({.seed = seed});
    Store store(executor);
    Random random(seed);
    const auto change = [&] {
      const std::string name = std::to_string(random.below(300));
      if (random.below(3) == 0) {
        (void)store.erase(pod(name, "").key());
      } else {
        (void)store.put(pod(name, "", random.below(2) == 0 ? "web" : "db"));
      }
    };
    for (int i = 0; i < 300; ++i) change();
    Thread writer = executor.spawn({.name = "writer"}, [&] {
      for (int i = 0; i < 200; ++i) {
        change();
        if (i == 100) (void)store.replace(ObjectTable(store.new_table()));
      }
    });
    for (int i = 0; i < 20; ++i) {
      const auto found = store.find(by_label("app", "web"));
      ASSERT_TRUE(found);
      for (const Object& object : *found) ASSERT_EQ(object.label("app"), "web");
    }
    writer.join();
    std::string expected;
    for (const Object& object : store.list()) {
      if (object.label("app") == "web") expected += std::string(object.name()) + " ";
    }
    EXPECT_EQ(names(store.find(by_label("app", "web"))), expected) << seed;
  }
}

// Threads of the machine: each reader reads states of the writer, in their order, with their indexes.
TEST(Store, ReadersOnOtherThreadsSeeWholeStates) {
  const auto executor = make_real_executor(1);
  Store store(*executor);
  store.add_index("node", nodes_of);
  constexpr int pods = 200;
  // In each state, the pods up to some number are on node "new" and the others on node "old".
  for (int i = 0; i < pods; ++i) (void)store.put(pod(std::to_string(1000 + i), "old"));
  std::atomic<bool> is_over = false;
  std::atomic<int> wrong = 0;
  std::atomic<int> reads = 0;
  std::vector<Thread> readers;
  for (int r = 0; r < 3; ++r) {
    readers.push_back(executor->spawn({.name = "reader"}, [&] {
      std::size_t last = 0;
      while (!is_over || reads < 10) {
        const auto range = store.range();
        std::size_t count = 0;
        bool is_sorted = true;
        const Object* before = nullptr;
        for (const Object& object : range) {
          is_sorted = is_sorted && (before == nullptr || before->key_view() < object.key_view());
          before = &object;
          count += object["/spec/nodes"] == "new" ? 1 : 0;
        }
        const auto found = store.find({"node", "new"});
        const bool is_right = is_sorted && range.size() == pods && count >= last && found && found->size() >= count;
        if (!is_right) ++wrong;
        last = count;
        ++reads;
      }
    }));
  }
  for (int i = 0; i < pods; ++i) {
    (void)store.put(pod(std::to_string(1000 + i), "new"));
    (void)store.find(by_label("app", "x"));
    if (i % 10 == 0) executor->sleep_for(std::chrono::milliseconds(1));
  }
  is_over = true;
  readers.clear();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(store.find({"node", "old"})->size(), 0U);
  EXPECT_EQ(store.find({"node", "new"})->size(), static_cast<std::size_t>(pods));
}

// 2,000 owners that each list their objects read each object once, not 2,000 times.
TEST_F(StoreIndexes, ASearchReadsOnlyTheObjectsThatItReturns) {
  for (int i = 0; i < 4'000; ++i) {
    const std::string owner = "u" + std::to_string(i % 2'000);
    (void)store.put(pod("job-" + std::to_string(i) + "-x", "", owner, owner));
  }
  const std::uint64_t before = store.examined();
  std::size_t found = 0;
  for (int i = 0; i < 2'000; ++i) {
    const std::string owner = "u" + std::to_string(i);
    found += store.find(by_controller(owner), "nx")->size();
    found += store.find(by_label("app", owner))->size();
  }
  EXPECT_EQ(found, 8'000U);
  EXPECT_EQ(store.examined() - before, 8'000U);
}

}  // namespace
}  // namespace pintle
