// SPDX-License-Identifier: Apache-2.0
// The declarations of a ClusterAccessReconciler: watches, clusters, validation errors and RBAC rules.
#include <algorithm>
#include <set>
#include <utility>

#include <pintle/base/text.hpp>
#include <pintle/object/names.hpp>
#include <pintle/patterns/service/cluster_access_reconciler.hpp>
#include <pintle/patterns/service/stable_names.hpp>

#include "access_watches.hpp"

namespace pintle::service {
namespace {

std::vector<std::string> errors_of(const ClusterRegistration& registration, const std::string& controller) {
  std::vector<std::string> errors;
  if (registration.id.value().empty()) errors.emplace_back("an id is required: set .id");
  if (auto error = names::validate_label_value("x." + registration.id.value());
      error && !registration.id.value().empty()) {
    errors.push_back("its id is part of a label value, which " + *error);
  }
  if (!registration.token.value()) errors.emplace_back("a token is required: set .token");
  if (registration.purpose.empty() != static_cast<bool>(registration.cluster_request)) {
    errors.emplace_back("exactly one of .purpose and .cluster_request is required");
  }
  const auto name = request_name(controller, "x", registration.suffix);
  if (!name) {
    errors.push_back(name.error().message);
  } else if (auto error = names::validate_dns1123_subdomain(*name)) {
    errors.push_back("controller name " + quote(controller) + " makes requests named " + quote(*name) +
                     ", but a name " + *error);
  }
  return errors;
}

}  // namespace

std::vector<Watches> ClusterAccessReconciler::watches() const {
  AccessWatchOptions options{.platform_cluster = platform_cluster_,
                             .controller = controller_name_,
                             .secret_label_selector = secret_label_selector_};
  for (const ClusterRegistration& one : registrations_) {
    options.clusters.push_back({controller_name_, one.id.value(), one.suffix, !one.purpose.empty()});
  }
  return access_watches(options);
}

std::optional<std::set<std::string>> ClusterAccessReconciler::cluster_ids() const {
  std::set<std::string> ids;
  for (const ClusterRegistration& one : registrations_) ids.insert(one.id.value());
  return ids;
}

std::vector<Error> ClusterAccessReconciler::validate() const {
  std::vector<Error> errors;
  const auto wrong = [&](const std::string& what) {
    errors.push_back(make_error(ErrorCode::invalid, "cluster access: " + what));
  };
  std::set<std::string_view> ids;
  std::set<std::string> suffixes;
  for (const ClusterRegistration& one : registrations_) {
    if (!ids.insert(one.id.value()).second) wrong("two clusters have the id " + quote(one.id.value()));
    if (!suffixes.insert(to_lower_ascii(one.suffix)).second) wrong("two clusters have the suffix " + quote(one.suffix));
    for (const std::string& what : errors_of(one, controller_name_)) {
      wrong("cluster " + quote(one.id.value()) + ": " + what);
    }
  }
  if (platform_cluster_.empty()) wrong("platform cluster is required");
  if (auto error = names::validate_label_value(label_value({controller_name_}).value_or(controller_name_))) {
    wrong("controller name " + quote(controller_name_) + " is a label value, which " + *error);
  }
  if (retry_interval_ <= Duration::zero()) wrong("the retry interval must be positive");
  return errors;
}

std::vector<RbacRule> ClusterAccessReconciler::rbac_rules() const {
  const std::string group = GroupVersionKind(AccessRequest::type).group;
  const std::vector<std::string> all{"get", "create", "patch", "delete"};
  const auto need = [this](std::string of, std::string resource, std::vector<std::string> verbs) {
    return RbacRule{.group = std::move(of),
                    .resource = std::move(resource),
                    .verbs = std::move(verbs),
                    .cluster_wide = true,
                    .cluster = platform_cluster_};
  };
  // Those of an earlier version of the operator are given back, even if this version requests no cluster.
  const bool has_own = std::any_of(registrations_.begin(), registrations_.end(),
                                   [](const ClusterRegistration& one) { return !one.purpose.empty(); });
  return {need(group, "accessrequests", all),
          need(group, "clusterrequests", has_own ? all : std::vector<std::string>{"get", "patch", "delete"}),
          need("", "namespaces", {"get", "create"}), need("", "secrets", {"get"})};
}

}  // namespace pintle::service
