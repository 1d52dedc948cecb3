// SPDX-License-Identifier: Apache-2.0
#include "rbac.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <pintle/object/schema/crd.hpp>

#include "manager/webhooks/declared_conversions.hpp"
#include "manager/webhooks/webhook_installer.hpp"
#include "webhook/certificates/certificate_place.hpp"

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

using Namespaces = std::vector<std::string>;
const Namespaces whole_cluster;

class Needs {
 public:
  Needs(const ManagerOptions& options, const std::vector<AnyController>& controllers,
        const std::vector<AnyAdmission>& admissions, const std::vector<AnyConversion>& conversions)
      : options_(options), controllers_(controllers), admissions_(admissions), conversions_(conversions) {}

  std::vector<RbacRole> roles() {
    for (const AnyController& controller : controllers_) add(controller);
    add_election();
    add_storage_migration();
    add_reviews();
    add_finders();
    add_webhooks();
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
  // The rules for each of these namespaces; for the whole cluster if there are none.
  class RulesOfNamespaces {
   public:
    explicit RulesOfNamespaces(std::vector<Rules*> all) : all_(std::move(all)) {}
    void allow(const std::string& group, const std::string& resource, const Verbs& verbs,
               const std::set<std::string>& names = {}) const {
      for (Rules* rules : all_) rules->allow(group, resource, verbs, names);
    }
    void allow(const RbacRule& rule) const {
      for (Rules* rules : all_) rules->allow(rule);
    }

   private:
    std::vector<Rules*> all_;
  };
  RulesOfNamespaces rules_in(const std::string& cluster, const Namespaces& namespaces) {
    std::vector<Rules*> all;
    for (const std::string& one : namespaces) all.push_back(&by_place_[{cluster, one}]);
    if (all.empty()) all.push_back(&by_place_[{cluster, ""}]);
    return RulesOfNamespaces(std::move(all));
  }

  // To read the watched kinds. A manager checks whether the namespaces exist.
  RulesOfNamespaces rules_to_watch(const std::string& cluster, const Namespaces& namespaces) {
    for (const std::string& one : namespaces) by_place_[{cluster, one}].allow("", "namespaces", {"get"}, {one});
    return rules_in(cluster, namespaces);
  }

  [[nodiscard]] const Namespaces& home_of(const std::string& cluster) const { return namespaces_of(options_, cluster); }

  void add(const AnyController& controller) {
    const CrdInfo own = info_of(controller.watch.kind, controller.crd);
    const std::string& cluster = controller.cluster;
    const Namespaces& home = controller.namespaces.empty() ? home_of(cluster) : controller.namespaces;
    const auto rules = rules_to_watch(cluster, own.is_namespaced ? home : whole_cluster);
    const bool selects_namespaces =
        !controller.namespace_selector.empty() || (cluster == home_cluster && !options_.namespace_selector.empty());
    if (selects_namespaces) rules_in(cluster, whole_cluster).allow("", "namespaces", reading);
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
      rules_to_watch(cluster, home).allow(owned.kind.group, default_plural(owned.kind.kind), all);
    }
    for (const Watches& watched : controller.watches) {
      const GroupVersionKind& kind = watched.kind.value();
      const std::string& there = watched.cluster.empty() ? cluster : watched.cluster;
      const Namespaces& all = there == cluster ? home : home_of(there);
      const CrdInfo info = info_of(kind, watched.crd);
      const Namespaces& where = watched.namespaces.empty() ? all : watched.namespaces;
      rules_to_watch(there, info.is_namespaced ? where : whole_cluster).allow(kind.group, info.plural, reading);
      if (watched.crd && !info.is_foreign) add_definition(there, crd_name(info.plural, kind.group));
    }
    // Events about cluster-scoped objects are written to the namespace `default`.
    rules_in(cluster, own.is_namespaced || home.empty() ? home : Namespaces{default_namespace})
        .allow("events.k8s.io", "events", {"create", "patch"});
    for (const RbacRule& need : controller.rbac_rules) {
      rules_in(need.cluster.empty() ? cluster : need.cluster, need.cluster_wide ? whole_cluster : home).allow(need);
    }
    if (controller.crd && !own.is_foreign) add_definition(cluster, crd_name(own.plural, group));
  }

  void add_definition(const std::string& cluster, const std::string& name) {
    if (options_.crds == CrdPolicy::never) return;
    const auto rules = rules_in(cluster, whole_cluster);
    const std::string group = "apiextensions.k8s.io";
    // A permission to create cannot be restricted to names.
    rules.allow(group, "customresourcedefinitions", {"create"});
    Verbs verbs{"get"};
    if (options_.crds == CrdPolicy::upgrade || options_.crds == CrdPolicy::adopt) verbs.insert("update");
    rules.allow(group, "customresourcedefinitions", verbs, {name});
  }

  void add_storage_migration() {
    if (!options_.migrate_storage) return;
    for (const DeclaredCrd& one : declared_crds(controllers_, conversions_)) {
      const json::Document document(one.crd);
      const CrdView crd(document.root());
      if (one.cluster != home_cluster || crd.is_foreign()) continue;
      const auto rules = rules_in(std::string(home_cluster), whole_cluster);
      const std::string name(crd.name());
      rules.allow("apiextensions.k8s.io", "customresourcedefinitions", {"get"}, {name});
      rules.allow("apiextensions.k8s.io", "customresourcedefinitions/status", {"patch"}, {name});
      rules.allow(std::string(crd.group()), std::string(crd.plural()), {"list", "patch"});
    }
  }

