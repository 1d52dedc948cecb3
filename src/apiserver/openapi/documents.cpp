// SPDX-License-Identifier: Apache-2.0
#include "documents.hpp"

#include <array>
#include <utility>

#include <fmt/format.h>
#include <openssl/sha.h>

#include "components.hpp"
#include "paths.hpp"
#include "protobuf.hpp"

namespace pintle::apiserver {
namespace {

using json::object;

constexpr std::string_view json_type = "application/json";
// The media type that clients request, and the one that kube-apiserver sends. Both are accepted in a request.
constexpr std::string_view protobuf_requested = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";
constexpr std::string_view protobuf_sent = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
constexpr std::string_view v3_requested = "application/com.github.proto-openapi.spec.v3@v1.0+protobuf";
constexpr std::string_view v3_sent = "application/com.github.proto-openapi.spec.v3.v1.0+protobuf";

constexpr std::string_view protobuf_prefix = "pb:";  // of the names of pages

object document(Dialect dialect, const std::vector<ResourcePtr>& kinds, const std::string& version) {
  Components components(dialect);
  object paths;
  for (const ResourcePtr& kind : kinds) add_paths(paths, *kind, components);
  const bool old = dialect == Dialect::v2;
  object out{{old ? "swagger" : "openapi", old ? "2.0" : "3.0.0"},
             {"info", object{{"title", "Kubernetes"}, {"version", version}}},
             {"paths", std::move(paths)}};
  if (old) {
    out["definitions"] = components.schemas();
  } else {
    out["components"] = object{{"schemas", components.schemas()}};
  }
  return out;
}

std::string hash_of(std::string_view text) {
  std::array<unsigned char, SHA512_DIGEST_LENGTH> digest{};
  SHA512(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data());
  return fmt::format("{:02X}", fmt::join(digest, ""));
}

std::string path_of(const Catalog::Group& group, const Catalog::Version& version) {
  return group.name.empty() ? "api/" + version.name : fmt::format("apis/{}/{}", group.name, version.name);
}

// True if the client accepts this type, or a range that includes it.
bool accepts(const http::Request& request, std::string_view type) {
  const std::string_view accept = request.headers.get("Accept").value_or("");
  const auto has = [&](std::string_view range) { return accept.find(range) != std::string_view::npos; };
  return accept.empty() || has(type) || (type == json_type && (has("*/*") || has("application/*")));
}

bool accepts_protobuf_of(const http::Request& request, std::string_view requested, std::string_view sent) {
  const bool has_accept_header = !request.headers.get("Accept").value_or("").empty();
  return has_accept_header && (accepts(request, requested) || accepts(request, sent));
}

http::Response plain(int status, std::string text) {
  return {.status = status, .headers = {{"Content-Type", "text/plain; charset=utf-8"}}, .body = std::move(text)};
}

http::Response served(const http::Request& request, std::string_view type, const std::string& body,
                      const std::string& hash) {
  const std::string tag = fmt::format("\"{}\"", hash);
  http::Response response{.status = 200,
                          .headers = {{"Content-Type", std::string(type)}, {"Etag", tag}, {"Vary", "Accept"}}};
  if (request.headers.get("If-None-Match") == tag) {
    response.status = 304;
  } else {
    response.body = body;
  }
  return response;
}

}  // namespace

Documents::Documents(Executor& executor, std::string version) : version_(std::move(version)), mutex_(executor) {}

StatusOr<http::Response> Documents::handle(const http::Request& request, const http::Target& target,
                                           const std::vector<std::string>& parts, const Catalog& catalog) const {
  if (request.method != "GET") return refuse(method_not_allowed());
  if (parts.size() == 1 && parts[0] == "v2") return handle_v2(request, catalog);
  if (parts.size() == 1 && parts[0] == "v3") return handle_index(request, catalog);
  if (parts.size() > 1 && parts[0] == "v3") return handle_version(request, target, parts, catalog);
  return plain(404, "404 page not found\n");
}

Documents::PagePtr Documents::page(const std::string& name, std::vector<ResourcePtr> kinds,
                                   const std::function<std::string(const std::vector<ResourcePtr>&)>& make) const {
  const MutexLock lock(mutex_);
  Kept& kept = kept_[name];
  if (kept.page == nullptr || kept.kinds != kinds) {
    std::string body = make(kinds);
    std::string hash = hash_of(body);
    kept = {.kinds = std::move(kinds), .page = std::make_shared<const Page>(std::move(body), std::move(hash))};
  }
  return kept.page;
}

Documents::PagePtr Documents::version_page(const Catalog::Group& group, const Catalog::Version& version,
                                           bool as_protobuf) const {
  const std::string path = path_of(group, version);
  return page(as_protobuf ? std::string(protobuf_prefix) + path : path, version.resources, [&](const auto& kinds) {
    const object content = document(Dialect::v3, kinds, version_);
    return as_protobuf ? encode_openapi_v3(content) : json::print(content);
  });
}

StatusOr<http::Response> Documents::handle_v2(const http::Request& request, const Catalog& catalog) const {
  const bool as_protobuf = accepts_protobuf_of(request, protobuf_requested, protobuf_sent);
  if (!as_protobuf && !accepts(request, json_type)) {
    return refuse(not_acceptable(fmt::format("{}, {}", json_type, protobuf_requested)));
  }
  std::vector<ResourcePtr> kinds;
  for (const Catalog::Group& group : catalog.groups()) {
    for (const Catalog::Version& version : group.versions) {
      kinds.insert(kinds.end(), version.resources.begin(), version.resources.end());
    }
  }
  const PagePtr made = page(as_protobuf ? "v2.pb" : "v2", std::move(kinds), [&](const auto& all) {
    const object content = document(Dialect::v2, all, version_);
    return as_protobuf ? encode_openapi_v2(content) : json::print(content);
  });
  return served(request, as_protobuf ? protobuf_sent : json_type, made->body, made->hash);
}

StatusOr<http::Response> Documents::handle_index(const http::Request& request, const Catalog& catalog) const {
  if (!accepts(request, json_type)) return refuse(not_acceptable(json_type));
  object paths;
  for (const Catalog::Group& group : catalog.groups()) {
    for (const Catalog::Version& version : group.versions) {
      const std::string path = path_of(group, version);
      paths[path] = object{{"serverRelativeURL",
                            fmt::format("/openapi/v3/{}?hash={}", path, version_page(group, version, false)->hash)}};
    }
  }
  {
    const MutexLock lock(mutex_);
    std::erase_if(kept_, [&](const auto& one) {
      const std::string_view name = one.first;
      const bool is_protobuf = name.starts_with(protobuf_prefix);
      return !name.starts_with("v2") && !paths.contains(is_protobuf ? name.substr(protobuf_prefix.size()) : name);
    });
  }
  const std::string body = json::print(object{{"paths", std::move(paths)}});
  // kube-apiserver calls the list of documents text.
  return served(request, "text/plain; charset=utf-8", body, hash_of(body));
}

StatusOr<http::Response> Documents::handle_version(const http::Request& request, const http::Target& target,
                                                   const std::vector<std::string>& parts,
                                                   const Catalog& catalog) const {
  const bool core = parts[1] == "api" && parts.size() == 3;
  const bool other = parts[1] == "apis" && parts.size() == 4;
  const std::string_view group_name = other ? std::string_view(parts[2]) : std::string_view{};
  const Catalog::Group* group = core || other ? catalog.group(group_name) : nullptr;
  const Catalog::Version* version = group == nullptr ? nullptr : catalog.version(group_name, parts.back());
  if (version == nullptr || (other && group_name.empty())) return plain(404, "404 page not found\n");
  const bool as_protobuf = accepts_protobuf_of(request, v3_requested, v3_sent);
  if (!as_protobuf && !accepts(request, json_type)) {
    return refuse(not_acceptable(fmt::format("{}, {}", json_type, v3_requested)));
  }
  const PagePtr page_of_json = version_page(*group, *version, false);  // its hash names the document in each encoding
  const PagePtr made = as_protobuf ? version_page(*group, *version, true) : page_of_json;
  const auto requested_hash = target.parameter("hash");
  if (requested_hash && !requested_hash->empty() && *requested_hash != page_of_json->hash) {
    http::Response moved = plain(301, "");
    moved.headers.set("Location", fmt::format("/openapi/v3/{}?hash={}", path_of(*group, *version), page_of_json->hash));
    return moved;
  }
  http::Response response = served(request, as_protobuf ? v3_sent : json_type, made->body, made->hash);
  // A document that is named by its hash never changes.
  response.headers.set("Cache-Control",
                       requested_hash && !requested_hash->empty() ? "public, immutable" : "no-cache, private");
  return response;
}

}  // namespace pintle::apiserver
