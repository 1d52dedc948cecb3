// SPDX-License-Identifier: Apache-2.0
// Conditions: the entries of status.conditions, one for each aspect of an object.
//
//   struct Status {
//     std::vector<pintle::StatusCondition> conditions{};
//     static constexpr auto fields() {
//       return pintle::fields(pintle::field("conditions", &Status::conditions, "The current conditions."));
//     }
//   };
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/result_fwd.hpp>
#include <pintle/base/time.hpp>
#include <pintle/object/declared.hpp>
#include <pintle/object/enum_names.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

enum class ConditionStatus { unknown, true_, false_ };
constexpr auto enum_names(ConditionStatus) {
  return names_of<ConditionStatus>(
      {{ConditionStatus::true_, "True"}, {ConditionStatus::false_, "False"}, {ConditionStatus::unknown, "Unknown"}});
}

/// metav1.Condition. A plain value: `{.type = "Ready", .status = ConditionStatus::true_, .reason = "Complete"}`.
struct PINTLE_EXPORT StatusCondition {
  std::string type{};  ///< "Ready", "example.com/Backup"
  ConditionStatus status = ConditionStatus::unknown;
  std::string reason{};                  ///< for programs: "QuotaExceeded"; must not be empty
  std::string message{};                 ///< for people
  WallTime last_transition_time{};       ///< last change of the status; zero: set_condition() sets it
  std::int64_t observed_generation = 0;  ///< the metadata.generation on which the condition is based

  static constexpr std::string_view list_map_key = "type";
  static FieldTable fields();

  friend bool operator==(const StatusCondition&, const StatusCondition&) = default;
};

/// Checks a condition by the rules of the API server. Error: invalid; the message names the condition, the member and
/// the rule.
[[nodiscard]] PINTLE_EXPORT Result<void> validate_condition(const StatusCondition& condition);

/// Replaces the condition of the same type, or appends a new one. If the status does not change, the old
/// last_transition_time is kept. Otherwise it is the time in `condition`, or `now` if that time is zero, in whole
/// seconds. Returns whether anything changed.
PINTLE_EXPORT bool set_condition(std::vector<StatusCondition>& conditions, StatusCondition condition, WallTime now);
/// Removes the condition of a type. Returns whether it existed.
PINTLE_EXPORT bool remove_condition(std::vector<StatusCondition>& conditions, std::string_view type);
/// Returns the condition of a type, or null.
[[nodiscard]] PINTLE_EXPORT const StatusCondition* find_condition(const std::vector<StatusCondition>& conditions,
                                                                  std::string_view type);
/// Returns whether the condition of a type exists and its status is True.
[[nodiscard]] PINTLE_EXPORT bool is_condition_true(const std::vector<StatusCondition>& conditions,
                                                   std::string_view type);

/// The same for status.conditions of any object. A condition that cannot be decoded counts as missing.
[[nodiscard]] PINTLE_EXPORT std::optional<StatusCondition> find_condition(const Object& object, std::string_view type);
[[nodiscard]] PINTLE_EXPORT bool is_condition_true(const Object& object, std::string_view type);

}  // namespace pintle
