// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/crud/framework.hpp>

#include <utility>

#include <pintle/patterns/crud/errors.hpp>
#include <pintle/patterns/crud/reconcile_flags.hpp>

#include "event_loop.hpp"
#include "failures.hpp"

namespace pintle::crud {

std::string finalizer_name(std::string_view name) { return "operatorkit.giantswarm.io/" + std::string(name); }

Framework::Framework(GroupVersionKind watch, FrameworkOptions config) {
  config.controller.watch.kind = std::move(watch);
  if (config.resync_period == Duration::zero()) config.resync_period = default_resync_period;
  config_ = std::make_shared<const FrameworkOptions>(std::move(config));
}

std::vector<Error> Framework::validate() const {
  std::vector<Error> errors = config_->resource_router.value().validate();
  if (config_->name.value().empty()) errors.push_back(invalid_config("a framework has an empty .name: set it"));
  if (config_->resync_period < Duration::zero() || config_->rate_wait < Duration::zero()) {
    errors.push_back(
        invalid_config("the framework " + config_->name.value() + " has a negative .resync_period or .rate_wait"));
  }
  return errors;
}

void Framework::boot(Manager& manager) {
  if (std::exchange(booted_, true)) return;
  manager.add(controller(manager.metrics(), manager.executor()));
}

AnyController Framework::controller(MetricsRegistry& metrics, Executor& executor) const {
  AnyController spec = config_->controller;
  spec.name = config_->name.value();
  std::string finalizer;
  if (config_->finalizer) {
    // The event loop adds the finalizer, because the router decides for which objects it is added.
    finalizer = spec.finalizer.empty() ? finalizer_name(spec.name) : std::exchange(spec.finalizer, {});
    if (auto good = validate_finalizer(finalizer, FinalizerPolicy::add_then_stop); !good) {
      spec.errors.push_back(std::move(good.error()));
    }
  }
  const auto loop = std::make_shared<EventLoop>(*this, *config_, std::move(finalizer), metrics, executor);
  spec.reconcile = [loop](const Object& object, Context& context) { return loop->process(object, context); };
  spec.gone = [loop](const Object& last, Context& context) { return loop->process_gone(last, context); };
  spec.on_change = [loop](const Change& change) { loop->observe(change); };
  spec.resync_period = config_->resync_period;
  if (spec.pause_annotation.empty()) spec.pause_annotation = "operatorkit.giantswarm.io/paused";
  spec.on_watch_end = [loop](const Error* error) { loop->watch_ended(error); };
  for (Error& error : validate()) spec.errors.push_back(std::move(error).with_operation("controller " + spec.name));
  return spec;
}

Outcome Framework::process_event(const Object& object, Context& context) const {
  return object.is_deleting() ? delete_func(object, context) : update_func(object, context);
}

Outcome Framework::update_func(const Object& object, Context& context) const {
  return execute(object, context,
                 [&](const ResourceSet& set) { return process_update(object, context, set.resources()); });
}

Outcome Framework::delete_func(const Object& object, Context& context) const {
  Outcome outcome = execute(object, context, [&](const ResourceSet& set) {
    return process_delete(object, context, set.resources(), set.delete_order());
  });
  const ReconcileFlags& flags = reconcile_flags(context);
  const bool is_kept = flags.reconciliation_canceled.is_set() || flags.finalizer_kept.is_set();
  if (outcome.is_done() && is_kept) return requeue_after(config_->resync_period);
  return outcome;
}

Outcome Framework::execute(const Object& object, Context& context,
                           const std::function<Result<void>(const ResourceSet&)>& process) const {
  const auto set = config_->resource_router.value().resource_set(object);
  if (!set && is_no_resource_set(set.error())) {
    context.log().debug(set.error().message);
    return done;
  }
  if (!set) return failed(set.error());
  if (auto ready = (*set)->init_ctx(object, context); !ready) return failed(std::move(ready.error()));
  if (auto done = process(**set); !done) return failed(std::move(done.error()));
  if (const auto delay = requested_requeue_after(context)) return requeue_after(*delay);
  return done;
}

}  // namespace pintle::crud
