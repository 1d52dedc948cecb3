// SPDX-License-Identifier: Apache-2.0
// Functions on objects that several controllers of a cluster share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <pintle/base/time.hpp>
#include <pintle/json/value.hpp>
#include <pintle/object/object.hpp>

namespace pintle::apiserver {

[[nodiscard]] inline std::int64_t integer_at(const Object& object, std::string_view pointer,
                                             std::int64_t otherwise = 0) {
  return object[pointer].as_integer().value_or(otherwise);
}

// The owner reference of the controller; missing if there is none.
[[nodiscard]] json::View controller_of(const Object& object);
[[nodiscard]] json::Value reference_to_controller(const Object& owner);

// Returns a condition of a status by its type; missing if there is none.
[[nodiscard]] json::View condition_of(const Object& object, std::string_view type);
[[nodiscard]] inline bool is_condition_true(const Object& object, std::string_view type) {
  return condition_of(object, type).member("status") == "True";
}
struct NewCondition {
  std::string type{};
  std::string status{};
  std::string reason{};
  std::string message{};
};
// Returns a condition. Its time is that of the condition before if the status is the same.
[[nodiscard]] json::object made_condition(const Object& object, const NewCondition& condition, WallTime now);

// A Pod that has not ended and is not being deleted.
[[nodiscard]] bool is_active(const Object& pod);
[[nodiscard]] inline bool is_ready(const Object& pod) { return is_condition_true(pod, "Ready"); }
// Returns when a ready Pod is available, which is `min_ready_seconds` after it became ready; nothing if it is not
// ready.
[[nodiscard]] std::optional<WallTime> available_from(const Object& pod, std::int64_t min_ready_seconds);

// Returns a Pod of a template that `owner` controls, without a name.
[[nodiscard]] json::Value pod_of_template(json::View pod_template, const Object& owner);

// A short name for a value: equal values have equal names.
[[nodiscard]] std::string hash_name(json::View value);

}  // namespace pintle::apiserver
