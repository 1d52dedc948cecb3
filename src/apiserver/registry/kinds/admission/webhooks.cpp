// SPDX-License-Identifier: Apache-2.0
// The rules of ValidatingWebhookConfiguration and MutatingWebhookConfiguration.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "admission_fields.hpp"
#include "apiserver/registry/metadata.hpp"
#include "apiserver/registry/names/label_rules.hpp"
#include "apiserver/registry/rules.hpp"
#include "apiserver/registry/values.hpp"
#include "webhook_fields.hpp"

namespace pintle::apiserver {
namespace {

using json::object;
using json::Value;
using json::View;

constexpr std::int64_t max_timeout = 30;  // seconds

using Causes = std::vector<StatusCause>;

void validate_name(std::string_view name, const std::string& field, Causes& causes) {
  constexpr std::ptrdiff_t min_dots = 2;
  if (name.empty()) {
    causes.push_back(required(field));
  } else if (const auto error = subdomain_error(name)) {
    causes.push_back(invalid_value(field, Value(name), *error));
  } else if (std::count(name.begin(), name.end(), '.') < min_dots) {
    causes.push_back(
        invalid_value(field, Value(name), "should be a domain with at least three segments separated by dots"));
  }
}

void validate_webhook(View hook, const std::string& field, Causes& causes) {
  validate_name(hook.member("name").text(), field + ".name", causes);
  std::size_t i = 0;
  for (const View rule : hook.member("rules").elements()) {
    validate_rule(rule, fmt::format("{}.rules[{}]", field, i++), causes);
  }
  validate_choice(hook.member("failurePolicy"), field + ".failurePolicy", {"Fail", "Ignore"}, causes);
  validate_choice(hook.member("matchPolicy"), field + ".matchPolicy", {"Equivalent", "Exact"}, causes);
  validate_choice(hook.member("reinvocationPolicy"), field + ".reinvocationPolicy", {"IfNeeded", "Never"}, causes);
  if (const View effects = hook.member("sideEffects"); !effects.text().empty()) {
    validate_choice(effects, field + ".sideEffects", {"None", "NoneOnDryRun"}, causes);
  } else {
    causes.push_back(required(field + ".sideEffects", "must specify one of None, NoneOnDryRun"));
  }
  const std::int64_t timeout = hook.member("timeoutSeconds").as_integer().value_or(1);
  if (timeout < 1 || timeout > max_timeout) {
    causes.push_back(
        invalid_value(field + ".timeoutSeconds", Value(timeout), "the timeout value must be between 1 and 30 seconds"));
  }
  validate_selector(hook.member("namespaceSelector"), field + ".namespaceSelector", causes);
  validate_selector(hook.member("objectSelector"), field + ".objectSelector", causes);
  validate_client_config(hook.member("clientConfig"), field + ".clientConfig", causes);
  if (const View versions = hook.member("admissionReviewVersions"); versions.empty()) {
    causes.push_back(required(field + ".admissionReviewVersions", "must specify one of v1, v1beta1"));
  } else {
    validate_review_versions(versions, field + ".admissionReviewVersions", causes);
  }
  validate_conditions(hook.member("matchConditions"), field + ".matchConditions", ExpressionCompiler(), causes);
}

class Webhooks final : public BuiltinStrategy {
 public:
  explicit Webhooks(BuiltinKind kind)
      : BuiltinStrategy(kind), mutates_(kind.facts.kind == "MutatingWebhookConfiguration") {}

  bool has_own_cells() const override { return true; }

  void validate(const Value& next, const Value* /*old*/, std::vector<StatusCause>& causes) const override {
    const json::Document document(next);
    std::vector<std::string_view> seen;
    for (const View hook : document.root().member("webhooks").elements()) {
      const std::string at = fmt::format("webhooks[{}]", seen.size());
      const std::string_view name = hook.member("name").text();
      validate_webhook(hook, at, causes);
      if (!name.empty() && std::find(seen.begin(), seen.end(), name) != seen.end()) {
        causes.push_back(duplicate_value(at + ".name", Value(name)));
      }
      seen.push_back(name);
    }
  }

 protected:
  void set_defaults(Value& configuration) const override {
    each_object(configuration, "/webhooks", [&](Value& hook) {
      object& members = hook.get_object();
      set_default(members, "failurePolicy", "Fail");
      set_default(members, "matchPolicy", "Equivalent");
      members.emplace("namespaceSelector", object());
      members.emplace("objectSelector", object());
      members.emplace("timeoutSeconds", 10);
      if (mutates_) set_default(members, "reinvocationPolicy", "Never");
      if (object* service = object_at(hook, "/clientConfig/service")) service->emplace("port", 443);
      each_object(hook, "/rules", [](Value& rule) { set_default(rule.get_object(), "scope", "*"); });
    });
  }

  Value cell(std::string_view /*Webhooks*/, View configuration, WallTime /*now*/) const override {
    return static_cast<std::int64_t>(configuration.member("webhooks").size());
  }

 private:
  const bool mutates_;
};

}  // namespace

StrategyPtr webhooks_strategy(BuiltinKind kind) { return std::make_shared<Webhooks>(std::move(kind)); }

}  // namespace pintle::apiserver
