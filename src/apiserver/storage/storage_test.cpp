// SPDX-License-Identifier: Apache-2.0
#include "storage.hpp"

#include <map>

#include <gtest/gtest.h>

#include <pintle/base/random.hpp>
#include <pintle/sim/simulated_executor.hpp>

namespace pintle::apiserver {
namespace {

using namespace std::chrono_literals;

json::Value thing(std::string_view name, int value = 0) {
  return json::object{{"metadata", json::object{{"name", name}}}, {"value", value}};
}

class StorageTest : public testing::Test {
 protected:
  Object put(const std::string& key, int value) {
    return storage_.put("things", key, storage_.get("things", key), thing(key, value)).value().value();
  }
  Object erase(const std::string& key) {
    const Object present = storage_.get("things", key);
    return storage_.erase("things", key, present, present.to_value()).value().value();
  }
  std::string values(const Page& page) {
    std::string out;
    for (const Object& object : page.objects) out += std::string(object.name()) + "=" + object["/value"].print() + " ";
    return out;
  }

  SimulatedExecutor executor_;
  Storage storage_{executor_, 8};
};

TEST_F(StorageTest, EveryWriteReturnsTheNextVersion) {
  EXPECT_EQ(put("a", 1).resource_version(), "1");
  EXPECT_EQ(put("b", 1).resource_version(), "2");
  EXPECT_EQ(put("a", 2).resource_version(), "3");
  EXPECT_EQ(erase("b").resource_version(), "4");
  EXPECT_EQ(storage_.version(), 4U);
  EXPECT_FALSE(storage_.get("things", "b"));
}

TEST_F(StorageTest, AWriteWithAnotherExpectedObjectChangesNothing) {
  const Object old = put("a", 1);
  const Object current = put("a", 2);
  EXPECT_FALSE(storage_.put("things", "a", old, thing("a", 3)).value());
  EXPECT_FALSE(storage_.put("things", "a", Object(), thing("a", 3)).value());
  EXPECT_FALSE(storage_.put("things", "none", current, thing("none", 3)).value());
  EXPECT_FALSE(storage_.erase("things", "a", old, old.to_value()).value());
  EXPECT_EQ(storage_.version(), 2U);
}

TEST_F(StorageTest, ListsInKeyOrderAndByNamespace) {
  for (const char* key : {"b/1", "a/2", "a-b/1", "a/1"}) put(key, 1);
  EXPECT_EQ(values(*storage_.list("things", {})), "a-b/1=1 a/1=1 a/2=1 b/1=1 ");
  EXPECT_EQ(values(*storage_.list("things", {.namespace_ = "a"})), "a/1=1 a/2=1 ");
  EXPECT_EQ(storage_.list("things", {.namespace_ = "a"})->total, 2U);
  EXPECT_TRUE(storage_.list("others", {})->objects.empty());
}

TEST_F(StorageTest, APageHasNoObjectsOfAnEarlierNamespace) {
  for (const char* key : {"a/1", "a/2", "b/1", "b/2"}) put(key, 1);
  const Version then = storage_.version();
  for (const char* key : {"a/2", "b/1"}) erase(key);
  for (const Version at : {Version{0}, then}) {
    const auto listed = [&](std::string_view after) {
      return values(*storage_.list("things", {.namespace_ = "b", .after = after, .at = at}));
    };
    const std::string whole = at == 0 ? "b/2=1 " : "b/1=1 b/2=1 ";
    EXPECT_EQ(listed("a/1"), whole) << at;
    EXPECT_EQ(listed("a"), whole) << at;
    EXPECT_EQ(listed("b/1"), "b/2=1 ") << at;
    EXPECT_EQ(listed("c/1"), "") << at;
  }
}

TEST_F(StorageTest, ALaterPageIsOfTheVersionOfTheFirst) {
  for (const char* key : {"a", "b", "c"}) put(key, 1);
  const auto first = storage_.list("things", {.limit = 1});
  put("b", 2);
  erase("c");
  put("aa", 9);
  const auto rest = storage_.list("things", {.after = first->last, .at = first->version});
  EXPECT_EQ(values(*rest), "b=1 c=1 ");
  EXPECT_EQ(rest->total, 3U);
  EXPECT_EQ(rest->version, 3U);
}

TEST_F(StorageTest, AVersionBeforeTheWindowIsUnavailable) {
  for (int i = 0; i < 10; ++i) put("a", i);
  EXPECT_FALSE(storage_.list("things", {.at = 1}));
  EXPECT_TRUE(storage_.list("things", {.at = 2}));
  EXPECT_FALSE(storage_.place_after("things", 1));
  EXPECT_TRUE(storage_.place_after("things", 2));
}

TEST_F(StorageTest, CompactionDropsEarlierVersions) {
  put("a", 1);
  put("a", 2);
  Position place = *storage_.place_after("things", 1);
  storage_.compact();
  EXPECT_FALSE(storage_.list("things", {.at = 1}));
  EXPECT_TRUE(storage_.list("things", {.at = 2}));
  EXPECT_TRUE(storage_.read("things", place, 10, 0).lost);
}

TEST_F(StorageTest, AReaderOutsideTheWindowIsLost) {
  put("a", 0);
  Position place = *storage_.place_after("things", 1);
  for (int i = 0; i < 9; ++i) put("a", i);
  EXPECT_TRUE(storage_.read("things", place, 10, 0).lost);
}

TEST_F(StorageTest, EndedReadersAreLostAndNewOnesAreNot) {
  Position old = *storage_.place_after("things", 0);
  put("a", 0);
  storage_.end_readers("things");
  put("a", 1);
  storage_.end_readers("things");
  EXPECT_EQ(storage_.read("things", old, 10, 0).changes.size(), 1U) << "changes before the end are read";
  EXPECT_TRUE(storage_.read("things", old, 10, 0).lost);
  Position fresh = *storage_.place_after("things", 2);
  EXPECT_TRUE(storage_.read("things", fresh, 10, 0).drained);
}

TEST_F(StorageTest, AWaitingReaderIsWokenOnceForEachDrainedRead) {
  int rung = 0;
  const auto wakeup = std::make_shared<Wakeup>(executor_);
  wakeup->set([&] { ++rung; });
  const auto id = storage_.subscribe("things", wakeup);
  Position place = *storage_.place_after("things", 0);
  put("a", 0);
  EXPECT_EQ(rung, 0) << "the reader does not wait yet";
  EXPECT_EQ(storage_.read("things", place, 10, id).changes.size(), 1U);
  put("a", 1);
  put("a", 2);
  EXPECT_EQ(rung, 1);
  storage_.unsubscribe("things", id);
  put("a", 3);
  EXPECT_EQ(rung, 1);
}

TEST_F(StorageTest, WaitPastReturnsAfterAWrite) {
  Thread writer = executor_.spawn({.name = "writer"}, [&] {
    executor_.sleep_for(5s);
    put("a", 1);
  });
  EXPECT_FALSE(storage_.wait_past(0, executor_.now() + 1s));
  EXPECT_TRUE(storage_.wait_past(0, Instant::max()));
  writer.join();
}

// Compares with a simple model that copies all objects for each version.
TEST(StorageProperties, PagedReadsOfEveryVersionEqualTheModel) {
  using State = std::map<std::string, int>;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SimulatedExecutor executor({.seed = seed});
    Storage storage(executor, 16);
    Random random(seed);
    State state;
    std::vector<State> past{state};
    for (int step = 0; step < 60; ++step) {
      const std::string key =
          std::string(1, static_cast<char>('a' + random.below(3))) + "/" + std::to_string(random.below(5));
      const Object present = storage.get("things", key);
      if (present && random.below(3) == 0) {
        ASSERT_TRUE(storage.erase("things", key, present, present.to_value()).value());
        state.erase(key);
      } else {
        ASSERT_TRUE(storage.put("things", key, present, thing(key, step)).value());
        state[key] = step;
      }
      past.push_back(state);

      const Version at = storage.version() - random.below(std::min<Version>(16, storage.version()));
      const std::string space = random.below(2) == 0 ? "" : "b";
      const std::size_t limit = random.below(4);
      State read;
      std::string after;
      std::size_t expected = 0;
      for (const auto& [name, value] : past[at]) expected += space.empty() || name.starts_with("b/") ? 1 : 0;
      while (true) {
        const auto page = storage.list("things", {.namespace_ = space, .after = after, .limit = limit, .at = at});
        ASSERT_TRUE(page) << seed;
        EXPECT_EQ(page->total, expected) << seed << " at " << at;
        for (const Object& object : page->objects) {
          read[std::string(object.name())] = static_cast<int>(object["/value"].as_integer().value());
        }
        if (!page->more) break;
        after = page->last;
      }
      State wanted = past[at];
      if (!space.empty()) std::erase_if(wanted, [](const auto& one) { return !one.first.starts_with("b/"); });
      EXPECT_EQ(read, wanted) << "seed " << seed << " at version " << at;
    }
  }
}

TEST_F(StorageTest, AnEndedReaderReadsNoChangesAfterARewind) {
  for (const char* key : {"a", "b", "c"}) put(key, 1);
  Position place = *storage_.place_after("things", 0);
  storage_.end_readers("things");
  ASSERT_TRUE(storage_.rewind(1));
  for (const char* key : {"d", "e"}) put(key, 1);
  const Batch batch = storage_.read("things", place, 10, 0);
  ASSERT_EQ(batch.changes.size(), 1U);
  EXPECT_EQ(batch.changes[0]->key, "a");
  EXPECT_TRUE(storage_.read("things", place, 10, 0).lost);
}

}  // namespace
}  // namespace pintle::apiserver
