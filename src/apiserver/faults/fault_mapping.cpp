// SPDX-License-Identifier: Apache-2.0
#include "fault_mapping.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <pintle/base/result.hpp>
#include <pintle/base/text.hpp>

namespace pintle::apiserver {

FaultMapping::FaultMapping(json::View mapping, std::string place, std::vector<StatusCause>& mistakes)
    : mapping_(mapping), place_(std::move(place)), mistakes_(mistakes) {
  if (mapping_.exists() && !mapping_.is_null() && !mapping_.is_object()) {
    add_error("", fmt::format("expected a mapping, got {}", mapping_.print()));
  }
}

std::string FaultMapping::place_of(std::string_view name) const {
  if (name.empty()) return place_;
  return place_.empty() ? std::string(name) : fmt::format("{}.{}", place_, name);
}

void FaultMapping::add_error(std::string_view name, std::string message) {
  mistakes_.push_back({.reason = "FieldValueInvalid", .message = std::move(message), .field = place_of(name)});
}

json::View FaultMapping::take(std::string_view name) {
  known_.emplace_back(name);
  const json::View found = mapping_.member(name);
  return found.is_null() ? json::View() : found;
}

FaultMapping FaultMapping::inside(std::string_view name) { return {take(name), place_of(name), mistakes_}; }

void FaultMapping::read(std::string_view name, std::string& to) {
  const json::View given = take(name);
  if (!given) return;
  if (!given.is_string())
    return add_error(name, fmt::format("expected a string, got {}; put it in quotes", given.print()));
  to = given.text();
}

void FaultMapping::read(std::string_view name, bool& to) {
  const json::View given = take(name);
  if (!given) return;
  if (!given.as_bool()) return add_error(name, fmt::format("expected true or false, got {}", given.print()));
  to = *given.as_bool();
}

void FaultMapping::read(std::string_view name, Duration& to) {
  const json::View given = take(name);
  if (!given) return;
  const auto parsed = parse_duration(given.text());
  if (!parsed) return add_error(name, fmt::format("expected a time such as 250ms or 1m30s, got {}", given.print()));
  to = *parsed;
}

void FaultMapping::read(std::string_view name, std::uint64_t& to, std::uint64_t least, std::uint64_t most) {
  const json::View given = take(name);
  if (!given) return;
  const auto number = given.as_unsigned();
  if (number && *number >= least && *number <= most) {
    to = *number;
  } else if (most == std::numeric_limits<std::uint64_t>::max()) {
    add_error(name, fmt::format("expected a whole number from {} up, got {}", least, given.print()));
  } else {
    add_error(name, fmt::format("expected a whole number from {} to {}, got {}", least, most, given.print()));
  }
}

void FaultMapping::read_share(std::string_view name, double& to) {
  const json::View given = take(name);
  if (!given) return;
  const auto number = given.as_double();
  if (!number || *number < 0 || *number > 1) {
    return add_error(name, fmt::format("expected a number from 0 to 1, got {}", given.print()));
  }
  to = *number;
}

void FaultMapping::read_choice(std::string_view name, const std::vector<std::string_view>& choices,
                               const std::function<void(std::size_t)>& set) {
  const json::View given = take(name);
  if (!given) return;
  const auto found = std::find(choices.begin(), choices.end(), given.text());
  if (found == choices.end()) {
    return add_error(name, fmt::format("expected one of {}, got {}", fmt::join(choices, ", "), given.print()));
  }
  set(static_cast<std::size_t>(found - choices.begin()));
}

void FaultMapping::read_choices(std::string_view name, const std::vector<std::string_view>& choices,
                                std::vector<std::string>& to) {
  const json::View given = take(name);
  const auto read_one = [&](json::View one) {
    if (std::find(choices.begin(), choices.end(), one.text()) == choices.end()) {
      return add_error(name, fmt::format("expected some of {}, got {}", fmt::join(choices, ", "), one.print()));
    }
    to.emplace_back(one.text());
  };
  if (given && !given.is_array()) return read_one(given);
  for (const json::View one : given.elements()) read_one(one);
}

void FaultMapping::finish() {
  if (!mapping_.is_object()) return;
  for (const auto [name, value] : mapping_.members()) {
    if (std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
    add_error(name, fmt::format("unknown member; remove it, or use one of {}", fmt::join(known_, ", ")));
  }
}

}  // namespace pintle::apiserver
