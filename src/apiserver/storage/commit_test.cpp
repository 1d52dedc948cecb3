// SPDX-License-Identifier: Apache-2.0
// The writes of a Storage with a journal.
#include <functional>
#include <map>

#include <gtest/gtest.h>

#include <pintle/base/random.hpp>
#include <pintle/sim/simulated_executor.hpp>

#include "storage.hpp"

namespace pintle::apiserver {
namespace {

using namespace std::chrono_literals;

// Keeps the records in memory. A commit takes virtual time.
class FakeJournal final : public Journal {
 public:
  struct Disk {
    Duration delay{};
    std::function<bool()> fails{};
    std::map<std::string, std::string> bodies{};
    Version version = 0;
    int commits = 0;
  };
  FakeJournal(Executor& executor, Disk& disk) : executor_(executor), disk_(disk) {}

  Result<void> commit(const std::vector<Record>& records, Version version) override {
    if (disk_.delay > Duration::zero()) executor_.sleep_for(disk_.delay);
    ++disk_.commits;
    if (disk_.fails && disk_.fails()) return fail(ErrorCode::unavailable, "the disk is full");
    for (const Record& record : records) {
      if (record.object) {
        disk_.bodies[std::string(record.key)] = record.object.print();
      } else {
        disk_.bodies.erase(std::string(record.key));
      }
    }
    disk_.version = version;
    return {};
  }

 private:
  Executor& executor_;
  Disk& disk_;
};

json::Value numbered(std::string_view name, int value) {
  return json::object{{"metadata", json::object{{"name", name}}}, {"value", value}};
}

class JournalTest : public testing::Test {
 protected:
  explicit JournalTest(std::uint64_t seed = 1) : executor_({.seed = seed}) {}

  Result<std::optional<Object>> put(const std::string& key, int value) {
    return storage_.put("things", key, storage_.get("things", key), numbered(key, value));
  }
  std::map<std::string, std::string> stored() const {
    std::map<std::string, std::string> out;
    for (const Object& object : storage_.objects("things")) out[std::string(object.name())] = object.print();
    return out;
  }

