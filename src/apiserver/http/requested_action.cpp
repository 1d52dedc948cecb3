// SPDX-License-Identifier: Apache-2.0
#include "requested_action.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pintle/base/text.hpp>
#include <pintle/base/utf8.hpp>
#include <pintle/object/names.hpp>

#include "apiserver/call/call.hpp"
#include "router.hpp"

namespace pintle::apiserver {
namespace {

std::string verb_of_method(const std::string& method, bool is_named, bool is_watch) {
  if (method == "POST") return "create";
  if (method == "PUT") return "update";
  if (method == "PATCH") return "patch";
  if (method == "DELETE") return is_named ? "delete" : "deletecollection";
  if (method != "GET" && method != "HEAD") return to_lower_ascii(method);
  if (is_named) return "get";
  return is_watch ? "watch" : "list";
}

// The name that a field selector requires: "metadata.name=a", alone or beside other requirements.
std::string required_name(std::string_view selector) {
  constexpr std::string_view field = "metadata.name=";
  while (!selector.empty()) {
    const std::size_t end = std::min(selector.find(','), selector.size());
    std::string_view term = selector.substr(0, end);
    selector.remove_prefix(std::min(end + 1, selector.size()));
    if (!term.starts_with(field)) continue;
    term.remove_prefix(field.size());
    if (term.starts_with('=')) term.remove_prefix(1);
    if (!term.empty() && !names::validate_path_segment_name(term)) return std::string(term);
  }
  return "";
}

}  // namespace

Action requested_action(const http::Request& request, const http::Target& target) {
  std::vector<std::string> parts = path_parts(request.target);
  const bool is_core = !parts.empty() && parts[0] == "api";
  const std::size_t head = is_core ? 2 : 3;
  if (parts.size() <= head || (!is_core && parts[0] != "apis")) {
    const std::string_view path = std::string_view(request.target).substr(0, request.target.find('?'));
    return {.verb = to_lower_ascii(request.method),
            .is_resource = false,
            .path = sanitize_utf8(http::percent_decode(path))};
  }
  Action out{.group = is_core ? "" : parts[1]};
  auto next = parts.begin() + static_cast<std::ptrdiff_t>(head);
  const auto left = [&] { return parts.end() - next; };
  if (*next == "namespaces" && left() > 1) {
    out.namespace_ = next[1];
    // namespaces/N and namespaces/N/status address the Namespace itself.
    if (left() > 2 && next[2] != "status" && next[2] != "finalize") next += 2;
  }
  out.resource = std::move(*next++);
  if (left() > 0) out.name = std::move(*next++);
  if (left() > 0) out.subresource = std::move(*next);
  const bool is_named = !out.name.empty();
  out.verb = verb_of_method(request.method, is_named, is_set(target, "watch"));
  if (out.verb == "list" || out.verb == "watch") {
    out.name = required_name(target.parameter("fieldSelector").value_or(""));
  }
  return out;
}

}  // namespace pintle::apiserver
