#include "root.hpp"

#include <string>
#include <utility>

#include <fmt/format.h>

namespace pintle::apiserver {

json::Value root_paths(const Catalog& catalog) {
  json::array paths{"/api", "/api/v1", "/apis"};
  for (const Catalog::Group& group : catalog.groups()) {
    if (group.name.empty()) continue;
    paths.emplace_back("/apis/" + group.name);
    for (const Catalog::Version& version : group.versions) {
      paths.emplace_back(fmt::format("/apis/{}/{}", group.name, version.name));
    }
  }
  for (const char* path : {"/healthz", "/livez", "/openapi/v2", "/readyz", "/version"}) paths.emplace_back(path);
  return json::object{{"paths", std::move(paths)}};
}

json::Value version_info(std::string_view build) {
  return json::object{{"major", "1"},
                      {"minor", "36"},
                      {"gitVersion", fmt::format("v1.36.2+{}", build)},
                      {"gitCommit", ""},
                      {"gitTreeState", "clean"},
                      {"buildDate", "1970-01-01T00:00:00Z"},
                      {"goVersion", "none"},
                      {"compiler", "c++"},
                      {"platform", "linux/amd64"},
                      {"imitates", "kube-apiserver v1.36.2"},
                      {"server", fmt::format("{} embedded API server", build)}};
}

http::Response openapi_v2(const http::Request& request) {
  const std::string_view accept = request.headers.get("Accept").value_or("");
  if (accept.find("application/com.github.proto-openapi.spec.v2@v1.0+protobuf") != std::string_view::npos) {
    return {.status = 200, .headers = {{"Content-Type", "application/com.github.proto-openapi.spec.v2.v1.0+protobuf"}}};
  }
  const json::Value document = json::object{{"swagger", "2.0"},
                                            {"info", json::object{{"title", "pintle"}, {"version", "v1"}}},
                                            {"paths", json::object()},
                                            {"definitions", json::object()}};
  return {.status = 200, .headers = {{"Content-Type", "application/json"}}, .body = json::print(document)};
}

}  // namespace pintle::apiserver
