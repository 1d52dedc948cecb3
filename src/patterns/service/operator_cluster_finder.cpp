// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/service/operator_cluster_finder.hpp>

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include <pintle/base/executor.hpp>
#include <pintle/base/text.hpp>
#include <pintle/client/client.hpp>
#include <pintle/controller/rbac_rule.hpp>
#include <pintle/patterns/service/stable_names.hpp>

#include "request_names.hpp"

namespace pintle::service {
namespace {

const GroupVersionKind secret_kind("v1", "Secret");

// Returns whether the error may disappear by waiting.
bool is_temporary(const Error& error) {
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
  Requests(const RequestedClusterOptions& options, const ClusterFinderContext& search, ObjectKey key,
           std::string managed_by)
      : options_(options), search_(search), key_(std::move(key)), managed_by_(std::move(managed_by)) {}

  Result<Cluster> find() {
    if (auto granted = grant_of(cluster_request()); !granted) return fail(std::move(granted.error()));
    const auto granted = grant_of(access_request());
    if (!granted) return fail(granted.error());
    const ObjectKey secret = secret_of(*granted);
    const auto there = wait_for<Object>("Secret " + secret.to_string(), [&]() -> Grant<Object> {
      auto found = search_.home.get(secret_kind, secret, search_.stop);
      if (!found) return fail(std::move(found.error()));
      return std::optional(std::move(*found));
    });
    if (!there) return fail(there.error());
    return cluster_in_secret(*there, "kubeconfig", search_.executor.wall_now());
  }

  // The same without waiting. Existing requests are not updated: two processes that run at the same time, as in an
  // upgrade, would undo each other's changes.
  Result<ClusterUpdate> attempt() {
    may_update_ = false;
    ClusterUpdate known{.depends_on = {{ClusterRequest::type, key_}, {AccessRequest::type, key_}}};
    const auto cluster = current_grant(cluster_request());
    if (!cluster) return fail(cluster.error());
    if (!*cluster) return known;
    const auto access = current_grant(access_request());
    if (!access) return fail(access.error());
    if (!*access) return known;
    const ObjectKey secret = secret_of(**access);
    known.depends_on.emplace_back(secret_kind, secret);
    const auto there = search_.home.get(secret_kind, secret, search_.stop);
    if (!there && there.error().code == ErrorCode::not_found) return known;
    if (!there) return fail(there.error());
    auto found = cluster_in_secret(*there, "kubeconfig", search_.executor.wall_now());
    if (!found) return fail(std::move(found.error()));
    known.cluster = std::move(*found);
    return known;
  }

 private:
  template <class T>
  using Grant = Result<std::optional<T>>;  // empty: not available yet

  [[nodiscard]] ClusterRequest cluster_request() const {
    return {.metadata = metadata(), .spec = {.purpose = options_.purpose}};
  }
  [[nodiscard]] AccessRequest access_request() const {
    return {.metadata = metadata(),
            .spec = {.request_ref = RequestReference{key_.name, key_.namespace_}, .token = options_.token}};
  }
  [[nodiscard]] ObjectKey secret_of(const AccessRequest& granted) const {
    return {key_.namespace_, granted.status.secret_ref->name};
  }

  [[nodiscard]] Metadata metadata() const {
    return {.name = key_.name, .namespace_ = key_.namespace_, .labels = {{std::string(managed_by_label), managed_by_}}};
  }

  // Calls `attempt` in each interval until it returns a value, it returns an error that does not disappear by waiting,
  // or the timeout has passed.
  template <class T>
  Result<T> wait_for(const std::string& name, const std::function<Grant<T>()>& attempt) {
    const Instant deadline = after(search_.executor.now(), options_.timeout);
    for (;;) {
      auto found = attempt();
      if (found && *found) return std::move(**found);
      if (!found && !is_temporary(found.error())) return fail(std::move(found.error()));
      const std::string why = found ? "it is not granted yet" : found.error().to_string();
      const Instant now = search_.executor.now();
      if (now >= deadline) return fail(ErrorCode::timeout, "timed out waiting for " + name + ": " + why);
      search_.log.info("waiting for access to a cluster", {{"for", name}, {"because", why}});
      if (!search_.executor.sleep_until(std::min(after(now, options_.interval), deadline), search_.stop)) {
        return fail(ErrorCode::cancelled, "stopped while waiting for " + name);
      }
    }
  }

  template <class T>
  Result<T> grant_of(const T& wanted) {
    return wait_for<T>(describe(wanted), [&] { return current_grant(wanted); });
  }

  template <class T>
  Grant<T> current_grant(const T& wanted) {
    auto there = ensure(wanted);
    if (!there) return fail(std::move(there.error()));
    if (!*there) return std::nullopt;
    if (is_denied(**there)) {
      return fail(ErrorCode::forbidden, describe(wanted) + " was denied");
    }
    return is_granted(**there) ? std::move(*there) : std::nullopt;
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
  // A denial of an earlier generation does not count: the platform has not decided on the current one.
  template <class T>
  [[nodiscard]] static bool is_denied(const T& request) {
    return request.status.phase == request_denied && request.status.observed_generation == request.metadata.generation;
  }
  static bool is_usable(const ClusterRequest&) { return true; }
  static bool is_usable(const AccessRequest& request) { return request.status.secret_ref.has_value(); }

  // Empty: an existing request or access must disappear first.
  template <class T>
  Grant<T> ensure(const T& wanted) {
    Client& client = search_.home;
    auto there = client.get<T>(key_, search_.stop);
    const bool is_missing = !there && there.error().code == ErrorCode::not_found;
    if (!there && !is_missing) return fail(std::move(there.error()));
    if (there) {
      const auto ours =
          check_ours(there->metadata.snapshot(), wanted.metadata.labels, options_.controller_name.value());
      if (!ours) return fail(ours.error());
    }
    if (is_missing || there->metadata.is_deleting()) {
      const auto is_free = without_cluster(wanted);
      if (!is_free) return fail(is_free.error());
      if (!is_missing || !*is_free) return std::nullopt;
      there = client.create(wanted, {}, search_.stop);
    } else if (may_update_) {
      there = update(*there, wanted);
    }
    if (!there) return fail(std::move(there.error()));
    return std::optional<T>(std::move(*there));
  }
  // Removes the access to a cluster that is gone. It would be mistaken for access to the next cluster, and may delay
  // the deletion of the old one. Returns whether no access is left.
  Result<bool> without_cluster(const ClusterRequest&) {
    const auto there = search_.home.get<AccessRequest>(key_, search_.stop);
    if (!there && there.error().code == ErrorCode::not_found) return true;
    if (!there) return fail(there.error());
    const Metadata& metadata = there->metadata;
    const auto ours =
        check_ours(metadata.snapshot(), access_request().metadata.labels, options_.controller_name.value());
    if (!ours) return fail(ours.error());
    if (metadata.is_deleting()) return false;
    const auto removed = search_.home.remove(AccessRequest::type, key_, {.uid = metadata.uid}, search_.stop);
    if (!removed) return fail(removed.error());
    const auto left = search_.home.get<AccessRequest>(key_, search_.stop);
    if (!left && left.error().code == ErrorCode::not_found) return true;
    return left ? Result<bool>(false) : fail(left.error());
  }
  static Result<bool> without_cluster(const AccessRequest&) { return true; }
  Result<ClusterRequest> update(const ClusterRequest& there, const ClusterRequest&) { return there; }
  Result<AccessRequest> update(const AccessRequest& there, const AccessRequest& wanted) {
    if (there.spec.token == wanted.spec.token) return there;
    AccessRequest changed = there;
    changed.spec.token = wanted.spec.token;
    return search_.home.update(there, changed, {}, search_.stop);
  }

  const RequestedClusterOptions& options_;
  const ClusterFinderContext& search_;
  const ObjectKey key_;
  const std::string managed_by_;
  bool may_update_ = true;
};

}  // namespace

namespace {

Result<Requests> requests_of(const RequestedClusterOptions& options, const ClusterFinderContext& search) {
  const std::string& controller = options.controller_name.value();
  auto name = shorten_name(to_lower_ascii(controller) + "--" + to_lower_ascii(options.local_name));
  if (!name) return fail(std::move(name.error()));
  auto managed_by = label_value({controller});
  if (!managed_by) return fail(std::move(managed_by.error()));
  return Requests(options, search, {options.namespace_.value(), std::move(*name)}, std::move(*managed_by));
}

}  // namespace

Result<Cluster> OperatorClusterFinder::find(const ClusterFinderContext& search) {
  auto requests = requests_of(options_, search);
  return requests ? requests->find() : fail(std::move(requests.error()));
}

Result<ClusterUpdate> OperatorClusterFinder::refresh(const ClusterFinderContext& search) {
  auto requests = requests_of(options_, search);
  return requests ? requests->attempt() : fail(std::move(requests.error()));
}

std::vector<ClusterWatch> OperatorClusterFinder::watches() const {
  const std::string& controller = options_.controller_name.value();
  const std::string ours = std::string(managed_by_label) + "=" + label_value({controller}).value_or(controller);
  const std::string& namespace_ = options_.namespace_.value();
  return {{.kind = ClusterRequest::type, .namespace_ = namespace_, .label_selector = ours},
          {.kind = AccessRequest::type, .namespace_ = namespace_, .label_selector = ours},
          {.kind = secret_kind,
           .namespace_ = namespace_,
           .label_selector = options_.secret_label_selector,
           .field_selector = std::string(secret_field_selector)}};
}

std::vector<RbacRule> OperatorClusterFinder::rbac_rules() const {
  const std::string group = GroupVersionKind(AccessRequest::type).group;
  const auto need = [](std::string of, std::string resource, std::vector<std::string> verbs) {
    return RbacRule{
        .group = std::move(of), .resource = std::move(resource), .verbs = std::move(verbs), .cluster_wide = true};
  };
  return {need(group, "clusterrequests", {"get", "list", "watch", "create"}),
          need(group, "accessrequests", {"get", "list", "watch", "create", "patch", "delete"}),
          need("", "secrets", {"get", "list", "watch"})};
}

}  // namespace pintle::service
