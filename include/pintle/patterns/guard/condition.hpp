// SPDX-License-Identifier: Apache-2.0
// The conditions of the guard pattern. Unlike StatusCondition they have eleven states and no message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/object/fields.hpp>
#include <pintle/object/object.hpp>
#include <pintle/patterns/guard/lock.hpp>

namespace pintle::guard {

enum class ConditionStatus {
  unknown,
  initialized,
  healthy,
  not_healthy,
  in_progress,
  completed,
  created,
  terminated,
  waiting,
  error,
  locked,
};
constexpr auto enum_names(ConditionStatus) {
  using enum ConditionStatus;
  return names_of<ConditionStatus>({{initialized, "Initialized"},
                                    {healthy, "Healthy"},
                                    {not_healthy, "Not Healthy"},
                                    {in_progress, "In Progress"},
                                    {completed, "Completed"},
                                    {created, "Created"},
                                    {terminated, "Terminated"},
                                    {waiting, "Waiting"},
                                    {unknown, "Unknown"},
                                    {error, "Error"},
                                    {locked, "Locked"}});
}
/// The text of a status, for example "Not Healthy".
[[nodiscard]] PINTLE_EXPORT std::string_view to_string(ConditionStatus status) noexcept;

inline constexpr std::size_t max_reason_length = 1024;  ///< in characters

/// One aspect of an object. A value type: `{.type = "Tunneling", .status = ConditionStatus::created, .reason = "…"}`.
struct Condition {
  std::string type{};  ///< for example "Tunneling" or "example.com/Tunneling"
  ConditionStatus status = ConditionStatus::unknown;
  std::int64_t observed_generation = 0;  ///< generation of the object for which the status was determined
  WallTime last_transition_time{};       ///< of the status; zero: set_condition() sets it
  std::string reason{};                  ///< for humans; 1 to max_reason_length characters
  std::optional<Lock> lock{};            ///< if the status is Locked

  static constexpr std::string_view list_map_key = "type";
  static constexpr auto fields() {
    return pintle::fields(
        field("type", &Condition::type, "The aspect of the object that this condition describes.")
            .required()
            .max_length(316)
            .pattern(R"(^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?)"
                     R"((([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$)"),
        field("status", &Condition::status, "The state of this aspect.").required(),
        field("observedGeneration", &Condition::observed_generation,
              "The generation of the object for which the status was determined.")
            .minimum(0),
        field("lastTransitionTime", &Condition::last_transition_time, "The time of the last change of the status.")
            .required(),
        field("reason", &Condition::reason, "The reason for the status, for humans.")
            .required()
            .min_length(1)
            .max_length(max_reason_length),
        field("lock", &Condition::lock, "The lock, while the status is Locked."));
  }

  friend bool operator==(const Condition&, const Condition&) = default;
};

/// Error: `invalid`, unless `type` is a qualified name of at most 316 characters.
[[nodiscard]] PINTLE_EXPORT Result<void> validate_condition_type(std::string_view type);

/// Converts any text to a reason that servers accept: valid UTF-8 of at most max_reason_length characters. An empty
/// text becomes the text of `status`.
[[nodiscard]] PINTLE_EXPORT std::string to_reason(std::string_view text, ConditionStatus status);

/// Replaces the condition of the same type, or appends the condition. lastTransitionTime changes only if the status
/// does: to the time in `condition`, or to `now` if that is zero, in whole seconds. Returns whether anything changed.
PINTLE_EXPORT bool set_condition(std::vector<Condition>& conditions, Condition condition, WallTime now);
/// Returns whether there was a condition of this type.
PINTLE_EXPORT bool remove_condition(std::vector<Condition>& conditions, std::string_view type);
/// The first condition of this type, or with this status; null if there is none.
[[nodiscard]] PINTLE_EXPORT const Condition* find_condition(const std::vector<Condition>& conditions,
                                                            std::string_view type);
[[nodiscard]] PINTLE_EXPORT const Condition* find_status_condition(const std::vector<Condition>& conditions,
                                                                   ConditionStatus status);
/// False if there is no condition of this type.
[[nodiscard]] PINTLE_EXPORT bool is_status_condition_present_and_equal(const std::vector<Condition>& conditions,
                                                                       std::string_view type, ConditionStatus status);
[[nodiscard]] PINTLE_EXPORT bool is_any_condition_with_status(const std::vector<Condition>& conditions,
                                                              ConditionStatus status);
/// True if there are no conditions.
[[nodiscard]] PINTLE_EXPORT bool are_all_conditions_with_status(const std::vector<Condition>& conditions,
                                                                ConditionStatus status);

/// The condition of this type in status.conditions of any object. Empty if there is none, or if it does not decode as a
/// Condition.
[[nodiscard]] PINTLE_EXPORT std::optional<Condition> condition_of(const Object& object, std::string_view type);

}  // namespace pintle::guard
