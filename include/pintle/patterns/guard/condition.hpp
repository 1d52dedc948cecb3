// Conditions of the guard pattern: a vocabulary of its own, with eleven words and no message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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
// "Not Healthy".
[[nodiscard]] std::string_view to_string(ConditionStatus status) noexcept;

inline constexpr std::size_t longest_reason = 1024;  // in characters

// One aspect of an object. A plain value: `{.type = "Tunneling", .status = ConditionStatus::created, .reason = "…"}`.
struct Condition {
  std::string type{};  // "Tunneling", "example.com/Tunneling"
  ConditionStatus status = ConditionStatus::unknown;
  std::int64_t observed_generation = 0;  // of the object that this was found out about
  WallTime last_transition_time{};       // of the status; zero: when it is set
  std::string reason{};                  // for people, 1 to longest_reason characters
  std::optional<Lock> lock{};            // of one that is Locked

  static constexpr std::string_view list_map_key = "type";
  static constexpr auto fields() {
    return pintle::fields(
        field("type", &Condition::type, "Which aspect of the object this is about.")
            .required()
            .max_length(316)
            .pattern(R"(^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?)"
                     R"((([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$)"),
        field("status", &Condition::status, "How it is.").required(),
        field("observedGeneration", &Condition::observed_generation, "The generation this was found out about.")
            .minimum(0),
        field("lastTransitionTime", &Condition::last_transition_time, "When the status last changed.").required(),
        field("reason", &Condition::reason, "Why, for people.").required().min_length(1).max_length(longest_reason),
        field("lock", &Condition::lock, "Who holds it while it is Locked."));
  }

  friend bool operator==(const Condition&, const Condition&) = default;
};

// Error: invalid, unless it is a qualified name of at most 316 characters.
[[nodiscard]] Result<void> check_condition_type(std::string_view type);

// Any text as a reason that a server takes: well-formed, cut to its limit, and the word of the status when it is empty.
[[nodiscard]] std::string as_reason(std::string_view text, ConditionStatus status);

// Puts a condition in the place of the one of its type, or at the end. lastTransitionTime changes only when the status
// does: to the time that is given, or `now`, in whole seconds. Answers whether anything changed.
bool set_condition(std::vector<Condition>& conditions, Condition condition, WallTime now);
// Whether there was one.
bool remove_condition(std::vector<Condition>& conditions, std::string_view type);
// The first of this type, of this status; null when there is none.
[[nodiscard]] const Condition* find_condition(const std::vector<Condition>& conditions, std::string_view type);
[[nodiscard]] const Condition* find_status_condition(const std::vector<Condition>& conditions, ConditionStatus status);
// False also when there is none of that type.
[[nodiscard]] bool is_status_condition_present_and_equal(const std::vector<Condition>& conditions,
                                                         std::string_view type, ConditionStatus status);
[[nodiscard]] bool is_any_condition_with_status(const std::vector<Condition>& conditions, ConditionStatus status);
// True also when there are none at all.
[[nodiscard]] bool are_all_conditions_with_status(const std::vector<Condition>& conditions, ConditionStatus status);

// The one of a type in status.conditions of any object. None also when it cannot be read as a condition.
[[nodiscard]] std::optional<Condition> condition_of(const Object& object, std::string_view type);

}  // namespace pintle::guard
