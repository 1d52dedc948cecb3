#include <pintle/queue/queue_state.hpp>

#include <map>
#include <string>

#include <gtest/gtest.h>

#include <pintle/base/random.hpp>

namespace pintle {
namespace {

using namespace std::chrono_literals;
using State = QueueState<std::string, int>;

constexpr Instant start(1h);

std::string take_key(State& state, Instant now) {
  auto item = state.take(now);
  return item ? item->key : std::string();
}

TEST(QueueState, HandsOutAKeyOnceWhenAddedTwice) {
  State state;
  state.add("a", start, 0, 1);
  state.add("a", start, 0, 2);
  const auto item = state.take(start);
  ASSERT_TRUE(item);
  EXPECT_EQ(item->causes, (std::vector{1, 2}));
  EXPECT_FALSE(state.take(start));
}

// R1, trap 35: what comes while a key is processed causes exactly one more turn, after done.
TEST(QueueState, AddsDuringProcessingCauseOneMoreTurn) {
  State state;
  state.add("a", start, 0, 1);
  ASSERT_EQ(take_key(state, start), "a");
  for (int i = 0; i < 100; ++i) state.add("a", start, 0, i);
  EXPECT_FALSE(state.take(start));
  state.done("a");
  const auto again = state.take(start);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->causes.size(), State::max_causes);
  EXPECT_EQ(again->causes_dropped, 100 - State::max_causes);
  state.done("a");
  EXPECT_EQ(state.entries(), 0U);
}

// R5, trap 38: an earlier delayed add wins; a real one pulls the entry forward and leaves nothing behind.
TEST(QueueState, KeepsTheEarliestDueTime) {
  State state;
  state.add("a", start + 10s, 0, 1);
  state.add("a", start + 20s, 0, 2);
  EXPECT_EQ(state.next_due(), start + 10s);
  state.add("a", start + 1s, 0, 3);
  EXPECT_FALSE(state.take(start));
  ASSERT_EQ(take_key(state, start + 1s), "a");
  state.done("a");
  EXPECT_EQ(state.entries(), 0U);
  EXPECT_FALSE(state.take(start + 1h));
}

TEST(QueueState, ADelayedAddDuringProcessingWaitsItsTime) {
  State state;
  state.add("a", start, 0, 1);
  ASSERT_EQ(take_key(state, start), "a");
  state.add("a", start + 5s, 0, 2);
  state.done("a");
  EXPECT_FALSE(state.take(start + 4s));
  EXPECT_EQ(take_key(state, start + 5s), "a");
}

// Trap 41: the highest priority and the earliest time win.
TEST(QueueState, HigherPriorityGoesFirst) {
  State state;
  state.add("low", start, -100, 1);
  state.add("first", start, 0, 1);
  state.add("second", start, 0, 1);
  state.add("raised", start, -100, 1);
  state.add("raised", start, 5, 1);
  EXPECT_EQ(take_key(state, start), "raised");
  EXPECT_EQ(take_key(state, start), "first");
  EXPECT_EQ(take_key(state, start), "second");
  EXPECT_EQ(take_key(state, start), "low");
}

// Trap 36: done ends processing, forget clears failures; they are different things.
TEST(QueueState, FailuresLastUntilForgotten) {
  State state;
  EXPECT_EQ(state.fail("a"), 0U);
  EXPECT_EQ(state.fail("a"), 1U);
  state.add("a", start, 0, 1);
  const auto item = state.take(start);
  EXPECT_EQ(item->failures, 2U);
  state.done("a");
  EXPECT_EQ(state.entries(), 1U);
  state.forget("a");
  EXPECT_EQ(state.entries(), 0U);
}

// A naive model: what each key is, in plain maps.
class Model {
 public:
  void add(const std::string& key, Instant due, int priority) {
    auto& wish = wishes_.try_emplace(key, due, priority).first->second;
    wish = {std::min(wish.first, due), std::max(wish.second, priority)};
  }
  // Whether handing out this key now is right: due, not with a worker, and none that is due has a higher priority.
  bool take(const std::string& key, Instant now) {
    if (busy_[key] || !wishes_.contains(key) || wishes_[key].first > now) return false;
    for (const auto& [other, wish] : wishes_) {
      if (!busy_[other] && wish.first <= now && wish.second > wishes_[key].second) return false;
    }
    wishes_.erase(key);
    return busy_[key] = true;
  }
  bool has_due(Instant now) {
    return std::any_of(wishes_.begin(), wishes_.end(),
                       [&](const auto& w) { return !busy_[w.first] && w.second.first <= now; });
  }
  void done(const std::string& key) { busy_[key] = false; }

 private:
  std::map<std::string, std::pair<Instant, int>> wishes_;
  std::map<std::string, bool> busy_;
};

TEST(QueueState, AgreesWithANaiveModelOverRandomOperations) {
  Random random(2026);
  State state;
  Model model;
  std::vector<std::string> taken;
  Instant now = start;
  for (int step = 0; step < 200'000; ++step) {
    const std::string key(1, static_cast<char>('a' + random.below(8)));
    switch (random.below(4)) {
      case 0:
      case 1: {
        const Instant due = now + std::chrono::seconds(random.below(5));
        const int priority = static_cast<int>(random.below(3)) - 1;
        state.add(key, due, priority, step);
        model.add(key, due, priority);
        break;
      }
      case 2:
        if (const auto item = state.take(now)) {
          ASSERT_TRUE(model.take(item->key, now)) << "step " << step << " key " << item->key;
          taken.push_back(item->key);
        } else {
          ASSERT_FALSE(model.has_due(now)) << "step " << step;
        }
        break;
      default:
        if (!taken.empty()) {
          state.done(taken.back());
          model.done(taken.back());
          taken.pop_back();
        }
        now += std::chrono::milliseconds(random.below(500));
    }
  }
}

}  // namespace
}  // namespace pintle
