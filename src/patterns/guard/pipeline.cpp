// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/guard/pipeline.hpp>

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include <pintle/controller/status_writer.hpp>
#include <pintle/object/names.hpp>

#include "failure.hpp"
#include "guard_state.hpp"

namespace pintle::guard {
namespace {

// The times in a lock are whole seconds, and the lock is renewed after each third of the limit.
constexpr Duration min_lock_timeout = std::chrono::seconds(3);

// Returns the error as one that is retried.
Error for_now(Error error) {
  error.is_terminal = false;
  return error;
}

// One reconcile of one workspace.
class Run {
 public:
  Run(const AnyPipeline& spec, LockRegistry& locks, Context& context)
      : spec_(spec), locks_(locks), context_(context), is_deleting_(workspace().is_deleting()) {}

  Outcome operator()() {
    const Object begun = workspace();
    const std::string_view phase = begun["/status/phase"].text();
    if (is_deleting_) {
      if (phase != phase_terminating) begin_termination();
      return run(spec_.providers.rbegin(), spec_.providers.rend());
    }
    if (phase == phase_error) return done;
    if (phase.empty()) context_.status().set("/phase", phase_deploying);
    try {
      return write_initialized(run(spec_.providers.begin(), spec_.providers.end()));
    } catch (...) {
      (void)write_initialized(done);
      throw;
    }
  }

 private:
  [[nodiscard]] const Object& workspace() const { return context_.status().object(); }
  // Returns whether this reconcile has read or written a version that is being deleted, but began with an earlier one.
  // The event of the deletion then causes a reconcile that calls `terminate`.
  [[nodiscard]] bool is_deleted_meanwhile() const { return !is_deleting_ && workspace().is_deleting(); }

  void begin_termination() {
    context_.status().set("/phase", phase_terminating);
    context_.event(EventType::normal, phase_terminating, "Waiting for external dependencies to be cleaned up");
  }

  template <class Iterator>
  Outcome run(Iterator provider, Iterator end) {
    for (; provider != end && !is_deleted_meanwhile(); ++provider) {
      const StepResult result = step(*provider);
      if (!result.end()) continue;
      const Error* error = result.end()->as_failed();
      return error == nullptr ? *result.end() : failed_step(*error);
    }
    return done;
  }

  StepResult step(const AnyProvider& provider) {
    context_.slot<GuardState>().task_failure.clear();
    const auto& function = is_deleting_ ? provider.terminate : provider.reconcile;
    if (!function) return next_step;
    auto condition = condition_of(workspace(), provider.condition);
    if (!condition) {
      if (provider.applies && !provider.applies(workspace())) return next_step;
      condition = initialized(provider);
    }
    auto controller = ProviderController::make(*condition, context_, locks_, spec_.instance_label);
    if (!controller) return fail(controller.error().terminal());
    if (controller->is_locked()) {
      if (!controller->is_recoverable()) return requeue_after(provider.locked_requeue_after);
      if (auto recovered = recover(provider, *controller); !recovered) {
        owes_result_ = controller->is_locked();
        return recovered;
      }
      if (is_deleted_meanwhile()) return done;
    }
    const Object newest = workspace();
    context_.slot<GuardState>().is_outdated = false;
    StepResult result = function(newest, *controller);
    owes_result_ = controller->is_locked();
    return result;
  }

  Condition initialized(const AnyProvider& provider) {
    const auto status = ConditionStatus::initialized;
    Condition condition{.type = provider.condition, .status = status, .reason = to_reason("", status)};
    initialized_.push_back(condition);
    return condition;
  }

  // Writes the initialized conditions separately from the other changes of the status: another process may have created
  // and locked one of them in the meantime, and this write must not replace its lock.
  Outcome write_initialized(Outcome outcome) {
    const auto is_on = [&](const Object& object) {
      return [&object](const Condition& one) { return condition_of(object, one.type).has_value(); };
    };
    std::erase_if(initialized_, is_on(workspace()));
    StatusDraft& status = context_.status();
    if (initialized_.empty() || status.error()) return outcome;
    const StatusDraft others = status;
    for (const Condition& set_condition : initialized_) status.set_condition(set_condition);
    bool is_late = false;
    const auto written = StatusWriter(context_.client(), context_.field_manager())
                             .flush(status, context_.stop_token(), [&](const Object& newest) -> Result<void> {
                               is_late = std::any_of(initialized_.begin(), initialized_.end(), is_on(newest));
                               if (is_late) return fail(conflict("another client has added one of the conditions"));
                               return {};
                             });
    if (written) return outcome;
    StatusDraft tried = std::exchange(status, others);
    status.rebase(tried.object());
    return is_late ? outcome : join(std::move(outcome), written);
  }

