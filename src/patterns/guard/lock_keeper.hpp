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
#include <pintle/patterns/guard/locks.hpp>

namespace pintle::guard {

// Whether `holder` holds the lock of this condition.
[[nodiscard]] bool holds_lock(const Object& object, std::string_view type, std::string_view holder);
// The same, and also if the condition is not there, or locked by nobody known: a writer of the whole status wiped the
// condition, or a schema dropped the lock. Neither gives the lock to another process.
[[nodiscard]] bool may_unlock(const Object& object, std::string_view type, std::string_view holder);
// Whether two versions of an object differ by nothing but renewals of locks of this holder.
[[nodiscard]] bool is_renewal(const Object& before, const Object& after, std::string_view holder);

// The same of their status alone.
[[nodiscard]] bool has_same_status(const Object& before, const Object& after, std::string_view holder);

// Renews from its construction to end(), on a thread of its own. The renewals go on after the pass is asked to stop:
// the task may take a while to end. A lock that does not show renewals (Locks::life_of) is not renewed.
//
// The token is requested with that of the pass; when another process holds the lock; when the object is gone without
// having been deleted in order; and two thirds of the life after the last renewal was sent, from a timer, so that a
// request without an answer does not delay it. Used by the thread of the pass.
class LockKeeper {
 public:
  // `at_lock` is the status that the lock was written with, by a request sent at `sent`.
  LockKeeper(Context& context, const Locks& locks, const StatusDraft& at_lock, Condition locked, Instant sent);
  ~LockKeeper();
  LockKeeper(const LockKeeper&) = delete;
  LockKeeper& operator=(const LockKeeper&) = delete;

  // For the task.
  [[nodiscard]] std::stop_token token() const { return state_->task.get_token(); }
  // Another process may have the lock, or get it soon.
  [[nodiscard]] bool is_lost() const noexcept { return state_->is_lost; }
  // Waits until no renewal is under way. Idempotent.
  void end();
  // After end(): the object as the last renewal left it, if there was one.
  [[nodiscard]] const std::optional<Object>& renewed() const noexcept { return renewed_; }

 private:
  // Shared with the timer, which may run while the keeper ends.
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
