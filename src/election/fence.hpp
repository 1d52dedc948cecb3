// Fence: until when this process may do what only the holder of the lease may.
#pragma once

#include <string>

#include <pintle/base/mutex.hpp>
#include <pintle/base/result.hpp>

#include "lease_election.hpp"

namespace pintle {

// Closed until the first term. Time closes it, whether or not anybody is awake to do so. Thread-safe.
class Fence {
 public:
  // `lease` is how messages call it: "default/hello-operator".
  Fence(Executor& executor, std::string lease) : executor_(executor), lease_(std::move(lease)), mutex_(executor) {}

  void open_for(const Term& term);
  // At once and for ever; with `has_ended` the lease is somebody else's already.
  void close(bool has_ended);

  // Whether a pass may begin, and a write leave, now. Error: cancelled.
  [[nodiscard]] Result<void> check() const;
  // When everything that was done under the lease has to be over; Instant::max() before the first term.
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
