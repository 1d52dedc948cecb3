#include <pintle/patterns/service/cluster_access_reconciler.hpp>

#include <utility>

#include <pintle/object/names.hpp>
#include <pintle/patterns/service/stable_names.hpp>
#include <pintle/patterns/service/status.hpp>
#include <pintle/runtime/finalizers.hpp>

namespace pintle::service {
namespace {

constexpr std::string_view managed_by_label = "openmcp.cloud/managed-by";
constexpr std::string_view managed_purpose_label = "openmcp.cloud/managed-purpose";
constexpr std::string_view onboarding_name_label = "openmcp.cloud/onboarding-name";
constexpr std::string_view onboarding_namespace_label = "openmcp.cloud/onboarding-namespace";

constexpr std::string_view kubeconfig_key = "kubeconfig";

const GroupVersionKind namespace_kind("v1", "Namespace");

// The access requests that were read in this pass.
struct AccessRequestsOfPass {
  std::map<ObjectKey, AccessRequest> read{};
};

bool is_not_found(const Error& error) { return error.code == ErrorCode::not_found; }

AccessOutcome stopped_by(Error error) { return {.outcome = failed(std::move(error))}; }

std::string describe(const Object& object) { return std::string(object.kind()) + " " + object.key().to_string(); }

// In its present form, and for a while.
template <class T>
bool is_granted(const T& request) {
  return request.status.phase == request_granted && request.status.observed_generation == request.metadata.generation &&
         !request.metadata.is_deleting();
}

// Whether ours is the only one left.
bool is_waited_for_by_us_alone(const Object& object) {
  const json::View finalizers = object.finalizers();
  return finalizers.size() == 1 && finalizers.element(0) == cluster_access_finalizer;
}

Metadata metadata_of(const ObjectKey& key, const std::map<std::string, std::string>& labels) {
  return {.name = key.name,
          .namespace_ = key.namespace_,
          .labels = labels,
          .finalizers = {std::string(cluster_access_finalizer)}};
}

}  // namespace

ClusterAccessReconciler::ClusterAccessReconciler(ClusterAccessOptions options)
    : controller_name_(options.controller_name.value()),
      platform_cluster_(options.platform_cluster.value()),
      retry_interval_(options.retry_interval),
      registrations_([&] {
        std::vector<Registration> all{{.id = "mcp", .suffix = "mcp", .token = std::move(options.mcp)}};
        if (options.workload) {
          all.push_back(
              {.id = "workload", .suffix = "wl", .token = std::move(*options.workload), .purpose = "workload"});
        }
        return all;
      }()) {}

// ---- asking ----

AccessOutcome ClusterAccessReconciler::reconcile(const ObjectKey& request, Context& ctx) {
  AccessOutcome all;
  for (const Registration& registration : registrations_) {
    AccessOutcome one = ask(registration, request, ctx);
    if (one.outcome.as_failed() != nullptr) return one;
    if (all.outcome.is_settled()) all = std::move(one);
  }
  return all;
}

AccessOutcome ClusterAccessReconciler::ask(const Registration& registration, const ObjectKey& request,
                                           Context& ctx) const {
  const auto names = names_of(registration, request);
  if (!names) return stopped_by(names.error());
  const auto cluster = ensure_cluster(registration, *names, ctx);
  if (!cluster) {
    const bool comes_from_others = registration.purpose.empty() && is_not_found(cluster.error());
    if (!comes_from_others) return stopped_by(cluster.error());
    return {.outcome = look_again_in(retry_interval_),
            .message = "there is no ClusterRequest " + names->cluster_request.to_string()};
  }
  if (!is_granted(*cluster)) return waits_for(cluster->metadata.snapshot(), cluster->status.phase);
  const auto access = ensure_access(registration, *names, ctx);
  if (!access) return stopped_by(access.error());
  ctx.slot<AccessRequestsOfPass>().read.insert_or_assign(names->access_request, *access);
  if (!is_granted(*access)) return waits_for(access->metadata.snapshot(), access->status.phase);
  return {};
}

AccessOutcome ClusterAccessReconciler::waits_for(const Object& request, std::string_view phase) const {
  const bool is_denied = phase == request_denied;
  return {.outcome = look_again_in(retry_interval_),
          .reason = is_denied ? std::string(reason_access_denied) : "",
          .message = describe(request) + (is_denied ? " was denied" : " is not granted yet")};
}

Result<ClusterRequest> ClusterAccessReconciler::ensure_cluster(const Registration& registration, const Names& names,
                                                               Context& ctx) const {
  auto platform = ctx.cluster(platform_cluster_);
  if (!platform) return fail(std::move(platform.error()));
  auto there = platform->get<ClusterRequest>(names.cluster_request);
  if (registration.purpose.empty()) return there;
  if (there) {
    if (auto ours = check_ours(there->metadata.snapshot(), names); !ours) return fail(std::move(ours.error()));
    return there;
  }
  if (!is_not_found(there.error())) return there;
  if (auto made = ensure_namespace(names.cluster_request.namespace_, ctx); !made) return fail(std::move(made.error()));
  return platform->create(ClusterRequest{.metadata = metadata_of(names.cluster_request, names.labels),
                                         .spec = {.purpose = registration.purpose}});
}

Result<AccessRequest> ClusterAccessReconciler::ensure_access(const Registration& registration, const Names& names,
                                                             Context& ctx) const {
  auto platform = ctx.cluster(platform_cluster_);
  if (!platform) return fail(std::move(platform.error()));
  auto there = platform->get<AccessRequest>(names.access_request);
  if (!there && !is_not_found(there.error())) return there;
  if (!there) {
    if (auto made = ensure_namespace(names.access_request.namespace_, ctx); !made) return fail(std::move(made.error()));
    return platform->create(AccessRequest{
        .metadata = metadata_of(names.access_request, names.labels),
        .spec = {.request_ref = RequestReference{names.cluster_request.name, names.cluster_request.namespace_},
                 .token = registration.token}});
  }
  if (auto ours = check_ours(there->metadata.snapshot(), names); !ours) return fail(std::move(ours.error()));
  if (there->metadata.is_deleting() || there->spec.token == registration.token) return there;
  AccessRequest wanted = *there;
  wanted.spec.token = registration.token;
  return platform->client().update(*there, wanted, {.field_manager = ctx.field_manager()}, ctx.stop_token());
}

Result<void> ClusterAccessReconciler::ensure_namespace(const std::string& name, Context& ctx) const {
  auto platform = ctx.cluster(platform_cluster_);
  if (!platform) return fail(std::move(platform.error()));
  const auto there = platform->get(namespace_kind, {.name = name});
  if (there || !is_not_found(there.error())) return there ? Result<void>() : fail(there.error());
  const auto made = platform->create(json::Value{
      {"apiVersion", namespace_kind.api_version()}, {"kind", namespace_kind.kind}, {"metadata", {{"name", name}}}});
  if (made || made.error().code == ErrorCode::already_exists) return {};
  return fail(made.error());
}

// ---- giving back ----

AccessOutcome ClusterAccessReconciler::reconcile_delete(const ObjectKey& request, Context& ctx) {
  AccessOutcome all;
  for (const Registration& registration : registrations_) {
    AccessOutcome one = give_back(registration, request, ctx);
    if (one.outcome.as_failed() != nullptr) return one;
    if (all.outcome.is_settled()) all = std::move(one);
  }
  return all;
}

// The access first: a cluster stays while somebody may be in it.
AccessOutcome ClusterAccessReconciler::give_back(const Registration& registration, const ObjectKey& request,
                                                 Context& ctx) const {
  const auto names = names_of(registration, request);
  if (!names) return stopped_by(names.error());
  auto step = remove(AccessRequest::type, names->access_request, *names, ctx);
  if (step && *step == Step::done && !registration.purpose.empty()) {
    step = remove(ClusterRequest::type, names->cluster_request, *names, ctx);
  }
  if (!step) return stopped_by(std::move(step.error()));
  return {.outcome = *step == Step::done ? Outcome(settled) : look_again_in(retry_interval_)};
}

Result<ClusterAccessReconciler::Step> ClusterAccessReconciler::remove(const GroupVersionKind& kind,
                                                                      const ObjectKey& key, const Names& names,
                                                                      Context& ctx) const {
  auto platform = ctx.cluster(platform_cluster_);
  if (!platform) return fail(std::move(platform.error()));
  const auto there = platform->get(kind, key);
  if (!there && is_not_found(there.error())) return Step::done;
  if (!there) return fail(there.error());
  if (!check_ours(*there, names)) return Step::done;
  if (const std::string_view secret = (*there)["/status/secretRef/name"].text(); !secret.empty()) {
    platform->forget_cluster_of({key.namespace_, std::string(secret)});
  }
  if (!there->is_deleting()) {
    const auto removed = platform->client().remove(kind, key, {.uid = std::string(there->uid())}, ctx.stop_token());
    if (!removed) return fail(removed.error());
    return Step::waits;
  }
  if (!is_waited_for_by_us_alone(*there)) return Step::waits;
  Finalizers finalizers(platform->client(), std::string(cluster_access_finalizer), ctx.field_manager());
  const auto released = finalizers.remove(*there, ctx.stop_token());
  if (!released) return fail(released.error());
  return Step::done;
}

// ---- access ----

Result<std::optional<ClusterContext>> ClusterAccessReconciler::mcp_cluster(const ObjectKey& request, Context& ctx) {
  return access(&registrations_.front(), request, ctx);
}

Result<std::optional<ClusterContext>> ClusterAccessReconciler::workload_cluster(const ObjectKey& request,
                                                                                Context& ctx) {
  return access(workload(), request, ctx);
}

Result<std::optional<AccessRequest>> ClusterAccessReconciler::mcp_access_request(const ObjectKey& request,
                                                                                 Context& ctx) {
  return access_request(&registrations_.front(), request, ctx);
}

Result<std::optional<AccessRequest>> ClusterAccessReconciler::workload_access_request(const ObjectKey& request,
                                                                                      Context& ctx) {
  return access_request(workload(), request, ctx);
}

Result<std::optional<ClusterContext>> ClusterAccessReconciler::access(const Registration* registration,
                                                                      const ObjectKey& request, Context& ctx) const {
  const auto asked = access_request(registration, request, ctx);
  if (!asked) return fail(asked.error());
  if (!*asked) return std::nullopt;
  const AccessRequest& access = **asked;
  if (access.status.phase != request_granted) {
    return fail(ErrorCode::unavailable, describe(access.metadata.snapshot()) + " is not granted");
  }
  if (!access.status.secret_ref) return std::nullopt;
  auto platform = ctx.cluster(platform_cluster_);
  if (!platform) return fail(std::move(platform.error()));
  auto cluster = platform->cluster_of({access.metadata.namespace_, access.status.secret_ref->name}, kubeconfig_key);
  if (!cluster) return fail(std::move(cluster.error()));
  return std::optional<ClusterContext>(std::move(*cluster));
}

Result<std::optional<AccessRequest>> ClusterAccessReconciler::access_request(const Registration* registration,
                                                                             const ObjectKey& request,
                                                                             Context& ctx) const {
  if (registration == nullptr) return std::nullopt;
  const auto names = names_of(*registration, request);
  if (!names) return fail(names.error());
  const auto& read = ctx.slot<AccessRequestsOfPass>().read;
  if (const auto known = read.find(names->access_request); known != read.end()) return std::optional(known->second);
  auto platform = ctx.cluster(platform_cluster_);
  if (!platform) return fail(std::move(platform.error()));
  auto there = platform->get<AccessRequest>(names->access_request);
  if (!there) return fail(std::move(there.error()));
  return std::optional<AccessRequest>(std::move(*there));
}

// ---- what is ours ----

Result<ClusterAccessReconciler::Names> ClusterAccessReconciler::names_of(const Registration& registration,
                                                                         const ObjectKey& request) const {
  const auto namespace_ = mcp_namespace(request);
  if (!namespace_) return fail(namespace_.error());
  const auto name = request_name(controller_name_, request.name, registration.suffix);
  if (!name) return fail(name.error());
  Names names{.cluster_request = {*namespace_, registration.purpose.empty() ? request.name : *name},
              .access_request = {*namespace_, *name}};
  const std::string purpose = request.namespace_ + "." + request.name + "." + registration.id;
  for (const auto& [label, value] :
       {std::pair(managed_by_label, controller_name_), std::pair(managed_purpose_label, purpose),
        std::pair(onboarding_name_label, request.name), std::pair(onboarding_namespace_label, request.namespace_)}) {
    auto shortened = shorten_name(value);
    if (!shortened) return fail(std::move(shortened.error()));
    names.labels.emplace(label, std::move(*shortened));
  }
  return names;
}

Result<void> ClusterAccessReconciler::check_ours(const Object& object, const Names& names) const {
  for (const auto& [label, value] : names.labels) {
    if (object.label(label) == value) continue;
    return fail(ErrorCode::not_ours, describe(object) + " is not managed by " + controller_name_ + ": its label " +
                                         label + " is \"" + std::string(object.label(label)) + "\", not \"" + value +
                                         "\"");
  }
  return {};
}

const ClusterAccessReconciler::Registration* ClusterAccessReconciler::workload() const {
  return registrations_.size() > 1 ? &registrations_.back() : nullptr;
}

std::vector<Error> ClusterAccessReconciler::faults() const {
  std::vector<Error> faults;
  const auto wrong = [&](std::string what) {
    faults.push_back(make_error(ErrorCode::invalid, "cluster access: " + std::move(what)));
  };
  if (auto name = request_name(controller_name_, "x", registrations_.front().suffix); !name) {
    faults.push_back(std::move(name.error()));
  } else if (auto fault = names::subdomain_fault(*name)) {
    wrong("controller name \"" + controller_name_ + "\" makes requests named \"" + *name + "\", and a name " + *fault);
  }
  if (platform_cluster_.empty()) wrong("platform cluster is required");
  if (retry_interval_ <= Duration::zero()) wrong("a retry interval has to be positive");
  return faults;
}

std::vector<RbacRule> ClusterAccessReconciler::needs() const {
  const std::string group = GroupVersionKind(AccessRequest::type).group;
  const std::vector<std::string> all{"get", "create", "patch", "delete"};
  const auto need = [this](std::string of, std::string resource, std::vector<std::string> verbs) {
    return RbacRule{.group = std::move(of),
                    .resource = std::move(resource),
                    .verbs = std::move(verbs),
                    .cluster_wide = true,
                    .cluster = platform_cluster_};
  };
  return {need(group, "accessrequests", all),
          need(group, "clusterrequests", workload() == nullptr ? std::vector<std::string>{"get"} : all),
          need("", "namespaces", {"get", "create"}), need("", "secrets", {"get"})};
}

}  // namespace pintle::service
