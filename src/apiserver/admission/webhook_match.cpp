// SPDX-License-Identifier: Apache-2.0
#include "webhook_match.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <pintle/json/document.hpp>

#include "apiserver/expressions/authorizer.hpp"
#include "apiserver/registry/values.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;

constexpr std::uint64_t max_cost = 2'500'000;  // of all conditions of one webhook

bool matches_labels(const LabelSelector& selector, const Value& object) {
  const Value* labels = json::find(object, "/metadata/labels");
  if (labels == nullptr) return selector.matches({});
  const json::Document document(*labels);
  return selector.matches(document.root());
}

// A Namespace is matched by its own labels; other cluster-scoped objects always match.
StatusOr<bool> matches_namespace(const AdmissionWebhook& webhook, const Attributes& attributes, const Value& object,
                                 const Value& old_object, const Storage& storage) {
  if (webhook.namespace_selector.empty()) return true;
  const Resource& resource = attributes.resource;
  if (resource.collection == "namespaces") {
    return matches_labels(webhook.namespace_selector, object.is_null() ? old_object : object);
  }
  if (!resource.namespaced) return true;
  const Object space = storage.get("namespaces", attributes.namespace_);
  if (!space) return refuse(not_found({.kind = "namespaces", .name = attributes.namespace_}));
  return webhook.namespace_selector.matches(space.labels());
}

bool matches_object(const AdmissionWebhook& webhook, const Value& object, const Value& old_object) {
  if (webhook.object_selector.empty()) return true;
  return (!object.is_null() && matches_labels(webhook.object_selector, object)) ||
         (!old_object.is_null() && matches_labels(webhook.object_selector, old_object));
}

AdmissionRule::Request request_of(const Attributes& attributes, const Resource& resource) {
  return {.operation = attributes.operation,
          .group = resource.group,
          .version = resource.version,
          .plural = resource.plural,
          .subresource = attributes.subresource,
          .namespaced = resource.namespaced};
}

// Returns the resource of the request if a rule matches it, otherwise another version that a rule matches, or null.
ResourcePtr by_rules(const AdmissionWebhook& webhook, const Attributes& attributes, const Catalog& catalog) {
  const Resource& resource = attributes.resource;
  for (const AdmissionRule& rule : webhook.rules) {
    // The resource lives as long as the request, even if it is no longer in the catalog.
    if (rule.matches(request_of(attributes, resource))) return ResourcePtr(ResourcePtr(), &resource);
  }
  if (webhook.matches_exactly) return nullptr;
  const auto others = catalog.versions_of(resource.collection);
  for (const AdmissionRule& rule : webhook.rules) {
    const auto found = std::find_if(others.begin(), others.end(), [&](const ResourcePtr& other) {
      return rule.matches(request_of(attributes, *other));
    });
    if (found != others.end()) return *found;
  }
  return nullptr;
}

std::string joined(const std::vector<std::string>& errors) {
  if (errors.size() == 1) return errors.front();
  std::string all;
  for (const std::string& error : errors) all += (all.empty() ? "[" : ", ") + error;
  return all + "]";
}

}  // namespace

StatusOr<ResourcePtr> matched_version(const AdmissionWebhook& webhook, const Attributes& attributes,
                                      const Value& object, const Value& old_object, const Storage& storage,
                                      const Catalog& catalog) {
  // The configurations themselves are never sent, so that a wrong one can be corrected.
  if (attributes.resource.group == "admissionregistration.k8s.io") return nullptr;
  ResourcePtr sent = by_rules(webhook, attributes, catalog);
  if (sent != nullptr && !webhook.error.empty()) {
    if (webhook.ignores_failures) return nullptr;
    return refuse(internal_failure(fmt::format("failed calling webhook \"{}\": {}", webhook.name, webhook.error)));
  }
  if (sent == nullptr || !matches_object(webhook, object, old_object)) return nullptr;
  auto in_namespace = matches_namespace(webhook, attributes, object, old_object, storage);
  if (!in_namespace) return refuse(std::move(in_namespace.error()));
  return *in_namespace ? sent : nullptr;
}

StatusOr<bool> meets_conditions(const AdmissionWebhook& webhook, const Attributes& attributes, const Value& request,
                                const Value& object, const Value& old_object, const Object& space,
                                const Authorizer& authorizer) {
  if (webhook.conditions.empty()) return true;
  const cel::Activation activation{{"object", cel::Value::from_json(object)},
                                   {"oldObject", cel::Value::from_json(old_object)},
                                   {"request", cel::Value::from_json(request)},
                                   {"namespaceObject", space ? cel::Value::from_json(space.root()) : cel::Value()},
                                   {"authorizer", make_authorizer(authorizer.checks_of(attributes.user))}};
  std::uint64_t left = max_cost;
  std::vector<std::string> errors;
  for (const cel::Program& condition : webhook.conditions) {
    const cel::Evaluation evaluation = condition.evaluate(activation, {.max_cost = left});
    left -= std::min(left, evaluation.cost);
    if (!evaluation.value) {
      errors.push_back(
          fmt::format("expression '{}' resulted in error: {}", condition.text(), evaluation.value.error().message));
    } else if (!evaluation.value->as_bool().value_or(false)) {
      return false;
    }
  }
  if (errors.empty()) return true;
  if (webhook.ignores_failures) return false;
  return refuse(forbidden(attributes.resource.named(attributes.name), joined(errors)));
}

}  // namespace pintle::apiserver
