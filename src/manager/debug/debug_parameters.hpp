// SPDX-License-Identifier: Apache-2.0
// The parameters of requests to the debug API.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <pintle/base/result.hpp>
#include <pintle/http/message.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

// Each function has the error `invalid`, with a message for the user, if the parameter is not valid.

[[nodiscard]] inline std::string text_parameter(const http::Target& target, std::string_view name) {
  return std::string(target.parameter(name).value_or(std::string_view()));
}

[[nodiscard]] inline Result<std::size_t> limit_parameter(const http::Target& target) {
  const std::string text = text_parameter(target, "limit");
  if (text.empty()) return std::size_t{100};
  std::size_t limit = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), limit);
  if (error == std::errc() && end == text.data() + text.size() && limit >= 1 && limit <= 1000) return limit;
  return fail(ErrorCode::invalid, "limit \"" + text + "\" must be a number from 1 to 1000");
}

// Returns nothing if the parameter is missing or one of the names.
[[nodiscard]] inline Result<void> check_parameter(const http::Target& target, std::string_view name,
                                                  std::initializer_list<std::string_view> allowed) {
  const std::string text = text_parameter(target, name);
  if (text.empty() || std::find(allowed.begin(), allowed.end(), text) != allowed.end()) return {};
  std::string list;
  for (const std::string_view one : allowed) list += (list.empty() ? "" : ", ") + std::string(one);
  return fail(ErrorCode::invalid, std::string(name) + " \"" + text + "\" is not one of " + list);
}

[[nodiscard]] inline Result<ObjectKey> key_parameter(const http::Target& target) {
  const std::string text = text_parameter(target, "key");
  const std::size_t slash = text.find('/');
  ObjectKey key{.name = text};
  if (slash != std::string::npos) key = {text.substr(0, slash), text.substr(slash + 1)};
  const bool is_complete = !key.name.empty() && key.name.find('/') == std::string::npos && slash != 0;
  if (is_complete) return key;
  return fail(ErrorCode::invalid, text.empty() ? "the key is missing; set ?key=namespace/name"
                                               : "key \"" + text + "\" must be namespace/name or name");
}

}  // namespace pintle
