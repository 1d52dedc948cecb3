#include <pintle/patterns/service/cluster_access_reconciler.hpp>

#include <algorithm>
#include <set>
#include <utility>

#include <pintle/base/text.hpp>
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

std::vector<std::string> faults_of(const ClusterRegistration& registration, const std::string& controller) {
  std::vector<std::string> faults;
  if (registration.id.value().empty()) faults.emplace_back("an id is required");
  if (!registration.token.value()) faults.emplace_back("a token is required, which says what is done there");
  if (registration.purpose.empty() != static_cast<bool>(registration.cluster_request)) {
    faults.emplace_back("one of purpose and cluster_request is required");
  }
  const auto name = request_name(controller, "x", registration.suffix);
  if (!name) {
    faults.push_back(name.error().message);
  } else if (auto fault = names::subdomain_fault(*name)) {
    faults.push_back("controller name " + in_quotes(controller) + " makes requests named " + in_quotes(*name) +
                     ", and a name " + *fault);
  }
  return faults;
}

}  // namespace

ClusterAccessReconciler::ClusterAccessReconciler(ClusterAccessOptions options)
    : controller_name_(options.controller_name.value()),
      platform_cluster_(options.platform_cluster.value()),
      retry_interval_(options.retry_interval),
      local_access_(options.local_access),
      registrations_(registrations(std::move(options))) {}

// ---- asking ----

AccessOutcome ClusterAccessReconciler::reconcile(const ObjectKey& request, Context& ctx) {
  AccessOutcome all;
  for (const ClusterRegistration& registration : registrations_) {
    AccessOutcome one = ask(registration, request, ctx);
    if (one.outcome.as_failed() != nullptr) return one;
    if (all.outcome.is_settled()) all = std::move(one);
  }
  return all;
}

AccessOutcome ClusterAccessReconciler::ask(const ClusterRegistration& registration, const ObjectKey& request,
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
  const auto cluster = ensure_cluster(registration, *names, ctx);
  if (!cluster) {
    const bool comes_from_others = registration.cluster_request && is_not_found(cluster.error());
    if (!comes_from_others) return stopped_by(cluster.error());
    return {.outcome = look_again_in(retry_interval_),
            .message = "there is no ClusterRequest " + names->cluster_request.to_string()};
  }
  if (!is_granted(*cluster)) return waits_for(cluster->metadata.snapshot(), cluster->status.phase);
  const auto access = ensure_access(*token, *names, ctx);
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

Result<ClusterRequest> ClusterAccessReconciler::ensure_cluster(const ClusterRegistration& registration,
                                                               const Names& names, Context& ctx) const {
  auto platform = ctx.cluster(platform_cluster_);
  if (!platform) return fail(std::move(platform.error()));
  auto there = platform->get<ClusterRequest>(names.cluster_request);
  if (registration.cluster_request) return there;
  if (there) {
    if (auto ours = check_ours(there->metadata.snapshot(), names); !ours) return fail(std::move(ours.error()));
    return there;
  }
  if (!is_not_found(there.error())) return there;
  if (auto made = ensure_namespace(names.cluster_request.namespace_, ctx); !made) return fail(std::move(made.error()));
  return platform->create(ClusterRequest{.metadata = metadata_of(names.cluster_request, names.labels),
                                         .spec = {.purpose = registration.purpose}});
}

Result<AccessRequest> ClusterAccessReconciler::ensure_access(const TokenConfig& token, const Names& names,
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
                 .token = token}});
  }
  if (auto ours = check_ours(there->metadata.snapshot(), names); !ours) return fail(std::move(ours.error()));
  if (there->metadata.is_deleting() || there->spec.token == token) return there;
  AccessRequest wanted = *there;
  wanted.spec.token = token;
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
  for (const ClusterRegistration& registration : registrations_) {
    AccessOutcome one = give_back(registration, request, ctx);
    if (one.outcome.as_failed() != nullptr) return one;
    if (all.outcome.is_settled()) all = std::move(one);
  }
  return all;
}

