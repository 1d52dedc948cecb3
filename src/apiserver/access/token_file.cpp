// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

#include <fmt/format.h>

#include <pintle/apiserver/users.hpp>
#include <pintle/base/text.hpp>

namespace pintle {
namespace {

// Splits a line at its commas. A field in double quotes may contain commas; two quotes in it are one.
std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> out(1);
  bool is_quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && is_quoted && i + 1 < line.size() && line[i + 1] == '"') {
      out.back() += line[++i];
    } else if (line[i] == '"') {
      is_quoted = !is_quoted;
    } else if (line[i] == ',' && !is_quoted) {
      out.emplace_back();
    } else {
      out.back() += line[i];
    }
  }
  for (std::string& field : out) field = std::string(trim(field));
  return out;
}

std::vector<std::string> groups_in(std::string_view field) {
  std::vector<std::string> out;
  while (!field.empty()) {
    const std::size_t end = std::min(field.find(','), field.size());
    if (const std::string_view group = trim(field.substr(0, end)); !group.empty()) out.emplace_back(group);
    field.remove_prefix(std::min(end + 1, field.size()));
  }
  return out;
}

}  // namespace

Result<std::vector<ApiServerUser>> parse_token_file(std::string_view text) {
  std::vector<ApiServerUser> out;
  std::set<std::string> tokens;
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trim(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty()) continue;
    std::vector<std::string> fields = fields_of(line);
    const auto mistake = [&](std::string_view what) {
      return fail(ErrorCode::invalid, fmt::format("line {}: {}", number, what));
    };
    if (fields.size() < 3) return mistake("write TOKEN,NAME,UID or TOKEN,NAME,UID,\"GROUP,GROUP\"");
    if (fields[0].empty()) return mistake("the token is empty");
    if (fields[1].empty()) return mistake("the name of the user is empty");
    if (!tokens.insert(fields[0]).second) return mistake("another line contains the same token");
    out.push_back({.token = std::move(fields[0]),
                   .name = std::move(fields[1]),
                   .uid = std::move(fields[2]),
                   .groups = fields.size() > 3 ? groups_in(fields[3]) : std::vector<std::string>()});
  }
  return out;
}

}  // namespace pintle
