// SPDX-License-Identifier: Apache-2.0
#include "event_delivery.hpp"

#include <algorithm>
#include <utility>

#include <pintle/controller/error_decision.hpp>

namespace pintle::watcher {
namespace {

using Executed = WatcherMetrics::Executed;

// The delay between two attempts to clean up for an object that is gone or, without resyncs, being deleted, after the
// last retry of the policy. No event and no resync of that object follows, so nothing else would repeat the clean-up.
constexpr Duration pause_of_owed_cleanup = std::chrono::minutes(5);

// The action that is passed to policies, which have no action for a resync.
ResourceAction policy_action(ReconcileAction action) {
  return action == ReconcileAction::resynced ? ResourceAction::update : resource_action_from(action);
}

// A state belongs to one generation of one object. False for objects without generations, because these cannot be
// compared.
bool is_of_same_generation(const Object& a, const Object& b) {
  return a.generation() > 0 && a.generation() == b.generation() && a.uid() == b.uid();
}

// Returns whether the events of a reconcile only confirm writes of the same controller.
bool are_own(const std::vector<ReconcileCause>& causes) {
  const auto is_own = [](const ReconcileCause& cause) { return cause.is_own_write; };
  const auto is_event_of_another = [](const ReconcileCause& cause) {
    using Source = ReconcileCause::Source;
    return !cause.is_own_write && cause.source != Source::retry && cause.source != Source::timer;
  };
  return std::any_of(causes.begin(), causes.end(), is_own) &&
         std::none_of(causes.begin(), causes.end(), is_event_of_another);
}

// Returns whether a reconcile was requested by something other than the object itself: by a change of an owned object,
// unless a handler made that change, or by a user.
bool are_of_others(const std::vector<ReconcileCause>& causes) {
  return std::any_of(causes.begin(), causes.end(), [](const ReconcileCause& cause) {
    using Source = ReconcileCause::Source;
    return !cause.is_own_write &&
           (cause.source == Source::owned || cause.source == Source::mapped || cause.source == Source::channel ||
            cause.source == Source::poll || cause.source == Source::activation);
  });
}

}  // namespace

// One reconcile of one object.
class EventDelivery::Round {
 public:
  Round(EventDelivery& parent, ObjectKey key, std::string_view uid, Context& context)
      : parent_(parent),
        pending_(parent.pending_),
        key_(std::move(key)),
        uid_(uid),
        context_(context),
        events_are_own_(are_own(context.causes())),
        is_requested_by_others_(are_of_others(context.causes())) {}

  // New events are delivered before retries, so that no call has an older object than the call before it. Events that
  // arrive during the reconcile are left for the next one, which the queue paces, because they may be own writes of a
  // handler.
  Outcome run() {
    const std::uint64_t mark = pending_.mark();
    while (!context_.stop_token().stop_requested()) {
      if (const auto delivery = pending_.take(key_, uid_, mark)) {
        deliver(*delivery);
      } else if (auto retry = pending_.take_due(key_, uid_, now(), mark)) {
        call_again(std::move(*retry));
      } else {
        break;
      }
    }
    return outcome(mark);
  }

 private:
  // A call of a handler that is about to be made.
  struct Call {
    const Handler& handler;
    Delivery delivery{};
    State state{};
    unsigned attempt = 0;          // passed to the retry policy if the call fails
    unsigned requeue_attempt = 0;  // kept if the handler requests another call
    bool is_retry = false;
    Duration waited{};
  };

  [[nodiscard]] Instant now() const { return parent_.executor_.now(); }

  void deliver(const Delivery& delivery) {
    const Ongoing ongoing = parent_.metrics_.event(parent_.executor_, delivery.action);
    const auto handlers = parent_.kind_->handlers.list();
    for (const Handler& handler : *handlers) {
      if (!parent_.kind_->handlers.find(handler.id)) continue;  // an earlier handler may have removed it
      if (delivery.action == ReconcileAction::resynced) {
        resync(handler, delivery);
      } else {
        make(supersede(handler, delivery));
      }
    }
  }

