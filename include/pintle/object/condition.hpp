// Conditions: what is so about an object, as one entry for each aspect in status.conditions.
//
//   struct Status {
//     std::vector<pintle::StatusCondition> conditions{};
//     static constexpr auto fields() {
//       return pintle::fields(pintle::field("conditions", &Status::conditions, "What is so at the moment."));
//     }
//   };
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

// The Condition of meta/v1. A plain value: `{.type = "Ready", .status = ConditionStatus::true_, .reason = "Complete"}`.
struct StatusCondition {
  std::string type{};  // "Ready", "example.com/Backup"
  ConditionStatus status = ConditionStatus::unknown;
  std::string reason{};                  // for programs: "QuotaExceeded"; never empty
  std::string message{};                 // for people
  WallTime last_transition_time{};       // of the status; zero: when it is set
  std::int64_t observed_generation = 0;  // of the object that this was found out about

  static constexpr std::string_view list_map_key = "type";
  static FieldTable fields();

  friend bool operator==(const StatusCondition&, const StatusCondition&) = default;
};

// What a server would refuse: invalid, naming the condition, the member and the rule.
[[nodiscard]] Result<void> check_condition(const StatusCondition& condition);

// Puts a condition in the place of the one of its type, or at the end. lastTransitionTime changes only when the status
// does: to the time that is given, or `now`, in whole seconds. Answers whether anything changed.
bool set_condition(std::vector<StatusCondition>& conditions, StatusCondition condition, WallTime now);
// Whether there was one.
bool remove_condition(std::vector<StatusCondition>& conditions, std::string_view type);
// Null when there is none of that type.
[[nodiscard]] const StatusCondition* find_condition(const std::vector<StatusCondition>& conditions,
                                                    std::string_view type);
// False also when there is none of that type.
[[nodiscard]] bool is_condition_true(const std::vector<StatusCondition>& conditions, std::string_view type);

// The same on any object, in status.conditions. None also when it cannot be read as a condition.
[[nodiscard]] std::optional<StatusCondition> find_condition(const Object& object, std::string_view type);
[[nodiscard]] bool is_condition_true(const Object& object, std::string_view type);

}  // namespace pintle
