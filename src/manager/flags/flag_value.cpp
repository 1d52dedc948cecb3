// SPDX-License-Identifier: Apache-2.0
#include "flag_value.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "controller/sources/watched_namespaces.hpp"

namespace pintle {
namespace {

// How the default is shown. It is read as the default, not as the name of a namespace.
constexpr const char* value_of_all_namespaces = "all";

template <class T>
FlagValue number_of(T& value, const char* what) {
  const auto read = [&value, what](const std::string& given) -> Result<void> {
    T number{};
    const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), number);
    if (error != std::errc{} || end != given.data() + given.size()) {
      return make_error(ErrorCode::invalid, fmt::format("\"{}\" is not {}", given, what));
    }
    value = number;
    return {};
  };
  return {.read = read, .type = "NUMBER", .now = fmt::format("{}", value)};
}

template <class T>
std::function<Result<void>(const std::string&)> reader_of_duration(T& value) {
  return [&value](const std::string& given) -> Result<void> {
    auto parsed = parse_duration(given);
    if (!parsed) return fail(std::move(parsed.error()));
    value = *parsed;
    return {};
  };
}

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

}  // namespace

FlagValue text(std::string& value, std::string type) {
  const auto read = [&value](const std::string& given) -> Result<void> { return value = given, Result<void>(); };
  return {.read = read, .type = std::move(type), .now = value};
}

FlagValue texts(std::vector<std::string>& value) {
  const auto read = [&value](const std::string& given) -> Result<void> {
    std::vector<std::string> all = split_at_commas(given);
    if (std::find(all.begin(), all.end(), "") != all.end()) {
      return make_error(ErrorCode::invalid,
                        fmt::format("\"{}\" has an empty element; separate elements by commas", given));
    }
    value = std::move(all);
    return {};
  };
  return {.read = read, .type = "TEXT,...", .now = fmt::format("{}", fmt::join(value, ","))};
}

FlagValue namespaces(std::vector<std::string>& value) {
  const auto read = [&value](const std::string& given) -> Result<void> {
    std::vector<std::string> names = split_at_commas(given);
    if (names == std::vector<std::string>{value_of_all_namespaces}) {
      value.clear();
      return {};
    }
    if (std::find(names.begin(), names.end(), value_of_all_namespaces) != names.end()) {
      return make_error(ErrorCode::invalid,
                        fmt::format("\"{}\" has names and \"all\", which means all namespaces; use either. A namespace "
                                    "that is called all can be named in ManagerOptions::namespaces only",
                                    given));
    }
    if (auto wrong = validate_namespaces(names)) return fail(std::move(*wrong));
    value = std::move(names);
    return {};
  };
  return {.read = read,
          .type = "NAME,...",
          .now = value.empty() ? value_of_all_namespaces : fmt::format("{}", fmt::join(value, ","))};
}

std::optional<bool> parse_switch(std::string_view text) {
  if (text == "true" || text == "1") return true;
  if (text == "false" || text == "0") return false;
  return std::nullopt;
}

FlagValue on_or_off(bool& value) {
  const auto read = [&value](const std::string& given) -> Result<void> {
    const std::optional<bool> is_on = parse_switch(given);
    if (!is_on) return make_error(ErrorCode::invalid, fmt::format("\"{}\" is not true or false", given));
    value = *is_on;
    return {};
  };
  return {.read = read, .now = value ? "true" : "", .is_switch = true};
}

FlagValue number(std::int64_t& value) { return number_of(value, "a whole number"); }
FlagValue number(double& value) { return number_of(value, "a number"); }

FlagValue duration(Duration& value) {
  return {.read = reader_of_duration(value), .type = "DURATION", .now = format_duration(value)};
}

FlagValue duration(std::optional<Duration>& value) {
  return {.read = reader_of_duration(value), .type = "DURATION", .now = value ? format_duration(*value) : ""};
}

FlagValue value_of(const Flag& flag) {
  struct Make {
    FlagValue operator()(std::string* value) const { return text(*value); }
    FlagValue operator()(std::vector<std::string>* value) const { return texts(*value); }
    FlagValue operator()(bool* value) const { return on_or_off(*value); }
    FlagValue operator()(std::int64_t* value) const { return number(*value); }
    FlagValue operator()(double* value) const { return number(*value); }
    FlagValue operator()(Duration* value) const { return duration(*value); }
  };
  return std::visit(Make{}, flag.value);
}

Error not_one_of(const std::string& given, const std::vector<std::string>& names) {
  return make_error(ErrorCode::invalid, fmt::format("\"{}\" is not one of {}", given, fmt::join(names, ", ")));
}

}  // namespace pintle
