// SPDX-License-Identifier: Apache-2.0
#include "router.hpp"

#include <algorithm>
#include <utility>

#include <pintle/base/utf8.hpp>
#include <pintle/http/message.hpp>

namespace pintle::apiserver {

std::vector<std::string> path_parts(std::string_view target) {
  std::string_view path = target.substr(0, target.find('?'));
  std::vector<std::string> parts;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    if (end > 0) sanitize_utf8_in_place(parts.emplace_back(http::percent_decode(path.substr(0, end))));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return parts;
}

tl::expected<Route, RouteFault> route(const Catalog& catalog, std::vector<std::string> parts, bool core) {
  const std::size_t head = core ? 1 : 2;
  if (parts.size() < head) return tl::unexpected(RouteFault::nothing_there);
  Route out{.group = core ? "" : parts[0], .version = parts[head - 1]};
  const Catalog::Group* group = catalog.group(out.group);
  if (group == nullptr || catalog.version(out.group, out.version) == nullptr) {
    return tl::unexpected(RouteFault::nothing_there);
  }
  const RouteFault missing = group->custom ? RouteFault::nothing_there : RouteFault::no_resource;

  auto next = parts.begin() + static_cast<std::ptrdiff_t>(head);
  const auto left = [&] { return parts.end() - next; };
  if (left() == 0) return out;
  // namespaces/N and namespaces/N/status address a Namespace, namespaces/N/pods the objects in it.
  const bool about_namespace =
      *next == "namespaces" && core && (left() <= 2 || (left() == 3 && (next[2] == "status" || next[2] == "finalize")));
  if (*next == "namespaces" && !about_namespace) {
    if (left() < 3) return tl::unexpected(missing);
    out.namespace_ = std::move(next[1]);
    out.names_namespace = true;
    next += 2;
  }
  out.resource = catalog.find(out.group, out.version, *next++);
  if (out.resource == nullptr || (out.names_namespace && !out.resource->namespaced)) return tl::unexpected(missing);
  if (left() > 0) out.name = std::move(*next++);
  if (left() > 0) out.subresource = std::move(*next++);
  if (left() > 0) return tl::unexpected(missing);
  const bool is_part = out.subresource.empty() || out.resource->subresource(out.subresource) != nullptr;
  if (!is_part && !out.resource->custom) return tl::unexpected(missing);
  // The path of an object of a namespaced kind must contain its namespace.
  if (!out.name.empty() && out.resource->namespaced && !out.names_namespace) return tl::unexpected(missing);
  return out;
}

}  // namespace pintle::apiserver
