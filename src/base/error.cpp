// SPDX-License-Identifier: Apache-2.0
#include <pintle/base/error.hpp>

#include <utility>

namespace pintle {

std::string_view to_string(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::unknown: return "unknown";
    case ErrorCode::cancelled: return "cancelled";
    case ErrorCode::not_found: return "not_found";
    case ErrorCode::already_exists: return "already_exists";
    case ErrorCode::conflict: return "conflict";
    case ErrorCode::invalid: return "invalid";
    case ErrorCode::unauthorized: return "unauthorized";
    case ErrorCode::forbidden: return "forbidden";
    case ErrorCode::expired: return "expired";
    case ErrorCode::too_many_requests: return "too_many_requests";
    case ErrorCode::timeout: return "timeout";
    case ErrorCode::unavailable: return "unavailable";
    case ErrorCode::unreachable: return "unreachable";
    case ErrorCode::unsupported: return "unsupported";
    case ErrorCode::not_owned: return "not_owned";
  }
  return "unknown";
}

Error make_error(ErrorCode code, std::string message) {
  Error error;
  error.code = code;
  error.message = std::move(message);
  return error;
}

Error Error::terminal() const& { return Error(*this).terminal(); }

Error Error::terminal() && {
  is_terminal = true;
  return std::move(*this);
}

Error Error::with_operation(std::string what) && {
  operations.push_back(std::move(what));
  return std::move(*this);
}

std::string Error::to_string() const {
  std::string text;
  for (auto step = operations.rbegin(); step != operations.rend(); ++step) {
    text += *step;
    text += ": ";
  }
  text += message.empty() ? std::string(pintle::to_string(code)) : message;
  if (http_status != 0) {
    text += " (" + std::to_string(http_status);
    if (!reason.empty()) text += " " + reason;
    text += ")";
  }
  return text;
}

}  // namespace pintle
