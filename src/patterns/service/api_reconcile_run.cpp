// SPDX-License-Identifier: Apache-2.0
#include "api_reconcile_run.hpp"

#include <utility>

#include <pintle/base/text.hpp>
#include <pintle/controller/error_decision.hpp>
#include <pintle/controller/ready_status.hpp>

namespace pintle::service {
namespace {

bool is_other_report(const StatusCondition& before, const StatusCondition& after) {
  return before.status != after.status || before.reason != after.reason || before.message != after.message ||
         before.observed_generation != after.observed_generation;
}

std::string name_of_access(const AccessRequest& request) {
  return "AccessRequest " + request.metadata.key().to_string();
}

}  // namespace

ApiReconcileRun::ApiReconcileRun(const AnyApiReconciler& spec, Object api, Context& ctx)
    : spec_(spec),
      access_(*spec.cluster_access),
      api_(std::move(api)),
      key_(api_.key()),
      ctx_(ctx),
      finalizers_(ctx.client(), spec.finalizer, ctx.field_manager()) {}

Outcome ApiReconcileRun::run() {
  try {
    return run_steps();
  } catch (...) {
    Error error = ctx_.current_exception_error("reconcile");
    const std::string shown = failed_condition(std::string(ready_condition), error).message;
    return stopped(std::move(error), shown);
  }
}

Outcome ApiReconcileRun::run_steps() {
  if (api_.annotation(operation_annotation) == ignore_operation) return done;
  if (api_.is_deleting() && !finalizers_.is_present(api_)) return done;
  if (auto taken = take_request(); !taken) return std::move(taken.error());
  // The remaining steps need neither a config nor the domain.
  if (api_.is_deleting() && is_cleaned_up()) return give_back();
  auto domain = domain_with_config();
  if (!domain) return std::move(domain.error());
  if (auto generated = (*domain)->generate_additional_data(api_, ctx_); !generated) {
    return stopped(std::move(generated.error()), "failed to generate additional data");
  }
  if (api_.is_deleting()) return remove(**domain);
  auto guarded = finalizers_.add(api_, ctx_.stop_token());
  if (!guarded && guarded.error().code == ErrorCode::not_found) return done;
  if (!guarded) return stopped(std::move(guarded.error()), "failed to add finalizer");
  works_on(std::move(guarded->object));
  if (!api_.is_deleting()) return create_or_update(**domain);
  return finalizers_.is_present(api_) ? remove(**domain) : done;
}

// Removes the annotation only from this version of the object: in a newer version it may have another value.
tl::expected<void, Outcome> ApiReconcileRun::take_request() {
  if (api_.annotation(operation_annotation) != reconcile_operation) return {};
  auto taken = ctx_.patch(api_, json::Value{{"metadata",
                                             {{"resourceVersion", api_.resource_version()},
                                              {"annotations", {{operation_annotation, nullptr}}}}}});
  if (taken) {
    works_on(std::move(*taken));
    return {};
  }
  const ErrorCode code = taken.error().code;
  if (code == ErrorCode::not_found) return tl::unexpected(Outcome(done));
  if (code == ErrorCode::conflict) return tl::unexpected(Outcome(requeue));
  return tl::unexpected(stopped(std::move(taken.error()), "failed to remove operation annotation"));
}

tl::expected<std::unique_ptr<ServiceReconciler>, Outcome> ApiReconcileRun::domain_with_config() {
  auto config = spec_.config.current(ctx_);
  if (!config) return tl::unexpected(stopped(std::move(config.error()), "failed to read ProviderConfig"));
  auto made = spec_.domain(*config);
  if (!made) {
    // The error is terminal: a retry cannot succeed before the config changes, and its change starts a reconcile.
    std::string message = "ProviderConfig cannot be read: " + made.error().to_string();
    return tl::unexpected(stopped(std::move(made.error()).terminal(), message));
  }
  if (*made != nullptr) return std::move(*made);
  set_reason(reason_reconcile_error, "No ProviderConfig found");
  if (spec_.config.missing == MissingConfigPolicy::wait) return tl::unexpected(Outcome(done));
  return tl::unexpected(failed(make_error(ErrorCode::not_found, "provider config missing")));
}

Outcome ApiReconcileRun::create_or_update(ServiceReconciler& domain) {
  auto clusters = reach_clusters();
  if (!clusters) {
    return blocked(std::move(clusters.error()), "cluster setup error", reason_waiting_for_access,
                   "waiting for access to the clusters");
  }
  note_called();
  Outcome outcome = call(domain, *clusters);
  if (const Error* error = outcome.as_failed()) {
    report_failure(*error);
    return outcome;
  }
  const Duration poll = domain.poll_interval();
  return outcome.is_done() && poll > Duration::zero() ? Outcome(requeue_after(poll)) : outcome;
}

Outcome ApiReconcileRun::call(ServiceReconciler& domain, ObjectClusters& clusters) {
  try {
    return domain.create_or_update(api_, clusters, ctx_);
  } catch (...) {
    return failed(ctx_.current_exception_error("reconcile"));
  }
}

// The status of a domain that has set none would be that of an earlier reconcile, for example Ready.
void ApiReconcileRun::report_failure(const Error& error) {
  if (was_interrupted(error, ctx_) || has_reported()) return;
  set_reason(reason_reconcile_error, failed_condition(std::string(ready_condition), error).message);
}

// A domain may set other members of the status only, or a whole struct to the values that the status has already. An
// object that fails is not ready, whatever the domain has set.
bool ApiReconcileRun::has_reported() const {
  const auto before = find_condition(api_, ready_condition);
  const auto ready = find_condition(Object(json::object{{"status", ctx_.status().value()}}), ready_condition);
  if (!ready || ready->status == ConditionStatus::true_) return false;
  if (!before || is_other_report(*before, *ready)) return true;
  if (ready->status != ConditionStatus::false_ || ready->observed_generation != api_.generation()) return false;
  return ready->reason != reason_reconcile_error && ready->reason != reason_waiting_for_access &&
         ready->reason != reason_access_denied;
}

Outcome ApiReconcileRun::remove(ServiceReconciler& domain) {
  if (is_cleaned_up()) return give_back();
  status_terminating(ctx_.status());
  auto lost = lost_access();
  if (!lost) return stopped(std::move(lost.error()), "failed to check access requests in deletion");
  const bool skips = *lost && spec_.lost_access == LostAccessPolicy::skip_cleanup;
  if (auto cleaned = skips ? skip_cleanup(**lost) : clean_up(domain, *lost); !cleaned)
    return std::move(cleaned.error());
  return give_back();
}

bool ApiReconcileRun::is_cleaned_up() const { return is_condition_true(api_, cleaned_up_condition(spec_.finalizer)); }

Outcome ApiReconcileRun::give_back() {
  status_terminating(ctx_.status());
  AccessOutcome released = access_.reconcile_delete(key_, ctx_);
  if (!released.is_ready()) {
    return blocked(std::move(released), "failed cluster access reconcile delete", "Terminating", "Cleanup in progress");
  }
  return release();
}

tl::expected<void, Outcome> ApiReconcileRun::clean_up(ServiceReconciler& domain,
                                                      const std::optional<std::string>& lost) {
  auto clusters = reach_clusters();
  if (!clusters && clusters.error().is_unobtainable) return clean_up_without(std::move(clusters.error()), lost);
  if (!clusters) {
    return tl::unexpected(
        blocked(std::move(clusters.error()), "cluster cleanup error", "Reconciling", "cluster cleanup"));
  }
  // Access that is being deleted could disappear while the domain uses it.
  if (lost) {
    set_reason("Reconciling", *lost);
    return tl::unexpected(Outcome(requeue));
  }
  note_called();
  Outcome cleaned = domain.remove(api_, *clusters, ctx_);
  if (const Error* error = cleaned.as_failed()) report_failed_cleanup(*error);
  if (!cleaned.is_done()) return tl::unexpected(std::move(cleaned));
  if (auto noted = note_cleaned_up("DomainDeleted", "The domain has cleaned up"); !noted) {
    return tl::unexpected(failed(std::move(noted.error())));
  }
  return {};
}

tl::expected<void, Outcome> ApiReconcileRun::skip_cleanup(const std::string& why) {
  const std::string message = "The domain did not clean up: " + why;
  ctx_.event(EventType::warning, reason_access_lost, message);
  if (auto noted = note_cleaned_up(reason_access_lost, message); !noted) {
    return tl::unexpected(failed(std::move(noted.error())));
  }
  return {};
}

// One cluster cannot be obtained. The domain cannot be called without it, but it may have resources in the others.
tl::expected<void, Outcome> ApiReconcileRun::clean_up_without(AccessOutcome access,
                                                              const std::optional<std::string>& lost) {
  if (spec_.lost_access == LostAccessPolicy::skip_cleanup || !was_called()) return skip_cleanup(access.message);
  auto other = lost ? Result<std::optional<std::string>>(lost) : remaining_access();
  if (!other) return tl::unexpected(stopped(std::move(other.error()), "failed to check access requests in deletion"));
  if (!*other) return skip_cleanup(access.message);
  set_reason(access.reason.empty() ? reason_access_lost : access.reason,
             access.message + "; the deletion waits, because " + **other);
  return tl::unexpected(std::move(access.outcome));
}

// A domain that set its own reason in this reconcile keeps it.
void ApiReconcileRun::report_failed_cleanup(const Error& error) {
  const auto ready = find_condition(Object(json::object{{"status", ctx_.status().value()}}), ready_condition);
  if (was_interrupted(error, ctx_) || !ready || ready->reason != "Terminating") return;
  set_reason(reason_reconcile_error, failed_condition(std::string(ready_condition), error).message);
}

// The condition is written before the access is given back, so that the next reconcile, of any process, reads it.
Result<void> ApiReconcileRun::note_cleaned_up(std::string_view reason, std::string_view message) {
  ctx_.status().set_condition({.type = cleaned_up_condition(spec_.finalizer),
                               .status = ConditionStatus::true_,
                               .reason = std::string(reason),
                               .message = std::string(message)});
  return write_status();
}

// From the first call on, the domain may have resources in all clusters of the object.
void ApiReconcileRun::note_called() {
  if (was_called()) return;
  ctx_.status().set_condition({.type = cleaned_up_condition(spec_.finalizer),
                               .status = ConditionStatus::false_,
                               .reason = "DomainCalled",
                               .message = "The domain must clean up before the object is deleted"});
}

bool ApiReconcileRun::was_called() const {
  return find_condition(api_, cleaned_up_condition(spec_.finalizer)).has_value();
}

std::vector<std::string_view> ApiReconcileRun::cluster_ids() const {
  std::vector<std::string_view> ids{mcp_cluster_id};
  if (spec_.workload_cluster) ids.push_back(workload_cluster_id);
  ids.insert(ids.end(), spec_.more_clusters.begin(), spec_.more_clusters.end());
  return ids;
}

Result<std::optional<std::string>> ApiReconcileRun::lost_access() {
  for (const std::string_view id : cluster_ids()) {
    if (auto lost = lost_access_to(id); !lost || *lost) return lost;
  }
  return std::nullopt;
}

Result<std::optional<std::string>> ApiReconcileRun::lost_access_to(std::string_view id) {
  const auto request = access_.access_request(id, key_, ctx_);
  if (request && *request && (*request)->metadata.is_deleting()) {
    return name_of_access(**request) + " is being deleted";
  }
  if (request) return std::nullopt;
  if (request.error().code != ErrorCode::not_found) return fail(request.error());
  if (spec_.lost_access == LostAccessPolicy::request_again) return std::nullopt;
  return "there is no access to the cluster " + quote(id) + ": " + request.error().to_string();
}

Result<std::optional<std::string>> ApiReconcileRun::remaining_access() {
  for (const std::string_view id : cluster_ids()) {
    const auto request = access_.access_request(id, key_, ctx_);
    if (!request && request.error().code != ErrorCode::not_found) return fail(request.error());
    if (!request || !*request) continue;
    const AccessRequest::Status& status = (*request)->status;
    if (status.phase == request_denied && !status.secret_ref) continue;  // never granted
    return "the domain may have resources in the cluster of " + name_of_access(**request);
  }
  return std::nullopt;
}

// Users must see the phase Terminating before the object is gone. If the object has this phase already, the status is
// not written again: while the removal keeps failing, the status would alternate between two messages, and each write
// would start the next reconcile.
Outcome ApiReconcileRun::release() {
  if (api_["/status/phase"] != phase_terminating) {
    if (auto written = write_status(); !written) return failed(std::move(written.error()));
  }
  auto removed = finalizers_.remove(api_, ctx_.stop_token());
  if (!removed) return stopped(std::move(removed.error()), "failed to remove finalizer");
  return done;
}

ApiReconcileRun::Clusters ApiReconcileRun::reach_clusters() {
  AccessOutcome access = access_.reconcile(key_, ctx_);
  if (!access.is_ready()) return tl::unexpected(std::move(access));
  const auto without = [](Error error) { return tl::unexpected(AccessOutcome{.outcome = failed(std::move(error))}); };
  auto mcp = reach(mcp_cluster_id, "mcp access missing");
  if (!mcp) return without(std::move(mcp.error()));
  ObjectClusters clusters{.mcp_cluster = std::move(mcp->cluster),
                          .mcp_access_secret_key = std::move(mcp->access_secret_key)};
  if (spec_.workload_cluster) {
    auto workload = reach(workload_cluster_id, "workload cluster access missing");
    if (!workload) return without(std::move(workload.error()));
    clusters.workload_cluster.emplace(std::move(workload->cluster));
    clusters.workload_access_secret_key = std::move(workload->access_secret_key);
  }
  for (const std::string& id : spec_.more_clusters) {
    auto one = reach(id, id + " cluster access missing");
    if (!one) return without(std::move(one.error()));
    clusters.more.emplace(id, std::move(*one));
  }
  return clusters;
}

Result<ObjectCluster> ApiReconcileRun::reach(std::string_view id, std::string_view missing) {
  auto found = access_.access(id, key_, ctx_);
  if (!found) return fail(std::move(found.error()));
  if (!*found) return fail(ErrorCode::not_found, std::string(missing));
  const auto access_request = access_.access_request(id, key_, ctx_);
  if (!access_request) return fail(access_request.error());
  ObjectCluster reached{.cluster = std::move(**found), .access_secret_key = {}};
  if (*access_request && (*access_request)->status.secret_ref) {
    reached.access_secret_key = {(*access_request)->metadata.namespace_, (*access_request)->status.secret_ref->name};
  }
  return reached;
}

void ApiReconcileRun::works_on(Object api) {
  api_ = std::move(api);
  ctx_.status().set_observed_object(api_);
}

void ApiReconcileRun::set_reason(std::string_view reason, std::string_view message) {
  if (api_.is_deleting()) {
    status_terminating(ctx_.status(), reason, message);
  } else {
    status_progressing(ctx_.status(), reason, message);
  }
}

Outcome ApiReconcileRun::blocked(AccessOutcome access, std::string_view error, std::string_view reason,
                                 std::string_view message) {
  if (access.outcome.as_failed() != nullptr) {
    set_reason(reason_reconcile_error, error);
  } else {
    set_reason(access.reason.empty() ? reason : access.reason, access.message.empty() ? message : access.message);
  }
  return std::move(access.outcome);
}

Outcome ApiReconcileRun::stopped(Error error, std::string_view message) {
  set_reason(reason_reconcile_error, message);
  return failed(std::move(error));
}

Result<void> ApiReconcileRun::write_status() {
  auto written = StatusWriter(ctx_.client(), ctx_.field_manager()).flush(ctx_.status(), ctx_.stop_token());
  if (!written) return fail(std::move(written.error()));
  return {};
}

}  // namespace pintle::service
