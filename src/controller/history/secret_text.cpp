// SPDX-License-Identifier: Apache-2.0
#include "secret_text.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

#include <pintle/base/text.hpp>

#include "client/secret_data.hpp"

namespace pintle {
namespace {

constexpr std::size_t max_searched = std::size_t{8} << 10U;  // far more than is shown
constexpr std::size_t min_token = 16;
constexpr std::string_view spaces = " \t";
constexpr std::string_view quotes = "\"'`\\";  // the backslash of JSON in a JSON string
constexpr std::string_view value_ends = " \t\r\n\"'`\\&;,";

constexpr bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}
constexpr bool is_of_name(char c) { return is_letter_or_digit(c) || c == '-' || c == '_' || c == '.'; }
constexpr bool is_of_token(char c) { return is_of_name(c) || c == '~' || c == '+' || c == '/' || c == '='; }

bool contains_any(std::string_view text, const auto& parts) {
  return std::any_of(parts.begin(), parts.end(), [&](std::string_view one) { return text.find(one) != text.npos; });
}

bool ends_with_any(std::string_view text, const auto& ends) {
  return std::any_of(ends.begin(), ends.end(), [&](std::string_view one) { return text.ends_with(one); });
}

// Returns the characters from `at` as long as they fulfil the condition.
std::string_view run_at(std::string_view text, std::size_t at, bool (*is_part)(char)) {
  const std::string_view rest = text.substr(std::min(at, text.size()));
  return rest.substr(0, static_cast<std::size_t>(std::find_if_not(rest.begin(), rest.end(), is_part) - rest.begin()));
}

// Calls the function with each position of the part, until it returns true.
bool any_place_of(std::string_view part, std::string_view text, const auto& function) {
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) {
    if (function(at)) return true;
  }
  return false;
}

// Returns whether a word of prose is unlikely to look like this.
bool looks_encoded(std::string_view token) {
  if (token.size() < 8) return false;
  return std::any_of(token.begin() + 1, token.end(),
                     [](char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || c == '='; });
}

// The name in front of a "=" or ":", and the value behind it.
struct Pair {
  std::string_view name{};
  std::string_view value{};
  std::string_view before{};  // the text in front of the name
  std::string_view after{};   // the text behind "=" or ":"
  bool is_quoted = false;     // the name
};

Pair pair_at(std::string_view text, std::size_t at) {
  Pair pair{.after = text.substr(at + 1)};
  std::size_t end = at;
  while (end > 0 && spaces.find(text[end - 1]) != spaces.npos) --end;
  while (end > 0 && quotes.find(text[end - 1]) != quotes.npos) {
    --end;
    pair.is_quoted = true;
  }
  std::size_t begin = end;
  while (begin > 0 && is_of_name(text[begin - 1])) --begin;
  pair.name = text.substr(begin, end - begin);
  pair.before = text.substr(0, begin);
  std::size_t value = std::min(pair.after.find_first_not_of(spaces), pair.after.size());
  while (value < pair.after.size() && quotes.find(pair.after[value]) != quotes.npos) ++value;
  pair.value = pair.after.substr(value, pair.after.find_first_of(value_ends, value) - value);
  return pair;
}

bool is_open_value(std::string_view value) {
  constexpr std::array<std::string_view, 4> open{"true", "false", "null", "none"};
  return std::find(open.begin(), open.end(), to_lower_ascii(value)) != open.end();
}

// "a: b" is only a value where a line of a configuration file or a header begins, otherwise it is prose.
bool begins_a_line(const Pair& pair) {
  if (pair.is_quoted) return true;
  const std::size_t last = pair.before.find_last_not_of(spaces);
  return last == pair.before.npos || std::string_view("\n\r{,-\"'`").find(pair.before[last]) != std::string_view::npos;
}

// The value is in the lines below, as a list or map of YAML. References to secrets are lists.
bool has_secret_lines_below(const Pair& pair) {
  if (!is_secret_name(pair.name) || to_lower_ascii(pair.name).ends_with("secrets")) return false;
  const std::size_t next = pair.after.find_first_not_of(" \t\r");
  return next != pair.after.npos && pair.after[next] == '\n' &&
         pair.after.find_first_not_of("\r\n", next) != pair.after.npos;
}

