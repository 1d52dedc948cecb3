// SPDX-License-Identifier: Apache-2.0
#include <pintle/client/api_catalog.hpp>

#include <algorithm>
#include <optional>

#include <pintle/base/nearest_name.hpp>
#include <pintle/base/text.hpp>

namespace pintle {
namespace {

// The parts of "deployments.v1.apps".
struct ResourceName {
  std::string name{};
  std::optional<std::string> group{};
  std::string version{};
};

bool serves(const ApiCatalog& catalog, std::string_view group, std::string_view version) {
  const auto found = std::ranges::find(catalog.groups, group, &ApiGroup::name);
  return found != catalog.groups.end() && std::ranges::find(found->versions, version) != found->versions.end();
}

// The part after the first dot is a version and a group, or a group alone. A group can begin like a version.
ResourceName split(const ApiCatalog& catalog, std::string_view text) {
  const std::size_t dot = text.find('.');
  ResourceName parts{.name = to_lower_ascii(text.substr(0, dot))};
  if (dot == std::string_view::npos) return parts;
  const std::string_view rest = text.substr(dot + 1);
  const std::string_view version = rest.substr(0, rest.find('.'));
  const std::string_view group = rest.substr(std::min(version.size() + 1, rest.size()));
  if (serves(catalog, group, version)) {
    parts.group = group;
    parts.version = version;
  } else {
    parts.group = rest;
  }
  return parts;
}

using Matches = bool (*)(const Resource&, const std::string&);

bool is_plural(const Resource& resource, const std::string& name) { return resource.plural == name; }
bool is_singular(const Resource& resource, const std::string& name) {
  return resource.singular == name || to_lower_ascii(resource.kind.kind) == name;
}
bool is_short(const Resource& resource, const std::string& name) {
  return std::ranges::find(resource.short_names, name) != resource.short_names.end();
}

bool is_in(const GroupVersionKind& kind, const ResourceName& parts) {
  return (!parts.group || kind.group == *parts.group) && (parts.version.empty() || kind.version == parts.version);
}

// The unavailable APIs that may contain the resource, for messages.
std::string unavailable_for(const ApiCatalog& catalog, const ResourceName& parts) {
  std::string names;
  for (const UnavailableApi& api : catalog.unavailable) {
    if (!is_in(GroupVersionKind(api.api_version, ""), parts)) continue;
    names += (names.empty() ? "" : ", ") + api.api_version + " (" + api.why + ")";
  }
  return names;
}

}  // namespace

std::string_view ApiCatalog::preferred_version(std::string_view group) const {
  const auto found = std::ranges::find(groups, group, &ApiGroup::name);
  return found == groups.end() || found->versions.empty() ? std::string_view() : found->versions.front();
}

Result<Resource> ApiCatalog::find(std::string_view name) const {
  const ResourceName parts = split(*this, name);
  for (const Matches matches : {is_plural, is_singular, is_short}) {
    for (const Resource& resource : resources) {
      if (is_in(resource.kind, parts) && matches(resource, parts.name)) return resource;
    }
  }
  const std::string what = "the server has no resource \"" + std::string(name) + "\"";
  if (const std::string down = unavailable_for(*this, parts); !down.empty()) {
    return fail(ErrorCode::unavailable, what + ", or it is in an API that is not available: " + down);
  }
  std::vector<std::string> plurals;
  for (const Resource& resource : resources) plurals.push_back(resource.plural);
  return fail(ErrorCode::unsupported, what + did_you_mean(parts.name, plurals));
}

}  // namespace pintle
