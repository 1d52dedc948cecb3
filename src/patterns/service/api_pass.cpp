#include "api_pass.hpp"

#include <utility>

namespace pintle::service {

ApiPass::ApiPass(const ApiReconcilerSpec& spec, Object api, Context& ctx)
    : spec_(spec),
      access_(*spec.cluster_access),
      api_(std::move(api)),
      key_(api_.key()),
      ctx_(ctx),
      finalizers_(ctx.client(), spec.finalizer, ctx.field_manager()) {}

Outcome ApiPass::run() {
  if (api_.annotation(operation_annotation) == ignore_operation) return settled;
  if (api_.is_deleting() && !finalizers_.is_on(api_)) return settled;
  auto domain = domain_with_config();
  if (!domain) return std::move(domain.error());
  if (api_.is_deleting()) return remove(**domain);
  auto guarded = finalizers_.ensure(api_, ctx_.stop_token());
  if (!guarded && guarded.error().code == ErrorCode::not_found) return settled;
  if (!guarded) return stopped(std::move(guarded.error()), "failed to add finalizer");
  works_on(std::move(guarded->object));
  if (!api_.is_deleting()) return create_or_update(**domain);
  return finalizers_.is_on(api_) ? remove(**domain) : settled;
}

tl::expected<std::unique_ptr<Domain>, Outcome> ApiPass::domain_with_config() {
  auto config = spec_.config.current(ctx_);
  if (!config) return tl::unexpected(stopped(std::move(config.error()), "failed to read ProviderConfig"));
  auto made = spec_.domain(*config);
  if (!made) {
    // It has to change first, and that is a new pass.
    std::string message = "ProviderConfig cannot be read: " + made.error().to_string();
    return tl::unexpected(stopped(std::move(made.error()).terminal(), message));
  }
  if (*made != nullptr) return std::move(*made);
  say(reason_reconcile_error, "No ProviderConfig found");
  if (spec_.config.missing == MissingConfig::waits) return tl::unexpected(Outcome(settled));
  return tl::unexpected(failed(make_error(ErrorCode::not_found, "provider config missing")));
}

Outcome ApiPass::create_or_update(Domain& domain) {
  auto clusters = reach_clusters();
  if (!clusters) {
    return blocked(std::move(clusters.error()), "cluster setup error", reason_waiting_for_access,
                   "waiting for access to the clusters");
  }
  Outcome outcome = domain.create_or_update(api_, *clusters, ctx_);
  const Duration poll = domain.poll_interval();
  return outcome.is_settled() && poll > Duration::zero() ? Outcome(look_again_in(poll)) : outcome;
}

Outcome ApiPass::remove(Domain& domain) {
  status_terminating(ctx_.status());
  bool is_cleaned_up = is_condition_true(api_, cleaned_up_condition(spec_.finalizer));
  if (!is_cleaned_up) {
    auto going = is_access_going();
    if (!going) return stopped(std::move(going.error()), "failed to check access requests in deletion");
    if (!*going) {
      if (Outcome cleaned = clean_up(domain); !cleaned.is_settled()) return cleaned;
    }
    is_cleaned_up = !*going || spec_.lost_access == LostAccess::give_up;
  }
  AccessOutcome released = access_.reconcile_delete(key_, ctx_);
  if (!released.outcome.is_settled()) {
    return blocked(std::move(released), "failed cluster access reconcile delete", "Terminating", "Cleanup in progress");
  }
  // Somebody took the access away too early. Now that it is gone it can be asked for again.
  if (!is_cleaned_up) return look_again;
  return release();
}

// That it has been done is written before the access goes: the next pass, of whatever process, must know.
Outcome ApiPass::clean_up(Domain& domain) {
  auto clusters = reach_clusters();
  if (!clusters) return blocked(std::move(clusters.error()), "cluster cleanup error", "Reconciling", "cluster cleanup");
  Outcome cleaned = domain.remove(api_, *clusters, ctx_);
  if (!cleaned.is_settled()) return cleaned;
  ctx_.status().condition({.type = cleaned_up_condition(spec_.finalizer),
                           .status = ConditionStatus::true_,
                           .reason = "DomainDeleted",
                           .message = "The domain has cleaned up"});
  return write_status();
}

Result<bool> ApiPass::is_access_going() {
  auto mcp = is_going(&ClusterAccessProvider::mcp_access_request);
  if (!mcp || *mcp || !spec_.workload_cluster) return mcp;
  return is_going(&ClusterAccessProvider::workload_access_request);
}

Result<bool> ApiPass::is_going(GetRequest get) {
  const auto request = (access_.*get)(key_, ctx_);
  if (request) return *request && (*request)->metadata.is_deleting();
  if (request.error().code == ErrorCode::not_found) return spec_.lost_access == LostAccess::give_up;
  return fail(request.error());
}

// People see that it is terminating before it is gone. What they have seen is not written again in between: a removal
// that keeps failing would say two things in turn, and each write would bring the next pass.
Outcome ApiPass::release() {
  if (api_["/status/phase"] != phase_terminating) {
    if (auto written = write_status(); !written) return failed(std::move(written.error()));
  }
  auto removed = finalizers_.remove(api_, ctx_.stop_token());
  if (!removed) return stopped(std::move(removed.error()), "failed to remove finalizer");
  return settled;
}

ApiPass::Clusters ApiPass::reach_clusters() {
  AccessOutcome access = access_.reconcile(key_, ctx_);
  if (!access.outcome.is_settled()) return tl::unexpected(std::move(access));
  const auto without = [](Error error) { return tl::unexpected(AccessOutcome{.outcome = failed(std::move(error))}); };
  auto mcp =
      reach(&ClusterAccessProvider::mcp_cluster, &ClusterAccessProvider::mcp_access_request, "mcp access missing");
  if (!mcp) return without(std::move(mcp.error()));
  RequestClusters clusters{.mcp_cluster = std::move(mcp->cluster), .mcp_access_secret_key = std::move(mcp->secret)};
  if (!spec_.workload_cluster) return clusters;
  auto workload = reach(&ClusterAccessProvider::workload_cluster, &ClusterAccessProvider::workload_access_request,
                        "workload cluster access missing");
  if (!workload) return without(std::move(workload.error()));
  clusters.workload_cluster.emplace(std::move(workload->cluster));
  clusters.workload_access_secret_key = std::move(workload->secret);
  return clusters;
}

Result<ApiPass::Reached> ApiPass::reach(GetCluster cluster, GetRequest request, std::string_view missing) {
  auto found = (access_.*cluster)(key_, ctx_);
  if (!found) return fail(std::move(found.error()));
  if (!*found) return fail(ErrorCode::not_found, std::string(missing));
  const auto asked = (access_.*request)(key_, ctx_);
  if (!asked) return fail(asked.error());
  Reached reached{.cluster = std::move(**found), .secret = {}};
  if (*asked && (*asked)->status.secret_ref) {
    reached.secret = {(*asked)->metadata.namespace_, (*asked)->status.secret_ref->name};
  }
  return reached;
}

void ApiPass::works_on(Object api) {
  api_ = std::move(api);
  ctx_.status().works_on(api_);
}

void ApiPass::say(std::string_view reason, std::string_view message) {
  if (api_.is_deleting()) {
    status_terminating(ctx_.status(), reason, message);
  } else {
    status_progressing(ctx_.status(), reason, message);
  }
}

Outcome ApiPass::blocked(AccessOutcome access, std::string_view error, std::string_view reason,
                         std::string_view message) {
  if (access.outcome.as_failed() != nullptr) {
    say(reason_reconcile_error, error);
  } else {
    say(access.reason.empty() ? reason : access.reason, access.message.empty() ? message : access.message);
  }
  return std::move(access.outcome);
}

Outcome ApiPass::stopped(Error error, std::string_view message) {
  say(reason_reconcile_error, message);
  return failed(std::move(error));
}

Result<void> ApiPass::write_status() {
  auto written = StatusWriter(ctx_.client(), ctx_.field_manager()).flush(ctx_.status(), ctx_.stop_token());
  if (!written) return fail(std::move(written.error()));
  return {};
}

}  // namespace pintle::service
