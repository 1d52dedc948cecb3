// SPDX-License-Identifier: Apache-2.0
#include "url.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <pintle/base/result.hpp>
#include <pintle/base/text.hpp>

#include "cel/library/declare.hpp"

namespace pintle::cel {
namespace {

constexpr std::string_view unreserved_marks = "-_.~";

bool is_letter_of_url(char c) noexcept { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit_of_url(char c) noexcept { return c >= '0' && c <= '9'; }
bool is_unreserved(char c) noexcept {
  return is_letter_of_url(c) || is_digit_of_url(c) || unreserved_marks.find(c) != std::string_view::npos;
}

int hex_of_url(char c) noexcept {
  if (is_digit_of_url(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool is_escape(std::string_view text) noexcept {
  return text.size() >= 3 && hex_of_url(text[1]) >= 0 && hex_of_url(text[2]) >= 0;
}

Result<std::string> unescape(std::string_view text, bool plus_is_space = false) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += plus_is_space && text[i] == '+' ? ' ' : text[i];
      continue;
    }
    if (!is_escape(text.substr(i))) return failure(fmt::format("invalid URL escape \"{}\"", text.substr(i, 3)));
    out += static_cast<char>(hex_of_url(text[i + 1]) * 16 + hex_of_url(text[i + 2]));
    i += 2;
  }
  return out;
}

// Returns the path as it is if it contains only characters of paths and escapes; otherwise escapes all of it anew.
Result<std::string> escaped_path(std::string_view path) {
  auto plain = unescape(path);
  if (!plain) return plain;
  constexpr std::string_view allowed = "!$&'()*+,;=:@[]%/";
  const bool is_escaped =
      std::ranges::all_of(path, [&](char c) { return is_unreserved(c) || allowed.find(c) != std::string_view::npos; });
  if (is_escaped) return std::string(path);
  constexpr std::string_view kept = "$&+,/:;=@";
  std::string out;
  for (const char c : *plain) {
    if (is_unreserved(c) || kept.find(c) != std::string_view::npos) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

bool is_optional_port(std::string_view text) noexcept {
  return text.empty() || (text.front() == ':' && std::ranges::all_of(text.substr(1), is_digit_of_url));
}

Result<std::string> unescape_host(std::string_view host) {
  constexpr std::string_view allowed = "!$&'()*+,;=:[]<>\"%";
  for (const char c : host) {
    const bool is_ascii = static_cast<unsigned char>(c) < 0x80U;
    if (is_ascii && !is_unreserved(c) && allowed.find(c) == std::string_view::npos) {
      return failure(fmt::format("invalid character \"{}\" in host name", c));
    }
  }
  for (auto at = host.find('%'); at != std::string_view::npos; at = host.find('%', at + 1)) {
    const auto escape = host.substr(at, 3);
    // A host can only escape bytes that are not ASCII, and the percent of a zone.
    if (!is_escape(escape) || (hex_of_url(escape[1]) < 8 && escape != "%25")) {
      return failure(fmt::format("invalid URL escape \"{}\"", escape));
    }
  }
  return unescape(host);
}

Result<std::string> parse_host(std::string_view host) {
  std::string_view port;
  if (host.starts_with('[')) {
    const auto end = host.rfind(']');
    if (end == std::string_view::npos) return failure("missing ']' in host");
    port = host.substr(end + 1);
  } else if (const auto colon = host.rfind(':'); colon != std::string_view::npos) {
    port = host.substr(colon);
  }
  if (!is_optional_port(port)) return failure(fmt::format("invalid port \"{}\" after host", port));
  return unescape_host(host);
}

Result<void> parse_authority(std::string_view authority, Url& out) {
  if (const auto at = authority.rfind('@'); at != std::string_view::npos) {
    constexpr std::string_view allowed = "-._:~!$&'()*+,;=%@";
    const auto user = authority.substr(0, at);
    const bool is_valid = std::ranges::all_of(user, [&](char c) {
      return is_letter_of_url(c) || is_digit_of_url(c) || allowed.find(c) != std::string_view::npos;
    });
    if (!is_valid) return failure("net/url: invalid userinfo");
    auto plain = unescape(user);
    if (!plain) return fail(std::move(plain.error()));
    out.user = *std::move(plain);
    authority.remove_prefix(at + 1);
  }
  auto host = parse_host(authority);
  if (!host) return fail(std::move(host.error()));
  out.host = *std::move(host);
  return {};
}

// Splits off the scheme. The rest is the whole text if there is none.
Result<std::string> take_scheme(std::string_view& rest) {
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const char c = rest[i];
    if (is_letter_of_url(c)) continue;
    if (is_digit_of_url(c) || c == '+' || c == '-' || c == '.') {
      if (i == 0) return std::string();
      continue;
    }
    if (c != ':') return std::string();
    if (i == 0) return failure("missing protocol scheme");
    auto scheme = to_lower_ascii(rest.substr(0, i));
    rest.remove_prefix(i + 1);
    return scheme;
  }
  return std::string();
}

void take_query(std::string_view& rest, Url& out) {
  const auto mark = rest.find('?');
  if (mark == std::string_view::npos) return;
  out.has_query = true;
  out.query = rest.substr(mark + 1);
  rest = rest.substr(0, mark);
}

Result<void> parse_parts(std::string_view text, bool is_request, Url& out) {
  const bool has_control =
      std::ranges::any_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x20U || c == 0x7f; });
  if (has_control) return failure("net/url: invalid control character in URL");
  if (text.empty() && is_request) return failure("empty url");
  if (text == "*") {
    out.path = "*";
    return {};
  }
  auto scheme = take_scheme(text);
  if (!scheme) return fail(std::move(scheme.error()));
  out.scheme = *std::move(scheme);
  take_query(text, out);
  if (!text.starts_with('/')) {
    if (!out.scheme.empty()) {
      out.opaque = text;
      return {};
    }
    if (is_request) return failure("invalid URI for request");
    if (text.substr(0, text.find('/')).find(':') != std::string_view::npos) {
      return failure("first path segment in URL cannot contain colon");
    }
  }
  if ((!out.scheme.empty() || (!is_request && !text.starts_with("///"))) && text.starts_with("//")) {
    const auto slash = std::min(text.find('/', 2), text.size());
    if (auto parsed = parse_authority(text.substr(2, slash - 2), out); !parsed) return parsed;
    text.remove_prefix(slash);
  }
  auto path = escaped_path(text);
  if (!path) return fail(std::move(path.error()));
  out.path = *std::move(path);
  return {};
}

Result<void> parse_named(std::string_view text, std::string_view part, bool is_request, Url& out) {
  auto parsed = parse_parts(part, is_request, out);
  if (!parsed) parsed.error().message = fmt::format("parse \"{}\": {}", text, parsed.error().message);
  return parsed;
}

}  // namespace

std::string Url::hostname() const {
  std::string_view name = host;
  const auto colon = name.rfind(':');
  if (colon != std::string_view::npos && is_optional_port(name.substr(colon))) name = name.substr(0, colon);
  if (name.starts_with('[') && name.ends_with(']')) name = name.substr(1, name.size() - 2);
  return std::string(name);
}

std::string Url::port() const {
  const auto colon = host.rfind(':');
  if (colon == std::string::npos || !is_optional_port(std::string_view(host).substr(colon))) return {};
  return host.substr(colon + 1);
}

std::vector<std::pair<std::string, std::string>> Url::parameters() const {
  std::vector<std::pair<std::string, std::string>> out;
  std::string_view rest = query;
  while (!rest.empty()) {
    const auto end = std::min(rest.find('&'), rest.size());
    const auto pair = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (pair.empty() || pair.find(';') != std::string_view::npos) continue;
    const auto equals = std::min(pair.find('='), pair.size());
    auto name = unescape(pair.substr(0, equals), true);
    auto value = unescape(pair.substr(std::min(equals + 1, pair.size())), true);
    if (name && value) out.emplace_back(*std::move(name), *std::move(value));
  }
  return out;
}

Result<void> check_request_url(std::string_view text) {
  Url url;
  return parse_named(text, text, true, url);
}

Result<Url> parse_url(std::string_view text) {
  if (auto checked = check_request_url(text); !checked) return fail(std::move(checked.error()));
  Url url;
  const auto mark = text.find('#');
  if (mark != std::string_view::npos) {
    auto fragment = unescape(text.substr(mark + 1));
    if (!fragment) return failure(fmt::format("parse \"{}\": {}", text, fragment.error().message));
    url.fragment = *std::move(fragment);
  }
  if (auto parsed = parse_named(text, text.substr(0, mark), false, url); !parsed)
    return fail(std::move(parsed.error()));
  return url;
}

}  // namespace pintle::cel
