// SPDX-License-Identifier: Apache-2.0
// The rules of roles and their bindings.
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <pintle/object/names.hpp>
#include <pintle/object/selector.hpp>

#include "../cells.hpp"
#include "../rules.hpp"
#include "apiserver/registry/names/label_rules.hpp"
#include "apiserver/registry/names/name_rules.hpp"
#include "apiserver/registry/values.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;
using json::View;

constexpr std::string_view role_group = "rbac.authorization.k8s.io";

void check_rule(View rule, const std::string& at, bool is_namespaced, std::vector<StatusCause>& causes) {
  if (rule.member("verbs").empty()) {
    causes.push_back(required(at + ".verbs", "verbs must contain at least one value"));
  }
  const View urls = rule.member("nonResourceURLs");
  const bool has_resources =
      !rule.member("apiGroups").empty() || !rule.member("resources").empty() || !rule.member("resourceNames").empty();
  if (!urls.empty()) {
    const std::string field = at + ".nonResourceURLs";
    if (is_namespaced) {
      causes.push_back(invalid_value(field, urls.to_value(), "namespaced rules cannot apply to non-resource URLs"));
    }
    if (has_resources) {
      causes.push_back(
          invalid_value(field, urls.to_value(), "rules cannot apply to both regular resources and non-resource URLs"));
    }
    return;
  }
  if (rule.member("apiGroups").empty()) {
    causes.push_back(required(at + ".apiGroups", "resource rules must supply at least one api group"));
  }
  if (rule.member("resources").empty()) {
    causes.push_back(required(at + ".resources", "resource rules must supply at least one resource"));
  }
}

void check_aggregation(View rule, std::vector<StatusCause>& causes) {
  if (!rule.is_object()) return;
  const std::string field = "aggregationRule.clusterRoleSelectors";
  const View selectors = rule.member("clusterRoleSelectors");
  if (selectors.empty()) {
    causes.push_back(required(field, "at least one clusterRoleSelector required if aggregationRule is non-nil"));
  }
  std::size_t i = 0;
  for (const View selector : selectors.elements()) {
    const std::string at = fmt::format("{}[{}]", field, i++);
    validate_selector(selector, at, causes);
    if (!LabelSelector::from_json(selector)) {
      causes.push_back(invalid_value(at, Value(), "invalid label selector."));
    }
  }
}

class Role final : public BuiltinStrategy {
 public:
  explicit Role(BuiltinKind kind) : BuiltinStrategy(kind), is_namespaced_(kind.facts.namespaced) {}

  bool has_own_cells() const override { return true; }
  names::ValidationError validate_name(std::string_view name) const override {
    return names::validate_path_segment_name(name);
  }

  void validate(const Value& next, const Value* old, std::vector<StatusCause>& causes) const override {
    BuiltinStrategy::validate(next, old, causes);
    const json::Document document(next);
    std::size_t i = 0;
    for (const View rule : document.root().member("rules").elements()) {
      check_rule(rule, fmt::format("rules[{}]", i++), is_namespaced_, causes);
    }
    check_aggregation(document.root().member("aggregationRule"), causes);
  }

 protected:
  Value cell(std::string_view /*Created At*/, View role, WallTime /*now*/) const override {
    return Value(role["/metadata/creationTimestamp"].text());
  }

 private:
  const bool is_namespaced_;
};

void check_subject(const Value& subject, const std::string& at, bool is_namespaced, std::vector<StatusCause>& causes) {
  const std::string_view kind = text_at(subject, "/kind");
  const std::string_view name = text_at(subject, "/name");
  const std::string_view group = text_at(subject, "/apiGroup");
  if (name.empty()) causes.push_back(required(at + ".name"));
  if (kind == "ServiceAccount") {
    if (!name.empty()) add_errors(at + ".name", name, subdomain_errors(name), causes);
    if (!group.empty()) causes.push_back(not_supported(at + ".apiGroup", Value(group), {""}));
    if (!is_namespaced && text_at(subject, "/namespace").empty()) causes.push_back(required(at + ".namespace"));
  } else if (kind == "User" || kind == "Group") {
    if (group != role_group) {
      causes.push_back(not_supported(at + ".apiGroup", Value(group), {std::string(role_group)}));
    }
  } else {
    causes.push_back(not_supported(at + ".kind", Value(kind), {"ServiceAccount", "User", "Group"}));
  }
}

