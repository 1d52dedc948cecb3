// SPDX-License-Identifier: Apache-2.0
#include "flag_table.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

namespace pintle {
namespace {

bool is_letter(char c) { return c >= 'a' && c <= 'z'; }
bool is_allowed(char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '-'; }

bool is_name(std::string_view name) {
  return !name.empty() && is_letter(name.front()) && name.back() != '-' &&
         std::all_of(name.begin(), name.end(), is_allowed);
}

}  // namespace

std::string variable_of(std::string_view prefix, std::string_view flag) {
  std::string variable(prefix);
  for (const char c : flag) variable += c == '-' ? '_' : is_letter(c) ? static_cast<char>(c - 'a' + 'A') : c;
  return variable;
}

Result<void> check(const FlagTable& table) {
  std::set<std::string> names{"help"};
  for (const FlagGroup& group : table) {
    for (const FlagRow& row : group.rows) {
      if (!is_name(row.name)) {
        return fail(ErrorCode::invalid,
                    fmt::format("flag name \"{}\" is invalid; use lower-case letters, digits and hyphens", row.name));
      }
      // A switch also has the name "no-…", which sets it to false.
      if (!names.insert(row.name).second || (row.value.is_switch && !names.insert("no-" + row.name).second)) {
        return fail(ErrorCode::invalid, fmt::format("there are two flags --{}; rename one of them", row.name));
      }
    }
  }
  return {};
}

}  // namespace pintle