bool is_secret_pair(std::string_view text, std::size_t at) {
  const Pair pair = pair_at(text, at);
  if (pair.name.empty() || pair.after.starts_with('=')) return false;
  if (text[at] == ':') {
    if (!begins_a_line(pair)) return false;
    if (has_secret_lines_below(pair)) return true;
    const bool is_list_of_names = pair.value.starts_with('[') || pair.value.starts_with('{');
    if (is_list_of_names && to_lower_ascii(pair.name).ends_with("secrets")) return false;
  }
  if (to_lower_ascii(pair.name) == "auth" && looks_encoded(pair.value)) return true;  // of a registry
  return is_secret_option(pair.name, pair.value) && !is_open_value(pair.value);
}

// "--password a" within a command.
bool is_secret_word(std::string_view text, std::size_t at) {
  if (at > 0 && is_of_name(text[at - 1])) return false;
  const std::string_view option = run_at(text, at, is_of_name);
  const std::string_view rest = text.substr(at + option.size());
  const std::size_t value = rest.find_first_not_of(spaces);
  if (value == 0 || value == rest.npos || rest[value] == '-') return false;
  const std::size_t begin = std::min(rest.find_first_not_of(quotes, value), rest.size());
  return is_secret_option(option, rest.substr(begin, rest.find_first_of(value_ends, begin) - begin));
}

bool has_credentials(std::string_view text) {
  const std::string lower = to_lower_ascii(text);
  for (const std::string_view scheme : {"bearer ", "basic "}) {
    const bool found = any_place_of(scheme, lower, [&](std::size_t at) {
      if (at > 0 && is_of_name(lower[at - 1])) return false;
      const std::string_view token = run_at(text, at + scheme.size(), is_of_token);
      return looks_encoded(token) || token.size() >= min_token;
    });
    if (found) return true;
  }
  return false;
}

bool has_token(std::string_view text) {
  constexpr std::array<std::string_view, 9> prefixes{"ghp_",   "gho_",  "ghu_",  "ghs_",       "ghr_",
                                                     "glpat-", "xoxb-", "xoxp-", "github_pat_"};
  for (const std::string_view prefix : prefixes) {
    if (any_place_of(prefix, text, [&](std::size_t at) { return run_at(text, at, is_of_name).size() >= min_token; })) {
      return true;
    }
  }
  return any_place_of("eyJ", text, [&](std::size_t at) {
    const std::string_view token = run_at(text, at, is_of_name);
    return token.size() > 40 && std::count(token.begin(), token.end(), '.') >= 2;
  });
}

bool has_url_with_secret(std::string_view text) {
  return any_place_of("://", text, [&](std::size_t at) {
    const std::string_view authority = text.substr(at + 3, text.find_first_of("/ ?#\"'\r\n", at + 3) - at - 3);
    const std::string_view user = authority.substr(0, std::min(authority.rfind('@'), authority.size()));
    return user.size() < authority.size() && (user.find(':') != user.npos || user.size() >= min_token);
  });
}

}  // namespace

bool is_secret_name(std::string_view name) {
  if (name == kubectl_applied_annotation) return true;
  constexpr std::array<std::string_view, 12> parts{"password",   "passwd",           "passphrase",    "secret",
                                                   "token",      "credential",       "privatekey",    "apikey",
                                                   "kubeconfig", "connectionstring", "authorization", "keydata"};
  constexpr std::array<std::string_view, 8> references{"name",      "names",     "ref",  "refs",
                                                       "reference", "namespace", "path", "imagepullsecrets"};
  std::string plain = to_lower_ascii(name);
  std::erase_if(plain, [](char c) { return c == '-' || c == '_' || c == '.'; });
  return contains_any(plain, parts) && !ends_with_any(plain, references);
}

bool is_secret_option(std::string_view option, std::string_view value) {
  return std::all_of(option.begin(), option.end(), is_of_name) && !value.empty() && !value.starts_with('/') &&
         is_secret_name(option);
}

bool contains_secret(std::string_view text) {
  text = text.substr(0, max_searched);
  const auto is_secret_at = [&](std::size_t at) { return is_secret_pair(text, at); };
  return any_place_of("=", text, is_secret_at) || any_place_of(":", text, is_secret_at) ||
         any_place_of("--", text, [&](std::size_t at) { return is_secret_word(text, at); }) ||
         text.find("PRIVATE KEY-----") != text.npos || has_credentials(text) || has_token(text) ||
         has_url_with_secret(text);
}

}  // namespace pintle
