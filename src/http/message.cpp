// SPDX-License-Identifier: Apache-2.0
#include <pintle/http/message.hpp>

#include <algorithm>

#include <pintle/http/server_url.hpp>

#include "names.hpp"

namespace pintle::http {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool unreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
         c == '_' || c == '~';
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (lower(c) >= 'a' && lower(c) <= 'f') return lower(c) - 'a' + 10;
  return -1;
}

// The byte of the percent escape at the start of `text`, or -1.
int escaped_byte(std::string_view text) {
  if (text.size() < 3) return -1;
  const int high = hex_digit(text[1]);
  const int low = hex_digit(text[2]);
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

void add_parameter(std::string_view text, Target& target) {
  if (text.empty()) return;
  const std::size_t equals = text.find('=');
  const std::string_view value = equals == std::string_view::npos ? std::string_view() : text.substr(equals + 1);
  target.parameters.emplace_back(percent_decode(text.substr(0, equals), true), percent_decode(value, true));
}

}  // namespace

bool same_name(std::string_view a, std::string_view b) noexcept {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

std::optional<std::string_view> Headers::get(std::string_view name) const noexcept {
  for (const auto& [field, value] : fields_) {
    if (same_name(field, name)) return value;
  }
  return std::nullopt;
}

std::vector<std::string_view> Headers::get_all(std::string_view name) const {
  std::vector<std::string_view> values;
  for (const auto& [field, value] : fields_) {
    if (same_name(field, name)) values.emplace_back(value);
  }
  return values;
}

void Headers::set(std::string_view name, std::string value) {
  std::erase_if(fields_, [&](const auto& field) { return same_name(field.first, name); });
  add(name, std::move(value));
}

void Headers::add(std::string_view name, std::string value) { fields_.emplace_back(name, std::move(value)); }

std::string Endpoint::url() const {
  std::string url = tls ? "https://" : "http://";
  url += host_in_url(host);
  if (port != 0) url += ":" + std::to_string(port);
  return url + base_path;
}

std::string percent_encode(std::string_view text) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (unreserved(c)) {
      out += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out += {'%', digits[byte >> 4U], digits[byte & 15U]};
    }
  }
  return out;
}

std::string percent_decode(std::string_view text, bool plus_is_space) {
  const auto is_special = [&](char c) { return c == '%' || (c == '+' && plus_is_space); };
  if (std::none_of(text.begin(), text.end(), is_special)) return std::string(text);
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int byte = text[i] == '%' ? escaped_byte(text.substr(i)) : -1;
    if (byte >= 0) {
      out += static_cast<char>(byte);
      i += 2;
    } else {
      out += plus_is_space && text[i] == '+' ? ' ' : text[i];
    }
  }
  return out;
}

std::optional<std::string_view> Target::parameter(std::string_view name) const noexcept {
  for (const auto& [key, value] : parameters) {
    if (key == name) return value;
  }
  return std::nullopt;
}

Target parse_target(std::string_view target) {
  const std::size_t question = target.find('?');
  Target parsed;
  parsed.path = percent_decode(target.substr(0, question));
  std::string_view query = question == std::string_view::npos ? std::string_view() : target.substr(question + 1);
  while (!query.empty()) {
    const std::size_t end = query.find('&');
    add_parameter(query.substr(0, end), parsed);
    query = end == std::string_view::npos ? std::string_view() : query.substr(end + 1);
  }
  return parsed;
}

}  // namespace pintle::http
