// SPDX-License-Identifier: Apache-2.0
#include <pintle/client/resource_target.hpp>

#include <algorithm>

namespace pintle {

namespace {

// Removes the first segment from a path and returns it.
std::string_view take_segment(std::string_view& path) {
  if (path.empty()) return {};
  const std::size_t end = std::min(path.find('/', 1), path.size());
  const std::string_view segment = path.substr(1, end - 1);
  path.remove_prefix(end);
  return segment;
}

bool has_watch(std::string_view query) {
  while (!query.empty()) {
    const std::string_view parameter = query.substr(0, query.find('&'));
    if (parameter == "watch=1" || parameter == "watch=true" || parameter == "watch") return true;
    query.remove_prefix(std::min(parameter.size() + 1, query.size()));
  }
  return false;
}

}  // namespace

std::optional<ResourceTarget> read_resource_target(std::string_view target) {
  const std::size_t end = std::min(target.find('?'), target.size());
  const std::string_view path = target.substr(0, end);
  std::string_view rest = path;
  const std::string_view root = take_segment(rest);
  if (root != "api" && root != "apis") return std::nullopt;
  if (root == "apis") take_segment(rest);  // the group
  take_segment(rest);                      // the version
  ResourceTarget found{.group_version = path.substr(0, path.size() - rest.size()),
                       .plural = take_segment(rest),
                       .watches = end < target.size() && has_watch(target.substr(end + 1))};
  if (found.plural.empty()) return std::nullopt;
  std::string_view name = take_segment(rest);
  // /namespaces/a/pods addresses pods; /namespaces/a and /namespaces/a/status address the namespace.
  if (const std::string_view next = rest.substr(std::min<std::size_t>(1, rest.size()));
      found.plural == "namespaces" && !next.empty() && next != "status" && next != "finalize") {
    found.in_namespace = true;
    found.namespace_ = name;
    found.plural = take_segment(rest);
    name = take_segment(rest);
  }
  found.name = name;
  found.is_named = !name.empty();
  found.subresource = take_segment(rest);  // the rest of the path has no fixed form
  return found;
}

}  // namespace pintle
