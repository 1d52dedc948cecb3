// SPDX-License-Identifier: Apache-2.0
// Responses with JSON for pages.
#pragma once

#include <string>
#include <utility>

#include <pintle/base/utf8.hpp>
#include <pintle/http/handler.hpp>
#include <pintle/json/value.hpp>

namespace pintle {

// Invalid UTF-8 in texts, for example in errors of other programs, is replaced.
inline http::Response json_page(int status, const json::Value& value) {
  std::string body = json::print(value) + "\n";
  sanitize_utf8_in_place(body);
  return {.status = status, .headers = {{"Content-Type", "application/json"}}, .body = std::move(body)};
}

inline http::Response json_error(int status, std::string message) {
  return json_page(status, json::object{{"error", std::move(message)}});
}

}  // namespace pintle
