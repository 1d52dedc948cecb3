// SPDX-License-Identifier: Apache-2.0
#include "new/manifests.hpp"

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <utility>
#include <vector>

#include <pintle/json/value.hpp>

namespace pintle::tools {
namespace {

constexpr std::string_view separator = "---\n";

// The texts of a list, for comparisons.
std::vector<std::string> texts(const json::Value& rule, const char* member) {
  std::vector<std::string> out;
  const auto* list = rule.as_object().if_contains(member);
  if (list == nullptr) return out;
  for (const json::Value& text : list->as_array()) out.emplace_back(text.as_string());
  return out;
}

// The order of --print-rbac, which depends on the API group of the user.
void sort_rules(json::Value& role) {
  auto* rules = role.as_object().if_contains("rules");
  if (rules == nullptr) return;
  std::ranges::stable_sort(rules->as_array(), {}, [](const json::Value& rule) {
    return std::tuple(texts(rule, "apiGroups"), texts(rule, "resourceNames"), texts(rule, "verbs"));
  });
}

}  // namespace

Result<std::string> as_printed(std::string_view yaml) {
  std::string out;
  while (!yaml.empty()) {
    if (yaml.starts_with(separator)) yaml.remove_prefix(separator.size());
    const std::size_t end = std::min(yaml.find("\n---\n"), yaml.size() - 1) + 1;
    const std::string_view text = yaml.substr(0, end);
    yaml.remove_prefix(end);
    auto document = json::parse_yaml(text);
    if (!document) return fail(std::move(document.error()));
    sort_rules(*document);
    out += separator;
    if (text.starts_with('#')) out += text.substr(0, text.find('\n') + 1);
    out += json::print_yaml(*document);
  }
  return out;
}

}  // namespace pintle::tools
