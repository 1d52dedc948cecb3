// SPDX-License-Identifier: Apache-2.0
// The errors of the declaration of a manager, which start() returns.
#include "manager_state.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <pintle/object/names.hpp>
#include <pintle/object/selector.hpp>

#include "rbac.hpp"

namespace pintle {
namespace {

// Returns why the namespaces of a controller contradict those of the manager, if one of them selects by labels.
std::optional<std::string> selector_conflict(const ManagerOptions& options, const AnyController& spec) {
  if (!spec.namespace_selector.empty() && !namespaces_of(options, spec.cluster).empty()) {
    return "selects namespaces by labels, but the manager is restricted to names; remove --namespace, or the "
           ".namespace_selector";
  }
  if (options.namespace_selector.empty() || spec.cluster != home_cluster) return std::nullopt;
  if (!spec.namespaces.empty()) {
    return "names namespaces, but the manager selects them by labels; remove --namespace-selector, or the .namespaces";
  }
  const auto is_conditional = [](const Owns& owned) { return static_cast<bool>(owned.options.active_when); };
  if (std::any_of(spec.owns.begin(), spec.owns.end(), is_conditional)) {
    return "has .active_when, which is not possible with --namespace-selector; remove one of the two";
  }
  return std::nullopt;
}

bool drops_finalizers_of_spec(const json::Projection& projection) {
  const json::Document object(json::Value{{"spec", {{"finalizers", json::array{json::Value("kubernetes")}}}}});
  const auto kept = json::project(object.root(), {.drop = projection.drop});
  return kept && kept->root() != object.root();
}

}  // namespace

std::vector<Error> Manager::State::declaration_errors() const {
  std::vector<Error> errors = refused;
  const auto wrong = [&](std::string what) { errors.push_back(make_error(ErrorCode::invalid, std::move(what))); };
  if (specs.empty() && runnables.empty() && admissions.empty() && conversions.empty() && refused.empty()) {
    wrong("manager " + options.name + " has no controller; add one before start()");
  }
  std::set<std::string> names;
  for (const AnyController& spec : specs) {
    if (!names.insert(spec.name).second) {
      wrong("two controllers have the name \"" + spec.name + "\"; change the .name of one of them");
    }
    for (Error& error : validate(spec)) errors.push_back(std::move(error));
    if (options.leader_election && spec.leadership == Leadership::every_instance && !spec.requires_lease.empty()) {
      wrong("controller " + spec.name + " has .leadership = Leadership::every_instance, but " + spec.requires_lease);
    }
  }
  if (options.leader_election) {
    for (Error& error : check(election())) errors.push_back(std::move(error));
  }
  for (Error& error : cluster_errors()) errors.push_back(std::move(error));
  for (Error& error : namespace_errors()) errors.push_back(std::move(error));
  for (Error& error : part_errors()) errors.push_back(std::move(error));
  for (Error& error : kept_errors()) errors.push_back(std::move(error));
  for (Error& error : admission_errors()) errors.push_back(std::move(error));
  for (Error& error : conversion_errors()) errors.push_back(std::move(error));
  return errors;
}

// Returns the errors of the namespaces of the clusters and controllers.
std::vector<Error> Manager::State::namespace_errors() const {
  std::vector<Error> errors;
  const auto check = [&](const std::vector<std::string>& names, const std::string& where) {
    if (auto wrong = validate_namespaces(names)) errors.push_back(std::move(*wrong).with_operation(where));
  };
  check(options.namespaces, "ManagerOptions::namespaces");
  if (auto labels = LabelSelector::parse(options.namespace_selector); !labels) {
    errors.push_back(std::move(labels.error()).with_operation("ManagerOptions::namespace_selector"));
  }
  if (!options.namespace_selector.empty() && !options.namespaces.empty()) {
    errors.push_back(
        make_error(ErrorCode::invalid,
                   "the manager has names and a selector of namespaces; remove --namespace or --namespace-selector"));
  }
  for (const NamedCluster& cluster : options.clusters) {
    check(cluster.namespaces, "NamedCluster::namespaces of " + cluster.name.value());
  }
  for (const AnyController& spec : specs) {
    const std::vector<std::string>& home = namespaces_of(options, spec.cluster);
    if (auto conflict = selector_conflict(options, spec)) {
      errors.push_back(make_error(ErrorCode::invalid, "controller " + spec.name + " " + *conflict));
    }
    for (const std::string& name : spec.namespaces) {
      if (home.empty() || std::find(home.begin(), home.end(), name) != home.end()) continue;
      std::string known;
      for (const std::string& one : home) known += (known.empty() ? "" : ", ") + one;
      errors.push_back(make_error(ErrorCode::invalid, "controller " + spec.name + " watches namespace " + name +
                                                          ", but the manager is restricted to " + known +
                                                          "; add it to --namespace, or remove it from .namespaces"));
    }
  }
  return errors;
}

// Returns the errors of `cache_projections`.
std::vector<Error> Manager::State::kept_errors() const {
  std::vector<Error> errors;
  for (const auto& [kind, parts] : options.cache_projections) {
    const auto is_watched = [&kind = kind](const AnyController& spec) {
      return spec.watch.kind == kind ||
             std::any_of(spec.owns.begin(), spec.owns.end(), [&](const Owns& owned) { return owned.kind == kind; }) ||
             std::any_of(spec.watches.begin(), spec.watches.end(),
                         [&](const Watches& watched) { return watched.kind.value() == kind; });
    };
    if (std::none_of(specs.begin(), specs.end(), is_watched)) {
      errors.push_back(make_error(ErrorCode::invalid, ".cache_projections of the manager has " + kind.to_string() +
                                                          ", which no controller watches; remove it"));
    }
    if (auto usable = validate_projection(parts.projection); !usable) {
      errors.push_back(std::move(usable.error()).with_operation(".cache_projections of " + kind.to_string()));
    }
    if (kind == GroupVersionKind("v1", "Namespace") && drops_finalizers_of_spec(parts.projection)) {
      errors.push_back(make_error(ErrorCode::invalid,
                                  ".cache_projections of v1 Namespace drops /spec/finalizers, "
                                  "without which its deletion looks complete; keep that path"));
    }
  }
  return errors;
}

// Returns the errors of the named clusters, and of the controllers that refer to them.
std::vector<Error> Manager::State::cluster_errors() const {
  std::vector<Error> errors;
  const auto wrong = [&](std::string what) { errors.push_back(make_error(ErrorCode::invalid, std::move(what))); };
  std::set<std::string> known{std::string(home_cluster)};
  for (const NamedCluster& cluster : options.clusters) {
    const std::string& name = cluster.name.value();
    if (auto error = names::validate_dns1123_label(name)) wrong("the name of cluster \"" + name + "\" " + *error);
    if (!known.insert(name).second)
      wrong("two clusters have the name \"" + name + "\"; change the .name of one of them");
  }
  const auto check = [&](const AnyController& spec, const std::string& name) {
    if (!known.contains(name)) {
      wrong("controller " + spec.name + " uses cluster \"" + name +
            "\", which is not in .clusters of the manager; add it there, or use another .cluster");
    }
  };
  for (const AnyController& spec : specs) {
    check(spec, spec.cluster);
    for (const Watches& watched : spec.watches) {
      if (!watched.cluster.empty()) check(spec, watched.cluster);
    }
  }
  return errors;
}

// Returns the errors that prevent a start. --print-crds and --print-rbac check the errors of the declaration only.
std::vector<Error> Manager::State::start_errors() const {
  std::vector<Error> errors = declaration_errors();
  for (Error& error : check_serving(options)) errors.push_back(std::move(error));
  if ((!admissions.empty() || !own_conversions().empty()) && !is_planning_) {
    for (Error& error : validate(options.webhooks)) errors.push_back(std::move(error));
  }
  for (const NamedCluster& cluster : options.clusters) {
    if (!cluster.kubeconfig.empty() || cluster.address || cluster.finder) continue;
    const std::string& name = cluster.name.value();
    errors.push_back(
        make_error(ErrorCode::invalid, "cluster " + name + " has no kubeconfig; set --" + name + "-kubeconfig"));
  }
  return errors;
}

}  // namespace pintle
