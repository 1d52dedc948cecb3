// SPDX-License-Identifier: Apache-2.0
// Responses with JSON for pages.
#pragma once

#include <string>
#include <utility>

#include <pintle/base/error.hpp>
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

// A Status, as the API server responds, so that its clients show the message.
inline http::Response json_error(int status, std::string message) {
  const auto reason_of = [](int code) {
    switch (code) {
      case 400: return "BadRequest";
      case 401: return "Unauthorized";
      case 403: return "Forbidden";
      case 404: return "NotFound";
      case 405: return "MethodNotAllowed";
      case 409: return "Conflict";
      default: return "ServiceUnavailable";
    }
  };
  return json_page(status, json::object{{"kind", "Status"},
                                        {"apiVersion", "v1"},
                                        {"metadata", json::object()},
                                        {"status", "Failure"},
                                        {"message", std::move(message)},
                                        {"reason", reason_of(status)},
                                        {"code", status}});
}

// For the error of a call to the API server.
inline http::Response json_error(const Error& error) {
  const int status = error.code == ErrorCode::forbidden ? 403 : error.code == ErrorCode::not_found ? 404 : 503;
  return json_error(status, error.to_string());
}

}  // namespace pintle
