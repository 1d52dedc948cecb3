#include <pintle/patterns/service/requested_cluster.hpp>

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include <pintle/base/runtime.hpp>
#include <pintle/base/text.hpp>
#include <pintle/client/client.hpp>
#include <pintle/patterns/service/stable_names.hpp>
#include <pintle/runtime/rbac_rule.hpp>

#include "request_names.hpp"

namespace pintle::service {
namespace {

// What may be otherwise a moment later.
bool may_pass(const Error& error) {
  switch (error.code) {
    case ErrorCode::unreachable:
    case ErrorCode::unavailable:
    case ErrorCode::timeout:
    case ErrorCode::too_many_requests:
    case ErrorCode::conflict:
    case ErrorCode::already_exists:
    case ErrorCode::not_found: return true;
    default: return false;
  }
}

// One search for the cluster.
class Requests {
 public:
  Requests(const RequestedClusterOptions& options, const ClusterSearch& search, ObjectKey key, std::string managed_by)
      : options_(options), search_(search), key_(std::move(key)), managed_by_(std::move(managed_by)) {}

  Result<Cluster> find() {
    const ClusterRequest cluster{.metadata = metadata(), .spec = {.purpose = options_.purpose}};
    const AccessRequest access{
        .metadata = metadata(),
        .spec = {.request_ref = RequestReference{key_.name, key_.namespace_}, .token = options_.token}};
    if (auto granted = grant_of(cluster); !granted) return fail(std::move(granted.error()));
    const auto granted = grant_of(access);
    if (!granted) return fail(granted.error());
    const GroupVersionKind kind("v1", "Secret");
    const ObjectKey secret{key_.namespace_, granted->status.secret_ref->name};
    const auto there = wait_for<Object>("Secret " + secret.to_string(), [&]() -> Looked<Object> {
      auto found = search_.home.get(kind, secret, search_.stop);
      if (!found) return fail(std::move(found.error()));
      return std::optional(std::move(*found));
    });
    if (!there) return fail(there.error());
    return cluster_in_secret(*there);
  }

 private:
  template <class T>
  using Looked = Result<std::optional<T>>;  // none: not yet

  [[nodiscard]] Metadata metadata() const {
    return {.name = key_.name, .namespace_ = key_.namespace_, .labels = {{std::string(managed_by_label), managed_by_}}};
  }

  // Looks every interval until there is something, an error that waiting does not mend, or the time is over.
  template <class T>
  Result<T> wait_for(const std::string& name, const std::function<Looked<T>()>& look) {
    const Instant deadline = after(search_.runtime.now(), options_.timeout);
    for (;;) {
      auto found = look();
      if (found && *found) return std::move(**found);
      if (!found && !may_pass(found.error())) return fail(std::move(found.error()));
      const std::string why = found ? "it is not granted yet" : found.error().to_string();
      const Instant now = search_.runtime.now();
      if (now >= deadline) return fail(ErrorCode::timeout, name + " was not granted in time: " + why);
      search_.log.info("waiting for access to a cluster", {{"for", name}, {"because", why}});
      if (!search_.runtime.sleep_until(std::min(after(now, options_.interval), deadline), search_.stop)) {
        return fail(ErrorCode::cancelled, "stopped while waiting for " + name);
      }
    }
  }

  template <class T>
  Result<T> grant_of(const T& wanted) {
    const std::string name = describe(wanted);
    return wait_for<T>(name, [&]() -> Looked<T> {
      auto there = ensure(wanted);
      if (!there) return fail(std::move(there.error()));
      if (there->status.phase == request_denied) return fail(ErrorCode::forbidden, name + " was denied");
      return is_granted(*there) ? std::optional<T>(std::move(*there)) : std::nullopt;
    });
  }

  template <class T>
  [[nodiscard]] std::string describe(const T& request) const {
    return GroupVersionKind(T::type).kind + " " + request.metadata.key().to_string();
  }
  template <class T>
  [[nodiscard]] static bool is_granted(const T& request) {
    const bool is_current = request.status.observed_generation == request.metadata.generation;
    return request.status.phase == request_granted && is_current && !request.metadata.is_deleting() &&
           is_usable(request);
  }
  static bool is_usable(const ClusterRequest&) { return true; }
  static bool is_usable(const AccessRequest& request) { return request.status.secret_ref.has_value(); }

  template <class T>
  Result<T> ensure(const T& wanted) {
    Client& client = search_.home;
    auto there = client.get<T>(key_, search_.stop);
    if (!there && there.error().code == ErrorCode::not_found) return client.create(wanted, {}, search_.stop);
    if (!there) return there;
    const auto ours = check_ours(there->metadata.snapshot(), wanted.metadata.labels, options_.controller_name.value());
    if (!ours) return fail(ours.error());
    return there->metadata.is_deleting() ? there : update(*there, wanted);
  }
  Result<ClusterRequest> update(const ClusterRequest& there, const ClusterRequest&) { return there; }
  Result<AccessRequest> update(const AccessRequest& there, const AccessRequest& wanted) {
    if (there.spec.token == wanted.spec.token) return there;
    AccessRequest changed = there;
    changed.spec.token = wanted.spec.token;
    return search_.home.update(there, changed, {}, search_.stop);
  }

  const RequestedClusterOptions& options_;
  const ClusterSearch& search_;
  const ObjectKey key_;
  const std::string managed_by_;
};

}  // namespace

Result<Cluster> RequestedCluster::find(const ClusterSearch& search) {
  const std::string& controller = options_.controller_name.value();
  auto name = shorten_name(lower(controller) + "--" + lower(options_.local_name));
  if (!name) return fail(std::move(name.error()));
  auto managed_by = label_value({controller});
  if (!managed_by) return fail(std::move(managed_by.error()));
  return Requests(options_, search, {options_.namespace_.value(), std::move(*name)}, std::move(*managed_by)).find();
}

std::vector<RbacRule> RequestedCluster::needs() const {
  const std::string group = GroupVersionKind(AccessRequest::type).group;
  const auto need = [](std::string of, std::string resource, std::vector<std::string> verbs) {
    return RbacRule{
        .group = std::move(of), .resource = std::move(resource), .verbs = std::move(verbs), .cluster_wide = true};
  };
  return {need(group, "clusterrequests", {"get", "create"}), need(group, "accessrequests", {"get", "create", "patch"}),
          need("", "secrets", {"get"})};
}

}  // namespace pintle::service