  // If retries for this object wait for the handler, the resync is not delivered to it, because these retries carry
  // more information. A call whose last retry failed is repeated with its action. A call that the handler requested is
  // made at once if the resync reports a change of another object. A call that failed always waits for its back-off:
  // otherwise an owned object that changes often would cause as many failures.
  void resync(const Handler& handler, const Delivery& delivery) {
    bool is_included = false;
    std::vector<Retry> given_up;
    std::vector<Retry> requested;
    for (Retry& retry : pending_.take_retries(key_, handler.id)) {
      const bool is_of_object = retry.delivery.object.uid() == delivery.object.uid();
      is_included = is_included || is_of_object;
      if (is_of_object && retry.is_given_up()) {
        given_up.push_back(std::move(retry));
      } else if (is_of_object && is_requested_by_others_ && !retry.error) {
        requested.push_back(std::move(retry));
      } else {
        pending_.put_back(key_, std::move(retry));
      }
    }
    if (!is_included) make({.handler = handler, .delivery = delivery});
    for (Retry& retry : given_up) {
      retry.delivery.object = delivery.object;
      make({.handler = handler, .delivery = std::move(retry.delivery), .state = std::move(retry.state)});
    }
    for (Retry& retry : requested) {
      retry.delivery.object = delivery.object;
      call_again(std::move(retry));
    }
  }

  // Returns the call for a new event. Retries that the event supersedes are dropped; an update that supersedes an
  // update keeps the old object of the retry. The other retries get the new object. The state is kept while the
  // generation is the same. The back-off of a failure is then kept too, and also if a handler of this controller made
  // the change. Otherwise the back-off would not grow for a handler that writes a spec with each failure, or for an
  // object without generations.
  Call supersede(const Handler& handler, const Delivery& delivery) {
    Call call{.handler = handler, .delivery = delivery};
    std::uint64_t newest = 0;
    for (Retry& retry : pending_.take_retries(key_, handler.id)) {
      const bool is_same = is_of_same_generation(retry.delivery.object, delivery.object);
      const bool is_own = events_are_own_ && retry.delivery.object.uid() == delivery.object.uid();
      if (retry.number > newest && (is_same || is_own)) {
        newest = retry.number;
        call.state = is_same ? retry.state : State{};
        const bool backs_off = retry.error && !retry.is_given_up();
        call.attempt = backs_off ? retry.attempt + 1 : 0;
        call.requeue_attempt = backs_off ? retry.attempt : 0;
      }
      if (!is_superseded(retry, delivery)) {
        retry.delivery.object = delivery.object;
        pending_.put_back(key_, std::move(retry));
      } else if (delivery.action == ReconcileAction::updated && retry.delivery.action == ReconcileAction::updated) {
        call.delivery.old = std::move(retry.delivery.old);
      }
    }
    return call;
  }

  bool is_superseded(const Retry& retry, const Delivery& delivery) {
    const RetryDequeuePolicy& policy = parent_.config_.retry_dequeue_policy;
    if (!policy || (retry.is_given_up() && delivery.action == ReconcileAction::deleted)) return true;
    try {
      return policy({.new_action = policy_action(delivery.action),
                     .new_object = delivery.object,
                     .retry_action = policy_action(retry.delivery.action),
                     .retry_object = retry.delivery.object,
                     .retry_error = retry.error ? &*retry.error : nullptr});
    } catch (...) {
      note(context_.current_exception_error("the retry dequeue policy"));
      return true;
    }
  }

  void call_again(Retry retry) {
    const auto handler = parent_.kind_->handlers.find(retry.handler);
    if (!handler) return;
    make({.handler = *handler,
          .delivery = std::move(retry.delivery),
          .state = std::move(retry.state),
          .attempt = retry.attempt + 1,
          .requeue_attempt = retry.attempt,
          .is_retry = true,
          .waited = now() - retry.requested_at});
  }