// The access first: a cluster stays while somebody may be in it.
AccessOutcome ClusterAccessReconciler::give_back(const ClusterRegistration& registration, const ObjectKey& request,
                                                 Context& ctx) const {
  const auto names = names_of_ours(registration, request);
  if (!names) return stopped_by(names.error());
  auto step = remove(AccessRequest::type, names->access_request, *names, ctx);
  if (step && *step == Step::done && !registration.cluster_request) {
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
  const auto asked = access_request(id, request, ctx);
  if (!asked) return fail(asked.error());
  if (!*asked) return std::nullopt;
  const AccessRequest& access = **asked;
  if (access.status.phase != request_granted) {
    return fail(ErrorCode::unavailable, describe(access.metadata.snapshot()) + " is not granted");
  }
  if (!access.status.secret_ref) return std::nullopt;
  auto platform = ctx.cluster(platform_cluster_);
  if (!platform) return fail(std::move(platform.error()));
  const std::string url = local_url(access);
  auto cluster =
      platform->cluster_of({access.metadata.namespace_, access.status.secret_ref->name}, kubeconfig_key, url);
  if (!cluster && !url.empty()) {
    return fail(std::move(cluster.error())
                    .during("reach the cluster at the " + std::string(local_access_annotation) + " of " +
                            describe(access.metadata.snapshot())));
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
  const auto& read = ctx.slot<AccessRequestsOfPass>().read;
  if (const auto there = read.find(names->access_request); there != read.end()) return std::optional(there->second);
  auto platform = ctx.cluster(platform_cluster_);
  if (!platform) return fail(std::move(platform.error()));
  auto there = platform->get<AccessRequest>(names->access_request);
  if (!there) return fail(std::move(there.error()));
  return std::optional<AccessRequest>(std::move(*there));
}

// ---- what is ours ----

Result<ClusterAccessReconciler::Names> ClusterAccessReconciler::names_of_ours(const ClusterRegistration& registration,
                                                                              const ObjectKey& request) const {
  const auto namespace_ = mcp_namespace(request);
  if (!namespace_) return fail(namespace_.error());
  const auto name = request_name(controller_name_, request.name, registration.suffix);
  if (!name) return fail(name.error());
  Names names{.cluster_request = {*namespace_, *name}, .access_request = {*namespace_, *name}};
  const std::string purpose = request.namespace_ + "." + request.name + "." + registration.id.value();
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

const ClusterRegistration* ClusterAccessReconciler::registration(std::string_view id) const {
  const auto found = std::find_if(registrations_.begin(), registrations_.end(),
                                  [&](const ClusterRegistration& one) { return one.id.value() == id; });
  return found == registrations_.end() ? nullptr : &*found;
}

std::vector<Error> ClusterAccessReconciler::faults() const {
  std::vector<Error> faults;
  const auto wrong = [&](const std::string& what) {
    faults.push_back(make_error(ErrorCode::invalid, "cluster access: " + what));
  };
  std::set<std::string_view> ids;
  std::set<std::string> suffixes;
  for (const ClusterRegistration& one : registrations_) {
    if (!ids.insert(one.id.value()).second) wrong("two clusters have the id " + in_quotes(one.id.value()));
    if (!suffixes.insert(lower(one.suffix)).second) wrong("two clusters have the suffix " + in_quotes(one.suffix));
    for (const std::string& what : faults_of(one, controller_name_)) {
      wrong("cluster " + in_quotes(one.id.value()) + ": " + what);
    }
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
  const bool has_own = std::any_of(registrations_.begin(), registrations_.end(),
                                   [](const ClusterRegistration& one) { return !one.purpose.empty(); });
  return {need(group, "accessrequests", all),
          need(group, "clusterrequests", has_own ? all : std::vector<std::string>{"get"}),
          need("", "namespaces", {"get", "create"}), need("", "secrets", {"get"})};
}

}  // namespace pintle::service