void check_role_reference(const Value& binding, bool is_namespaced, std::vector<StatusCause>& causes) {
  const std::string_view group = text_at(binding, "/roleRef/apiGroup");
  if (group != role_group) {
    causes.push_back(not_supported("roleRef.apiGroup", Value(group), {std::string(role_group)}));
  }
  const std::string_view kind = text_at(binding, "/roleRef/kind");
  if (kind != "ClusterRole" && (kind != "Role" || !is_namespaced)) {
    causes.push_back(not_supported(
        "roleRef.kind", Value(kind),
        is_namespaced ? std::vector<std::string>{"Role", "ClusterRole"} : std::vector<std::string>{"ClusterRole"}));
  }
  const std::string_view name = text_at(binding, "/roleRef/name");
  if (name.empty()) {
    causes.push_back(required("roleRef.name"));
  } else if (const auto error = names::validate_path_segment_name(name)) {
    causes.push_back(invalid_value("roleRef.name", Value(name), *error));
  }
}

class RoleBinding final : public BuiltinStrategy {
 public:
  explicit RoleBinding(BuiltinKind kind) : BuiltinStrategy(kind), is_namespaced_(kind.facts.namespaced) {}

  bool has_own_cells() const override { return true; }
  names::ValidationError validate_name(std::string_view name) const override {
    return names::validate_path_segment_name(name);
  }

  void validate(const Value& next, const Value* old, std::vector<StatusCause>& causes) const override {
    BuiltinStrategy::validate(next, old, causes);
    check_role_reference(next, is_namespaced_, causes);
    const Value* subjects = member(next, "subjects");
    std::size_t i = 0;
    for (const Value& subject : subjects != nullptr && subjects->is_array() ? subjects->get_array() : json::array()) {
      check_subject(subject, fmt::format("subjects[{}]", i++), is_namespaced_, causes);
    }
    if (old == nullptr || *member(next, "roleRef") == *member(*old, "roleRef")) return;
    const Value given{{"APIGroup", text_at(next, "/roleRef/apiGroup")},
                      {"Kind", text_at(next, "/roleRef/kind")},
                      {"Name", text_at(next, "/roleRef/name")}};
    causes.push_back(invalid_value("roleRef", given, "cannot change roleRef"));
  }

 protected:
  void set_defaults(Value& binding) const override {
    set_default(object_in(binding, "roleRef"), "apiGroup", Value(role_group));
    each_object(binding, "/subjects", [](Value& subject) {
      if (text_at(subject, "/kind") != "ServiceAccount")
        set_default(subject.get_object(), "apiGroup", Value(role_group));
    });
  }

  Value cell(std::string_view column, View binding, WallTime /*now*/) const override {
    if (column == "Role") {
      const View role = binding.member("roleRef");
      return Value(fmt::format("{}/{}", role.member("kind").text(), role.member("name").text()));
    }
    // The column Users contains subjects of kind User.
    return Value(subjects(binding.member("subjects"), column.substr(0, column.size() - 1)));
  }

 private:
  static std::string subjects(View list, std::string_view kind) {
    std::string out;
    for (const View subject : list.elements()) {
      if (subject.member("kind") != kind) continue;
      const std::string_view name = subject.member("name").text();
      const bool placed = kind == "ServiceAccount";
      out += fmt::format("{}{}{}{}", out.empty() ? "" : ", ", placed ? subject.member("namespace").text() : "",
                         placed ? "/" : "", name);
    }
    return out;
  }

  const bool is_namespaced_;
};

}  // namespace

StrategyPtr role_strategy(BuiltinKind kind) { return std::make_shared<Role>(std::move(kind)); }
StrategyPtr role_binding_strategy(BuiltinKind kind) { return std::make_shared<RoleBinding>(std::move(kind)); }

}  // namespace pintle::apiserver
