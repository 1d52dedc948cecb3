// CallRecorder: the calls of an operator to a system outside of the cluster, for a fake of such a system.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/mutex.hpp>
#include <pintle/base/result.hpp>

namespace pintle::testing {

// One call. A plain value.
struct RecordedCall {
  std::string what{};       // "create bucket"
  std::string key{};        // of what it is about: "default/a"
  std::string arguments{};  // as text
  Duration at{};            // since the recorder was made
};

// The answer to a question of a test, with the reason if it is false. A macro of GoogleTest prints the reason:
// EXPECT_TRUE(verdict).
struct RecordedVerdict {
  bool holds = false;
  std::string message{};

  explicit operator bool() const noexcept { return holds; }
  // ::testing::AssertionResult, which this header does not include.
  template <class A>
    requires requires(A answer, const std::string& text) { answer << text; }
  operator A() const {  // NOLINT(google-explicit-constructor)
    return A(holds) << message;
  }
};

// Calls in the order of their times. A plain value.
class RecordedCalls : public std::vector<RecordedCall> {
 public:
  using std::vector<RecordedCall>::vector;

  // Those of one name; those with one key.
  [[nodiscard]] RecordedCalls of(std::string_view what) const;
  [[nodiscard]] RecordedCalls about(std::string_view key) const;
  // Those from this time on; for what happens after a start that is allowed to be busy.
  [[nodiscard]] RecordedCalls since(Duration time) const;
  // Whether no span of this length has more than `most` calls, wherever it begins. The message names the first call
  // that is too many, its time, and the span.
  [[nodiscard]] RecordedVerdict at_most(std::size_t most, Duration per) const;
};

// Keeps every call with its virtual time, and lets the next ones fail, be late or lose their answer. Thread-safe. Keeps
// at most 100,000 calls; those after that are counted by size() alone, and at_most() does not hold then.
//
//   testing::CallRecorder calls(simulation.runtime());
//   calls.fail_next(make_error(ErrorCode::unavailable, "the cloud is away"), 3);
//   // In the fake: an effect, and what the operator gets to see of it.
//   auto made = calls.call("create", key, size, [&] { buckets.insert(key); });
//   if (!made) return fail(made.error());
//   // In the test:
//   EXPECT_TRUE(calls.at_most(12, std::chrono::hours(1)));
class CallRecorder {
 public:
  // `runtime` outlives it.
  explicit CallRecorder(Runtime& runtime);

  // Records a call and returns what the caller sees: success, or the next failure that a test asked for. `effect` is
  // what the call does outside; it does not run in a call that fails, and runs in one whose answer is lost. A delayed
  // call waits before its effect; error: cancelled, without an effect, if `stop` is requested meanwhile.
  Result<void> call(std::string what, std::string key = {}, std::string arguments = {},
                    const std::function<void()>& effect = {}, const std::stop_token& stop = {});

  // What happens to the next `times` calls of the name `what`; empty: of any. Several requests for the same call all
  // happen, of several failures the one that was asked for first.
  void fail_next(Error error, std::size_t times = 1, std::string what = {});
  void delay_next(Duration delay, std::size_t times = 1, std::string what = {});
  // The answer is lost, after the effect: error unreachable.
  void lose_next(std::size_t times = 1, std::string what = {});

  // Forgets the calls so far; what was asked for the next ones stays.
  void clear();
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] RecordedCalls all() const;
  // As those of RecordedCalls, of all.
  [[nodiscard]] RecordedCalls of(std::string_view what) const { return all().of(what); }
  [[nodiscard]] RecordedCalls about(std::string_view key) const { return all().about(key); }
  [[nodiscard]] RecordedCalls since(Duration time) const { return all().since(time); }
  [[nodiscard]] RecordedVerdict at_most(std::size_t most, Duration per) const;

 private:
  struct Trouble {
    std::string what;
    std::size_t times;
    std::optional<Error> error;
    Duration delay{};
    bool loses_answer = false;
  };
  [[nodiscard]] Trouble record(RecordedCall call) PINTLE_REQUIRES(mutex_);

  Runtime& runtime_;
  const Instant made_;
  mutable Mutex mutex_;
  RecordedCalls calls_ PINTLE_GUARDED_BY(mutex_);
  std::size_t size_ PINTLE_GUARDED_BY(mutex_) = 0;
  std::deque<Trouble> troubles_ PINTLE_GUARDED_BY(mutex_);
};

}  // namespace pintle::testing
