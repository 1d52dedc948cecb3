// SPDX-License-Identifier: Apache-2.0
#include "query_values.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>

#include <fmt/format.h>

#include <pintle/json/value.hpp>

namespace pintle::apiserver {

StatusOr<std::optional<std::int64_t>> integer_parameter(const http::Target& target, std::string_view name) {
  const auto text = target.parameter(name);
  if (!text) return std::nullopt;
  std::string_view digits = *text;
  if (digits.starts_with('+') && !digits.starts_with("+-")) digits.remove_prefix(1);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool is_whole = end == digits.data() + digits.size();
  if (error == std::errc{} && is_whole) return number;
  const bool is_large = error == std::errc::result_out_of_range && is_whole;
  return refuse(bad_request(fmt::format("strconv.ParseInt: parsing {}: {}", json::print(json::Value(*text)),
                                        is_large ? "value out of range" : "invalid syntax")));
}

std::vector<std::string> all_values(const http::Target& target, std::string_view name) {
  std::vector<std::string> out;
  for (const auto& [given, value] : target.parameters) {
    if (given == name) out.push_back(value);
  }
  return out;
}

void validate_dry_run(const std::vector<std::string>& values, std::vector<StatusCause>& causes) {
  if (std::all_of(values.begin(), values.end(), [](const std::string& value) { return value == "All"; })) return;
  causes.push_back(not_supported("dryRun", json::Value(json::array(values.begin(), values.end())), {"All"}));
}

}  // namespace pintle::apiserver