  void make(Call call) {
    ReconcileResult result = call_handler(call);
    if (result.error && was_interrupted(*result.error, context_)) {
      note(std::move(*result.error));
      return;
    }
    if (result.state) call.state = std::move(*result.state);
    std::optional<Duration> delay = result.requeue_after;
    if (result.error && !delay) delay = retry_delay(*result.error, call.attempt);
    if (result.error && !delay && !result.error->is_terminal && owes_cleanup(call)) delay = pause_of_owed_cleanup;
    if (result.error) report(*result.error, call, !delay);
    if (call.is_retry) {
      const Executed set_outcome = result.requeue_after ? Executed::requeue
                                   : !result.error      ? Executed::success
                                   : delay              ? Executed::retry
                                                        : Executed::failed;
      parent_.metrics_.count_executed(call.delivery.action, set_outcome, call.waited);
    }
    const bool is_of_gone = call.delivery.action == ReconcileAction::deleted;
    if (is_of_gone && !delay) parent_.ledger_.forget_object_of(call.handler.id, call.delivery.object.uid());
    const bool is_given_up = !delay && result.error && !is_of_gone;
    if (delay || is_given_up) keep(std::move(call), std::move(result), delay.value_or(Duration::max()));
  }

  [[nodiscard]] bool owes_cleanup(const Call& call) const {
    const Object& object = call.delivery.object;
    // The handler may have a finalizer on the object, and without resyncs nothing else would repeat the call.
    const bool has_resyncs = parent_.resync_ > Duration::zero();
    if (call.delivery.action != ReconcileAction::deleted && object.is_deleting() && !has_resyncs) return true;
    return call.delivery.action == ReconcileAction::deleted && parent_.ledger_.is_owed(call.handler.id, object.uid());
  }

  ReconcileResult call_handler(const Call& call) {
    context_.slot<CleanupRecord::Place>() = {.ledger = &parent_.ledger_, .handler = call.handler.id};
    const Ongoing ongoing =
        parent_.metrics_.process(parent_.executor_, call.delivery.action, call.handler.is_watcher());
    try {
      return call.handler.call(call.delivery, call.state, context_);
    } catch (...) {
      return failed(context_.current_exception_error("the handler"));
    }
  }

  std::optional<Duration> retry_delay(const Error& error, unsigned attempt) {
    if (error.is_terminal || !parent_.config_.retry_policy) return std::nullopt;
    try {
      const std::optional<Duration> delay = parent_.config_.retry_policy(error, attempt);
      return delay ? std::max(*delay, error.retry_after.value_or(Duration::zero())) : delay;
    } catch (...) {
      note(context_.current_exception_error("the retry policy"));
      return std::nullopt;
    }
  }

  // A handler that was removed during the call is not called again.
  void keep(Call call, ReconcileResult result, Duration delay) {
    if (!parent_.kind_->handlers.find(call.handler.id)) return;
    if (delay != Duration::max()) parent_.metrics_.count_enqueued(call.delivery.action);
    pending_.keep(key_, {.handler = call.handler.id,
                         .delivery = std::move(call.delivery),
                         .state = std::move(call.state),
                         .attempt = result.requeue_after ? call.requeue_attempt : call.attempt,
                         .requested_at = now(),
                         .due = after(now(), delay),
                         .error = std::move(result.error)});
  }

  // Called for each failure of a handler.
  void report(const Error& error, const Call& call, bool is_final) {
    const ReconcileAction action = call.delivery.action;
    parent_.metrics_.count_error(action, call.handler.is_watcher());
    const std::string who = (call.handler.is_watcher() ? "watcher " : "reconciler ") + std::to_string(call.handler.id) +
                            " of " + parent_.kind_->name;
    context_.span().add_event(
        "handler failed",
        {{"handler", who}, {"action", to_string(action)}, {"attempt", call.attempt}, {"error", error.to_string()}});
    Error described = error;
    note(std::move(described).with_operation(who + ", " + std::string(to_string(action)) +
                                             (call.attempt == 0 ? "" : ", retry " + std::to_string(call.attempt)) +
                                             (is_final ? ", no further retry" : "")));
    if (!parent_.config_.error_handler) return;
    try {
      parent_.config_.error_handler({.error = error,
                                     .resource_kind = parent_.kind_->name,
                                     .action = action,
                                     .object = call.delivery.object,
                                     .attempt = call.attempt,
                                     .is_final = is_final},
                                    context_);
    } catch (...) {
      note(context_.current_exception_error("the error handler"));
    }
  }

