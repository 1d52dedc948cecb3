// SPDX-License-Identifier: Apache-2.0
// LockKeeper: renews a lock while its task runs, and stops the task before another process may take the lock over.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include <pintle/base/stop.hpp>
#include <pintle/controller/context.hpp>
#include <pintle/http/transport.hpp>
#include <pintle/patterns/guard/lock_registry.hpp>

namespace pintle::guard {

// Returns whether `holder` holds the lock of this condition.
[[nodiscard]] bool holds_lock(const Object& object, std::string_view type, std::string_view holder);
// The same, but also returns true if the condition does not exist, or if it is Locked without a known holder: another
// client replaced the whole status, or the schema dropped the lock. In neither case does another process have the lock.
[[nodiscard]] bool may_unlock(const Object& object, std::string_view type, std::string_view holder);
// Returns whether two versions of an object differ only in renewals of locks of this holder.
[[nodiscard]] bool is_renewal(const Object& before, const Object& after, std::string_view holder);

// The same for their status only.
[[nodiscard]] bool has_same_status(const Object& before, const Object& after, std::string_view holder);

// Renews the lock from its construction until end(), on its own thread. The renewals continue after a stop of the
// reconcile was requested, because the task may need time to end. A lock that does not show renewals
// (LockRegistry::timeout_of) is not renewed.
//
// A stop is requested on token() in these cases:
// - A stop of the reconcile is requested.
// - Another process holds the lock.
// - The object is gone although its last version was not being deleted.
// - Two thirds of the life of the lock have passed since the last successful renewal was sent. A timer detects this, so
//   that a request without a response does not delay it.
//
// Used by the thread of the reconcile.
class LockKeeper {
 public:
  // `at_lock` is the status with which the lock was written, by a request that was sent at `sent`.
  LockKeeper(Context& context, const LockRegistry& locks, const StatusDraft& at_lock, Condition locked, Instant sent);
  ~LockKeeper();
  LockKeeper(const LockKeeper&) = delete;
  LockKeeper& operator=(const LockKeeper&) = delete;

  // The stop token of the task.
  [[nodiscard]] std::stop_token token() const { return state_->task.get_token(); }
  // Returns whether another process may have the lock or may get it soon.
  [[nodiscard]] bool is_lost() const noexcept { return state_->is_lost; }
  // Ends the renewals and waits for a renewal that is in progress. Idempotent.
  void end();
  // Requires end(). The object after the last renewal; empty if there was none.
  [[nodiscard]] const std::optional<Object>& renewed() const noexcept { return renewed_; }

 private:
  // Shared with the timer, which may fire while the keeper is being destroyed.
  struct State {
    std::stop_source task;
    std::stop_source renewing;
    std::atomic<bool> is_lost = false;

    void lose() {
      is_lost = true;
      task.request_stop();
      renewing.request_stop();
    }
  };

  void run(Instant next);
  [[nodiscard]] bool renew();
  void lose_at(Instant deadline);
  void cancel_timer();

  Client& client_;
  http::Transport& transport_;
  Executor& executor_;
  const std::string field_manager_;
  const Log log_;
  const Duration life_;
  StatusDraft draft_;
  Condition locked_;
  std::optional<Object> renewed_;
  const std::shared_ptr<State> state_ = std::make_shared<State>();
  const StopCallback link_;
  std::optional<http::Transport::TimerId> timer_;
  Thread thread_;
};

}  // namespace pintle::guard