  void add_election() {
    if (!options_.leader_election) return;
    const std::string& name = options_.leader_election->name;
    const std::string& home = options_.leader_election->namespace_;
    const bool is_watched_one = home.empty() && options_.namespaces.size() == 1;
    const auto rules = rules_in(std::string(home_cluster), is_watched_one ? options_.namespaces
                                                           : home.empty() ? whole_cluster
                                                                          : Namespaces{home});
    rules.allow("coordination.k8s.io", "leases", {"create"});
    rules.allow("coordination.k8s.io", "leases", {"get", "update"}, {name.empty() ? options_.name : name});
    if (options_.debug) rules.allow("", "pods", {"get", "list"});  // the page of the replicas
  }

  void add_reviews() {
    if (!options_.serving.authorize) return;
    const auto rules = rules_in(std::string(home_cluster), whole_cluster);
    rules.allow("authentication.k8s.io", "tokenreviews", {"create"});
    rules.allow("authorization.k8s.io", "subjectaccessreviews", {"create"});
  }

  void add_finders() {
    for (const NamedCluster& named : options_.clusters) {
      if (named.finder == nullptr) continue;
      for (const RbacRule& need : named.finder->rbac_rules()) {
        rules_in(std::string(home_cluster), need.cluster_wide ? whole_cluster : options_.namespaces).allow(need);
      }
    }
  }

  // For the configurations of an earlier version of the operator.
  void add_undeclared_configurations() {
    const WebhookPolicy policy = options_.webhooks.install;
    Verbs verbs{"get"};
    if (policy == WebhookPolicy::upgrade) verbs.insert("delete");
    for (const GroupVersionKind& kind : undeclared_configurations(policy, admissions_)) {
      rules_in(std::string(home_cluster), whole_cluster)
          .allow(kind.group, default_plural(kind.kind), verbs, {options_.name});
    }
  }

  void add_webhooks() {
    add_undeclared_configurations();
    if (admissions_.empty() && conversions_.empty()) return;
    if (is_certificate_in_secret(options_.webhooks)) add_certificate_secret();
    const bool is_kept = are_authorities_kept(options_.webhooks);
    add_conversions(is_kept);
    const bool is_written = options_.webhooks.install != WebhookPolicy::never;
    const auto add = [&](const char* resource, bool is_installed) {
      if (!is_installed || (!is_written && !is_kept)) return;
      const auto rules = rules_in(std::string(home_cluster), whole_cluster);
      Verbs verbs{"get"};
      if (is_written) verbs.insert("update");
      if (is_kept) verbs.insert("patch");  // of the caBundle
      // A permission to create cannot be restricted to names.
      if (is_written) rules.allow("admissionregistration.k8s.io", resource, {"create"});
      rules.allow("admissionregistration.k8s.io", resource, verbs, {options_.name});
    };
    const auto any = [&](auto has) { return std::any_of(admissions_.begin(), admissions_.end(), has); };
    add("mutatingwebhookconfigurations", any([](const AnyAdmission& one) { return one.mutate != nullptr; }));
    add("validatingwebhookconfigurations", any([](const AnyAdmission& one) { return one.validate != nullptr; }));
  }

  // The caBundle of each CRD is changed by patches: at the start, and if the authorities are kept, also later.
  void add_conversions(bool is_kept) {
    for (const AnyConversion& one : conversions_) {
      const std::string name = crd_name_of(one);
      const std::string home(home_cluster);
      if (one.crd && !is_watched(one.kind)) add_definition(home, name);
      std::set<std::string> clusters;
      if (is_kept) clusters.insert(home);
      for (const DeclaredCrd& crd : declared_crds(controllers_, conversions_)) {
        const bool is_patched = crd.is_converted && (is_kept || options_.crds != CrdPolicy::never);
        if (is_patched && is_same_kind(crd.kind, one.kind)) clusters.insert(crd.cluster);
      }
      for (const std::string& cluster : clusters) {
        rules_in(cluster, whole_cluster)
            .allow("apiextensions.k8s.io", "customresourcedefinitions", {"get", "patch"}, {name});
      }
    }
  }

  [[nodiscard]] bool is_watched(const GroupVersionKind& kind) const {
    const std::vector<DeclaredCrd> crds = declared_crds(controllers_, {});
    return std::any_of(crds.begin(), crds.end(), [&](const DeclaredCrd& crd) {
      return crd.cluster == home_cluster && is_same_kind(crd.kind, kind);
    });
  }

  // If the namespace of the service is not known, the role is a ClusterRole.
  void add_certificate_secret() {
    const WebhookOptions& webhooks = options_.webhooks;
    const Namespaces place =
        webhooks.service_namespace.empty() ? whole_cluster : Namespaces{webhooks.service_namespace};
    const auto rules = rules_in(std::string(home_cluster), place);
    if (!webhooks.foreign_secret.empty()) {
      rules.allow("", "secrets", {"get"}, {webhooks.foreign_secret});
      return;
    }
    rules.allow("", "secrets", {"create"});
    rules.allow("", "secrets", {"get", "update"}, {own_secret_name(webhooks, options_.name)});
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
  const std::vector<AnyAdmission>& admissions_;
  const std::vector<AnyConversion>& conversions_;
  std::map<std::pair<std::string, std::string>, Rules> by_place_;  // cluster and namespace
};

}  // namespace

const std::vector<std::string>& namespaces_of(const ManagerOptions& options, std::string_view cluster) {
  for (const NamedCluster& named : options.clusters) {
    if (named.name.value() == cluster) return named.namespaces;
  }
  return options.namespaces;
}

std::vector<RbacRole> rbac_roles(const ManagerOptions& options, const std::vector<AnyController>& controllers,
                                 const std::vector<AnyAdmission>& admissions,
                                 const std::vector<AnyConversion>& conversions) {
  return Needs(options, controllers, admissions, conversions).roles();
}

}  // namespace pintle
