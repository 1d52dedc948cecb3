// SPDX-License-Identifier: Apache-2.0
#include <pintle/apiserver/request_info.hpp>

#include <utility>
#include <vector>

#include "apiserver/call/call.hpp"
#include "router.hpp"

namespace pintle {
namespace {

std::string plain_verb(const std::string& method, bool is_named, bool is_watch) {
  if (method == "POST") return "create";
  if (method == "PUT") return "update";
  if (method == "PATCH") return "patch";
  if (method == "DELETE") return is_named ? "delete" : "deletecollection";
  if (is_named) return "get";
  return is_watch ? "watch" : "list";
}

std::string name_selected(const http::Target& target) {
  constexpr std::string_view by_name = "metadata.name=";
  const std::string_view selector = target.parameter("fieldSelector").value_or("");
  const bool is_one = selector.starts_with(by_name) && selector.find(',') == std::string_view::npos;
  return std::string(is_one ? selector.substr(by_name.size()) : "");
}

}  // namespace

std::optional<RequestInfo> request_info(const http::Request& request) {
  const http::Target target = http::parse_target(request.target);
  std::vector<std::string> parts = apiserver::path_parts(request.target);
  const bool is_core = !parts.empty() && parts[0] == "api";
  const std::size_t head = is_core ? 2 : 3;
  if (parts.size() <= head || (!is_core && parts[0] != "apis")) return std::nullopt;
  RequestInfo info{.group = is_core ? "" : parts[1]};
  auto next = parts.begin() + static_cast<std::ptrdiff_t>(head);
  const auto left = [&] { return parts.end() - next; };
  if (*next == "namespaces" && left() > 1) {
    info.namespace_ = next[1];
    // namespaces/N and namespaces/N/status address the Namespace itself.
    if (left() > 2 && next[2] != "status" && next[2] != "finalize") next += 2;
  }
  info.resource = std::move(*next++);
  if (left() > 0) info.name = std::move(*next++);
  if (left() > 0) info.resource += "/" + *next;
  info.verb = plain_verb(request.method, !info.name.empty(), apiserver::is_set(target, "watch"));
  if (info.name.empty() && info.verb != "create") info.name = name_selected(target);
  return info;
}

}  // namespace pintle
