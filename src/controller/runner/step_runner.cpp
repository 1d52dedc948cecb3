// SPDX-License-Identifier: Apache-2.0
#include "step_runner.hpp"

#include <utility>

#include <pintle/base/text.hpp>

namespace pintle {

StepRunner::StepRunner(const Surroundings& around)
    : around_(around), spec_(around.spec), status_writer_(around.client, around.field_manager) {
  if (spec_.finalizer.empty()) return;
  finalized_.emplace(around.client, FinalizerOptions{.name = spec_.finalizer,
                                                     .policy = spec_.finalizer_policy,
                                                     .field_manager = around.field_manager});
}

// Runs a step of the user with its context, timeout and status write.
Outcome StepRunner::run(const Object& object, const ControllerQueue::Item& item, const Step& step) {
  const auto bound = around_.own_writes.written().bind(item.key);
  const ReconcileDeadline deadline(around_.client.transport(), around_.stop.get_token(), around_.timeout,
                                   overdue_reports(item.key));
  ReconcileState state{.object = object,
                       .causes = item.causes,
                       .cluster = around_.handle,
                       .clusters = around_.handles,
                       .secret_clusters = around_.secret_clusters,
                       .events = around_.events,
                       .metrics = around_.metrics,
                       .controller = spec_.name,
                       .field_manager = around_.field_manager,
                       .log = log_for(item.key),
                       .stop = deadline.token(),
                       .owns = &spec_.owns,
                       .owned_kinds = &around_.sources.owned_kinds(),
                       .writes = around_.writes,
                       .tracing = around_.tracing,
                       .span = around_.tracing == nullptr ? nullptr : around_.tracing->current(),
                       .deadline = deadline.at()};
  Context context = state.context();
  Outcome outcome = run_caught(object, context, step);
  // The status is also written after a failure or after the deadline, because it describes them.
  if (state.status) outcome = status_writer_.finish(std::move(outcome), *state.status, around_.stop.get_token());
  if (!deadline.has_passed()) return outcome;
  around_.metrics.count_timeout();
  const Error* error = outcome.as_failed();
  if (error == nullptr || error->code != ErrorCode::cancelled) return outcome;
  return failed(make_error(ErrorCode::timeout, "the reconcile exceeded its timeout of " +
                                                   format_duration(around_.timeout) + ": " + error->to_string()));
}

ReconcileDeadline::Reports StepRunner::overdue_reports(const ObjectKey& key) const {
  if (around_.timeout <= Duration::zero()) return {};
  return {.late =
              [this, key](Duration late, bool is_first) {
                if (is_first) around_.metrics.overdue(1);
                around_.log.warning(
                    "a reconcile still runs after its timeout; check Context::stop_token() wherever it blocks",
                    {{"key", key.to_string()},
                     {"timeout", format_duration(around_.timeout)},
                     {"running_for", format_duration(around_.timeout + late)}});
              },
          .ended = [this] { around_.metrics.overdue(-1); }};
}

// The only place that catches the exceptions of a reconcile.
Outcome StepRunner::run_caught(const Object& object, Context& context, const Step& step) {
  try {
    return step(object, context);
  } catch (...) {
    return failed(context.current_exception_error("reconcile"));
  }
}

Outcome StepRunner::reconcile(const Object& object, Context& context) {
  if (!finalized_) return spec_.reconcile(object, context);
  // Adding the finalizer returns a newer version of the object. The reconcile and its status use that version.
  const auto about_it = [](const Step& step) {
    return [&step](const Object& newest, Context& same) {
      same.status().set_observed_object(newest);
      return step(newest, same);
    };
  };
  const auto write_status = [&]() -> Result<void> {
    auto written = status_writer_.flush(context.status(), context.stop_token());
    if (!written) return fail(std::move(written.error()));
    return {};
  };
  FinalizerHooks hooks{.before_removal = write_status};
  if (spec_.on_finalizer_write) {
    hooks.on_write = [&](const Object& newest, FinalizerStep step, const Result<void>& written) {
      return spec_.on_finalizer_write(newest, context, step, written);
    };
  }
  return finalized_->run(object, context, about_it(spec_.reconcile), about_it(spec_.finalize), hooks);
}

// Returns the log for one reconcile.
Log StepRunner::log_for(const ObjectKey& key) const {
  const Span* span = around_.tracing == nullptr ? nullptr : around_.tracing->current();
  if (span == nullptr || !span->context().is_valid()) return around_.log.with({{"key", key.to_string()}});
  return around_.log.with({{"key", key.to_string()}, {"trace_id", span->context().trace_id_text()}});
}

}  // namespace pintle
