// SPDX-License-Identifier: Apache-2.0
#include "admission_webhook.hpp"

#include <algorithm>
#include <utility>

#include "apiserver/expressions/match_condition.hpp"

namespace pintle::apiserver {
namespace {

using json::View;

std::vector<std::string> texts(View list) {
  std::vector<std::string> out;
  for (const View item : list.elements()) out.emplace_back(item.text());
  return out;
}

bool contains(const std::vector<std::string>& list, std::string_view wanted) {
  return std::any_of(list.begin(), list.end(), [&](const std::string& one) { return one == "*" || one == wanted; });
}

bool names(std::string_view pattern, std::string_view plural, std::string_view subresource) {
  const std::size_t slash = pattern.find('/');
  const bool has_part = slash != std::string_view::npos;
  const std::string_view whole = pattern.substr(0, slash);
  const std::string_view part = has_part ? pattern.substr(slash + 1) : std::string_view{};
  return (whole == "*" || whole == plural) && ((has_part && part == "*") || part == subresource);
}

AdmissionRule read_rule(View rule) {
  return {.operations = texts(rule.member("operations")),
          .groups = texts(rule.member("apiGroups")),
          .versions = texts(rule.member("apiVersions")),
          .resources = texts(rule.member("resources")),
          .scope = std::string(rule.member("scope").text())};
}

std::string review_version(View versions) {
  for (const View version : versions.elements()) {
    if (version == "v1" || version == "v1beta1") return std::string(version.text());
  }
  return "v1";
}

// A part that cannot be read is an error of the webhook, which is then not skipped.
AdmissionWebhook read_webhook(View hook) {
  AdmissionWebhook out;
  out.name = hook.member("name").text();
  out.target = webhook_target(hook.member("clientConfig"));
  for (const View rule : hook.member("rules").elements()) out.rules.push_back(read_rule(rule));
  auto namespaces = LabelSelector::from_json(hook.member("namespaceSelector"));
  auto objects = LabelSelector::from_json(hook.member("objectSelector"));
  if (!namespaces) out.error = namespaces.error().message;
  if (!objects) out.error = objects.error().message;
  if (namespaces) out.namespace_selector = std::move(*namespaces);
  if (objects) out.object_selector = std::move(*objects);
  for (const View condition : hook.member("matchConditions").elements()) {
    auto program = compile_match_condition(condition.member("expression").text());
    if (program) {
      out.conditions.push_back(std::move(*program));
    } else {
      out.error = program.error().message;
    }
  }
  out.ignores_failures = hook.member("failurePolicy") == "Ignore";
  out.matches_exactly = hook.member("matchPolicy") == "Exact";
  out.may_be_reinvoked = hook.member("reinvocationPolicy") == "IfNeeded";
  out.timeout = std::chrono::seconds(hook.member("timeoutSeconds").as_integer().value_or(10));
  out.review_version = review_version(hook.member("admissionReviewVersions"));
  return out;
}

}  // namespace

bool AdmissionRule::matches(const Request& request) const {
  const bool is_in_scope = scope.empty() || scope == "*" || (scope == "Namespaced") == request.namespaced;
  return is_in_scope && contains(operations, request.operation) && contains(groups, request.group) &&
         contains(versions, request.version) &&
         std::any_of(resources.begin(), resources.end(),
                     [&](const std::string& one) { return names(one, request.plural, request.subresource); });
}

std::vector<AdmissionWebhook> read_webhooks(const std::vector<Object>& configurations) {
  std::vector<AdmissionWebhook> out;
  for (const Object& configuration : configurations) {
    for (const View hook : configuration["/webhooks"].elements()) out.push_back(read_webhook(hook));
  }
  return out;
}

}  // namespace pintle::apiserver