  void note(Error error) {
    if (error_) {
      error_->message += "; " + error.to_string();
    } else {
      error_ = std::move(error);
    }
  }

  // A reconcile fails if one of its calls failed. The waiting retries determine the time of the next reconcile, and not
  // the back-off of the controller.
  Outcome outcome(std::uint64_t mark) {
    const auto next = pending_.close(key_, uid_, mark);
    const Duration delay = next ? std::max(*next, now()) - now() : Duration::zero();
    if (!error_) return next ? Outcome(requeue_after(delay)) : Outcome(done);
    error_->is_terminal = !next && error_->code != ErrorCode::cancelled;
    error_->retry_after = delay;
    return failed(std::move(*error_));
  }

  EventDelivery& parent_;
  PendingEvents& pending_;
  const ObjectKey key_;
  const std::string_view uid_;  // of the reconciled object; empty: all objects of this name
  Context& context_;
  const bool events_are_own_;
  const bool is_requested_by_others_;
  std::optional<Error> error_;
};

EventDelivery::EventDelivery(Executor& executor, MetricsRegistry& registry, const InformerControllerOptions& config,
                             std::shared_ptr<Kind> kind, Duration resync)
    : executor_(executor),
      config_(config),
      kind_(std::move(kind)),
      resync_(resync),
      metrics_(registry, config.metrics_namespace, kind_->name),
      pending_(executor, metrics_.pending()),
      ledger_(executor) {}

void EventDelivery::forget(HandlerId handler) {
  pending_.forget(handler);
  ledger_.forget_handler(handler);
}

void EventDelivery::observe(const Change& change) {
  const ObjectKey key = change.object().key();
  for (Delivery& delivery : deliveries_of(change)) {
    if (delivery.action == ReconcileAction::deleted) {
      pending_.drop_events(key, delivery.object.uid());
    } else {
      pending_.put(key, std::move(delivery));
    }
  }
}

void EventDelivery::observe_all(const Change& change) {
  const ObjectKey key = change.object().key();
  for (Delivery& delivery : deliveries_of(change)) pending_.put(key, std::move(delivery));
}

Outcome EventDelivery::reconcile(const Object& object, Context& context) {
  const ObjectKey key = object.key();
  if (wants_resync(key, context)) {
    pending_.put(key, {.action = ReconcileAction::resynced, .old = object, .object = object});
  }
  return Round(*this, key, object.uid(), context).run();
}

Outcome EventDelivery::gone(const Object& last, Context& context) {
  const ObjectKey key = last.key();
  pending_.put_gone(key, last);
  return Round(*this, key, last.uid(), context).run();
}

Outcome EventDelivery::carry_all(const Object& object, Context& context) {
  return Round(*this, object.key(), "", context).run();
}

// Returns whether to deliver a resync: because it is due, or because another source requested the reconcile. A resync
// is not delivered in addition to a waiting event, see PendingEvents::put().
bool EventDelivery::wants_resync(const ObjectKey& key, const Context& context) {
  using Source = ReconcileCause::Source;
  const auto& causes = context.causes();
  const auto is_due = pending_.take_resync(key, executor_.now(), resync_);
  if (are_of_others(causes)) return true;
  if (is_due) return *is_due;
  return std::none_of(causes.begin(), causes.end(), [](const ReconcileCause& cause) {
    return cause.source == Source::initial || cause.source == Source::change || cause.source == Source::retry ||
           cause.source == Source::overflow;
  });
}

}  // namespace pintle::watcher
