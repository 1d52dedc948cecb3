#include "asked_right.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace pintle::testing {
namespace {

std::vector<std::string> parts_of(std::string_view path) {
  std::vector<std::string> parts;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    if (end > 0) parts.push_back(http::percent_decode(path.substr(0, end)));
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return parts;
}

std::string verb_of(const std::string& method, bool is_named, bool is_watch) {
  if (method == "POST") return "create";
  if (method == "PUT") return "update";
  if (method == "PATCH") return "patch";
  if (method == "DELETE") return is_named ? "delete" : "deletecollection";
  if (is_named) return "get";
  return is_watch ? "watch" : "list";
}

// A list or watch of the one object of this name counts as about it.
std::string name_selected(const http::Target& target) {
  constexpr std::string_view by_name = "metadata.name=";
  const std::string_view selector = target.parameter("fieldSelector").value_or("");
  const bool is_one = selector.starts_with(by_name) && selector.find(',') == std::string_view::npos;
  return std::string(is_one ? selector.substr(by_name.size()) : "");
}

bool matches(const std::string& allowed, const std::string& asked) { return allowed == asked || allowed == "*"; }

}  // namespace

bool AskedRight::is_allowed_by(const RbacRole& role, const RbacRule& rule) const {
  const auto has = [](const std::vector<std::string>& allowed, const std::string& text) {
    return std::any_of(allowed.begin(), allowed.end(), [&](const auto& one) { return matches(one, text); });
  };
  const bool is_within = role.namespace_.empty() || role.namespace_ == namespace_;
  const bool is_named = rule.names.empty() || has(rule.names, name);
  return is_within && is_named && matches(rule.group, group) && matches(rule.resource, resource) &&
         has(rule.verbs, verb);
}

std::optional<AskedRight> right_asked_by(const http::Request& request) {
  const http::Target target = http::parse_target(request.target);
  std::vector<std::string> parts = parts_of(std::string_view(request.target).substr(0, request.target.find('?')));
  const bool is_core = !parts.empty() && parts[0] == "api";
  const std::size_t head = is_core ? 2 : 3;
  if (parts.size() <= head || (!is_core && parts[0] != "apis")) return std::nullopt;
  AskedRight asked{.group = is_core ? "" : parts[1]};
  auto next = parts.begin() + static_cast<std::ptrdiff_t>(head);
  const auto left = [&] { return parts.end() - next; };
  if (*next == "namespaces" && left() > 1) {
    asked.namespace_ = next[1];
    // namespaces/N and namespaces/N/status are about the Namespace itself.
    if (left() > 2 && next[2] != "status" && next[2] != "finalize") next += 2;
  }
  asked.resource = std::move(*next++);
  if (left() > 0) asked.name = std::move(*next++);
  if (left() > 0) asked.resource += "/" + *next;
  const std::string_view watch = target.parameter("watch").value_or("");
  asked.verb = verb_of(request.method, !asked.name.empty(), watch == "true" || watch == "1");
  if (asked.name.empty() && asked.verb != "create") asked.name = name_selected(target);
  return asked;
}

bool may_create(const http::Request& request, const AskedRight& asked) {
  return asked.verb == "patch" && asked.resource.find('/') == std::string::npos &&
         request.headers.get("Content-Type").value_or("").starts_with("application/apply-patch");
}

}  // namespace pintle::testing
