// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/guard/condition.hpp>

#include <algorithm>
#include <chrono>

#include <pintle/base/utf8.hpp>
#include <pintle/object/codec.hpp>
#include <pintle/object/names.hpp>

namespace pintle::guard {
namespace {

constexpr std::size_t max_type_length = 316;

template <class List>
auto place_of(List& conditions, std::string_view type) {
  return std::find_if(conditions.begin(), conditions.end(), [&](const Condition& one) { return one.type == type; });
}

// Counts characters and not bytes, as `maxLength` in a schema does.
std::string_view cut_characters(std::string_view text, std::size_t most) {
  const auto begins_one = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; };
  const auto end = std::find_if(text.begin(), text.end(), [&](char c) { return begins_one(c) && most-- == 0; });
  return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

}  // namespace

std::string_view to_string(ConditionStatus status) noexcept {
  static constexpr auto names = enum_names(ConditionStatus{});
  const auto found = std::find_if(names.begin(), names.end(), [&](const auto& one) { return one.first == status; });
  return found == names.end() ? std::string_view("Unknown") : found->second;
}

Result<void> validate_condition_type(std::string_view type) {
  auto error = names::validate_qualified_name(type);
  if (!error && type.size() > max_type_length)
    error = "must be at most " + std::to_string(max_type_length) + " characters";
  if (!error) return {};
  return fail(ErrorCode::invalid,
              "the condition type \"" + std::string(type.substr(0, max_type_length)) + "\" " + *error);
}

std::string to_reason(std::string_view text, ConditionStatus status) {
  const std::string whole = sanitize_utf8(text);
  return std::string(whole.empty() ? to_string(status) : cut_characters(whole, max_reason_length));
}

bool set_condition(std::vector<Condition>& conditions, Condition condition, WallTime now) {
  const bool has_time = condition.last_transition_time != WallTime{};
  condition.last_transition_time =
      std::chrono::floor<std::chrono::seconds>(has_time ? condition.last_transition_time : now);
  const auto there = place_of(conditions, condition.type);
  if (there == conditions.end()) {
    conditions.push_back(std::move(condition));
    return true;
  }
  if (there->status == condition.status) condition.last_transition_time = there->last_transition_time;
  if (*there == condition) return false;
  *there = std::move(condition);
  return true;
}

bool remove_condition(std::vector<Condition>& conditions, std::string_view type) {
  return std::erase_if(conditions, [&](const Condition& one) { return one.type == type; }) != 0;
}

const Condition* find_condition(const std::vector<Condition>& conditions, std::string_view type) {
  const auto there = place_of(conditions, type);
  return there == conditions.end() ? nullptr : &*there;
}

const Condition* find_status_condition(const std::vector<Condition>& conditions, ConditionStatus status) {
  const auto there = std::find_if(conditions.begin(), conditions.end(),
                                  [&](const Condition& condition) { return condition.status == status; });
  return there == conditions.end() ? nullptr : &*there;
}

bool is_status_condition_present_and_equal(const std::vector<Condition>& conditions, std::string_view type,
                                           ConditionStatus status) {
  const Condition* there = find_condition(conditions, type);
  return there != nullptr && there->status == status;
}

bool is_any_condition_with_status(const std::vector<Condition>& conditions, ConditionStatus status) {
  return find_status_condition(conditions, status) != nullptr;
}

bool are_all_conditions_with_status(const std::vector<Condition>& conditions, ConditionStatus status) {
  return std::all_of(conditions.begin(), conditions.end(),
                     [&](const Condition& condition) { return condition.status == status; });
}

std::optional<Condition> condition_of(const Object& object, std::string_view type) {
  for (const json::View entry : object["/status/conditions"].elements()) {
    if (entry.member("type") != type) continue;
    Condition condition;
    internal::Reading reading;
    if (!internal::Operations<Condition>::read(entry, &condition, internal::Place{}, reading)) return std::nullopt;
    return condition;
  }
  return std::nullopt;
}

}  // namespace pintle::guard
