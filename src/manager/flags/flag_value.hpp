// SPDX-License-Identifier: Apache-2.0
// FlagValue: parses the text of a flag and stores its value, for every source.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pintle/base/result.hpp>
#include <pintle/base/time.hpp>
#include <pintle/manager/flag.hpp>

namespace pintle {

struct FlagValue {
  std::function<Result<void>(const std::string&)> read{};  // error: invalid; the message quotes the text
  std::string type{};                                      // placeholder in --help, such as FILE; empty for a switch
  std::string now{};                                       // the current value as text; empty: not shown
  std::vector<std::string> choices{};                      // the valid values; empty: other values are valid too
  bool is_switch = false;                                  // true or false; on the command line the name means true
};

// The results refer to the arguments, which must outlive them.
[[nodiscard]] FlagValue text(std::string& value, std::string type = "TEXT");
// Texts, separated by commas. None may be empty.
[[nodiscard]] FlagValue texts(std::vector<std::string>& value);
// Names of namespaces, separated by commas.
[[nodiscard]] FlagValue namespaces(std::vector<std::string>& value);
[[nodiscard]] FlagValue on_or_off(bool& value);
// Returns the value of the text of a switch, or none if the text is not valid.
[[nodiscard]] std::optional<bool> parse_switch(std::string_view text);
[[nodiscard]] FlagValue number(std::int64_t& value);
[[nodiscard]] FlagValue number(double& value);
[[nodiscard]] FlagValue duration(Duration& value);
[[nodiscard]] FlagValue duration(std::optional<Duration>& value);
[[nodiscard]] FlagValue value_of(const Flag& flag);

// The values of a flag by name, in the order in which messages list them.
template <class T>
using Names = std::vector<std::pair<std::string, T>>;

[[nodiscard]] Error not_one_of(const std::string& given, const std::vector<std::string>& names);

template <class T>
[[nodiscard]] FlagValue one_of(const Names<T>& names, T& value, std::string type) {
  FlagValue made{.type = std::move(type)};
  for (const auto& [name, one] : names) {
    made.choices.push_back(name);
    if (one == value) made.now = name;
  }
  made.read = [names, known = made.choices, &value](const std::string& given) -> Result<void> {
    for (const auto& [name, one] : names) {
      if (name == given) return value = one, Result<void>();
    }
    return not_one_of(given, known);
  };
  return made;
}

}  // namespace pintle