  Result<void> recover(const AnyProvider& provider, ProviderController& controller) {
    Recovery recovery{.idempotent = provider.idempotent || is_deleting_};
    if (provider.recover) {
      recovery.inspect = [&, locked = workspace()] { return provider.recover(locked, controller); };
    }
    return controller.recover(recovery);
  }

  Outcome failed_step(const Error& error) {
    const bool is_of_task = error.message == context_.slot<GuardState>().task_failure;
    if (is_conflict_of_api(error)) return is_of_task ? failed(for_now(error)) : conflict_of_step(error);
    if (is_temporary(error)) return failed(error);
    if (owes_result_) return failed(for_now(error));
    context_.event(EventType::warning, "Error", error.to_string());
    if (is_deleting_) return failed(error);
    context_.log().error("a step failed; no step runs until the phase is reset or the workspace is deleted",
                         {{"error", error.to_string()}});
    context_.status().set("/phase", phase_error);
    return done;
  }

  // A single conflict is normal, and the reconcile is repeated. A conflict in the repetition is a failure, so that it
  // is visible and the delays grow.
  Outcome conflict_of_step(Error error) {
    using Source = ReconcileCause::Source;
    const auto& causes = context_.causes();
    const bool is_again = std::any_of(causes.begin(), causes.end(), [](const ReconcileCause& cause) {
      return cause.source == Source::retry || cause.source == Source::timer;
    });
    if (!is_again) return requeue_after(spec_.conflict_requeue_after);
    error.retry_after = std::max(error.retry_after.value_or(Duration::zero()), spec_.conflict_requeue_after);
    return failed(for_now(std::move(error)));
  }

  const AnyPipeline& spec_;
  LockRegistry& locks_;
  Context& context_;
  const bool is_deleting_;
  std::vector<Condition> initialized_;  // initialized by this reconcile, because they did not exist
  bool owes_result_ = false;            // the result of a task of the step could not be written or determined
};

}  // namespace

std::vector<Error> AnyPipeline::validate() const {
  std::vector<Error> errors;
  const auto wrong = [&](std::string what) { errors.push_back(make_error(ErrorCode::invalid, std::move(what))); };
  if (providers.empty()) wrong("the pipeline has no providers: add one to .providers");
  std::set<std::string_view> types;
  for (const AnyProvider& provider : providers) {
    if (auto good = validate_condition_type(provider.condition); !good) errors.push_back(std::move(good.error()));
    if (!types.insert(provider.condition).second) {
      wrong("two providers have the condition \"" + provider.condition + "\": give each provider its own condition");
    }
    if (!provider.reconcile) wrong("the provider of condition \"" + provider.condition + "\" has an empty .reconcile");
    if (provider.locked_requeue_after < Duration::zero()) {
      wrong("the provider of condition \"" + provider.condition + "\" has a negative .locked_requeue_after");
    }
  }
  if (conflict_requeue_after < Duration::zero() || locks.lock_timeout < Duration::zero() ||
      locks.lock_timeout_without_renewal < Duration::zero()) {
    wrong(
        "the pipeline has a negative .conflict_requeue_after, .locks.lock_timeout or "
        ".locks.lock_timeout_without_renewal");
  }
  if (locks.lock_timeout > Duration::zero() && locks.lock_timeout < min_lock_timeout) {
    wrong(
        "the pipeline has a .locks.lock_timeout of less than 3s, which is too short for renewals: set it to 3s or "
        "more, or to "
        "0 if no other process ever works on the objects");
  }
  if (auto error = names::validate_qualified_name(instance_label)) {
    wrong("the instance label \"" + instance_label + "\" " + *error);
  }
  return errors;
}

std::string AnyPipeline::requires_lease() const {
  if (!locks.is_elected) return {};
  return "its pipeline recovers the locks of the other instances at once, because only the holder of the lease runs "
         "it; "
         "remove .leadership, or create the controller with guard::controller(executor, pipeline) and without "
         ".locks.is_elected";
}

std::function<Outcome(Context&)> AnyPipeline::reconcile(Executor& executor) const {
  return [spec = *this, locks = std::make_shared<LockRegistry>(executor, locks)](Context& context) {
    return Run(spec, *locks, context)();
  };
}

}  // namespace pintle::guard
