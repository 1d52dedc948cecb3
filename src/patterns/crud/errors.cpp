// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/crud/errors.hpp>

#include <string_view>
#include <utility>

#include <pintle/base/result.hpp>

#include "failures.hpp"

namespace pintle::crud {
namespace {

constexpr std::string_view execution_failed_reason = "ExecutionFailed";
constexpr std::string_view invalid_config_reason = "InvalidConfig";
constexpr std::string_view no_resource_set_reason = "NoResourceSet";
constexpr std::string_view loop_detected_reason = "LoopDetected";
constexpr std::string_view not_established_reason = "NotEstablished";
constexpr std::string_view name_conflict_reason = "NameConflict";

Error make_error(ErrorCode code, std::string_view reason, std::string message) {
  Error error = make_error(code, std::move(message));
  error.reason = reason;
  return error;
}

}  // namespace

// The first four errors are terminal: a retry cannot succeed before the program or the object is changed.
Error execution_failed(std::string message) {
  return make_error(ErrorCode::invalid, execution_failed_reason, std::move(message)).terminal();
}
Error invalid_config(const std::string& message) {
  return make_error(ErrorCode::invalid, invalid_config_reason, "invalid config: " + message).terminal();
}
Error no_resource_set(std::string message) {
  return make_error(ErrorCode::unsupported, no_resource_set_reason, std::move(message)).terminal();
}
Error loop_detected(std::string message) {
  return make_error(ErrorCode::invalid, loop_detected_reason, std::move(message)).terminal();
}
Error not_established(std::string message) {
  return make_error(ErrorCode::unavailable, not_established_reason, std::move(message));
}
Error name_conflict(std::string message) {
  return make_error(ErrorCode::conflict, name_conflict_reason, std::move(message));
}

bool is_execution_failed(const Error& error) noexcept { return error.reason == execution_failed_reason; }
bool is_invalid_config(const Error& error) noexcept { return error.reason == invalid_config_reason; }
bool is_no_resource_set(const Error& error) noexcept { return error.reason == no_resource_set_reason; }
bool is_loop_detected(const Error& error) noexcept { return error.reason == loop_detected_reason; }
bool is_not_established(const Error& error) noexcept { return error.reason == not_established_reason; }
bool is_name_conflict(const Error& error) noexcept { return error.reason == name_conflict_reason; }

}  // namespace pintle::crud
