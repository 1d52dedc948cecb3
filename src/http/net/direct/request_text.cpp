// SPDX-License-Identifier: Apache-2.0
#include "request_text.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <pintle/base/text.hpp>
#include <pintle/http/server_url.hpp>

#include "http/exchange.hpp"
#include "http/names.hpp"

namespace pintle::http {
namespace {

constexpr std::string_view line_end = "\r\n";

bool has_line_break(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return c == '\r' || c == '\n' || c == '\0'; });
}

constexpr std::array<bool, 256> token_characters = [] {
  std::array<bool, 256> all{};
  for (std::size_t c = '!'; c <= '~'; ++c) all[c] = true;
  for (const char c : std::string_view("(),/:;<=>?@[\\]{}\"")) all[static_cast<unsigned char>(c)] = false;
  return all;
}();

bool is_token(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return token_characters[static_cast<unsigned char>(c)]; });
}

// A server expects the port only if it is not that of the scheme.
std::string host_header(const Endpoint& endpoint) {
  const std::uint16_t usual = endpoint.tls ? 443 : 80;
  if (endpoint.port == 0 || endpoint.port == usual) return host_in_url(endpoint.host);
  return join_host_port(endpoint.host, endpoint.port);
}

bool sends_length(const Request& request) {
  const std::string& method = request.method;
  return !request.body.empty() || method == "POST" || method == "PUT" || method == "PATCH";
}

void append_header(std::string& text, std::string_view name, std::string_view value) {
  text.append(name).append(": ").append(value).append(line_end);
}

}  // namespace

Result<void> validate_request(const Request& request) {
  const auto invalid = [&](const std::string& what) {
    return fail(ErrorCode::invalid, describe(request) + ": " + what);
  };
  if (request.endpoint == nullptr) return invalid("the request has no endpoint");
  if (has_line_break(request.method) || has_line_break(request.target))
    return invalid("the request line contains a line break");
  if (!is_token(request.method)) return invalid("\"" + request.method + "\" is not a method");
  if (!request.target.starts_with('/') || !is_visible_ascii(request.target) ||
      request.target.find('#') != std::string::npos) {
    return invalid(
        "the target must begin with \"/\", and all other characters than visible ASCII, and \"#\", must be "
        "percent-encoded");
  }
  for (const auto& [name, value] : request.headers) {
    if (has_line_break(name) || has_line_break(value))
      return invalid("the value of header " + name.substr(0, 40) + " contains a line break");
    if (!is_token(name)) return invalid("\"" + name.substr(0, 40) + "\" is not the name of a header");
  }
  return {};
}

Result<std::string> request_text(const Request& request) {
  if (auto valid = validate_request(request); !valid) return fail(std::move(valid.error()));
  std::string text;
  text.reserve(512 + request.target.size() + request.body.size());
  text.append(request.method).append(" ");
  text.append(request.endpoint->base_path).append(request.target).append(" HTTP/1.1").append(line_end);
  if (!request.headers.get("Host")) append_header(text, "Host", host_header(*request.endpoint));
  for (const auto& [name, value] : request.headers) {
    // A wrong value would block the exchange.
    if (!same_name(name, "Content-Length")) append_header(text, name, value);
  }
  if (sends_length(request)) append_header(text, "Content-Length", std::to_string(request.body.size()));
  text.append(line_end).append(request.body);
  return text;
}

}  // namespace pintle::http
