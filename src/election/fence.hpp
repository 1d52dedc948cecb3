// SPDX-License-Identifier: Apache-2.0
// Fence: the time until which this process may do work that requires the lease.
#pragma once

#include <string>

#include <pintle/base/mutex.hpp>
#include <pintle/base/result.hpp>

#include "lease_election.hpp"

namespace pintle {

// Closed until the first term. It closes by the clock, at Term::write_until; no thread has to run for that.
// Thread-safe.
class Fence {
 public:
  // `lease` is the name of the lease in messages: "default/hello-operator".
  Fence(Executor& executor, std::string lease) : executor_(executor), lease_(std::move(lease)), mutex_(executor) {}

  void open_for(const Term& term);
  // Closes the fence at once and for ever. With `has_ended`, the lease is over now: another instance may hold it.
  void close(bool has_ended);

  // Whether a reconcile may begin, or a write may be sent, now. Error: cancelled.
  [[nodiscard]] Result<void> check() const;
  // Returns when all work under the lease must be over; Instant::max() before the first term.
  [[nodiscard]] Instant ends() const;
  [[nodiscard]] const std::string& lease() const noexcept { return lease_; }

 private:
  Executor& executor_;
  const std::string lease_;
  mutable Mutex mutex_;
  bool held_ PINTLE_GUARDED_BY(mutex_) = false;
  bool was_held_ PINTLE_GUARDED_BY(mutex_) = false;
  Term term_ PINTLE_GUARDED_BY(mutex_){.renewed = {}, .write_until = {}, .ends = Instant::max()};
};

}  // namespace pintle
