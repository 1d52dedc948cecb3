// SPDX-License-Identifier: Apache-2.0
#include "webhook_configurations.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include <pintle/json/document.hpp>
#include <pintle/object/bytes.hpp>
#include <pintle/object/selector.hpp>

#include "essential_resources.hpp"
#include "webhook_metrics.hpp"

namespace pintle {
namespace {

constexpr std::string_view namespace_label = "kubernetes.io/metadata.name";
constexpr std::string_view own_group = "admissionregistration.k8s.io";

json::object requirement(const LabelSelector::Requirement& one) {
  using Operator = LabelSelector::Requirement::Operator;
  const char* op = one.op == Operator::in       ? "In"
                   : one.op == Operator::not_in ? "NotIn"
                   : one.op == Operator::exists ? "Exists"
                                                : "DoesNotExist";
  json::object made{{"key", one.key}, {"operator", op}};
  if (!one.values.empty()) made["values"] = json::array(one.values.begin(), one.values.end());
  return made;
}

// Validation of the declaration rejects a selector that cannot be parsed.
json::object selector_of(const std::string& text, const std::string& excluded_namespace = {}) {
  json::array expressions;
  if (const auto parsed = LabelSelector::parse(text)) {
    for (const auto& one : parsed->requirements) expressions.emplace_back(requirement(one));
  }
  if (!excluded_namespace.empty()) {
    expressions.push_back(
        json::object{{"key", namespace_label}, {"operator", "NotIn"}, {"values", json::array{excluded_namespace}}});
  }
  json::object selector;
  if (!expressions.empty()) selector["matchExpressions"] = std::move(expressions);
  return selector;
}

json::array resources_of(const AnyAdmission& admission) {
  json::array resources;
  if (!admission.only_subresources) resources.emplace_back(admission.resource);
  for (const std::string& one : admission.subresources) resources.emplace_back(admission.resource + "/" + one);
  return resources;
}

std::string_view name_of(AdmissionScope scope) {
  switch (scope) {
    case AdmissionScope::any: return "*";
    case AdmissionScope::cluster: return "Cluster";
    case AdmissionScope::namespaced: return "Namespaced";
  }
  return "*";
}

// A deletion cannot be changed, so a mutating webhook does not receive it.
json::array operations_of(const AnyAdmission& admission, bool is_mutating) {
  json::array operations;
  for (const AdmissionOperation one : admission.operations) {
    if (!is_mutating || one != AdmissionOperation::delete_) operations.emplace_back(to_string(one));
  }
  return operations;
}

json::object rule_of(const AnyAdmission& admission, bool is_mutating) {
  return {{"operations", operations_of(admission, is_mutating)},
          {"apiGroups", json::array{admission.kind.group}},
          {"apiVersions", json::array{admission.kind.version}},
          {"resources", resources_of(admission)},
          {"scope", name_of(admission.scope)}};
}

json::object client_config(const WebhookAddress& address, const std::string& path) {
  json::object config;
  if (!address.url.empty()) {
    config["url"] = address.url + path;
  } else {
    config["service"] = json::object{
        {"name", address.service}, {"namespace", address.namespace_}, {"path", path}, {"port", address.port}};
  }
  if (!address.ca.empty()) config["caBundle"] = Bytes(address.ca).to_base64();
  return config;
}

json::object webhook_of(const AnyAdmission& admission, bool is_mutating, const WebhookAddress& address) {
  const std::string prefix = is_mutating ? "mutate" : "validate";
  // The name of a webhook consists of at least three labels.
  const std::string& group = admission.kind.group;
  const std::string domain = group.find('.') == std::string::npos ? "pintle.dev" : group;
  json::object webhook{{"name", prefix + "." + admission.name + "." + domain},
                       {"clientConfig", client_config(address, "/" + prefix + "/" + admission.name)},
                       {"rules", json::array{rule_of(admission, is_mutating)}},
                       {"failurePolicy", admission.failure_policy == FailurePolicy::fail ? "Fail" : "Ignore"},
                       {"matchPolicy", admission.match_policy == MatchPolicy::exact ? "Exact" : "Equivalent"},
                       {"namespaceSelector", selector_of(admission.namespace_selector,
                                                         admission.include_own_namespace ? "" : address.namespace_)},
                       {"objectSelector", selector_of(admission.object_selector)},
                       // The mutating webhook never has effects; `effect` belongs to the validating one.
                       {"sideEffects", admission.side_effects == SideEffects::none ? "None" : "NoneOnDryRun"},
                       {"timeoutSeconds", std::chrono::duration_cast<std::chrono::seconds>(admission.timeout).count()},
                       {"admissionReviewVersions", json::array{"v1"}}};
  json::array conditions;
  for (const MatchCondition& one : admission.match_conditions) {
    conditions.push_back(json::object{{"name", one.name}, {"expression", one.expression}});
  }
  if (!conditions.empty()) webhook["matchConditions"] = std::move(conditions);
  if (is_mutating) {
    webhook["reinvocationPolicy"] = admission.reinvocation == Reinvocation::if_needed ? "IfNeeded" : "Never";
  }
  return webhook;
}

std::optional<json::Value> configuration(const std::vector<AnyAdmission>& admissions, bool is_mutating,
                                         const std::string& name, const WebhookAddress& address) {
  json::array webhooks;
  for (const AnyAdmission& one : admissions) {
    const bool is_called = is_mutating ? one.mutate && !operations_of(one, true).empty() : one.validate != nullptr;
    if (is_called) webhooks.emplace_back(webhook_of(one, is_mutating, address));
  }
  if (webhooks.empty()) return std::nullopt;
  return json::object{{"apiVersion", "admissionregistration.k8s.io/v1"},
                      {"kind", is_mutating ? "MutatingWebhookConfiguration" : "ValidatingWebhookConfiguration"},
                      {"metadata", json::object{{"name", name}}},
                      {"webhooks", std::move(webhooks)}};
}

// "pods, secrets and 3 others"
std::string names_of(const std::vector<EssentialResource>& resources) {
  constexpr std::size_t max_names = 3;
  std::string names;
  for (std::size_t i = 0; i < std::min(resources.size(), max_names); ++i) {
    names += (i == 0 ? "" : ", ") + std::string(resources[i].name);
  }
  const std::size_t others = resources.size() - std::min(resources.size(), max_names);
  return others == 0 ? names : names + " and " + std::to_string(others) + (others == 1 ? " other" : " others");
}

std::string remedy_of(const std::vector<EssentialResource>& resources) {
  const auto outside = std::find_if(resources.begin(), resources.end(),
                                    [](const EssentialResource& one) { return !one.is_selected_by_namespace(); });
  const std::string ignore = "set .failure_policy = FailurePolicy::ignore, or restrict it by ";
  if (outside == resources.end()) return ignore + ".namespace_selector, .object_selector or .match_conditions";
  return ignore + ".object_selector or .match_conditions (.namespace_selector does not apply to " +
         std::string(outside->name) + ")";
}

// Returns the risk of the admission and its remedy, or "" if there is none.
std::string risk_of(const AnyAdmission& admission, const WebhookAddress& address) {
  if (admission.kind.group == own_group) {
    return "Kubernetes sends no object of the group " + std::string(own_group) + " to a webhook; remove the admission";
  }
  const bool is_narrowed = !admission.object_selector.empty() || !admission.match_conditions.empty();
  if (admission.failure_policy == FailurePolicy::ignore || is_narrowed) return {};
  const json::Document rules(json::Value(json::array{rule_of(admission, !admission.validate)}));
  const std::vector<EssentialResource> received = essential_resources(rules.root(), {"CREATE", "UPDATE", "DELETE"});
  std::vector<EssentialResource> blocked;
  std::vector<EssentialResource> selected;
  for (const EssentialResource& one : received) {
    const bool is_selected = !admission.namespace_selector.empty() && one.is_selected_by_namespace();
    (is_selected ? selected : blocked).push_back(one);
  }
  if (!blocked.empty()) {
    return "while the webhook cannot be reached, no " + names_of(blocked) +
           " could be written, so that the cluster could not be repaired; " + remedy_of(blocked);
  }
  if (admission.include_own_namespace && !selected.empty()) {
    return "while the webhook cannot be reached, the " + names_of(selected) + " of the operator in namespace " +
           (address.namespace_.empty() ? "(unknown)" : address.namespace_) +
           " could not be written, so that it could not start; remove .include_own_namespace, or set "
           ".failure_policy = FailurePolicy::ignore";
  }
  return {};
}

}  // namespace

std::vector<json::Value> webhook_configurations(const std::vector<AnyAdmission>& admissions, const std::string& name,
                                                const WebhookAddress& address) {
  std::vector<json::Value> made;
  for (const bool is_mutating : {true, false}) {
    if (auto one = configuration(admissions, is_mutating, name, address)) made.push_back(std::move(*one));
  }
  return made;
}

ConversionWebhook conversion_webhook(const WebhookAddress& address) {
  const std::string path(conversion_path);
  return {.url = address.url.empty() ? std::string() : address.url + path,
          .service = address.service,
          .namespace_ = address.namespace_,
          .path = path,
          .port = address.port,
          .ca_bundle = address.ca};
}

std::vector<Error> validate_webhook_reach(const std::vector<AnyAdmission>& admissions, const WebhookAddress& address) {
  std::vector<Error> errors;
  for (const AnyAdmission& one : admissions) {
    const std::string risk = risk_of(one, address);
    if (!risk.empty()) {
      errors.push_back(make_error(ErrorCode::invalid, "admission " + one.name + ": " + risk).terminal());
    }
  }
  return errors;
}

}  // namespace pintle
