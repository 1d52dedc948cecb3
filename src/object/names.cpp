// SPDX-License-Identifier: Apache-2.0
#include <pintle/object/names.hpp>

#include <algorithm>

namespace pintle::names {
namespace {

constexpr std::size_t max_label = 63;
constexpr std::size_t max_subdomain = 253;

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_lower_or_digit(char c) { return is_lower(c) || is_digit(c); }
bool is_letter_or_digit(char c) { return is_lower_or_digit(c) || (c >= 'A' && c <= 'Z'); }

std::string too_long(std::size_t limit) { return "must be at most " + std::to_string(limit) + " characters"; }

// Returns whether a text begins and ends with characters that `is_edge` accepts, and contains only these and the
// characters of `inside`.
template <class Edge>
bool is_made_of(std::string_view text, Edge is_edge, std::string_view inside) {
  return !text.empty() && is_edge(text.front()) && is_edge(text.back()) &&
         std::all_of(text.begin(), text.end(),
                     [&](char c) { return is_edge(c) || inside.find(c) != std::string_view::npos; });
}

bool is_label(std::string_view text) { return is_made_of(text, is_lower_or_digit, "-"); }

bool is_subdomain(std::string_view text) {
  while (true) {
    const std::size_t dot = text.find('.');
    if (!is_label(text.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    text.remove_prefix(dot + 1);
  }
}

ValidationError name_part_error(std::string_view name) {
  if (name.empty()) return "the name part must not be empty";
  if (name.size() > max_label) return "the name part " + too_long(max_label);
  if (is_made_of(name, is_letter_or_digit, "-_.")) return std::nullopt;
  return "the name part must consist of letters, digits, \"-\", \"_\" or \".\", and begin and end with a letter or "
         "digit";
}

}  // namespace

ValidationError validate_dns1123_subdomain(std::string_view name) {
  if (name.empty()) return "must not be empty";
  if (name.size() > max_subdomain) return too_long(max_subdomain);
  if (is_subdomain(name)) return std::nullopt;
  return "must consist of lower case letters, digits, \"-\" or \".\", and begin and end with a letter or digit, "
         "such as \"example.com\"";
}

ValidationError validate_dns1123_label(std::string_view name) {
  if (name.empty()) return "must not be empty";
  if (name.size() > max_label) return too_long(max_label);
  if (is_label(name)) return std::nullopt;
  return "must consist of lower case letters, digits or \"-\", and begin and end with a letter or digit, such as "
         "\"my-name\"";
}

ValidationError validate_dns1035_label(std::string_view name) {
  if (name.empty()) return "must not be empty";
  if (name.size() > max_label) return too_long(max_label);
  if (is_label(name) && is_lower(name.front())) return std::nullopt;
  return "must consist of lower case letters, digits or \"-\", begin with a letter and end with a letter or digit, "
         "such as \"my-name\"";
}

ValidationError validate_qualified_name(std::string_view name) {
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos) return name_part_error(name);
  if (auto error = validate_dns1123_subdomain(name.substr(0, slash))) return "the prefix part " + *error;
  if (name.find('/', slash + 1) != std::string_view::npos) return "must have at most one \"/\"";
  return name_part_error(name.substr(slash + 1));
}

ValidationError validate_finalizer_name(std::string_view name) {
  if (auto error = validate_qualified_name(name)) return error;
  if (name.find('/') != std::string_view::npos || name == "foregroundDeletion" || name == "orphan" ||
      name == "kubernetes") {
    return std::nullopt;
  }
  return "must have a prefix, such as \"example.com/cleanup\"";
}

ValidationError validate_label_value(std::string_view value) {
  if (value.size() > max_label) return too_long(max_label);
  if (value.empty() || is_made_of(value, is_letter_or_digit, "-_.")) return std::nullopt;
  return "must be empty or consist of letters, digits, \"-\", \"_\" or \".\", and begin and end with a letter or digit";
}

ValidationError validate_config_map_key(std::string_view key) {
  if (key.empty()) return "must not be empty";
  if (key.size() > max_subdomain) return too_long(max_subdomain);
  if (key == "." || key.starts_with("..")) return "must not be \".\" or begin with \"..\"";
  const bool fits = std::all_of(key.begin(), key.end(),
                                [](char c) { return is_letter_or_digit(c) || c == '-' || c == '_' || c == '.'; });
  if (fits) return std::nullopt;
  return "must consist of letters, digits, \"-\", \"_\" or \".\"";
}

ValidationError validate_path_segment_name(std::string_view name) {
  if (name.empty()) return "must not be empty";
  // The messages of kube-apiserver.
  if (name == "." || name == "..") return "may not be '" + std::string(name) + "'";
  for (const char forbidden : {'/', '%'}) {
    if (name.find(forbidden) != std::string_view::npos) return std::string("may not contain '") + forbidden + "'";
  }
  return std::nullopt;
}

std::string generate(std::string_view prefix, Random& random) {
  // No vowels, so that no words occur, and no characters that are easily confused.
  static constexpr std::string_view alphabet = "bcdfghjklmnpqrstvwxz2456789";
  constexpr std::size_t random_length = 5;
  std::string name(prefix.substr(0, max_label - random_length));
  for (std::size_t i = 0; i < random_length; ++i) name += alphabet[random.below(alphabet.size())];
  return name;
}

}  // namespace pintle::names
