// FlagValue: where the value of a flag goes, and how it is read from text, whichever source the text is from.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pintle/base/result.hpp>
#include <pintle/base/time.hpp>
#include <pintle/manager/flag.hpp>

namespace pintle {

struct FlagValue {
  std::function<Result<void>(const std::string&)> read{};  // error: invalid, quoting the text
  std::string type{};                                      // what --help calls it: FILE; none for a switch
  std::string now{};                                       // as text; empty where that says nothing
  bool is_switch = false;                                  // on or off; on the command line its name alone is on
};

// Each refers to its argument.
[[nodiscard]] FlagValue text(std::string& value, std::string type = "TEXT");
[[nodiscard]] FlagValue on_or_off(bool& value);
[[nodiscard]] FlagValue number(std::int64_t& value);
[[nodiscard]] FlagValue number(double& value);
[[nodiscard]] FlagValue duration(Duration& value);
[[nodiscard]] FlagValue value_of(const Flag& flag);

// One of several values by its name, in the order in which they are to be told.
template <class T>
using Names = std::vector<std::pair<std::string, T>>;

[[nodiscard]] Error not_one_of(const std::string& given, const std::vector<std::string>& names);

template <class T>
[[nodiscard]] FlagValue one_of(const Names<T>& names, T& value, std::string type) {
  FlagValue made{.type = std::move(type)};
  for (const auto& [name, one] : names) {
    if (one == value) made.now = name;
  }
  made.read = [names, &value](const std::string& given) -> Result<void> {
    std::vector<std::string> known;
    for (const auto& [name, one] : names) {
      if (name == given) return value = one, Result<void>();
      known.push_back(name);
    }
    return not_one_of(given, known);
  };
  return made;
}

}  // namespace pintle
