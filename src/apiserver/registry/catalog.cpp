// SPDX-License-Identifier: Apache-2.0
#include "catalog.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <tuple>
#include <utility>

#include "builtin.hpp"

namespace pintle::apiserver {
namespace {

// {stability, major, minor}: GA 3, beta 2, alpha 1, anything else 0.
std::tuple<int, int, int> rank(std::string_view version) {
  const auto number = [](std::string_view& text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || value <= 0) return 0;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
  };
  if (!version.starts_with('v')) return {0, 0, 0};
  std::string_view rest = version.substr(1);
  const int major = number(rest);
  if (major == 0) return {0, 0, 0};
  if (rest.empty()) return {3, major, 0};
  const int stability = rest.starts_with("beta") ? 2 : (rest.starts_with("alpha") ? 1 : 0);
  if (stability == 0) return {0, 0, 0};
  rest.remove_prefix(stability == 2 ? 4 : 5);
  const int minor = number(rest);
  return minor != 0 && rest.empty() ? std::tuple(stability, major, minor) : std::tuple(0, 0, 0);
}

}  // namespace

bool is_preferred(std::string_view a, std::string_view b) {
  const auto left = rank(a);
  const auto right = rank(b);
  return left != right ? left > right : (std::get<0>(left) == 0 && a < b);
}

Catalog::Catalog(const std::vector<ResourcePtr>& resources) {
  const auto find_or_add = [](auto& list, std::string_view name) -> auto& {
    const auto found = std::find_if(list.begin(), list.end(), [&](const auto& one) { return one.name == name; });
    if (found != list.end()) return *found;
    auto& added = list.emplace_back();
    added.name = name;
    return added;
  };
  for (const ResourcePtr& resource : resources) {
    Group& group = find_or_add(groups_, resource->group);
    group.custom = resource->custom;
    has_conversions_ = has_conversions_ || resource->conversion != nullptr;
    find_or_add(group.versions, resource->version).resources.push_back(resource);
  }
  const auto first_custom =
      std::stable_partition(groups_.begin(), groups_.end(), [](const Group& one) { return !one.custom; });
  std::sort(first_custom, groups_.end(), [](const Group& a, const Group& b) { return a.name < b.name; });
  for (Group& group : groups_) {
    std::sort(group.versions.begin(), group.versions.end(),
              [](const Version& a, const Version& b) { return is_preferred(a.name, b.name); });
    for (Version& version : group.versions) {
      std::sort(version.resources.begin(), version.resources.end(),
                [](const ResourcePtr& a, const ResourcePtr& b) { return a->plural < b->plural; });
    }
  }
}

const Catalog::Group* Catalog::group(std::string_view name) const noexcept {
  const auto found = std::find_if(groups_.begin(), groups_.end(), [&](const Group& one) { return one.name == name; });
  return found == groups_.end() ? nullptr : &*found;
}

const Catalog::Version* Catalog::version(std::string_view group_name, std::string_view version) const noexcept {
  const Group* in = group(group_name);
  if (in == nullptr) return nullptr;
  const auto found =
      std::find_if(in->versions.begin(), in->versions.end(), [&](const Version& one) { return one.name == version; });
  return found == in->versions.end() ? nullptr : &*found;
}

ResourcePtr Catalog::find(std::string_view group, std::string_view version_name, std::string_view plural) const {
  const Version* in = version(group, version_name);
  if (in == nullptr) return nullptr;
  const auto found = std::find_if(in->resources.begin(), in->resources.end(),
                                  [&](const ResourcePtr& one) { return one->plural == plural; });
  return found == in->resources.end() ? nullptr : *found;
}

ResourcePtr Catalog::find_kind(std::string_view api_version, std::string_view kind) const {
  const std::size_t slash = api_version.find('/');
  const bool core = slash == std::string_view::npos;
  const Version* in =
      core ? version("", api_version) : version(api_version.substr(0, slash), api_version.substr(slash + 1));
  if (in == nullptr) return nullptr;
  const auto found = std::find_if(in->resources.begin(), in->resources.end(),
                                  [&](const ResourcePtr& one) { return one->kind == kind; });
  return found == in->resources.end() ? nullptr : *found;
}

std::vector<ResourcePtr> Catalog::collections() const {
  std::map<std::string_view, ResourcePtr> all;
  for (const Group& group : groups_) {
    for (const Version& version : group.versions) {
      for (const ResourcePtr& resource : version.resources) {
        if (resource->is_stored()) all.emplace(resource->collection, resource);
      }
    }
  }
  std::vector<ResourcePtr> out;
  out.reserve(all.size());
  for (auto& [collection, resource] : all) out.push_back(std::move(resource));
  return out;
}

ResourcePtr Catalog::of_collection(std::string_view collection) const {
  const std::vector<ResourcePtr> versions = versions_of(collection);
  const auto stored = std::find_if(versions.begin(), versions.end(), [](const ResourcePtr& resource) {
    return resource->api_version() == resource->stored_api_version;
  });
  if (stored != versions.end()) return *stored;
  return versions.empty() ? nullptr : versions.front();
}

std::vector<ResourcePtr> Catalog::versions_of(std::string_view collection) const {
  std::vector<ResourcePtr> out;
  for (const Group& group : groups_) {
    for (const Version& version : group.versions) {
      for (const ResourcePtr& resource : version.resources) {
        if (resource->collection == collection) out.push_back(resource);
      }
    }
  }
  return out;
}

BuiltinCatalog::BuiltinCatalog()
    : resources(builtin_resources()), catalog(std::make_shared<const Catalog>(resources)) {}

Registry::Registry(Executor& executor, const BuiltinCatalog& builtin)
    : builtin_(builtin.resources), mutex_(executor), catalog_(builtin.catalog) {}

std::shared_ptr<const Catalog> Registry::catalog() const {
  const MutexLock lock(mutex_);
  return catalog_;
}

void Registry::set_custom(std::vector<ResourcePtr> resources) {
  resources.insert(resources.begin(), builtin_.begin(), builtin_.end());
  auto catalog = std::make_shared<const Catalog>(resources);
  const MutexLock lock(mutex_);
  catalog_.swap(catalog);
}

}  // namespace pintle::apiserver
