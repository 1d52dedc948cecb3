// SPDX-License-Identifier: Apache-2.0
#include "root.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "apiserver/access/service_tokens.hpp"
#include "health.hpp"

namespace pintle::apiserver {

json::Value root_paths(const Catalog& catalog) {
  json::array paths{"/.well-known/openid-configuration", "/api", "/api/v1", "/apis"};
  for (const Catalog::Group& group : catalog.groups()) {
    if (group.name.empty()) continue;
    paths.emplace_back("/apis/" + group.name);
    for (const Catalog::Version& version : group.versions) {
      paths.emplace_back(fmt::format("/apis/{}/{}", group.name, version.name));
    }
  }
  for (const char* page : {"healthz", "livez", "readyz"}) {
    paths.emplace_back(fmt::format("/{}", page));
    for (const std::string_view check : health_checks(page)) paths.emplace_back(fmt::format("/{}/{}", page, check));
  }
  for (const char* path : {"/metrics", "/openapi/v2", "/openapi/v3", "/openapi/v3/", "/openid/v1/jwks", "/version"}) {
    paths.emplace_back(path);
  }
  std::ranges::sort(paths, {}, [](const json::Value& path) { return std::string_view(path.get_string()); });
  return json::object{{"paths", std::move(paths)}};
}

json::Value openid_configuration(std::string_view host) {
  return json::object{{"issuer", token_issuer},
                      {"jwks_uri", fmt::format("https://{}/openid/v1/jwks", host)},
                      {"response_types_supported", json::array{"id_token"}},
                      {"subject_types_supported", json::array{"public"}},
                      {"id_token_signing_alg_values_supported", json::array{"RS256"}}};
}

std::string git_version(std::string_view build) { return fmt::format("v1.36.2+{}", build); }

json::Value version_info(std::string_view build) {
  return json::object{{"major", "1"},
                      {"minor", "36"},
                      {"gitVersion", git_version(build)},
                      {"gitCommit", ""},
                      {"gitTreeState", "clean"},
                      {"buildDate", "1970-01-01T00:00:00Z"},
                      {"goVersion", "none"},
                      {"compiler", "c++"},
                      {"platform", "linux/amd64"},
                      {"imitates", "kube-apiserver v1.36.2"},
                      {"server", fmt::format("{} embedded API server", build)}};
}

}  // namespace pintle::apiserver
