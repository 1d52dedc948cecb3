// SPDX-License-Identifier: Apache-2.0
#include "cells.hpp"

#include <fmt/format.h>

#include <pintle/object/selector.hpp>

namespace pintle::apiserver {
namespace {

std::string two_units(std::int64_t whole, const char* unit, std::int64_t rest, const char* rest_unit) {
  return rest == 0 ? fmt::format("{}{}", whole, unit) : fmt::format("{}{}{}{}", whole, unit, rest, rest_unit);
}

}  // namespace

std::string human_duration(Duration duration) {
  const std::int64_t seconds = std::chrono::duration_cast<std::chrono::seconds>(duration).count();
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  const std::int64_t minutes = seconds / 60;
  const std::int64_t hours = minutes / 60;
  const std::int64_t days = hours / 24;
  const std::int64_t years = days / 365;
  if (seconds < 120) return fmt::format("{}s", seconds);
  if (minutes < 10) return two_units(minutes, "m", seconds % 60, "s");
  if (hours < 3) return fmt::format("{}m", minutes);
  if (hours < 8) return two_units(hours, "h", minutes % 60, "m");
  if (hours < 48) return fmt::format("{}h", hours);
  if (days < 8) return two_units(days, "d", hours % 24, "h");
  if (years < 2) return fmt::format("{}d", days);
  if (years < 8) return two_units(years, "y", days % 365, "d");
  return fmt::format("{}y", years);
}

std::string human_age(std::string_view timestamp, WallTime now) {
  if (timestamp.empty()) return "<unknown>";
  const auto time = parse_time(timestamp);
  return time ? human_duration(now - *time) : "<invalid>";
}

std::string age_cell(json::View object, WallTime now) {
  return human_age(object["/metadata/creationTimestamp"].text(), now);
}

std::int64_t integer_cell(json::View value) { return value.as_integer().value_or(0); }

std::string text_cell(json::View value, std::string_view instead) {
  return std::string(value.text().empty() ? instead : value.text());
}

std::string list_cell(json::View list) { return list_cell(list, ""); }

std::string list_cell(json::View list, std::string_view member) {
  std::string out;
  for (const json::View item : list.elements()) {
    if (!out.empty()) out += ',';
    out += (member.empty() ? item : item.member(member)).text();
  }
  return out;
}

std::string selector_cell(json::View selector) {
  if (!selector.exists()) return "<none>";
  std::string out;
  for (const auto [key, value] : selector.members()) {
    if (value.is_string()) out += fmt::format("{}{}={}", out.empty() ? "" : ",", key, value.text());
  }
  if (!out.empty()) return out;
  const auto parsed = LabelSelector::from_json(selector);
  if (!parsed) return "<error>";
  return parsed->empty() ? "<none>" : parsed->to_string();
}

std::string truth_cell(json::View value) { return value == true ? "True" : "False"; }

std::string first_three(const std::vector<std::string>& texts) {
  constexpr std::size_t most = 3;
  std::string out;
  for (std::size_t i = 0; i < texts.size() && i < most; ++i) out += fmt::format("{}{}", i == 0 ? "" : ",", texts[i]);
  return texts.size() <= most ? out : fmt::format("{} + {} more...", out, texts.size() - most);
}

}  // namespace pintle::apiserver
