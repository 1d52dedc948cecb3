// SPDX-License-Identifier: Apache-2.0
// CallRecorder: records the calls of an operator to a fake of a system outside the cluster, and can make them fail.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/base/result.hpp>

namespace pintle::testkit {

/// One call. A plain value.
struct RecordedCall {
  std::string what{};       ///< name of the call: "create bucket"
  std::string key{};        ///< of the affected object: "default/a"
  std::string arguments{};  ///< as text
  Duration at{};            ///< since the construction of the recorder
};

/// The result of a check, with the reason if it failed. The macros of GoogleTest print the reason:
/// EXPECT_TRUE(verdict).
struct CheckResult {
  bool holds = false;
  std::string message{};

  explicit operator bool() const noexcept { return holds; }
  /// Converts to the AssertionResult of GoogleTest, which this header does not include.
  template <class A>
    requires requires(A assertion, const std::string& text) { assertion << text; }
  operator A() const {  // NOLINT(google-explicit-constructor)
    return A(holds) << message;
  }
};

/// Calls in the order of their time. A plain value.
class PINTLE_EXPORT RecordedCalls : public std::vector<RecordedCall> {
 public:
  using std::vector<RecordedCall>::vector;

  /// The calls with one name, and the calls with one key.
  [[nodiscard]] RecordedCalls of(std::string_view what) const;
  [[nodiscard]] RecordedCalls about(std::string_view key) const;
  /// The calls from this time on, for example to exclude a start that may make many calls.
  [[nodiscard]] RecordedCalls since(Duration time) const;
  /// Checks that no interval of the length `per`, wherever it begins, contains more than `max_count` calls. The message
  /// describes the first excess call, its time, and the interval.
  [[nodiscard]] CheckResult at_most(std::size_t max_count, Duration per) const;
};

/// Records every call with its time, by the clock of the executor. The next calls can be made to fail, to be delayed,
/// to lose their response, or to arrive twice. Records at most 100,000 calls; further ones are only counted by size(),
/// and at_most() then fails. Thread-safe.
///
///   testkit::CallRecorder calls(simulation.executor());
///   calls.fail_next(make_error(ErrorCode::unavailable, "the cloud is away"), 3);
///   // In the fake: the effect of the call, and the result that the operator receives.
///   auto made = calls.call("create", key, size, [&] { buckets.insert(key); });
///   if (!made) return fail(made.error());
///   // In the test:
///   EXPECT_TRUE(calls.at_most(12, std::chrono::hours(1)));
class PINTLE_EXPORT CallRecorder {
 public:
  /// `executor` must outlive the recorder.
  explicit CallRecorder(Executor& executor);

  /// Records a call and returns its result: success, or the next failure that a test has set. `effect` is the effect of
  /// the call on the system: it does not run if the call fails, and it runs if the response is lost. A delayed call
  /// waits before its effect; if `stop` is requested meanwhile, it returns the error cancelled without the effect.
  Result<void> call(std::string what, std::string key = {}, std::string arguments = {},
                    const std::function<void()>& effect = {}, const std::stop_token& stop = {});

  /// These functions change the next `times` calls with the name `what`; an empty `what` means all names. If several of
  /// them apply to one call, all take effect, but of several failures only the first.
  void fail_next(Error error, std::size_t times = 1, std::string what = {});
  void delay_next(Duration delay, std::size_t times = 1, std::string what = {});
  /// The effect runs, but the response is lost: error unreachable.
  void drop_next_response(std::size_t times = 1, std::string what = {});
  /// The effect runs twice, as if the request was sent again on its way; the caller gets the second result.
  void repeat_next(std::size_t times = 1, std::string what = {});

  /// Calls a function at the end of each call, with its result. It must not call this recorder.
  void observe(std::function<void(const RecordedCall& call, const Result<void>& result)> observer);

  /// Cancels the faults that fail_next(), delay_next(), drop_next_response() and repeat_next() have set.
  void succeed();

  /// Removes the recorded calls. Changes to the next calls remain set.
  void clear();
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] RecordedCalls all() const;
  /// As in RecordedCalls, for all recorded calls.
  [[nodiscard]] RecordedCalls of(std::string_view what) const { return all().of(what); }
  [[nodiscard]] RecordedCalls about(std::string_view key) const { return all().about(key); }
  [[nodiscard]] RecordedCalls since(Duration time) const { return all().since(time); }
  [[nodiscard]] CheckResult at_most(std::size_t max_count, Duration per) const;

 private:
  struct PlannedEffect {
    std::string what{};
    std::size_t times = 0;
    std::optional<Error> error{};
    Duration delay{};
    bool loses_response = false;
    bool repeats = false;
  };
  [[nodiscard]] PlannedEffect record(RecordedCall call) PINTLE_REQUIRES(mutex_);

  [[nodiscard]] Result<void> perform(const std::string& what, const PlannedEffect& planned,
                                     const std::function<void()>& effect, const std::stop_token& stop);

  Executor& executor_;
  const Instant made_;
  mutable Mutex mutex_;
  std::function<void(const RecordedCall&, const Result<void>&)> observer_ PINTLE_GUARDED_BY(mutex_);
  RecordedCalls calls_ PINTLE_GUARDED_BY(mutex_);
  std::size_t size_ PINTLE_GUARDED_BY(mutex_) = 0;
  std::deque<PlannedEffect> planned_ PINTLE_GUARDED_BY(mutex_);
};

}  // namespace pintle::testkit
