// SPDX-License-Identifier: Apache-2.0
// The rules of roles and their bindings. This server does not authorize requests.
#include <fmt/format.h>

#include <pintle/object/names.hpp>

#include "../cells.hpp"
#include "../rules.hpp"
#include "apiserver/registry/values.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;
using json::View;

constexpr std::string_view rbac_group = "rbac.authorization.k8s.io";

class Role final : public BuiltinStrategy {
 public:
  using BuiltinStrategy::BuiltinStrategy;

  bool has_own_cells() const override { return true; }
  names::ValidationError validate_name(std::string_view name) const override {
    return names::validate_path_segment_name(name);
  }

  void validate(const Value& next, const Value* old, std::vector<StatusCause>& causes) const override {
    BuiltinStrategy::validate(next, old, causes);
    const json::Document document(next);
    std::size_t i = 0;
    for (const View rule : document.root().member("rules").elements()) {
      const std::string at = fmt::format("rules[{}]", i++);
      if (rule.member("verbs").empty())
        causes.push_back(required(at + ".verbs", "verbs must contain at least one value"));
    }
  }

 protected:
  Value cell(std::string_view /*Created At*/, View role, WallTime /*now*/) const override {
    return Value(role["/metadata/creationTimestamp"].text());
  }
};

class RoleBinding final : public BuiltinStrategy {
 public:
  using BuiltinStrategy::BuiltinStrategy;

  bool has_own_cells() const override { return true; }
  names::ValidationError validate_name(std::string_view name) const override {
    return names::validate_path_segment_name(name);
  }

  void validate(const Value& next, const Value* old, std::vector<StatusCause>& causes) const override {
    BuiltinStrategy::validate(next, old, causes);
    const std::string_view kind = text_at(next, "/roleRef/kind");
    if (kind != "Role" && kind != "ClusterRole") {
      causes.push_back(not_supported("roleRef.kind", Value(kind), {"Role", "ClusterRole"}));
    }
    if (text_at(next, "/roleRef/name").empty()) causes.push_back(required("roleRef.name"));
    if (old == nullptr || *member(next, "roleRef") == *member(*old, "roleRef")) return;
    causes.push_back(invalid_value("roleRef", *member(next, "roleRef"), "cannot change roleRef"));
  }

 protected:
  void set_defaults(Value& binding) const override {
    set_default(object_in(binding, "roleRef"), "apiGroup", Value(rbac_group));
    each_object(binding, "/subjects", [](Value& subject) {
      if (text_at(subject, "/kind") != "ServiceAccount")
        set_default(subject.get_object(), "apiGroup", Value(rbac_group));
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
};

}  // namespace

StrategyPtr role_strategy(BuiltinKind kind) { return std::make_shared<Role>(std::move(kind)); }
StrategyPtr role_binding_strategy(BuiltinKind kind) { return std::make_shared<RoleBinding>(std::move(kind)); }

}  // namespace pintle::apiserver
