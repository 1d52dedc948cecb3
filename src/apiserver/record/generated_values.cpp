// SPDX-License-Identifier: Apache-2.0
#include "generated_values.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <pintle/base/time.hpp>
#include <pintle/json/pointer.hpp>

namespace pintle::apiserver {
namespace {

using json::Value;

std::string text_of(const Value& value, std::string_view pointer) {
  const Value* const found = json::find(value, pointer);
  return found != nullptr && found->is_string() ? std::string(found->get_string()) : std::string();
}

bool is_list(const Value& body) { return json::find(body, "/items") != nullptr; }

// "2026-01-02T03:04:05Z", with or without a fraction. Dates and durations of users are rarely in this form.
bool is_time(std::string_view text) {
  return text.size() >= 20 && text[4] == '-' && text[10] == 'T' && text.back() == 'Z' && parse_time(text).has_value();
}

}  // namespace

Value GeneratedValues::generalize(const Value& body, const std::string& step) {
  Value out = body;
  const bool is_status = text_of(out, "/kind") == "Status";
  generalize_in(out, "", step, "");
  // The version of a list depends on writes to other resources, and on those of the server itself.
  if (is_list(out)) {
    if (Value* const version = json::find(out, "/metadata/resourceVersion")) *version = "<any>";
    if (Value* const next = json::find(out, "/metadata/continue"); next != nullptr && *next != "") *next = "<any>";
  }
  if (Value* const message = json::find(out, "/message"); is_status && message != nullptr && *message != "") {
    *message = "<message>";
  }
  return out;
}

void GeneratedValues::note(const std::string& value, const std::string& step, const std::string& pointer) {
  if (!step.empty() && !value.empty()) references_.try_emplace(value, fmt::format("${{{}:{}}}", step, pointer));
}

void GeneratedValues::note_generated_name(const Value& object) {
  const std::string prefix = text_of(object, "/metadata/generateName");
  const std::string name = text_of(object, "/metadata/name");
  if (!prefix.empty() && name.starts_with(prefix) && name.size() > prefix.size()) prefixes_.emplace(name, prefix);
}

void GeneratedValues::generalize_in(Value& value, std::string_view name, const std::string& step,
                                    const std::string& pointer) {
  if (value.is_object()) {
    note_generated_name(value);
    for (auto& member : value.get_object()) {
      const std::string_view key = member.key();
      if (key != "managedFields") generalize_in(member.value(), key, step, pointer + "/" + json::escape_token(key));
    }
  } else if (value.is_array()) {
    std::size_t index = 0;
    for (Value& element : value.get_array()) generalize_in(element, "", step, fmt::format("{}/{}", pointer, index++));
  } else if (value.is_string()) {
    generalize_text(value, name, step, pointer);
  }
}

void GeneratedValues::generalize_text(Value& value, std::string_view name, const std::string& step,
                                      const std::string& pointer) {
  const std::string text(value.get_string());
  if (text.empty()) return;
  const auto prefix = prefixes_.find(text);
  if (name == "uid" || uids_.contains(text)) {
    value = numbered(uids_, "uid", text);
  } else if (name == "resourceVersion") {
    value = numbered(versions_, "rv", text);
  } else if (name == "continue" && pointer == "/metadata/continue") {
    // generalize() replaces it
  } else if (prefix != prefixes_.end()) {
    value = fmt::format("<name:{}>", prefix->second);
  } else if (is_time(text)) {
    value = "<time>";
    return;
  } else {
    return;
  }
  note(text, step, pointer);
}

std::string GeneratedValues::numbered(std::map<std::string, int, std::less<>>& numbers, std::string_view kind,
                                      const std::string& value) {
  const int next = static_cast<int>(numbers.size()) + 1;
  return fmt::format("<{}:{}>", kind, numbers.try_emplace(value, next).first->second);
}

std::optional<std::string> GeneratedValues::reference_to(std::string_view value) const {
  const auto found = references_.find(value);
  return found == references_.end() ? std::nullopt : std::optional(found->second);
}

Value GeneratedValues::refer(const Value& body) const {
  Value out = body;
  if (out.is_object()) {
    for (auto& member : out.get_object()) member.value() = refer(member.value());
  } else if (out.is_array()) {
    for (Value& element : out.get_array()) element = refer(element);
  } else if (out.is_string()) {
    if (auto reference = reference_to(std::string_view(out.get_string()))) out = *reference;
  }
  return out;
}

// Replaces the parts between separators that are known values.
std::string GeneratedValues::refer_in_target(std::string_view target) const {
  std::string out;
  while (!target.empty()) {
    const std::size_t end = std::min(target.find_first_of("/?&="), target.size());
    const std::string_view part = target.substr(0, end);
    const auto reference = reference_to(part);
    out += reference ? std::string_view(*reference) : part;
    if (end < target.size()) out += target[end];
    target.remove_prefix(std::min(end + 1, target.size()));
  }
  return out;
}

}  // namespace pintle::apiserver
