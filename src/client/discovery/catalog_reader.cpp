// SPDX-License-Identifier: Apache-2.0
#include "catalog_reader.hpp"

#include <algorithm>
#include <utility>

#include "discovery.hpp"

namespace pintle {
namespace {

constexpr std::string_view accept_aggregated =
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,"
    "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json";

std::vector<std::string> texts(json::View list) {
  std::vector<std::string> all;
  for (const json::View one : list.elements()) all.emplace_back(one.text());
  return all;
}

Resource aggregated_resource(json::View item, std::string_view group, std::string_view version) {
  Resource resource{.plural = std::string(item.member("resource").text()),
                    .namespaced = item.member("scope") == "Namespaced",
                    .verbs = texts(item.member("verbs")),
                    .singular = std::string(item.member("singularResource").text()),
                    .short_names = texts(item.member("shortNames")),
                    .categories = texts(item.member("categories"))};
  // The group and version of responseKind may be empty.
  resource.kind.group = group;
  resource.kind.version = version;
  resource.kind.kind = item["/responseKind/kind"].text();
  for (const json::View part : item.member("subresources").elements()) {
    resource.subresources.emplace_back(part.member("subresource").text());
  }
  return resource;
}

std::string api_version_of(std::string_view group, std::string_view version) {
  return group.empty() ? std::string(version) : std::string(group) + "/" + std::string(version);
}

bool ends_discovery(const Error& error) {
  return error.code == ErrorCode::cancelled || error.code == ErrorCode::unauthorized ||
         error.code == ErrorCode::unreachable;
}

}  // namespace

Result<ApiCatalog> CatalogReader::read() && {
  for (const char* path : {"/api", "/apis"}) {
    if (auto done = read_root(path); !done) return fail(std::move(done.error()));
  }
  return std::move(catalog_);
}

Result<void> CatalogReader::read_root(const std::string& path) {
  http::Request request{.target = path};
  request.headers.set("Accept", std::string(accept_aggregated));
  const auto response = fetch_(std::move(request), stop_);
  if (!response) return fail(response.error());
  const auto document = json::Document::parse(response->body);
  const json::View root = document ? document->root() : json::View();
  const std::string_view kind = root.member("kind").text();
  if (kind == "APIVersions") return read_core_versions(root);
  if (kind == "APIGroupList") return read_groups(root);
  if (kind == "APIGroupDiscoveryList") return read_aggregated(root), Result<void>();
  return fail(ErrorCode::unsupported,
              "the response to GET " + path + " is not a list of APIs; check the address of the API server");
}

void CatalogReader::read_aggregated(json::View root) {
  for (const json::View item : root.member("items").elements()) {
    ApiGroup group{.name = std::string(item["/metadata/name"].text())};
    for (const json::View one : item.member("versions").elements()) {
      const std::string_view version = one.member("version").text();
      group.versions.emplace_back(version);
      if (one.member("freshness") == "Stale") {
        catalog_.unavailable.push_back({api_version_of(group.name, version), "the API server cannot reach it"});
        continue;
      }
      for (const json::View resource : one.member("resources").elements()) {
        catalog_.resources.push_back(aggregated_resource(resource, group.name, version));
      }
    }
    catalog_.groups.push_back(std::move(group));
  }
}

Result<void> CatalogReader::read_core_versions(json::View root) {
  return read_versions({.versions = texts(root.member("versions"))});
}

Result<void> CatalogReader::read_groups(json::View root) {
  for (const json::View item : root.member("groups").elements()) {
    ApiGroup group{.name = std::string(item.member("name").text())};
    for (const json::View version : item.member("versions").elements()) {
      group.versions.emplace_back(version.member("version").text());
    }
    const auto preferred = std::ranges::find(group.versions, item["/preferredVersion/version"].text());
    if (preferred != group.versions.end()) std::rotate(group.versions.begin(), preferred, preferred + 1);
    if (auto done = read_versions(std::move(group)); !done) return done;
  }
  return {};
}

Result<void> CatalogReader::read_versions(ApiGroup group) {
  for (const std::string& version : group.versions) {
    const std::string name = api_version_of(group.name, version);
    const auto response = fetch_({.target = (group.name.empty() ? "/api/" : "/apis/") + name}, stop_);
    if (!response && ends_discovery(response.error())) return fail(response.error());
    const auto document = json::Document::parse(response ? response->body : "{}");
    if (!response) {
      catalog_.unavailable.push_back({name, response.error().message});
    } else if (!document || document->root().member("kind") != "APIResourceList") {
      catalog_.unavailable.push_back({name, "its response is not an APIResourceList"});
    } else {
      auto resources = parse_resource_list(document->root(), group.name, version);
      std::ranges::move(resources, std::back_inserter(catalog_.resources));
    }
  }
  catalog_.groups.push_back(std::move(group));
  return {};
}

}  // namespace pintle
