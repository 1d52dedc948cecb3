// ConfirmationPace: when a key runs that nothing but confirmations of the controller's own writes wake.
#pragma once

#include <cstddef>
#include <unordered_map>

#include <pintle/base/backoff.hpp>
#include <pintle/base/time.hpp>
#include <pintle/object/object.hpp>

#include "written_versions.hpp"

namespace pintle {

// The first such reconcile runs at once; each further one in a row waits for the next delay of the back-off from the
// end of the one before. A cause that is neither that nor a retry starts over. After a failure for good a confirmation
// of a write that a reconcile of the same key made causes none. Holds the keys to which one of these applies, `most` at
// most: then all are forgotten, which costs each of them a reconcile. Thread-safety: none.
class ConfirmationPace {
 public:
  static constexpr std::size_t most = 65536;

  enum class Turn { run, wait, never };
  struct Decision {
    Turn turn = Turn::run;
    Instant until{};  // of wait
  };

  // A key is handed out for confirmations alone.
  [[nodiscard]] Decision on_confirmation(const ObjectKey& key, WrittenBy maker, Instant now) {
    const auto found = keys_.find(key);
    if (found == keys_.end()) return {};
    if (found->second.failed_for_good && maker == WrittenBy::key) return {.turn = Turn::never};
    if (found->second.not_before > now) return {.turn = Turn::wait, .until = found->second.not_before};
    return {};
  }
  // Its last reconcile did, as far as is known.
  [[nodiscard]] bool failed_for_good(const ObjectKey& key) const {
    const auto found = keys_.find(key);
    return found != keys_.end() && found->second.failed_for_good;
  }
  // A reconcile for confirmations alone begins.
  void begin(const ObjectKey& key) {
    State& state = at(key);
    ++state.runs;
    state.is_running = true;
  }
  // Another cause has it run, other than a retry.
  void reset(const ObjectKey& key) { keys_.erase(key); }
  // A reconcile ended; `delay_of` is the back-off after so many runs.
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
