// SPDX-License-Identifier: Apache-2.0
// ConfirmationPace: delays reconciles whose only causes are confirmations of own writes.
#pragma once

#include <cstddef>
#include <unordered_map>

#include <pintle/base/backoff.hpp>
#include <pintle/base/time.hpp>
#include <pintle/object/object.hpp>

#include "written_versions.hpp"

namespace pintle {

// The first such reconcile runs immediately. Each further one in a row runs after the next delay of the back-off,
// counted from the end of the previous one. A cause that is neither a confirmation nor a retry ends the series. After a
// terminal failure, the confirmation of a write by a reconcile of the same key causes no reconcile. At most `most` keys
// are stored; beyond that all are dropped, which causes one additional reconcile of each. Not thread-safe.
class ConfirmationPace {
 public:
  static constexpr std::size_t most = 65536;

  enum class Turn { run, wait, never };
  struct Decision {
    Turn turn = Turn::run;
    Instant until{};  // for Turn::wait
  };

  // Must be called when a worker takes a key only because of confirmations.
  [[nodiscard]] Decision on_confirmation(const ObjectKey& key, WrittenBy maker, Instant now) {
    const auto found = keys_.find(key);
    if (found == keys_.end()) return {};
    if (found->second.failed_for_good && maker == WrittenBy::key) return {.turn = Turn::never};
    if (found->second.not_before > now) return {.turn = Turn::wait, .until = found->second.not_before};
    return {};
  }
  // Returns whether the last reconcile of the key is known to have failed with a terminal error.
  [[nodiscard]] bool failed_for_good(const ObjectKey& key) const {
    const auto found = keys_.find(key);
    return found != keys_.end() && found->second.failed_for_good;
  }
  // A reconcile that only confirmations cause begins.
  void begin(const ObjectKey& key) {
    State& state = at(key);
    ++state.runs;
    state.is_running = true;
  }
  // The key is reconciled for a cause that is neither a confirmation nor a retry.
  void reset(const ObjectKey& key) { keys_.erase(key); }
  // A reconcile ended. `delay_of` returns the back-off after a number of runs.
  template <class DelayOf>
  void end(const ObjectKey& key, bool failed_for_good, Instant now, DelayOf delay_of) {
    const auto found = keys_.find(key);
    if (found == keys_.end() && !failed_for_good) return;
    State& state = at(key);
    state.failed_for_good = failed_for_good;
    if (!state.is_running) return;
    state.is_running = false;
    state.not_before = after(now, delay_of(state.runs - 1));
  }

 private:
  struct State {
    unsigned runs = 0;  // in a row
    bool is_running = false;
    bool failed_for_good = false;
    Instant not_before{};
  };

  State& at(const ObjectKey& key) {
    if (keys_.size() >= most && !keys_.contains(key)) keys_.clear();
    return keys_[key];
  }

  std::unordered_map<ObjectKey, State> keys_;
};

}  // namespace pintle
