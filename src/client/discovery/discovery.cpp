// SPDX-License-Identifier: Apache-2.0
#include "discovery.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "catalog_reader.hpp"

namespace pintle {

namespace {

constexpr Duration catalog_age = std::chrono::minutes(10);

std::optional<Resource> pick(const std::vector<Resource>& resources, const std::string& kind) {
  const auto found = std::ranges::find(resources, kind, [](const Resource& resource) { return resource.kind.kind; });
  return found == resources.end() ? std::nullopt : std::optional(*found);
}

Error not_served(const GroupVersionKind& kind) {
  const bool is_core = kind.group.empty();
  const std::string name = default_plural(kind.kind) + (is_core ? "" : "." + kind.group) + "/" + kind.version;
  return make_error(ErrorCode::unsupported, "the server does not have " + name + " (kind " + kind.kind + "); " +
                                                (is_core ? "" : "install its CustomResourceDefinition, or ") +
                                                "correct apiVersion and kind");
}

}  // namespace

std::vector<Resource> parse_resource_list(json::View list, std::string_view group, std::string_view version) {
  std::vector<Resource> resources;
  for (const json::View item : list.member("resources").elements()) {
    const std::string_view name = item.member("name").text();
    if (name.empty() || name.find('/') != std::string_view::npos) continue;
    Resource resource{.plural = std::string(name),
                      .namespaced = item.member("namespaced").as_bool().value_or(false),
                      .singular = std::string(item.member("singularName").text())};
    resource.kind.group = group;
    resource.kind.version = version;
    resource.kind.kind = item.member("kind").text();
    for (const json::View verb : item.member("verbs").elements()) resource.verbs.emplace_back(verb.text());
    for (const json::View one : item.member("shortNames").elements()) resource.short_names.emplace_back(one.text());
    for (const json::View one : item.member("categories").elements()) resource.categories.emplace_back(one.text());
    resources.push_back(std::move(resource));
  }
  for (const json::View item : list.member("resources").elements()) {
    const std::string_view name = item.member("name").text();
    const std::size_t slash = name.find('/');
    if (slash == std::string_view::npos) continue;
    const auto owner = std::ranges::find(resources, name.substr(0, slash), &Resource::plural);
    if (owner != resources.end()) owner->subresources.emplace_back(name.substr(slash + 1));
  }
  return resources;
}

Discovery::Discovery(Executor& executor, Fetch fetch)
    : executor_(executor), fetch_(std::move(fetch)), resources_(executor), catalog_(executor) {}

Result<Resource> Discovery::find(const GroupVersionKind& kind, std::stop_token stop, Duration oldest) {
  if (kind.kind.empty() || kind.version.empty()) {
    return fail(ErrorCode::invalid, "\"" + kind.to_string() + "\" names no kind; set apiVersion and kind");
  }
  const std::string api_version = kind.api_version();
  if (const auto known = resources_.cached(api_version, oldest)) {
    if (auto resource = pick(*known, kind.kind)) return std::move(*resource);
    if (!resources_.may_refresh(api_version)) return not_served(kind);
  }
  if (auto allowed = may_block(); !allowed) return fail(std::move(allowed.error()));
  auto resources = resources_.get(
      api_version, [&](std::stop_token until) { return fetch(kind, std::move(until)); }, stop);
  if (!resources) return fail(std::move(resources.error()));
  if (auto resource = pick(**resources, kind.kind)) return std::move(*resource);
  return not_served(kind);
}

Result<Resource> Discovery::find_name(const std::string& name, std::stop_token stop) {
  const bool was_known = catalog_.cached("", catalog_age) != nullptr;
  const auto catalog = all(stop);
  if (!catalog) return fail(catalog.error());
  auto found = (*catalog)->find(name);
  if (found || !was_known || !catalog_.may_refresh("")) return found;
  const auto again = list_all(std::move(stop));
  if (!again) return fail(again.error());
  return (*again)->find(name);
}

Result<std::shared_ptr<const ApiCatalog>> Discovery::all(std::stop_token stop) {
  if (auto known = catalog_.cached("", catalog_age)) return known;
  return list_all(std::move(stop));
}

void Discovery::forget(const GroupVersionKind& kind) {
  resources_.forget(kind.api_version());
  catalog_.forget("");
}

void Discovery::forget_all() {
  resources_.forget_all();
  catalog_.forget_all();
}

// A thread that must not block cannot wait for the request of another thread, and its own request would fail for all
// threads that wait for it.
Result<void> Discovery::may_block() const {
  if (executor_.may_block()) return {};
  return fail(ErrorCode::unsupported, "discovery on thread \"" + std::string(executor_.thread_name()) +
                                          "\", which must not block; call it in a reconcile or a task");
}

// A group and version that is not served is cached as one without resources, so that find() limits the requests for it.
Result<std::shared_ptr<const Discovery::Resources>> Discovery::fetch(const GroupVersionKind& kind,
                                                                     std::stop_token stop) const {
  const std::string target = (kind.group.empty() ? "/api/" : "/apis/") + kind.api_version();
  const auto response = fetch_({.target = target}, std::move(stop));
  if (!response && response.error().code == ErrorCode::not_found) return std::make_shared<const Resources>();
  if (!response) return fail(response.error());
  const auto document = json::Document::parse(response->body);
  if (!document || document->root().member("kind") != "APIResourceList") {
    return fail(ErrorCode::unsupported,
                "the response to GET " + target + " is not an APIResourceList; check the address of the API server");
  }
  return std::make_shared<const Resources>(parse_resource_list(document->root(), kind.group, kind.version));
}

Result<std::shared_ptr<const ApiCatalog>> Discovery::list_all(std::stop_token stop) {
  if (auto allowed = may_block(); !allowed) return fail(std::move(allowed.error()));
  return catalog_.get(
      "",
      [this](std::stop_token until) -> Result<std::shared_ptr<const ApiCatalog>> {
        auto catalog = CatalogReader(fetch_, std::move(until)).read();
        if (!catalog) return fail(std::move(catalog.error()));
        return std::make_shared<const ApiCatalog>(std::move(*catalog));
      },
      stop);
}

}  // namespace pintle
