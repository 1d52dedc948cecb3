// SPDX-License-Identifier: Apache-2.0
#include "errors.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <pintle/json/document.hpp>
#include <pintle/json/reader.hpp>
#include <pintle/object/protobuf.hpp>

namespace pintle {

namespace {

struct ByReason {
  std::string_view reason;
  ErrorCode code;
};

constexpr std::array codes_by_reason{
    ByReason{"NotFound", ErrorCode::not_found},
    ByReason{"AlreadyExists", ErrorCode::already_exists},
    ByReason{"Conflict", ErrorCode::conflict},
    ByReason{"Invalid", ErrorCode::invalid},
    ByReason{"BadRequest", ErrorCode::invalid},
    ByReason{"RequestEntityTooLarge", ErrorCode::invalid},
    ByReason{"Unauthorized", ErrorCode::unauthorized},
    ByReason{"Forbidden", ErrorCode::forbidden},
    ByReason{"Gone", ErrorCode::expired},
    ByReason{"Expired", ErrorCode::expired},
    ByReason{"TooManyRequests", ErrorCode::too_many_requests},
    ByReason{"Timeout", ErrorCode::timeout},
    ByReason{"ServerTimeout", ErrorCode::timeout},
    ByReason{"MethodNotAllowed", ErrorCode::unsupported},
    ByReason{"NotAcceptable", ErrorCode::unsupported},
    ByReason{"UnsupportedMediaType", ErrorCode::unsupported},
    ByReason{"InternalError", ErrorCode::unavailable},
    ByReason{"ServiceUnavailable", ErrorCode::unavailable},
};

ErrorCode code_of_status(int status) {
  switch (status) {
    case 400:
    case 413:
    case 422: return ErrorCode::invalid;
    case 401: return ErrorCode::unauthorized;
    case 403: return ErrorCode::forbidden;
    case 404: return ErrorCode::not_found;
    case 405:
    case 406:
    case 415:
    case 501: return ErrorCode::unsupported;
    case 408:
    case 504: return ErrorCode::timeout;
    case 409: return ErrorCode::conflict;
    case 410: return ErrorCode::expired;
    case 429: return ErrorCode::too_many_requests;
    default: return status >= 500 ? ErrorCode::unavailable : ErrorCode::unknown;
  }
}

ErrorCode code_of(std::string_view reason, int status) {
  const auto found = std::ranges::find(codes_by_reason, reason, &ByReason::reason);
  return found == codes_by_reason.end() ? code_of_status(status) : found->code;
}

std::optional<Duration> seconds(std::int64_t count) {
  constexpr std::int64_t max_pause = 1'000'000'000;  // 31 years; a larger number is invalid and would overflow
  if (count < 0 || count > max_pause) return std::nullopt;
  return std::chrono::seconds(count);
}

// Supports seconds only: API servers send no dates, and a date would require synchronized clocks.
std::optional<Duration> retry_after_of(const http::Headers& headers) {
  const auto text = headers.get("Retry-After");
  if (!text) return std::nullopt;
  std::int64_t count = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), count);
  if (error != std::errc{} || end != text->data() + text->size()) return std::nullopt;
  return seconds(count);
}

// Returns `text` on one line.
std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const bool is_break = static_cast<unsigned char>(c) < ' ' || c == '\x7f';
    if (!is_break) {
      line.push_back(c);
    } else if (!line.empty() && line.back() != ' ') {
      line.push_back(' ');
    }
  }
  while (line.ends_with(' ')) line.pop_back();
  return line;
}

// Returns the beginning of a body that is not a Status, for example of a proxy, a health endpoint or another kind of
// server.
std::string excerpt(std::string_view body) {
  constexpr std::size_t limit = 200;
  const std::size_t begin = body.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return "no text";
  body.remove_prefix(begin);
  if (body.starts_with('<')) return "a web page, probably of a proxy; check the address and the proxy settings";
  std::size_t end = std::min(body.size(), limit);
  while (end < body.size() && end > 0 && (static_cast<unsigned char>(body[end]) & 0xc0U) == 0x80U) --end;
  return "\"" + one_line(body.substr(0, end)) + (end < body.size() ? "…\"" : "\"");
}

std::vector<StatusCause> causes_of(json::View details) {
  std::vector<StatusCause> causes;
  for (const json::View cause : details.member("causes").elements()) {
    causes.push_back({.reason = std::string(cause.member("reason").text()),
                      .message = one_line(cause.member("message").text()),
                      .field = std::string(cause.member("field").text())});
  }
  return causes;
}

// Reason of the cause that marks a response that is not about an object; client-go uses the same name.
constexpr std::string_view unexpected = "UnexpectedServerResponse";

Error from_status(json::View status, int http_status) {
  const int code = static_cast<int>(std::clamp<std::int64_t>(status.member("code").as_integer().value_or(0), 0, 999));
  const std::string_view reason = status.member("reason").text();
  const json::View details = status.member("details");
  const int effective = code != 0 ? code : http_status;
  Error error = make_error(code_of(reason, effective), one_line(status.member("message").text()));
  error.http_status = effective;
  error.reason = reason;
  error.causes = causes_of(details);
  // A 404 that names no object means that the path does not exist: the server does not serve the kind.
  if (effective == 404 && details.member("name").text().empty())
    error.causes.push_back({.reason = std::string(unexpected)});
  if (const auto wait = details.member("retryAfterSeconds").as_integer(); wait && *wait > 0) {
    error.retry_after = seconds(*wait);
  }
  if (error.message.empty())
    error.message = "the server responded with " + std::to_string(effective) + " and no message";
  return error;
}

Error from_text(int http_status, std::string_view body) {
  Error error = make_error(code_of_status(http_status),
                           "the server responded with " + std::to_string(http_status) + ": " + excerpt(body));
  error.http_status = http_status;
  error.causes.push_back({.reason = std::string(unexpected), .message = excerpt(body)});
  return error;
}

}  // namespace

bool is_path_not_found(const Error& error) {
  return error.http_status == 404 && !error.causes.empty() && error.causes.back().reason == unexpected;
}

bool is_failed_patch_test(const Error& error) {
  return error.http_status == 422 && error.causes.empty() && error.message == failed_patch;
}

Error error_from_response(int http_status, const http::Headers& headers, std::string_view body) {
  // A server also sends the Status of an error in protobuf if the request accepts it.
  json::Reader reader({.messages = body.starts_with("k8s") ? &protobuf_types() : nullptr});
  (void)reader.add(body);  // finish() returns the same error
  const auto document = reader.finish();
  const bool is_status = document && document->root().member("kind") == "Status";
  Error error = is_status ? from_status(document->root(), http_status) : from_text(http_status, body);
  if (const auto wait = retry_after_of(headers)) error.retry_after = wait;
  return error;
}

}  // namespace pintle
