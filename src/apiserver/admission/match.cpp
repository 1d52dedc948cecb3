// SPDX-License-Identifier: Apache-2.0
#include "match.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <pintle/json/document.hpp>
#include <pintle/json/pointer.hpp>

namespace pintle::apiserver {
namespace {

using json::Value;

bool matches_labels(const LabelSelector& selector, const Value& object) {
  const Value* labels = json::find(object, "/metadata/labels");
  if (labels == nullptr) return selector.matches({});
  const json::Document document(*labels);
  return selector.matches(document.root());
}

// A Namespace is matched by its own labels; other cluster-scoped objects always match.
StatusOr<bool> matches_namespace(const LabelSelector& selector, const Attributes& attributes, const Value& object,
                                 const Value& old_object, const Storage& storage) {
  if (selector.empty()) return true;
  const Resource& resource = attributes.resource;
  if (resource.collection == "namespaces") return matches_labels(selector, object.is_null() ? old_object : object);
  if (!resource.namespaced) return true;
  const Object space = storage.get("namespaces", attributes.namespace_);
  if (!space) return refuse(not_found({.kind = "namespaces", .name = attributes.namespace_}));
  return selector.matches(space.labels());
}

// An object without metadata, such as the options of a connection, cannot have labels.
bool matches_object(const LabelSelector& selector, const Value& object, const Value& old_object) {
  if (selector.empty()) return true;
  const auto matches = [&](const Value& one) {
    return json::find(one, "/metadata") != nullptr && matches_labels(selector, one);
  };
  return matches(object) || matches(old_object);
}

AdmissionRule::Request request_of(const Attributes& attributes, const Resource& resource) {
  return {.operation = attributes.operation,
          .group = resource.group,
          .version = resource.version,
          .plural = resource.plural,
          .subresource = attributes.subresource,
          .name = attributes.name,
          .namespaced = resource.namespaced};
}

// The resource lives as long as the request, even if it is no longer in the catalog.
ResourcePtr resource_of_request(const Attributes& attributes) {
  return ResourcePtr(ResourcePtr(), &attributes.resource);
}

// Returns the resource of the request if a rule matches it, otherwise another version that a rule matches, or null.
ResourcePtr by_rules(const std::vector<AdmissionRule>& rules, bool exactly, const Attributes& attributes,
                     const Catalog& catalog) {
  const Resource& resource = attributes.resource;
  for (const AdmissionRule& rule : rules) {
    if (rule.matches(request_of(attributes, resource))) return resource_of_request(attributes);
  }
  if (exactly || rules.empty()) return nullptr;
  const auto others = catalog.versions_of(resource.collection);
  for (const AdmissionRule& rule : rules) {
    const auto found = std::find_if(others.begin(), others.end(), [&](const ResourcePtr& other) {
      return rule.matches(request_of(attributes, *other));
    });
    if (found != others.end()) return *found;
  }
  return nullptr;
}

}  // namespace

StatusOr<ResourcePtr> matched_version(const MatchCriteria& criteria, const Attributes& attributes, const Value& object,
                                      const Value& old_object, const Storage& storage, const Catalog& catalog) {
  // Configurations of admission never match, so that a wrong one can be corrected.
  if (attributes.resource.group == "admissionregistration.k8s.io") return nullptr;
  if (by_rules(criteria.excluded, criteria.matches_exactly, attributes, catalog) != nullptr) return nullptr;
  ResourcePtr matched = criteria.rules.empty() && criteria.matches_without_rules
                            ? resource_of_request(attributes)
                            : by_rules(criteria.rules, criteria.matches_exactly, attributes, catalog);
  if (matched == nullptr || !matches_object(criteria.object_selector, object, old_object)) return nullptr;
  auto in_namespace = matches_namespace(criteria.namespace_selector, attributes, object, old_object, storage);
  if (!in_namespace) return refuse(std::move(in_namespace.error()));
  return *in_namespace ? matched : nullptr;
}

}  // namespace pintle::apiserver