  SimulatedExecutor executor_;
  FakeJournal::Disk disk_;
  Storage storage_{executor_, 64, 0, {.journal = std::make_unique<FakeJournal>(executor_, disk_)}};
};

TEST_F(JournalTest, AWriteIsVisibleOnlyAfterItsCommit) {
  disk_.delay = 10s;
  Thread writer = executor_.spawn({.name = "writer"}, [&] { EXPECT_TRUE(put("a", 1).value()); });
  executor_.sleep_for(9s);
  EXPECT_FALSE(storage_.get("things", "a"));
  EXPECT_EQ(storage_.version(), 0U);
  writer.join();
  EXPECT_TRUE(storage_.get("things", "a"));
  EXPECT_EQ(storage_.version(), 1U);
}

TEST_F(JournalTest, WritesDuringACommitAreCommittedTogether) {
  disk_.delay = 10s;
  std::vector<Thread> writers;
  for (int i = 0; i < 16; ++i) {
    writers.push_back(executor_.spawn({.name = "writer"}, [this, i] {
      executor_.sleep_for(std::chrono::milliseconds(i));
      EXPECT_TRUE(put("a" + std::to_string(i), i).value());
    }));
  }
  writers.clear();
  EXPECT_EQ(disk_.commits, 2) << "that of the first writer, and that of all others";
  EXPECT_EQ(stored().size(), 16U);
  EXPECT_EQ(disk_.bodies, stored());
  EXPECT_EQ(disk_.version, storage_.version());
}

TEST_F(JournalTest, AFailedCommitHasNoEffect) {
  ASSERT_TRUE(put("a", 1));
  Position place = *storage_.place_after("things", 0);
  disk_.fails = [] { return true; };
  const auto refused = put("a", 2);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "the disk is full");
  EXPECT_FALSE(put("b", 1));
  const Object a = storage_.get("things", "a");
  EXPECT_FALSE(storage_.erase("things", "a", a, a.to_value()));
  EXPECT_EQ(disk_.bodies, stored());
  EXPECT_EQ(storage_.read("things", place, 10, 0).changes.size(), 1U);
  EXPECT_EQ(storage_.failed_commits(), 3U);
  disk_.fails = {};
  ASSERT_TRUE(put("a", 3).value());
  EXPECT_EQ(storage_.read("things", place, 10, 0).changes.size(), 1U);
  EXPECT_EQ(disk_.bodies, stored());
  EXPECT_EQ(disk_.version, storage_.version());
}

TEST_F(JournalTest, AWriteWaitsForTheWriteOfTheSameKey) {
  disk_.delay = 10s;
  std::optional<Object> second = Object();
  Thread first = executor_.spawn({.name = "first"}, [&] { EXPECT_TRUE(put("a", 1).value()); });
  Thread late = executor_.spawn({.name = "second"}, [&] {
    executor_.sleep_for(1s);
    second = storage_.put("things", "a", Object(), numbered("a", 2)).value();
  });
  late.join();
  EXPECT_FALSE(second) << "the object exists when the first write is committed";
  EXPECT_EQ(disk_.commits, 1);
  first.join();
}

TEST_F(JournalTest, AWriteSucceedsIfTheWriteOfTheSameKeyFailed) {
  disk_.delay = 10s;
  disk_.fails = [this] { return disk_.commits == 1; };
  Thread first = executor_.spawn({.name = "first"}, [&] { EXPECT_FALSE(put("a", 1)); });
  Thread second = executor_.spawn({.name = "second"}, [&] {
    executor_.sleep_for(1s);
    EXPECT_TRUE(storage_.put("things", "a", Object(), numbered("a", 2)).value());
  });
  first.join();
  second.join();
  EXPECT_EQ(disk_.bodies, stored());
  EXPECT_EQ(stored().size(), 1U);
}

TEST_F(JournalTest, ARewindIsKept) {
  ASSERT_TRUE(put("a", 1));
  ASSERT_TRUE(put("b", 1));
  const auto before = stored();
  ASSERT_TRUE(put("a", 2));
  ASSERT_TRUE(put("a", 3));
  ASSERT_TRUE(put("c", 1));
  const Object b = storage_.get("things", "b");
  ASSERT_TRUE(storage_.erase("things", "b", b, b.to_value()).value());
  disk_.fails = [] { return true; };
  const auto later = stored();
  EXPECT_FALSE(storage_.rewind(2));
  EXPECT_EQ(stored(), later) << "a rewind that cannot be kept has no effect";
  disk_.fails = {};
  ASSERT_TRUE(storage_.rewind(2));
  EXPECT_EQ(stored(), before);
  EXPECT_EQ(disk_.bodies, before);
  EXPECT_EQ(disk_.version, 2U);
}

// Several writers, with commits that fail and rewinds, in many interleavings.
TEST(JournalProperties, TheJournalEqualsTheStorage) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SimulatedExecutor executor({.seed = seed});
    Random failures(seed);
    FakeJournal::Disk disk{.delay = 5ms, .fails = [&] { return failures.below(4) == 0; }};
    Storage storage(executor, 64, 0, {.journal = std::make_unique<FakeJournal>(executor, disk)});
    std::vector<Thread> writers;
    for (std::uint64_t writer = 0; writer < 4; ++writer) {
      writers.push_back(executor.spawn({.name = "writer"}, [&, writer] {
        Random random(seed * 10 + writer);
        for (int step = 0; step < 20; ++step) {
          const std::string key(1, static_cast<char>('a' + random.below(3)));
          const Object present = storage.get("things", key);
          executor.sleep_for(std::chrono::milliseconds(random.below(4)));
          if (writer == 0 && step % 7 == 6) {
            (void)storage.rewind_by(random.below(3));
          } else if (present && random.below(3) == 0) {
            (void)storage.erase("things", key, present, present.to_value());
          } else {
            const auto written = storage.put("things", key, present, numbered(key, step));
            if (written && *written) {
              EXPECT_GE(storage.writes(), 1U);
            }
          }
        }
      }));
    }
    writers.clear();
    std::map<std::string, std::string> stored;
    for (const Object& object : storage.objects("things")) stored[std::string(object.name())] = object.print();
    EXPECT_EQ(disk.bodies, stored) << "seed " << seed;
    EXPECT_EQ(disk.version, storage.version()) << "seed " << seed;
  }
}

}  // namespace
}  // namespace pintle::apiserver
