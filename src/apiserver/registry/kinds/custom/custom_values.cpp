// SPDX-License-Identifier: Apache-2.0
#include "custom_values.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "apiserver/registry/refusal.hpp"
#include "apiserver/registry/values.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;
using json::View;

Value with_sorted_members(const Value& value) {
  if (const json::array* list = value.if_array()) {
    json::array out;
    for (const Value& item : *list) out.push_back(with_sorted_members(item));
    return out;
  }
  const json::object* object = value.if_object();
  if (object == nullptr) return value;
  std::map<std::string_view, const Value*> members;
  for (const auto& [name, item] : *object) members.emplace(name, &item);
  json::object out;
  for (const auto& [name, item] : members) out[name] = with_sorted_members(*item);
  return out;
}

// Prints the shortest text of a number: with an exponent below 1e-4 and from 1e+06, in this form.
std::string go_number(double number) {
  constexpr double first_large = 1e6;
  constexpr double first_small = 1e-4;
  const double size = number < 0 ? -number : number;
  const bool has_exponent = size != 0 && (size < first_small || size >= first_large);
  std::array<char, 64> text{};
  const auto form = has_exponent ? std::chars_format::scientific : std::chars_format::fixed;
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), number, form);
  return {text.data(), error == std::errc{} ? end : text.data()};
}

std::string_view go_type_of(const Value& value) {
  if (value.is_string()) return "string";
  if (value.is_bool()) return "bool";
  if (value.is_double()) return "float64";
  if (value.is_array()) return "[]interface {}";
  return "map[string]interface {}";
}

std::string dotted(std::string_view pointer) {
  std::string out(pointer);
  std::replace(out.begin(), out.end(), '/', '.');
  return out;
}

std::string wrong_type(std::string_view pointer, const Value& value, std::string_view wanted) {
  const std::string shown = value.is_string() ? std::string(value.get_string()) : json::print(value);
  return fmt::format("{} accessor error: {} is of the type {}, expected {}", dotted(pointer), shown, go_type_of(value),
                     wanted);
}

void validate_scale_count(const Value& object, const std::string& pointer, std::vector<StatusCause>& causes) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  const Value* found = pointer.empty() ? nullptr : json::find(object, pointer);
  if (found == nullptr || found->is_null()) return;
  const std::string field = dotted(pointer);
  if (!found->is_int64()) {
    causes.push_back(invalid_value(field, Value(0), wrong_type(pointer, *found, "int64")));
  } else if (found->get_int64() < 0) {
    causes.push_back(invalid_value(field, *found, "should be a non-negative integer"));
  } else if (found->get_int64() > most) {
    causes.push_back(invalid_value(field, *found, fmt::format("should be less than or equal to {}", most)));
  }
}

}  // namespace

std::string go_text(View value) {
  if (value.is_string()) return std::string(value.text());
  if (value.is_object() || value.is_array()) return json::print(with_sorted_members(value.to_value()));
  if (!value.as_integer() && value.as_double()) return go_number(*value.as_double());
  return value.print();
}

std::int64_t whole_part(double number) {
  constexpr double limit = 9223372036854775808.0;  // 2^63
  if (number >= -limit && number < limit) return static_cast<std::int64_t>(number);
  return std::numeric_limits<std::int64_t>::min();
}

void validate_scale_fields(const Value& object, const ScaleSubresource& scale, std::vector<StatusCause>& causes) {
  validate_scale_count(object, scale.spec_replicas, causes);
  validate_scale_count(object, scale.status_replicas, causes);
  if (scale.label_selector.empty()) return;
  const Value* selector = json::find(object, scale.label_selector);
  if (selector == nullptr || selector->is_null() || selector->is_string()) return;
  causes.push_back(
      invalid_value(dotted(scale.label_selector), Value(""), wrong_type(scale.label_selector, *selector, "string")));
}

}  // namespace pintle::apiserver
