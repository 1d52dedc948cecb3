// SPDX-License-Identifier: Apache-2.0
#include "new/names.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include <fmt/format.h>

#include <pintle/base/nearest_name.hpp>
#include <pintle/base/text.hpp>
#include <pintle/object/kind.hpp>

#include "gen_names.hpp"

namespace pintle::tools {
namespace {

// Names are also parts of longer ones, such as "NAME-metrics-reader".
constexpr std::size_t max_project_name = 50;
constexpr std::size_t max_label = 63;
constexpr std::size_t max_crd_name = 253;

constexpr std::array<std::string_view, 7> patterns{"plain",   "crud",    "external", "phased",
                                                   "watcher", "service", "guard"};

// Targets of CMake and of the new project, and pintle itself.
constexpr std::array<std::string_view, 13> reserved_targets{
    "all",       "clean",   "default_target", "edit_cache", "help",          "install", "list_install_components",
    "manifests", "package", "package_source", "pintle",     "rebuild_cache", "test"};
// YAML parsers read these as other types.
constexpr std::array<std::string_view, 10> yaml_words{"n",    "no",    "null", "off", "on",
                                                      "true", "false", "y",    "yes", "nan"};
// Macros of the standard library, members of the struct of a kind, the kind of `kubectl get` output, and members of the
// class of a test: in the class that a project derives from it, they hide the kind.
constexpr std::array<std::string_view, 12> reserved_kinds{"BUFSIZ", "EOF",   "INFINITY", "List",   "NAN",      "NULL",
                                                          "SetUp",  "Setup", "Spec",     "Status", "TearDown", "Test"};
// The same for the classes that a project derives from those of its pattern.
constexpr std::array<std::string_view, 3> reserved_in_external{"Data", "Meta", "Reconciler"};
constexpr std::array<std::string_view, 3> reserved_in_phased{"Data", "K8sPhaseReconciler", "ListPhase"};

bool is_small(char c) { return c >= 'a' && c <= 'z'; }
bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
bool is_decimal(char c) { return c >= '0' && c <= '9'; }

bool is_dns_label(std::string_view text) {
  const auto is_inner = [](char c) { return is_small(c) || is_decimal(c) || c == '-'; };
  return !text.empty() && text.size() <= max_label && std::ranges::all_of(text, is_inner) && text.front() != '-' &&
         text.back() != '-';
}

bool contains(std::span<const std::string_view> list, std::string_view name) {
  return std::ranges::find(list, name) != list.end();
}

// Returns whether CMake and git take the text as it is.
bool is_plain_argument(std::string_view text) {
  const bool has_special = text.find_first_of("\"\\$;") != std::string_view::npos;
  return is_visible_ascii(text) && !has_special && !text.starts_with('-');
}

auto wrong(std::string_view what) { return fail(ErrorCode::invalid, std::string(what)); }

// "example.com" is protected in Kubernetes if it is k8s.io or kubernetes.io, or below them.
bool is_protected(std::string_view group) {
  const auto is_below = [&](std::string_view domain) {
    return group == domain || (group.ends_with(domain) && group[group.size() - domain.size() - 1] == '.');
  };
  return is_below("k8s.io") || is_below("kubernetes.io");
}

}  // namespace

Result<void> check_project_name(std::string_view name) {
  if (!is_dns_label(name) || !is_small(name.front()) || name.size() > max_project_name) {
    return wrong(
        fmt::format("must consist of a-z, 0-9 and '-', begin with a letter, end with a letter or digit, and "
                    "have at most {} characters",
                    max_project_name));
  }
  if (contains(reserved_targets, name)) return wrong("is the name of a target of CMake or of the project");
  if (contains(yaml_words, name)) return wrong("is not a string in YAML");
  if (name == "default" || name.starts_with("kube-")) return wrong("is a namespace that belongs to Kubernetes");
  return {};
}

Result<void> check_kind(std::string_view kind, std::string_view pattern) {
  const auto is_inner = [](char c) { return is_small(c) || is_capital(c) || is_decimal(c); };
  if (kind.empty() || !is_capital(kind.front()) || !std::ranges::all_of(kind, is_inner)) {
    return wrong("must begin with A-Z and consist of letters and digits, such as CronTab");
  }
  if (default_plural(kind).size() > max_label) {
    return wrong(fmt::format("is too long; its plural must have at most {} characters", max_label));
  }
  if (contains(reserved_kinds, kind) || contains(yaml_words, to_lower_ascii(kind))) {
    return wrong("has another meaning in C++, YAML or Kubernetes");
  }
  if ((pattern == "external" && contains(reserved_in_external, kind)) ||
      (pattern == "phased" && contains(reserved_in_phased, kind))) {
    return wrong(fmt::format("is the name of a type of the pattern {}", pattern));
  }
  return {};
}

Result<void> check_group(std::string_view group) {
  bool is_valid = group.find('.') != std::string_view::npos && group.size() + max_label + 1 <= max_crd_name;
  std::string_view rest = group;
  while (is_valid) {
    const std::size_t dot = rest.find('.');
    is_valid = is_dns_label(rest.substr(0, dot));
    if (dot == std::string_view::npos) break;
    rest.remove_prefix(dot + 1);
  }
  if (!is_valid) return wrong("must be a domain with at least one dot in lower case, such as example.com");
  if (is_protected(group)) return wrong("belongs to Kubernetes, which rejects such CRDs without an approval");
  return {};
}

Result<void> check_git_url(std::string_view url) {
  if (is_plain_argument(url)) return {};
  return wrong("must be a URL without spaces, quotes, '$', ';' and '\\', and must not begin with '-'");
}

Result<void> check_git_tag(std::string_view tag) {
  if (is_plain_argument(tag)) return {};
  return wrong(
      "must be a tag, branch or commit without spaces, quotes, '$', ';' and '\\', and must not begin with '-'");
}

std::string kind_of_project(std::string_view name) {
  for (const std::string_view suffix : {"-operator", "-controller"}) {
    if (name.ends_with(suffix)) {
      name.remove_suffix(suffix.size());
      break;
    }
  }
  return pascal_case(name);
}

std::string cpp_namespace(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (c != '-' || !out.ends_with('_')) out += c == '-' ? '_' : c;
  }
  return out.ends_with("_operator") ? out : out + "_operator";
}

std::span<const std::string_view> pattern_names() { return patterns; }

Result<void> check_pattern(std::string_view pattern) {
  if (contains(patterns, pattern)) return {};
  const std::vector<std::string> known(patterns.begin(), patterns.end());
  return wrong(fmt::format("is not one of {}{}", fmt::join(patterns, ", "), did_you_mean(pattern, known)));
}

}  // namespace pintle::tools
