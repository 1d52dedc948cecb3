// SPDX-License-Identifier: Apache-2.0
#include <pintle/object/condition.hpp>

#include <algorithm>
#include <chrono>

#include <pintle/base/result.hpp>
#include <pintle/object/field_table.hpp>
#include <pintle/object/names.hpp>

namespace pintle {
namespace {

constexpr std::size_t max_type_length = 316;
constexpr std::size_t max_reason_length = 1024;
constexpr std::size_t max_message_length = 32768;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_word(char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_'; }

bool is_reason(std::string_view text) {
  return !text.empty() && is_letter(text.front()) && is_word(text.back()) &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_word(c) || c == ',' || c == ':'; });
}

// The maximum length of a schema counts characters, not bytes.
std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string too_long(std::size_t limit) { return "must be at most " + std::to_string(limit) + " characters"; }

names::ValidationError type_error(std::string_view type) {
  if (type.size() > max_type_length) return too_long(max_type_length);
  return names::validate_qualified_name(type);
}

names::ValidationError reason_error(std::string_view reason) {
  if (reason.empty()) return "must not be empty";
  if (reason.size() > max_reason_length) return too_long(max_reason_length);
  if (is_reason(reason)) return std::nullopt;
  return "\"" + std::string(reason) +
         "\" must consist of letters, digits, \"_\", \",\" or \":\", begin with a letter and not end with \",\" or "
         "\":\", such as \"QuotaExceeded\"";
}

names::ValidationError message_error(std::string_view message) {
  return characters(message) > max_message_length ? names::ValidationError(too_long(max_message_length)) : std::nullopt;
}

template <class List>
auto place_of(List& conditions, std::string_view type) {
  return std::find_if(conditions.begin(), conditions.end(),
                      [&](const StatusCondition& one) { return one.type == type; });
}

constexpr FieldRules type_rules{
    .is_set = true,
    .required = true,
    .value = {.max_length = max_type_length,
              .pattern = R"(^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?)"
                         R"((([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$)"}};
constexpr FieldRules reason_rules{
    .is_set = true,
    .required = true,
    .value = {.min_length = 1, .max_length = max_reason_length, .pattern = "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$"}};
constexpr FieldRules message_rules{.is_set = true, .required = true, .value = {.max_length = max_message_length}};
constexpr FieldRules not_negative{.is_set = true, .value = {.minimum = Bound{.integer = 0}}};

// The JSON format of times has no fractions of a second.
WallTime whole_seconds(WallTime time) { return std::chrono::floor<std::chrono::seconds>(time); }

}  // namespace

FieldTable StatusCondition::fields() {
  static constexpr auto rows = field_rows({
      {"type", member<&StatusCondition::type>, type_rules, "The aspect of the object that the condition describes."},
      {"status", member<&StatusCondition::status>, required, "The status of the condition: True, False or Unknown."},
      {"reason", member<&StatusCondition::reason>, reason_rules,
       "The reason for the status, as one word for programs."},
      {"message", member<&StatusCondition::message>, message_rules, "The reason for the status, as text for people."},
      {"lastTransitionTime", member<&StatusCondition::last_transition_time>, required,
       "The time of the last change of the status."},
      {"observedGeneration", member<&StatusCondition::observed_generation>, not_negative,
       "The generation of the object on which the condition is based."},
  });
  return rows;
}

Result<void> validate_condition(const StatusCondition& condition) {
  const auto refuse = [&](std::string_view member, const std::string& error) {
    return fail(ErrorCode::invalid, "condition \"" + condition.type.substr(0, max_type_length) +
                                        "\": " + std::string(member) + " " + error);
  };
  if (const auto error = type_error(condition.type)) return refuse("type", *error);
  if (const auto error = reason_error(condition.reason)) return refuse("reason", *error);
  if (const auto error = message_error(condition.message)) return refuse("message", *error);
  return {};
}

bool set_condition(std::vector<StatusCondition>& conditions, StatusCondition condition, WallTime now) {
  const bool has_time = condition.last_transition_time != WallTime{};
  condition.last_transition_time = whole_seconds(has_time ? condition.last_transition_time : now);
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

bool remove_condition(std::vector<StatusCondition>& conditions, std::string_view type) {
  const auto there = place_of(conditions, type);
  if (there == conditions.end()) return false;
  conditions.erase(there);
  return true;
}

const StatusCondition* find_condition(const std::vector<StatusCondition>& conditions, std::string_view type) {
  const auto there = place_of(conditions, type);
  return there == conditions.end() ? nullptr : &*there;
}

bool is_condition_true(const std::vector<StatusCondition>& conditions, std::string_view type) {
  const StatusCondition* there = find_condition(conditions, type);
  return there != nullptr && there->status == ConditionStatus::true_;
}

std::optional<StatusCondition> find_condition(const Object& object, std::string_view type) {
  for (const json::View entry : object["/status/conditions"].elements()) {
    if (entry.member("type") != type) continue;
    StatusCondition condition;
    internal::Reading reading;
    if (!internal::Operations<StatusCondition>::read(entry, &condition, internal::Place{}, reading))
      return std::nullopt;
    return condition;
  }
  return std::nullopt;
}

bool is_condition_true(const Object& object, std::string_view type) {
  const auto condition = find_condition(object, type);
  return condition && condition->status == ConditionStatus::true_;
}

}  // namespace pintle
