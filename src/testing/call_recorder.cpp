// SPDX-License-Identifier: Apache-2.0
#include <pintle/testing/call_recorder.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace pintle::testkit {
namespace {

constexpr std::size_t max_recorded = 100'000;

template <class Keep>
RecordedCalls those(const RecordedCalls& calls, Keep keep) {
  RecordedCalls kept;
  std::copy_if(calls.begin(), calls.end(), std::back_inserter(kept), keep);
  return kept;
}

std::string describe(const RecordedCall& call) {
  std::string text = call.what;
  if (!call.key.empty()) text += " " + call.key;
  if (!call.arguments.empty()) text += " (" + call.arguments + ")";
  return text;
}

}  // namespace

RecordedCalls RecordedCalls::of(std::string_view what) const {
  return those(*this, [&](const RecordedCall& call) { return call.what == what; });
}

RecordedCalls RecordedCalls::about(std::string_view key) const {
  return those(*this, [&](const RecordedCall& call) { return call.key == key; });
}

RecordedCalls RecordedCalls::since(Duration time) const {
  return those(*this, [&](const RecordedCall& call) { return call.at >= time; });
}

CheckResult RecordedCalls::at_most(std::size_t most, Duration per) const {
  for (std::size_t last = most; last < size(); ++last) {
    const RecordedCall& first = (*this)[last - most];
    const RecordedCall& excess = (*this)[last];
    if (excess.at - first.at >= per) continue;
    return {.holds = false,
            .message =
                fmt::format("more than {} calls within {}: call {} of {}, {}, was made at {}, only {} after {} at {}",
                            most, format_duration(per), last + 1, size(), describe(excess), format_duration(excess.at),
                            format_duration(excess.at - first.at), describe(first), format_duration(first.at))};
  }
  return {.holds = true, .message = fmt::format("{} calls, at most {} within {}", size(), most, format_duration(per))};
}

CallRecorder::CallRecorder(Executor& executor) : executor_(executor), made_(executor.now()), mutex_(executor) {}

Result<void> CallRecorder::call(std::string what, std::string key, std::string arguments,
                                const std::function<void()>& effect, const std::stop_token& stop) {
  RecordedCall call{
      .what = std::move(what), .key = std::move(key), .arguments = std::move(arguments), .at = executor_.now() - made_};
  PlannedEffect planned;
  std::function<void(const RecordedCall&, const Result<void>&)> observer;
  {
    const MutexLock lock(mutex_);
    planned = record(call);
    observer = observer_;
  }
  Result<void> result = perform(call.what, planned, effect, stop);
  if (observer) observer(call, result);
  return result;
}

Result<void> CallRecorder::perform(const std::string& what, const PlannedEffect& planned,
                                   const std::function<void()>& effect, const std::stop_token& stop) {
  if (planned.delay > Duration::zero() && !executor_.sleep_for(planned.delay, stop)) {
    return fail(ErrorCode::cancelled, what + " was cancelled while it was delayed");
  }
  if (planned.error) return fail(Error(*planned.error));
  if (effect) effect();
  if (effect && planned.repeats) effect();
  if (planned.loses_response) return fail(ErrorCode::unreachable, "the response to " + what + " was lost");
  return {};
}

void CallRecorder::observe(std::function<void(const RecordedCall&, const Result<void>&)> observer) {
  const MutexLock lock(mutex_);
  observer_ = std::move(observer);
}

// Records the call and returns the combination of all faults that apply to it.
CallRecorder::PlannedEffect CallRecorder::record(RecordedCall call) {
  PlannedEffect sum{.what = call.what, .times = 1, .error = {}};
  for (PlannedEffect& planned : planned_) {
    if (!planned.what.empty() && planned.what != call.what) continue;
    --planned.times;
    sum.delay += planned.delay;
    sum.loses_response = sum.loses_response || planned.loses_response;
    sum.repeats = sum.repeats || planned.repeats;
    if (!sum.error) sum.error = planned.error;
  }
  std::erase_if(planned_, [](const PlannedEffect& planned) { return planned.times == 0; });
  ++size_;
  if (calls_.size() < max_recorded) calls_.push_back(std::move(call));
  return sum;
}

void CallRecorder::fail_next(Error error, std::size_t times, std::string what) {
  const MutexLock lock(mutex_);
  if (times != 0) planned_.push_back({.what = std::move(what), .times = times, .error = std::move(error)});
}

void CallRecorder::delay_next(Duration delay, std::size_t times, std::string what) {
  const MutexLock lock(mutex_);
  if (times != 0) planned_.push_back({.what = std::move(what), .times = times, .error = {}, .delay = delay});
}

void CallRecorder::drop_next_response(std::size_t times, std::string what) {
  const MutexLock lock(mutex_);
  if (times != 0) planned_.push_back({.what = std::move(what), .times = times, .error = {}, .loses_response = true});
}

void CallRecorder::repeat_next(std::size_t times, std::string what) {
  const MutexLock lock(mutex_);
  if (times != 0) planned_.push_back({.what = std::move(what), .times = times, .error = {}, .repeats = true});
}

void CallRecorder::succeed() {
  const MutexLock lock(mutex_);
  planned_.clear();
}

void CallRecorder::clear() {
  const MutexLock lock(mutex_);
  calls_.clear();
  size_ = 0;
}

std::size_t CallRecorder::size() const {
  const MutexLock lock(mutex_);
  return size_;
}

RecordedCalls CallRecorder::all() const {
  const MutexLock lock(mutex_);
  return calls_;
}

CheckResult CallRecorder::at_most(std::size_t most, Duration per) const {
  const MutexLock lock(mutex_);
  if (size_ <= calls_.size()) return calls_.at_most(most, per);
  return {.holds = false, .message = fmt::format("{} calls were made, more than are recorded", size_)};
}

}  // namespace pintle::testkit
