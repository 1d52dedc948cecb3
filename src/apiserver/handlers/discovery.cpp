// SPDX-License-Identifier: Apache-2.0
#include "discovery.hpp"

#include <utility>

#include <fmt/format.h>

namespace pintle::apiserver {
namespace {

using json::array;
using json::object;
using json::Value;

array texts(const std::vector<std::string>& list) {
  array out;
  for (const std::string& text : list) out.emplace_back(text);
  return out;
}

object group_version(std::string_view group, std::string_view version) {
  return {{"groupVersion", fmt::format("{}/{}", group, version)}, {"version", version}};
}

Value group_body(const Catalog::Group& group) {
  array versions;
  for (const Catalog::Version& version : group.versions) versions.emplace_back(group_version(group.name, version.name));
  return {{"name", group.name},
          {"versions", std::move(versions)},
          {"preferredVersion", group_version(group.name, group.versions.front().name)}};
}

void append_resource(array& out, const Resource& resource) {
  object main{{"name", resource.plural},
              {"singularName", resource.singular},
              {"namespaced", resource.namespaced},
              {"kind", resource.kind},
              {"verbs", texts(resource.verbs)}};
  if (!resource.short_names.empty()) main["shortNames"] = texts(resource.short_names);
  if (!resource.categories.empty()) main["categories"] = texts(resource.categories);
  if (resource.is_stored()) main["storageVersionHash"] = resource.storage_hash;
  out.emplace_back(std::move(main));
  for (const Subresource& part : resource.subresources) {
    object sub{{"name", fmt::format("{}/{}", resource.plural, part.name)},
               {"singularName", ""},
               {"namespaced", resource.namespaced}};
    if (!part.group.empty()) {
      sub["group"] = part.group;
      sub["version"] = part.version;
    }
    sub["kind"] = part.kind;
    sub["verbs"] = texts(part.verbs);
    out.emplace_back(std::move(sub));
  }
}

// The kind of a custom resource includes its group and version, that of a built-in resource does not.
object response_kind(const Resource& resource, const Subresource* part) {
  if (part != nullptr && !part->group.empty()) {
    return {{"group", part->group}, {"version", part->version}, {"kind", part->kind}};
  }
  const std::string& kind = part == nullptr ? resource.kind : part->kind;
  if (resource.custom) return {{"group", resource.group}, {"version", resource.version}, {"kind", kind}};
  return {{"group", ""}, {"version", ""}, {"kind", kind}};
}

object aggregated_resource(const Resource& resource) {
  object out{{"resource", resource.plural},
             {"responseKind", response_kind(resource, nullptr)},
             {"scope", resource.namespaced ? "Namespaced" : "Cluster"},
             {"singularResource", resource.singular},
             {"verbs", texts(resource.verbs)}};
  if (!resource.short_names.empty()) out["shortNames"] = texts(resource.short_names);
  if (!resource.categories.empty()) out["categories"] = texts(resource.categories);
  array subs;
  for (const Subresource& part : resource.subresources) {
    subs.emplace_back(object{
        {"subresource", part.name}, {"responseKind", response_kind(resource, &part)}, {"verbs", texts(part.verbs)}});
  }
  if (!subs.empty()) out["subresources"] = std::move(subs);
  return out;
}

}  // namespace

Value api_versions() {
  return {{"kind", "APIVersions"},
          {"versions", array{"v1"}},
          {"serverAddressByClientCIDRs", array{object{{"clientCIDR", "0.0.0.0/0"}, {"serverAddress", ""}}}}};
}

Value api_groups(const Catalog& catalog) {
  array groups;
  for (const Catalog::Group& group : catalog.groups()) {
    if (!group.name.empty()) groups.push_back(group_body(group));
  }
  return {{"kind", "APIGroupList"}, {"apiVersion", "v1"}, {"groups", std::move(groups)}};
}

Value api_group(const Catalog::Group& group) {
  object out{{"kind", "APIGroup"}, {"apiVersion", "v1"}};
  const Value body = group_body(group);
  for (const auto& member : body.get_object()) out.insert(member);
  return out;
}

Value api_resources(std::string_view group, const Catalog::Version& version) {
  array resources;
  for (const ResourcePtr& resource : version.resources) append_resource(resources, *resource);
  object out{{"kind", "APIResourceList"}};
  if (!group.empty()) out["apiVersion"] = "v1";
  out["groupVersion"] = group.empty() ? version.name : fmt::format("{}/{}", group, version.name);
  out["resources"] = std::move(resources);
  return out;
}

Value aggregated_discovery(const Catalog& catalog, bool core) {
  array items;
  for (const Catalog::Group& group : catalog.groups()) {
    if (group.name.empty() != core) continue;
    array versions;
    for (const Catalog::Version& version : group.versions) {
      array resources;
      for (const ResourcePtr& resource : version.resources) resources.emplace_back(aggregated_resource(*resource));
      versions.emplace_back(
          object{{"version", version.name}, {"resources", std::move(resources)}, {"freshness", "Current"}});
    }
    object metadata;
    if (!core) metadata["name"] = group.name;
    items.emplace_back(object{{"metadata", std::move(metadata)}, {"versions", std::move(versions)}});
  }
  return {{"kind", "APIGroupDiscoveryList"},
          {"apiVersion", "apidiscovery.k8s.io/v2"},
          {"metadata", object()},
          {"items", std::move(items)}};
}

}  // namespace pintle::apiserver
