// SPDX-License-Identifier: Apache-2.0
#include "name_rules.hpp"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include <pintle/json/value.hpp>

#include "apiserver/registry/refusal.hpp"

namespace pintle::apiserver {
namespace {

constexpr std::size_t max_label_length = 63;
constexpr std::size_t max_subdomain_length = 253;
constexpr std::size_t max_port_name_length = 15;

constexpr std::string_view label_format = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
constexpr std::string_view key_format = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
constexpr std::string_view bad_key =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";

bool is_lower_letter(char c) { return c >= 'a' && c <= 'z'; }
bool is_decimal(char c) { return c >= '0' && c <= '9'; }
bool is_lower_or_decimal(char c) { return is_lower_letter(c) || is_decimal(c); }
bool is_alphanumeric(char c) { return is_lower_or_decimal(c) || (c >= 'A' && c <= 'Z'); }

// Returns whether a text is not empty, begins and ends with alphanumeric characters, and contains only these and the
// characters of `inside`.
template <class Edge>
bool has_form(std::string_view text, Edge is_edge, std::string_view inside) {
  return !text.empty() && is_edge(text.front()) && is_edge(text.back()) &&
         std::all_of(text.begin(), text.end(),
                     [&](char c) { return is_edge(c) || inside.find(c) != std::string_view::npos; });
}

bool is_dns_label(std::string_view text) { return has_form(text, is_lower_or_decimal, "-"); }

bool is_dns_subdomain(std::string_view text) {
  while (true) {
    const std::size_t dot = text.find('.');
    if (!is_dns_label(text.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    text.remove_prefix(dot + 1);
  }
}

// "must … (e.g. 'a',  or 'b', regex used for validation is '…')".
std::string with_format(std::string_view what, std::string_view format, std::initializer_list<const char*> examples) {
  std::string given;
  for (const char* example : examples) given += fmt::format("{}'{}', ", given.empty() ? "" : " or ", example);
  return fmt::format("{} (e.g. {}regex used for validation is '{}')", what, given, format);
}

std::string too_many_characters(std::size_t limit) { return fmt::format("must be no more than {} characters", limit); }
std::string too_many_bytes(std::size_t limit) { return fmt::format("must be no more than {} bytes", limit); }

std::string subdomain_format() { return fmt::format("{0}(\\.{0})*", label_format); }

// The server uses two texts about the length, depending on where a name occurs.
TextErrors errors_of_subdomain(std::string_view name, const std::string& length_error) {
  TextErrors out;
  if (name.size() > max_subdomain_length) out.push_back(length_error);
  if (!is_dns_subdomain(name)) {
    out.push_back(
        with_format("a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' "
                    "or '.', and must start and end with an alphanumeric character",
                    subdomain_format(), {"example.com"}));
  }
  return out;
}

void add_prefix_errors(std::string_view prefix, TextErrors& out) {
  if (prefix.empty()) {
    out.emplace_back("prefix part must be non-empty");
    return;
  }
  for (const std::string& error : errors_of_subdomain(prefix, too_many_bytes(max_subdomain_length))) {
    out.push_back("prefix part " + error);
  }
}

}  // namespace

TextErrors subdomain_errors(std::string_view name) {
  return errors_of_subdomain(name, too_many_characters(max_subdomain_length));
}

TextErrors dns_label_errors(std::string_view name) {
  TextErrors out;
  if (name.size() > max_label_length) out.push_back(too_many_characters(max_label_length));
  if (is_dns_label(name)) return out;
  if (is_dns_subdomain(name)) {
    out.emplace_back("must not contain dots");
  } else {
    out.push_back(
        with_format("a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', "
                    "and must start and end with an alphanumeric character",
                    label_format, {"my-name", "123-abc"}));
  }
  return out;
}

TextErrors dns1035_label_errors(std::string_view name) {
  TextErrors out;
  if (name.size() > max_label_length) out.push_back(too_many_characters(max_label_length));
  if (!is_dns_label(name) || !is_lower_letter(name.front())) {
    out.push_back(
        with_format("a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with "
                    "an alphabetic character, and end with an alphanumeric character",
                    "[a-z]([-a-z0-9]*[a-z0-9])?", {"my-name", "abc-123"}));
  }
  return out;
}

TextErrors wildcard_subdomain_errors(std::string_view name) {
  TextErrors out;
  if (name.size() > max_subdomain_length) out.push_back(too_many_characters(max_subdomain_length));
  if (!name.starts_with("*.") || !is_dns_subdomain(name.substr(2))) {
    out.push_back(
        with_format("a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, "
                    "which must consist of lower case alphanumeric characters, '-' or '.' and end with an "
                    "alphanumeric character",
                    "\\*\\." + subdomain_format(), {"*.example.com"}));
  }
  return out;
}

TextErrors label_key_errors(std::string_view key) {
  TextErrors out;
  const std::size_t slash = key.find('/');
  std::string_view name = key;
  if (slash != std::string_view::npos) {
    name = key.substr(slash + 1);
    if (name.find('/') != std::string_view::npos) {
      return {with_format(fmt::format("a valid label key {}", bad_key), key_format, {"MyName", "my.name", "123-abc"}) +
              " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"};
    }
    add_prefix_errors(key.substr(0, slash), out);
  }
  if (name.empty()) out.emplace_back("name part must be non-empty");
  if (name.size() > max_label_length) out.push_back("name part " + too_many_bytes(max_label_length));
  if (!has_form(name, is_alphanumeric, "-_.")) {
    out.push_back(with_format(fmt::format("name part {}", bad_key), key_format, {"MyName", "my.name", "123-abc"}));
  }
  return out;
}

TextErrors label_value_errors(std::string_view value) {
  TextErrors out;
  if (value.size() > max_label_length) out.push_back(too_many_bytes(max_label_length));
  if (!value.empty() && !has_form(value, is_alphanumeric, "-_.")) {
    out.push_back(
        with_format("a valid label must be an empty string or consist of alphanumeric characters, '-', '_' "
                    "or '.', and must start and end with an alphanumeric character",
                    fmt::format("({})?", key_format), {"MyValue", "my_value", "12345"}));
  }
  return out;
}

TextErrors data_key_errors(std::string_view key) {
  TextErrors out;
  if (key.size() > max_subdomain_length) out.push_back(too_many_characters(max_subdomain_length));
  const auto is_allowed = [](char c) { return is_alphanumeric(c) || c == '-' || c == '_' || c == '.'; };
  if (key.empty() || !std::all_of(key.begin(), key.end(), is_allowed)) {
    out.push_back(with_format("a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
                              "[-._a-zA-Z0-9]+", {"key.name", "KEY_NAME", "key-name"}));
  }
  if (key == "." || key == "..") {
    out.push_back(fmt::format("must not be '{}'", key));
  } else if (key.starts_with("..")) {
    out.emplace_back("must not start with '..'");
  }
  return out;
}

TextErrors port_name_errors(std::string_view name) {
  TextErrors out;
  if (name.size() > max_port_name_length) out.push_back(too_many_characters(max_port_name_length));
  const auto is_allowed = [](char c) { return is_lower_or_decimal(c) || c == '-'; };
  if (name.empty() || !std::all_of(name.begin(), name.end(), is_allowed)) {
    out.emplace_back("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
  }
  if (std::none_of(name.begin(), name.end(), is_lower_letter)) {
    out.emplace_back("must contain at least one letter (a-z)");
  }
  if (name.find("--") != std::string_view::npos) out.emplace_back("must not contain consecutive hyphens");
  if (name.starts_with('-') || name.ends_with('-')) out.emplace_back("must not begin or end with a hyphen");
  return out;
}

TextErrors header_name_errors(std::string_view name) {
  const auto is_allowed = [](char c) { return is_alphanumeric(c) || c == '-'; };
  if (!name.empty() && std::all_of(name.begin(), name.end(), is_allowed)) return {};
  return {with_format("a valid HTTP header must consist of alphanumeric characters or '-'", "[-A-Za-z0-9]+",
                      {"X-Header-Name"})};
}

TextErrors variable_name_errors(std::string_view name) {
  if (name.empty()) return {"environment variable name must be non-empty"};
  if (std::all_of(name.begin(), name.end(), [](char c) { return c >= ' ' && c <= '~' && c != '='; })) return {};
  return {"a valid environment variable name must consist only of printable ASCII characters other than '='"};
}

TextErrors percent_errors(std::string_view text) {
  const std::string_view digits = text.substr(0, text.empty() ? 0 : text.size() - 1);
  if (text.ends_with('%') && !digits.empty() && std::all_of(digits.begin(), digits.end(), is_decimal)) return {};
  return {with_format("a valid percent string must be a numeric string followed by an ending '%'", "[0-9]+%",
                      {"1%", "93%"})};
}

TextErrors range_errors(std::int64_t value, std::int64_t lowest, std::int64_t highest) {
  if (value >= lowest && value <= highest) return {};
  return {fmt::format("must be between {} and {}, inclusive", lowest, highest)};
}

TextErrors port_errors(std::int64_t port) {
  constexpr std::int64_t highest_port = 65535;
  return range_errors(port, 1, highest_port);
}

void add_errors(const std::string& field, std::string_view text, const TextErrors& errors,
                std::vector<StatusCause>& causes) {
  for (const std::string& error : errors) causes.push_back(invalid_value(field, json::Value(text), error));
}

void add_errors(const std::string& field, std::int64_t value, const TextErrors& errors,
                std::vector<StatusCause>& causes) {
  for (const std::string& error : errors) causes.push_back(invalid_value(field, json::Value(value), error));
}

}  // namespace pintle::apiserver
