#include "rbac.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <pintle/object/crd.hpp>

namespace pintle {
namespace {

using Verbs = std::set<std::string>;

// The rules of one role. Rules for the same group, resource and names are merged.
class Rules {
 public:
  void allow(const std::string& group, const std::string& resource, const Verbs& verbs,
             const std::set<std::string>& names = {}) {
    rules_[{group, resource, names}].insert(verbs.begin(), verbs.end());
  }
  void allow(const RbacRule& rule) {
    allow(rule.group, rule.resource, {rule.verbs.begin(), rule.verbs.end()}, {rule.names.begin(), rule.names.end()});
  }

  [[nodiscard]] std::vector<RbacRule> list() const {
    std::vector<RbacRule> all;
    for (const auto& [about, verbs] : rules_) {
      const auto& [group, resource, names] = about;
      all.push_back({group, resource, {verbs.begin(), verbs.end()}, {names.begin(), names.end()}});
    }
    return all;
  }

 private:
  std::map<std::tuple<std::string, std::string, std::set<std::string>>, Verbs> rules_;
};

// Returns whether these rules allow the creation of objects, whose owner may be an object of the controller.
bool creates(const std::vector<RbacRule>& needs) {
  return std::any_of(needs.begin(), needs.end(), [](const RbacRule& need) {
    return std::find(need.verbs.begin(), need.verbs.end(), "create") != need.verbs.end();
  });
}

const Verbs reading{"get", "list", "watch"};
const std::string default_namespace = "default";

class Needs {
 public:
  Needs(const ManagerOptions& options, const std::vector<AnyController>& controllers)
      : options_(options), controllers_(controllers) {}

  std::vector<RbacRole> roles() {
    for (const AnyController& controller : controllers_) add(controller);
    add_election();
    add_reviews();
    add_finders();
    std::vector<RbacRole> all;
    for (const auto& [place, rules] : by_place_) {
      const auto& [cluster, namespace_] = place;
      const bool has_other = namespace_.empty() && !home_of(cluster).empty();
      all.push_back({has_other ? options_.name + "-cluster" : options_.name, namespace_, rules.list(), cluster});
    }
    // The ClusterRole of a cluster follows its Roles.
    const auto place = [](const RbacRole& role) { return std::pair(role.cluster, role.namespace_.empty()); };
    std::stable_sort(all.begin(), all.end(), [&](const auto& a, const auto& b) { return place(a) < place(b); });
    return all;
  }

 private:
  // The rules for a namespace; for the whole cluster if `namespace_` is empty.
  Rules& rules_in(const std::string& cluster, const std::string& namespace_) {
    return by_place_[{cluster, namespace_}];
  }

  // The default of the namespace to watch in a cluster.
  [[nodiscard]] const std::string& home_of(const std::string& cluster) const {
    for (const NamedCluster& named : options_.clusters) {
      if (named.name.value() == cluster) return named.namespace_;
    }
    return options_.namespace_;
  }

