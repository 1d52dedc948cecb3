#include "rbac.hpp"

#include <map>
#include <set>
#include <tuple>

#include <pintle/object/crd.hpp>

namespace pintle {
namespace {

using Verbs = std::set<std::string>;

// Rules of one role, merged by what they are about.
class Rules {
 public:
  void allow(const std::string& group, const std::string& resource, const Verbs& verbs,
             const std::set<std::string>& names = {}) {
    rules_[{group, resource, names}].insert(verbs.begin(), verbs.end());
  }
  [[nodiscard]] bool empty() const noexcept { return rules_.empty(); }

  // Resources of one group with the same verbs are one rule.
  [[nodiscard]] json::array to_value() const {
    std::map<std::tuple<std::string, std::set<std::string>, Verbs>, std::set<std::string>> by_verbs;
    for (const auto& [about, verbs] : rules_) {
      const auto& [group, resource, names] = about;
      by_verbs[{group, names, verbs}].insert(resource);
    }
    json::array rules;
    for (const auto& [about, resources] : by_verbs) {
      const auto& [group, names, verbs] = about;
      json::object rule{{"apiGroups", json::array{group}}, {"resources", list_of(resources)}};
      if (!names.empty()) rule["resourceNames"] = list_of(names);
      rule["verbs"] = list_of(verbs);
      rules.emplace_back(std::move(rule));
    }
    return rules;
  }

 private:
  static json::array list_of(const std::set<std::string>& texts) {
    json::array list;
    for (const std::string& text : texts) list.emplace_back(text);
    return list;
  }

  std::map<std::tuple<std::string, std::string, std::set<std::string>>, Verbs> rules_;
};

const Verbs reading{"get", "list", "watch"};

json::Value role(const std::string& kind, const std::string& name, const std::string& namespace_, const Rules& rules) {
  json::object metadata{{"name", name}};
  if (!namespace_.empty()) metadata["namespace"] = namespace_;
  return json::object{{"apiVersion", "rbac.authorization.k8s.io/v1"},
                      {"kind", kind},
                      {"metadata", std::move(metadata)},
                      {"rules", rules.to_value()}};
}

class Needs {
 public:
  Needs(const ManagerOptions& options, const std::vector<ControllerSpec>& controllers)
      : options_(options), controllers_(controllers) {}

  std::vector<json::Value> roles() {
    for (const ControllerSpec& controller : controllers_) add(controller);
    namespaced_.allow("events.k8s.io", "events", {"create", "patch"});
    add_election();
    add_reviews();
    std::vector<json::Value> all;
    if (options_.namespace_.empty()) {
      all.push_back(role("ClusterRole", options_.name, {}, namespaced_));
    } else {
      all.push_back(role("Role", options_.name, options_.namespace_, namespaced_));
    }
    if (!cluster_.empty()) all.push_back(role("ClusterRole", options_.name + "-cluster", {}, cluster_));
    return all;
  }

 private:
  // With one namespace, what has none needs a role of its own; without, one role holds both.
  Rules& rules_for(bool has_namespace) { return has_namespace || options_.namespace_.empty() ? namespaced_ : cluster_; }

  void add(const ControllerSpec& controller) {
    const CrdInfo own = info_of(controller);
    Rules& rules = rules_for(own.is_namespaced);
    const std::string& group = controller.kind.group;
    Verbs verbs = reading;
    // Finalizers and labels of its own kind, and what a reconcile patches.
    verbs.insert("patch");
    rules.allow(group, own.plural, verbs);
    if (own.has_status) rules.allow(group, own.plural + "/status", {"patch"});
    // Owner references that block the deletion of the owner are refused without this.
    if (!controller.owns.empty()) rules.allow(group, own.plural + "/finalizers", {"update"});
    for (const Owns& owned : controller.owns) {
      Verbs all = reading;
      all.insert({"create", "patch", "delete"});
      namespaced_.allow(owned.kind.group, default_plural(owned.kind.kind), all);
    }
    for (const Watches& watched : controller.watches) {
      namespaced_.allow(watched.kind.group, default_plural(watched.kind.kind), reading);
    }
    if (controller.crd) add_definition(crd_name(own.plural, group));
  }

  void add_definition(const std::string& name) {
    if (options_.crds == Crds::never) return;
    Rules& rules = rules_for(false);
    const std::string group = "apiextensions.k8s.io";
    // A right to create cannot name what it creates.
    rules.allow(group, "customresourcedefinitions", {"create"});
    Verbs verbs{"get"};
    if (options_.crds == Crds::upgrade) verbs.insert("update");
    rules.allow(group, "customresourcedefinitions", verbs, {name});
  }

  void add_election() {
    if (!options_.leader_election) return;
    const std::string& name = options_.leader_election->name;
    namespaced_.allow("coordination.k8s.io", "leases", {"create"});
    namespaced_.allow("coordination.k8s.io", "leases", {"get", "update"}, {name.empty() ? options_.name : name});
  }

  void add_reviews() {
    if (!options_.serving.authorize) return;
    rules_for(false).allow("authentication.k8s.io", "tokenreviews", {"create"});
    rules_for(false).allow("authorization.k8s.io", "subjectaccessreviews", {"create"});
  }

  struct CrdInfo {
    std::string plural{};
    bool is_namespaced = true;
    bool has_status = true;
  };
  static CrdInfo info_of(const ControllerSpec& controller) {
    if (!controller.crd) return {.plural = default_plural(controller.kind.kind)};
    const json::Document document(*controller.crd);
    const CrdView crd(document.root());
    return {.plural = std::string(crd.plural()),
            .is_namespaced = crd.scope() == Scope::namespaced,
            .has_status = crd.has_status(controller.kind.version)};
  }

  const ManagerOptions& options_;
  const std::vector<ControllerSpec>& controllers_;
  Rules namespaced_;
  Rules cluster_;
};

}  // namespace

std::vector<json::Value> rbac_roles(const ManagerOptions& options, const std::vector<ControllerSpec>& controllers) {
  return Needs(options, controllers).roles();
}

std::string print_rbac(const ManagerOptions& options, const std::vector<ControllerSpec>& controllers) {
  std::string text;
  for (const json::Value& role : rbac_roles(options, controllers)) text += "---\n" + json::print_yaml(role);
  return text;
}

}  // namespace pintle
