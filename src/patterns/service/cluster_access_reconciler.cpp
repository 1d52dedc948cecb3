// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/service/cluster_access_reconciler.hpp>

#include <algorithm>
#include <map>
#include <utility>

#include <pintle/controller/finalizers.hpp>
#include <pintle/controller/status_writer.hpp>
#include <pintle/patterns/service/stable_names.hpp>
#include <pintle/patterns/service/status.hpp>

#include "request_names.hpp"

namespace pintle::service {
namespace {

constexpr std::string_view kubeconfig_key = "kubeconfig";

// The holder of the client of an access. The client is kept as long as the access exists.
std::string holder_of(const ObjectKey& access_request) { return "AccessRequest " + access_request.to_string(); }

const GroupVersionKind namespace_kind("v1", "Namespace");

// The AccessRequests that this reconcile has read.
struct AccessRequestsOfReconcile {
  std::map<ObjectKey, AccessRequest> read{};
};

bool is_not_found(const Error& error) { return error.code == ErrorCode::not_found; }

AccessOutcome stopped_by(Error error) { return {.outcome = failed(std::move(error))}; }

// Returns whether the current generation of the request is granted.
template <class T>
bool is_granted(const T& request) {
  return request.status.phase == request_granted && request.status.observed_generation == request.metadata.generation;
}

// Returns whether the current generation of the request is denied.
template <class T>
bool is_denied(const T& request) {
  return request.status.phase == request_denied && request.status.observed_generation == request.metadata.generation;
}

template <class T>
std::string describe(const T& request) {
  return describe_request(request.metadata.snapshot());
}

// When a ClusterRequest is gone, the access to its cluster is given back. A ClusterRequest that is not in the cache is
// therefore read from the server: the cache may be older than the AccessRequest.
Result<ClusterRequest> find_cluster(ClusterContext& platform, const ObjectKey& key, Context& ctx) {
  auto there = platform.get<ClusterRequest>(key);
  if (there || !is_not_found(there.error())) return there;
  return platform.client().get<ClusterRequest>(key, ctx.stop_token());
}

// The outcome while a watched request is not ready. A change of the request starts the next reconcile.
AccessOutcome awaited(std::string message) { return {.message = std::move(message), .is_waiting = true}; }

// The outcome for a request that is not granted.
template <class T>
AccessOutcome outcome_of(const T& request, AccessOutcome awaited) {
  const bool denied = is_denied(request);
  if (denied) awaited.reason = reason_access_denied;
  awaited.message = describe(request) + (denied ? " was denied" : " is not granted yet");
  return awaited;
}

// A request of the same name belongs to another owner, and a person must resolve that. Until then the object can be
// deleted, because nothing can have been done for it.
AccessOutcome stopped_by_others(Error error) {
  AccessOutcome stopped = stopped_by(std::move(error));
  stopped.message = stopped.outcome.as_failed()->message;
  stopped.is_unobtainable = true;
  return stopped;
}

// Returns whether our finalizer is the only one that is left.
bool is_waited_for_by_us_alone(const Object& object) {
  const json::View finalizers = object.finalizers();
  return finalizers.size() == 1 && finalizers.element(0) == cluster_access_finalizer;
}

struct FormerRequests {
  std::map<std::string, std::string> labels{};
  std::vector<Object> requests{};  // in the order of their removal
};

// Finds the requests for an API object that are left when those of all declared clusters have been removed: an earlier
// version of the operator may have declared other clusters.
Result<FormerRequests> former_requests(ClusterContext& platform, const std::string& controller, const ObjectKey& api) {
  auto labels = labels_of_requests(controller, api);
  if (!labels) return fail(std::move(labels.error()));
  auto home = mcp_namespace(api);
  if (!home) return fail(std::move(home.error()));
  FormerRequests former{.labels = std::move(*labels)};
  CacheListOptions options{.namespace_ = std::move(*home)};
  for (const auto& [label, value] : former.labels) {
    options.label_selector += (options.label_selector.empty() ? "" : ",") + label + "=" + value;
  }
  for (const Type& kind : {AccessRequest::type, ClusterRequest::type}) {
    auto found = platform.list(kind, options);
    if (!found) return fail(std::move(found.error()));
    former.requests.insert(former.requests.end(), found->begin(), found->end());
  }
  return former;
}

Metadata metadata_of(const ObjectKey& key, const std::map<std::string, std::string>& labels) {
  return {.name = key.name,
          .namespace_ = key.namespace_,
          .labels = labels,
          .finalizers = {std::string(cluster_access_finalizer)}};
}

Result<ObjectKey> request_of_control_plane(const ObjectKey& mcp, Context&) {
  auto namespace_ = mcp_namespace(mcp);
  if (!namespace_) return fail(std::move(namespace_.error()));
  return ObjectKey{std::move(*namespace_), mcp.name};
}

auto always(TokenConfig token) {
  return [token = std::move(token)](const ObjectKey&, Context&) -> Result<TokenConfig> { return token; };
}

std::vector<ClusterRegistration> registrations(ClusterAccessOptions options) {
  std::vector<ClusterRegistration> all;
  all.push_back({.id = std::string(mcp_cluster_id),
                 .suffix = "mcp",
                 .cluster_request = request_of_control_plane,
                 .token = always(std::move(options.mcp))});
  if (options.workload) {
    all.push_back({.id = std::string(workload_cluster_id),
                   .suffix = "wl",
                   .purpose = "workload",
                   .token = always(std::move(*options.workload))});
  }
  for (ClusterRegistration& one : options.more) {
    if (one.suffix.empty()) one.suffix = one.id.value();
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace

ClusterAccessReconciler::ClusterAccessReconciler(ClusterAccessOptions options)
    : controller_name_(options.controller_name.value()),
      platform_cluster_(options.platform_cluster.value()),
      retry_interval_(options.retry_interval),
      secret_label_selector_(options.secret_label_selector),
      local_access_(options.local_access),
      registrations_(registrations(std::move(options))) {}

// ---- requesting access ----

AccessOutcome ClusterAccessReconciler::reconcile(const ObjectKey& request, Context& ctx) {
  AccessOutcome all;
  for (const ClusterRegistration& registration : registrations_) {
    AccessOutcome one = request_access(registration, request, ctx);
    // If one access fails or cannot be obtained, the remaining ones are not requested.
    if (one.outcome.as_failed() != nullptr || one.is_unobtainable) return one;
    if (one.is_ready()) continue;
    if (all.is_ready()) std::swap(all, one);
    all.outcome = merge(std::move(all.outcome), std::move(one.outcome));
    all.is_waiting = all.is_waiting || one.is_waiting;
  }
  return all;
}

AccessOutcome ClusterAccessReconciler::request_access(const ClusterRegistration& registration, const ObjectKey& request,
                                                      Context& ctx) const {
  auto names = names_of_ours(registration, request);
  if (!names) return stopped_by(std::move(names.error()));
  if (registration.cluster_request) {
    auto theirs = registration.cluster_request(request, ctx);
    if (!theirs) return stopped_by(std::move(theirs.error()));
    names->cluster_request = std::move(*theirs);
  }
  const auto token = registration.token.value()(request, ctx);
  if (!token) return stopped_by(token.error());
  AccessOutcome cluster = registration.cluster_request ? cluster_of_others(registration, *names, ctx)
                                                       : cluster_of_ours(registration, *names, ctx);
  if (!cluster.is_ready()) return cluster;
  return access_to(*token, *names, ctx);
}

AccessOutcome ClusterAccessReconciler::waits_for(const ClusterRegistration& registration, std::string message) const {
  AccessOutcome waiting = awaited(std::move(message));
  const bool is_watched = !registration.cluster_request || registration.id.value() == mcp_cluster_id;
  if (!is_watched) waiting.outcome = requeue_after(retry_interval_);
  return waiting;
}

AccessOutcome ClusterAccessReconciler::cluster_of_others(const ClusterRegistration& registration,
                                                         const RequestNames& names, Context& ctx) const {
  auto platform = ctx.cluster(platform_cluster_);
  if (!platform) return stopped_by(std::move(platform.error()));
  const auto there = find_cluster(*platform, names.cluster_request, ctx);
  if (!there && !is_not_found(there.error())) return stopped_by(there.error());
  if (!there) {
    AccessOutcome gone = waits_for(registration, "there is no ClusterRequest " + names.cluster_request.to_string());
    gone.is_unobtainable = true;
    return without_access(std::move(gone), names, ctx);
  }
  if (there->metadata.is_deleting()) {
    // Existing access is used as long as it exists.
    const auto usable = has_access(names, ctx);
    if (!usable) return stopped_by(usable.error());
    if (*usable) return {};
    AccessOutcome going = waits_for(registration, describe(*there) + " is being deleted");
    going.is_unobtainable = true;
    return without_access(std::move(going), names, ctx);
  }
  if (is_granted(*there)) return {};
  return without_grant(*there, waits_for(registration, {}), names, ctx);
}

AccessOutcome ClusterAccessReconciler::cluster_of_ours(const ClusterRegistration& registration,
                                                       const RequestNames& names, Context& ctx) const {
  auto platform = ctx.cluster(platform_cluster_);
  if (!platform) return stopped_by(std::move(platform.error()));
  auto there = find_cluster(*platform, names.cluster_request, ctx);
  if (!there && !is_not_found(there.error())) return stopped_by(there.error());
  if (!there) {
    // Access to the previous cluster is removed first. Otherwise it would be mistaken for access to the new cluster.
    auto left = remove(AccessRequest::type, names.access_request, names, ctx);
    if (!left) return stopped_by(std::move(left.error()));
    if (*left == Step::waits) return awaited("AccessRequest " + names.access_request.to_string() + " is being deleted");
    if (auto made = ensure_namespace(names.cluster_request.namespace_, ctx); !made) return stopped_by(made.error());
    there = platform->create(ClusterRequest{.metadata = metadata_of(names.cluster_request, names.labels),
                                            .spec = {.purpose = registration.purpose}});
    if (!there) return stopped_by(there.error());
  }
  if (auto ours = check_ours(there->metadata.snapshot(), names.labels, controller_name_); !ours) {
    return stopped_by_others(std::move(ours.error()));
  }
  if (there->metadata.is_deleting()) {
    // For an object that is being deleted, the domain cleans up as long as the access exists.
    const auto usable = ctx.status().object().is_deleting() ? has_access(names, ctx) : Result<bool>(false);
    if (!usable) return stopped_by(usable.error());
    if (*usable) return {};
    AccessOutcome given = give_back(registration, names, ctx);
    if (given.outcome.as_failed() != nullptr) return given;
    return awaited(describe(*there) + " is being deleted; it is created again once it is gone");
  }
  if (is_granted(*there)) return {};
  return without_grant(*there, awaited({}), names, ctx);
}

// The outcome for the ClusterRequest of a cluster that is not granted, or not any more.
AccessOutcome ClusterAccessReconciler::without_grant(const ClusterRequest& request, AccessOutcome awaited,
                                                     const RequestNames& names, Context& ctx) const {
  if (ctx.status().object().is_deleting()) {
    // For an object that is being deleted, the domain cleans up as long as the access exists.
    const auto usable = has_access(names, ctx);
    if (!usable) return stopped_by(usable.error());
    if (*usable) return {};
  }
  AccessOutcome outcome = outcome_of(request, std::move(awaited));
  if (!is_denied(request)) return outcome;
  const auto granted_before = had_access(names, ctx);
  if (!granted_before) return stopped_by(granted_before.error());
  outcome.is_unobtainable = !*granted_before;
  return outcome;
}

// Returns whether usable access exists. Whether that access is ours is checked where it is used.
Result<bool> ClusterAccessReconciler::has_access(const RequestNames& names, Context& ctx) const {
  auto platform = ctx.cluster(platform_cluster_);
  if (!platform) return fail(std::move(platform.error()));
  const auto there = platform->get<AccessRequest>(names.access_request);
  if (!there && is_not_found(there.error())) return false;
  if (!there) return fail(there.error());
  return is_granted(*there) && !there->metadata.is_deleting();
}

// Returns whether access was granted before, which its Secret shows: the domain may have resources in the cluster. The
// AccessRequest is read from the server, because the cache may be older than the grant.
Result<bool> ClusterAccessReconciler::had_access(const RequestNames& names, Context& ctx) const {
  auto platform = ctx.cluster(platform_cluster_);
  if (!platform) return fail(std::move(platform.error()));
  const auto there = platform->client().get<AccessRequest>(names.access_request, ctx.stop_token());
  if (!there && is_not_found(there.error())) return false;
  if (!there) return fail(there.error());
  return there->status.secret_ref && check_ours(there->metadata.snapshot(), names.labels, controller_name_);
}

// Removes the access to a cluster that is gone or is being deleted: it is useless, and may delay the deletion of the
// cluster.
AccessOutcome ClusterAccessReconciler::without_access(AccessOutcome awaited, const RequestNames& names,
                                                      Context& ctx) const {
  const auto removed = remove(AccessRequest::type, names.access_request, names, ctx);
  if (!removed) return stopped_by(removed.error());
  return awaited;
}

AccessOutcome ClusterAccessReconciler::access_to(const TokenConfig& token, const RequestNames& names,
                                                 Context& ctx) const {
  auto platform = ctx.cluster(platform_cluster_);
  if (!platform) return stopped_by(std::move(platform.error()));
  auto there = platform->get<AccessRequest>(names.access_request);
  if (!there && is_not_found(there.error())) there = create_access(token, names, ctx);
  if (!there) return stopped_by(there.error());
  if (auto ours = check_ours(there->metadata.snapshot(), names.labels, controller_name_); !ours) {
    return stopped_by_others(std::move(ours.error()));
  }
  if (there->metadata.is_deleting()) {
    const auto removed = remove(AccessRequest::type, names.access_request, names, ctx);
    if (!removed) return stopped_by(removed.error());
    return awaited(describe(*there) + " is being deleted; it is created again once it is gone");
  }
  if (there->spec.token != token) {
    AccessRequest wanted = *there;
    wanted.spec.token = token;
    there = platform->client().update(*there, wanted, {.field_manager = ctx.field_manager()}, ctx.stop_token());
    if (!there) return stopped_by(there.error());
  }
  ctx.slot<AccessRequestsOfReconcile>().read.insert_or_assign(names.access_request, *there);
  if (is_granted(*there)) {
    return there->status.secret_ref ? AccessOutcome{} : awaited(describe(*there) + " names no Secret yet");
  }
  AccessOutcome outcome = outcome_of(*there, awaited({}));
  // A Secret shows that the access was granted before.
  outcome.is_unobtainable = is_denied(*there) && !there->status.secret_ref;
  return outcome;
}

Result<AccessRequest> ClusterAccessReconciler::create_access(const TokenConfig& token, const RequestNames& names,
                                                             Context& ctx) const {
  auto platform = ctx.cluster(platform_cluster_);
  if (!platform) return fail(std::move(platform.error()));
  if (auto made = ensure_namespace(names.access_request.namespace_, ctx); !made) return fail(std::move(made.error()));
  return platform->create(AccessRequest{
      .metadata = metadata_of(names.access_request, names.labels),
      .spec = {.request_ref = RequestReference{names.cluster_request.name, names.cluster_request.namespace_},
               .token = token}});
}

Result<void> ClusterAccessReconciler::ensure_namespace(const std::string& name, Context& ctx) const {
  auto platform = ctx.cluster(platform_cluster_);
  if (!platform) return fail(std::move(platform.error()));
  const auto there = platform->live().get(namespace_kind, {.name = name});
  if (there || !is_not_found(there.error())) return there ? Result<void>() : fail(there.error());
  const auto made = platform->create(json::Value{
      {"apiVersion", namespace_kind.api_version()}, {"kind", namespace_kind.kind}, {"metadata", {{"name", name}}}});
  if (made || made.error().code == ErrorCode::already_exists) return {};
  return fail(made.error());
}

// ---- giving access back ----

AccessOutcome ClusterAccessReconciler::reconcile_delete(const ObjectKey& request, Context& ctx) {
  AccessOutcome all;
  for (const ClusterRegistration& registration : registrations_) {
    const auto names = names_of_ours(registration, request);
    if (!names) return stopped_by(names.error());
    AccessOutcome one = give_back(registration, *names, ctx);
    if (one.outcome.as_failed() != nullptr) return one;
    if (all.is_ready()) all = std::move(one);
  }
  if (!all.is_ready()) return all;
  auto platform = ctx.cluster(platform_cluster_);
  if (!platform) return stopped_by(std::move(platform.error()));
  const auto former = former_requests(*platform, controller_name_, request);
  if (!former) return stopped_by(former.error());
  for (const Object& one : former->requests) {
    const auto step = remove(one.group_version_kind(), one.key(), {.labels = former->labels}, ctx);
    if (!step) return stopped_by(step.error());
    if (*step == Step::waits) return awaited("waiting until " + describe_request(one) + " is gone");
  }
  return {};
}

// The access is removed first: a cluster must exist as long as access to it exists.
AccessOutcome ClusterAccessReconciler::give_back(const ClusterRegistration& registration, const RequestNames& names,
                                                 Context& ctx) const {
  std::string waits_for = "AccessRequest " + names.access_request.to_string();
  auto step = remove(AccessRequest::type, names.access_request, names, ctx);
  if (step && *step == Step::done && !registration.cluster_request) {
    waits_for = "ClusterRequest " + names.cluster_request.to_string();
    step = remove(ClusterRequest::type, names.cluster_request, names, ctx);
  }
  if (!step) return stopped_by(std::move(step.error()));
  if (*step == Step::done) return {};
  return awaited("waiting until " + waits_for + " is gone");
}

// Reads from the server, because the cache may not contain the writes of this reconcile yet.
Result<ClusterAccessReconciler::Step> ClusterAccessReconciler::remove(const GroupVersionKind& kind,
                                                                      const ObjectKey& key, const RequestNames& names,
                                                                      Context& ctx) const {
  auto platform = ctx.cluster(platform_cluster_);
  if (!platform) return fail(std::move(platform.error()));
  Client& client = platform->client();
  auto there = client.get(kind, key, ctx.stop_token());
  if (there && !check_ours(*there, names.labels, controller_name_)) return Step::done;
  if (there && !there->is_deleting()) {
    const auto removed = client.remove(kind, key, {.uid = std::string(there->uid())}, ctx.stop_token());
    if (!removed) return fail(removed.error());
    there = client.get(kind, key, ctx.stop_token());
  }
  if (kind == GroupVersionKind(AccessRequest::type)) platform->release_clusters_of_holder(holder_of(key));
  if (!there && is_not_found(there.error())) return Step::done;
  if (!there) return fail(there.error());
  if (!is_waited_for_by_us_alone(*there)) return Step::waits;
  Finalizers finalizers(client, std::string(cluster_access_finalizer), ctx.field_manager());
  const auto released = finalizers.remove(*there, ctx.stop_token());
  if (!released) return fail(released.error());
  return Step::done;
}

// ---- access ----

Result<std::optional<ClusterContext>> ClusterAccessReconciler::mcp_cluster(const ObjectKey& request, Context& ctx) {
  return access(mcp_cluster_id, request, ctx);
}

Result<std::optional<ClusterContext>> ClusterAccessReconciler::workload_cluster(const ObjectKey& request,
                                                                                Context& ctx) {
  return access(workload_cluster_id, request, ctx);
}

Result<std::optional<AccessRequest>> ClusterAccessReconciler::mcp_access_request(const ObjectKey& request,
                                                                                 Context& ctx) {
  return access_request(mcp_cluster_id, request, ctx);
}

Result<std::optional<AccessRequest>> ClusterAccessReconciler::workload_access_request(const ObjectKey& request,
                                                                                      Context& ctx) {
  return access_request(workload_cluster_id, request, ctx);
}

Result<std::optional<ClusterContext>> ClusterAccessReconciler::access(std::string_view id, const ObjectKey& request,
                                                                      Context& ctx) {
  const auto found = access_request(id, request, ctx);
  if (!found) return fail(found.error());
  if (!*found) return std::nullopt;
  const AccessRequest& access = **found;
  if (access.status.phase != request_granted) {
    return fail(ErrorCode::unavailable, describe(access) + " is not granted");
  }
  if (!access.status.secret_ref) return std::nullopt;
  auto platform = ctx.cluster(platform_cluster_);
  if (!platform) return fail(std::move(platform.error()));
  const std::string url = local_url(access);
  auto cluster = platform->cluster_of({access.metadata.namespace_, access.status.secret_ref->name}, kubeconfig_key, url,
                                      holder_of(access.metadata.key()));
  if (!cluster && !url.empty()) {
    return fail(std::move(cluster.error())
                    .with_operation("reach the cluster at the " + std::string(local_access_annotation) + " of " +
                                    describe(access)));
  }
  if (!cluster) return fail(std::move(cluster.error()));
  return std::optional<ClusterContext>(std::move(*cluster));
}

std::string ClusterAccessReconciler::local_url(const AccessRequest& access) const {
  const auto annotation = access.metadata.annotations.find(std::string(local_access_annotation));
  return local_access_ && annotation != access.metadata.annotations.end() ? annotation->second : "";
}

Result<std::optional<AccessRequest>> ClusterAccessReconciler::access_request(std::string_view id,
                                                                             const ObjectKey& request, Context& ctx) {
  const ClusterRegistration* known = registration(id);
  if (known == nullptr) return std::nullopt;
  const auto names = names_of_ours(*known, request);
  if (!names) return fail(names.error());
  const auto& read = ctx.slot<AccessRequestsOfReconcile>().read;
  if (const auto there = read.find(names->access_request); there != read.end()) return std::optional(there->second);
  auto platform = ctx.cluster(platform_cluster_);
  if (!platform) return fail(std::move(platform.error()));
  auto there = platform->get<AccessRequest>(names->access_request);
  if (!there) return fail(std::move(there.error()));
  if (!check_ours(there->metadata.snapshot(), names->labels, controller_name_)) return std::nullopt;
  return std::optional<AccessRequest>(std::move(*there));
}

// ---- our requests ----

Result<RequestNames> ClusterAccessReconciler::names_of_ours(const ClusterRegistration& registration,
                                                            const ObjectKey& request) const {
  return NamedRequests{controller_name_, registration.id.value(), registration.suffix}.of(request);
}

const ClusterRegistration* ClusterAccessReconciler::registration(std::string_view id) const {
  const auto found = std::find_if(registrations_.begin(), registrations_.end(),
                                  [&](const ClusterRegistration& one) { return one.id.value() == id; });
  return found == registrations_.end() ? nullptr : &*found;
}

}  // namespace pintle::service