  void add(const AnyController& controller) {
    const CrdInfo own = info_of(controller.watch.kind, controller.crd);
    const std::string& cluster = controller.cluster;
    const std::string& home = controller.namespace_.empty() ? home_of(cluster) : controller.namespace_;
    Rules& rules = rules_in(cluster, own.is_namespaced ? home : "");
    const std::string& group = controller.watch.kind.group;
    Verbs verbs = reading;
    // To write the finalizers and labels of the watched kind, and for patches by the reconcile function.
    verbs.insert("patch");
    rules.allow(group, own.plural, verbs);
    if (own.has_status) rules.allow(group, own.plural + "/status", {"patch"});
    // Without this permission the server rejects owner references with blockOwnerDeletion.
    if (!controller.owns.empty() || creates(controller.rbac_rules)) {
      rules.allow(group, own.plural + "/finalizers", {"update"});
    }
    for (const Owns& owned : controller.owns) {
      Verbs all = reading;
      all.insert({"create", "patch", "delete"});
      rules_in(cluster, home).allow(owned.kind.group, default_plural(owned.kind.kind), all);
    }
    for (const Watches& watched : controller.watches) {
      const GroupVersionKind& kind = watched.kind.value();
      const std::string& there = watched.cluster.empty() ? cluster : watched.cluster;
      const std::string& all = there == cluster ? home : home_of(there);
      const CrdInfo info = info_of(kind, watched.crd);
      const std::string& where = watched.namespace_.empty() ? all : watched.namespace_;
      rules_in(there, info.is_namespaced ? where : "").allow(kind.group, info.plural, reading);
      if (watched.crd && !info.is_foreign) add_definition(there, crd_name(info.plural, kind.group));
    }
    // Events about cluster-scoped objects are written to the namespace `default`.
    const std::string& events = own.is_namespaced || home.empty() ? home : default_namespace;
    rules_in(cluster, events).allow("events.k8s.io", "events", {"create", "patch"});
    for (const RbacRule& need : controller.rbac_rules) {
      rules_in(need.cluster.empty() ? cluster : need.cluster, need.cluster_wide ? "" : home).allow(need);
    }
    if (controller.crd && !own.is_foreign) add_definition(cluster, crd_name(own.plural, group));
  }

  void add_definition(const std::string& cluster, const std::string& name) {
    if (options_.crds == CrdPolicy::never) return;
    Rules& rules = rules_in(cluster, "");
    const std::string group = "apiextensions.k8s.io";
    // A permission to create cannot be restricted to names.
    rules.allow(group, "customresourcedefinitions", {"create"});
    Verbs verbs{"get"};
    if (options_.crds == CrdPolicy::upgrade || options_.crds == CrdPolicy::adopt) verbs.insert("update");
    rules.allow(group, "customresourcedefinitions", verbs, {name});
  }

  void add_election() {
    if (!options_.leader_election) return;
    const std::string& name = options_.leader_election->name;
    const std::string& home = options_.leader_election->namespace_;
    Rules& rules = rules_in(std::string(home_cluster), home.empty() ? options_.namespace_ : home);
    rules.allow("coordination.k8s.io", "leases", {"create"});
    rules.allow("coordination.k8s.io", "leases", {"get", "update"}, {name.empty() ? options_.name : name});
  }

  void add_reviews() {
    if (!options_.serving.authorize) return;
    Rules& rules = rules_in(std::string(home_cluster), "");
    rules.allow("authentication.k8s.io", "tokenreviews", {"create"});
    rules.allow("authorization.k8s.io", "subjectaccessreviews", {"create"});
  }

  void add_finders() {
    for (const NamedCluster& named : options_.clusters) {
      if (named.finder == nullptr) continue;
      for (const RbacRule& need : named.finder->rbac_rules()) {
        rules_in(std::string(home_cluster), need.cluster_wide ? "" : options_.namespace_).allow(need);
      }
    }
  }

  struct CrdInfo {
    std::string plural{};
    bool is_namespaced = true;
    bool has_status = true;
    bool is_foreign = false;
  };
  static CrdInfo info_of(const GroupVersionKind& kind, const std::optional<json::Value>& definition) {
    if (!definition) return {.plural = default_plural(kind.kind)};
    const json::Document document(*definition);
    const CrdView crd(document.root());
    return {.plural = std::string(crd.plural()),
            .is_namespaced = crd.scope() == Scope::namespaced,
            .has_status = crd.has_status(kind.version),
            .is_foreign = crd.is_foreign()};
  }

  const ManagerOptions& options_;
  const std::vector<AnyController>& controllers_;
  std::map<std::pair<std::string, std::string>, Rules> by_place_;  // cluster and namespace
};

}  // namespace

std::vector<RbacRole> rbac_roles(const ManagerOptions& options, const std::vector<AnyController>& controllers) {
  return Needs(options, controllers).roles();
}

}  // namespace pintle
