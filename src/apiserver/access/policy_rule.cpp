// SPDX-License-Identifier: Apache-2.0
#include "policy_rule.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace pintle::apiserver {
namespace {

using Texts = std::vector<std::string>;

bool contains(const Texts& texts, std::string_view text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

bool contains_all(const Texts& texts, const Texts& wanted) {
  return std::all_of(wanted.begin(), wanted.end(), [&](const std::string& text) { return contains(texts, text); });
}

Texts texts_of(json::View list) {
  Texts out;
  for (const json::View text : list.elements()) out.emplace_back(text.text());
  return out;
}

bool matches_resource(const Texts& resources, const Action& action) {
  const std::string whole = action.subresource.empty() ? action.resource : action.resource + "/" + action.subresource;
  return contains(resources, "*") || contains(resources, whole) ||
         (!action.subresource.empty() && contains(resources, "*/" + action.subresource));
}

// A URL in a rule matches itself, and with a final '*' each path with the prefix before it.
bool matches_url(std::string_view pattern, std::string_view path) {
  if (pattern == path) return true;
  if (!pattern.ends_with('*')) return false;
  while (pattern.ends_with('*')) pattern.remove_suffix(1);
  return path.starts_with(pattern);
}

bool covers_resource(const Texts& held, const std::string& wanted) {
  if (contains(held, "*") || contains(held, wanted)) return true;
  const std::size_t slash = wanted.find('/');
  return slash != std::string::npos && contains(held, "*" + wanted.substr(slash));
}

bool covers(const PolicyRule& held, const PolicyRule& part) {
  const auto covers_url = [&](const std::string& url) {
    return std::any_of(held.urls.begin(), held.urls.end(),
                       [&](const std::string& pattern) { return matches_url(pattern, url); });
  };
  const bool covers_names = held.names.empty() || (!part.names.empty() && contains_all(held.names, part.names));
  return (contains(held.verbs, "*") || contains_all(held.verbs, part.verbs)) &&
         (contains(held.groups, "*") || contains_all(held.groups, part.groups)) &&
         std::all_of(part.resources.begin(), part.resources.end(),
                     [&](const std::string& resource) { return covers_resource(held.resources, resource); }) &&
         covers_names && std::all_of(part.urls.begin(), part.urls.end(), covers_url);
}

// Splits a rule into rules with one verb on one resource, name or URL.
void split_rule(const PolicyRule& rule, PolicyRules& out) {
  for (const std::string& group : rule.groups) {
    for (const std::string& resource : rule.resources) {
      for (const std::string& verb : rule.verbs) {
        if (rule.names.empty()) out.push_back({.verbs = {verb}, .groups = {group}, .resources = {resource}});
        for (const std::string& name : rule.names) {
          out.push_back({.verbs = {verb}, .groups = {group}, .resources = {resource}, .names = {name}});
        }
      }
    }
  }
  for (const std::string& url : rule.urls) {
    for (const std::string& verb : rule.verbs) out.push_back({.verbs = {verb}, .urls = {url}});
  }
}

void append_list(std::string& out, std::string_view name, const Texts& texts) {
  if (texts.empty()) return;
  if (out.size() > 1) out += ", ";
  out += name;
  out += ":[";
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (i > 0) out += " ";
    out += json::print(json::Value(texts[i]));
  }
  out += "]";
}

}  // namespace

PolicyRule PolicyRule::from_json(json::View rule) {
  return {.verbs = texts_of(rule.member("verbs")),
          .groups = texts_of(rule.member("apiGroups")),
          .resources = texts_of(rule.member("resources")),
          .names = texts_of(rule.member("resourceNames")),
          .urls = texts_of(rule.member("nonResourceURLs"))};
}

bool PolicyRule::allows(const Action& action) const {
  if (!contains(verbs, "*") && !contains(verbs, action.verb)) return false;
  if (!action.is_resource) {
    return std::any_of(urls.begin(), urls.end(), [&](const std::string& url) { return matches_url(url, action.path); });
  }
  return (contains(groups, "*") || contains(groups, action.group)) && matches_resource(resources, action) &&
         (names.empty() || contains(names, action.name));
}

std::string PolicyRule::text() const {
  std::string out = "{";
  append_list(out, "APIGroups", groups);
  append_list(out, "Resources", resources);
  append_list(out, "NonResourceURLs", urls);
  append_list(out, "ResourceNames", names);
  append_list(out, "Verbs", verbs);
  return out + "}";
}

PolicyRules parse_policy_rules(json::View rules) {
  PolicyRules out;
  for (const json::View rule : rules.elements()) out.push_back(PolicyRule::from_json(rule));
  return out;
}

PolicyRules missing_rules(const PolicyRules& held, const PolicyRules& wanted) {
  PolicyRules parts;
  for (const PolicyRule& rule : wanted) split_rule(rule, parts);
  PolicyRules out;
  for (PolicyRule& part : parts) {
    if (std::any_of(held.begin(), held.end(), [&](const PolicyRule& rule) { return covers(rule, part); })) continue;
    const auto same = std::find_if(out.begin(), out.end(), [&](const PolicyRule& other) {
      return part.urls.empty() && part.names.empty() && other.names.empty() && other.groups == part.groups &&
             other.resources == part.resources;
    });
    if (same == out.end()) {
      out.push_back(std::move(part));
    } else {
      same->verbs.push_back(std::move(part.verbs.front()));
    }
  }
  return out;
}

}  // namespace pintle::apiserver
