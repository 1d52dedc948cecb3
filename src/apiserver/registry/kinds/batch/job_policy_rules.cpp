// SPDX-License-Identifier: Apache-2.0
#include "job_policy_rules.hpp"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <tl/expected.hpp>

#include "../../cells.hpp"
#include "apiserver/registry/names/name_rules.hpp"
#include "apiserver/registry/refusal.hpp"
#include "apiserver/registry/words.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;
using json::View;

using Causes = std::vector<StatusCause>;

constexpr std::size_t max_rules = 20;  // also the maximum number of patterns of a rule
constexpr std::size_t max_exit_codes = 255;
constexpr std::size_t max_indexes_text = 65'536;

StatusCause too_many_items(std::string field, std::size_t count, std::size_t most) {
  return {.reason = "FieldValueTooMany",
          .message = fmt::format("Too many: {}: must have at most {} items", count, most),
          .field = std::move(field)};
}

// An error about a whole rule, whose value is not shown.
StatusCause invalid_rule(std::string field, std::string_view why) {
  return {.reason = "FieldValueInvalid", .message = fmt::format("Invalid value: {}", why), .field = std::move(field)};
}

std::set<std::string_view> names_of_containers(View spec) {
  std::set<std::string_view> out;
  for (const char* list : {"/template/spec/containers", "/template/spec/initContainers"}) {
    for (const View container : spec[list].elements()) out.insert(container.member("name").text());
  }
  return out;
}

void validate_codes(View values, bool is_in, const std::string& field, Causes& causes) {
  if (values.empty()) {
    causes.push_back(invalid_value(field, Value(json::array()), "at least one value is required"));
  } else if (values.size() > max_exit_codes) {
    causes.push_back(too_many_items(field, values.size(), max_exit_codes));
  }
  std::set<std::int64_t> known;
  bool is_ordered = true;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string at = fmt::format("{}[{}]", field, i);
    const std::int64_t code = integer_cell(values.element(i));
    if (is_in && code == 0) causes.push_back(invalid_value(at, Value(code), "must not be 0 for the In operator"));
    if (!known.insert(code).second) causes.push_back(duplicate_value(at, Value(code)));
    is_ordered = is_ordered && (i == 0 || integer_cell(values.element(i - 1)) <= code);
  }
  if (!is_ordered) causes.push_back(invalid_value(field, values.to_value(), "must be ordered"));
}

void validate_exit_codes(View on_codes, const std::set<std::string_view>& containers, const std::string& field,
                         Causes& causes) {
  const std::string_view op = on_codes.member("operator").text();
  if (op.empty()) causes.push_back(required(field + ".operator", R"(valid values: ["In" "NotIn"])"));
  if (const View name = on_codes.member("containerName"); name.exists() && !containers.contains(name.text())) {
    causes.push_back(invalid_value(field + ".containerName", name.to_value(),
                                   "must be one of the container or initContainer names in the pod template"));
  }
  validate_codes(on_codes.member("values"), op == "In", field + ".values", causes);
}

void validate_patterns(View patterns, const std::string& field, Causes& causes) {
  if (patterns.size() > max_rules) causes.push_back(too_many_items(field, patterns.size(), max_rules));
  std::size_t i = 0;
  for (const View pattern : patterns.elements()) {
    const std::string at = fmt::format("{}[{}]", field, i++);
    const std::string_view type = pattern.member("type").text();
    const std::string_view status = pattern.member("status").text();
    add_errors(at + ".type", type, label_key_errors(type), causes);
    if (status != "True" && status != "False" && status != "Unknown") {
      causes.push_back(not_supported(at + ".status", Value(status), {"False", "True", "Unknown"}));
    }
  }
}

void validate_failure_rule(View spec, View rule, const std::string& field, Causes& causes) {
  const std::string_view action = rule.member("action").text();
  if (action.empty()) {
    causes.push_back(required(field + ".action", R"(valid values: ["Count" "FailIndex" "FailJob" "Ignore"])"));
  } else if (action == "FailIndex" && !spec.member("backoffLimitPerIndex").exists()) {
    causes.push_back(invalid_value(field + ".action", Value(action), "requires the backoffLimitPerIndex to be set"));
  }
  const View codes = rule.member("onExitCodes");
  const View patterns = rule.member("onPodConditions");
  if (codes.exists()) validate_exit_codes(codes, names_of_containers(spec), field + ".onExitCodes", causes);
  if (!patterns.empty()) validate_patterns(patterns, field + ".onPodConditions", causes);
  if (codes.exists() && !patterns.empty()) {
    causes.push_back(invalid_rule(field, "specifying both OnExitCodes and OnPodConditions is not supported"));
  } else if (!codes.exists() && patterns.empty()) {
    causes.push_back(invalid_rule(field, "specifying one of OnExitCodes and OnPodConditions is required"));
  }
}

// Returns the first and the last index of "3" or "3-5", or why there are none.
tl::expected<std::pair<std::int64_t, std::int64_t>, std::string> parse_interval(std::string_view text,
                                                                                std::int64_t completions) {
  const auto parts = text.empty() ? std::vector{text} : split(text, '-');
  if (parts.size() > 2) {
    return tl::unexpected(
        fmt::format("the fragment {} violates the requirement that an index interval can have at "
                    "most two parts separated by '-'",
                    json::print(Value(text))));
  }
  std::vector<std::int64_t> limits;
  for (const std::string_view part : parts) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
    const std::string shown = json::print(Value(part));
    if (error != std::errc{} || end != part.data() + part.size()) {
      return tl::unexpected(fmt::format("cannot convert string to integer for index: {}", shown));
    }
    if (number >= completions) return tl::unexpected(fmt::format("too large index: {}", shown));
    limits.push_back(number);
  }
  if (limits.size() == 2 && limits[0] >= limits[1]) {
    return tl::unexpected(fmt::format("non-increasing order, previous: {}, current: {}", limits[0], limits[1]));
  }
  return std::pair(limits.front(), limits.back());
}

// Returns how many indexes a text names: "0,2-4".
tl::expected<std::int64_t, std::string> count_indexes(std::string_view text, std::int64_t completions) {
  std::int64_t total = 0;
  std::optional<std::int64_t> last;
  if (text.empty()) return total;
  for (const std::string_view part : split(text, ',')) {
    const auto interval = parse_interval(part, completions);
    if (!interval) return tl::unexpected(interval.error());
    if (last && *last >= interval->first) {
      return tl::unexpected(fmt::format("non-increasing order, previous: {}, current: {}", *last, interval->first));
    }
    total += interval->second - interval->first + 1;
    last = interval->second;
  }
  return total;
}

void validate_succeeded_count(View count, std::optional<std::int64_t> indexes, std::int64_t completions,
                              const std::string& field, Causes& causes) {
  const std::int64_t number = integer_cell(count);
  if (number < 0) causes.push_back(invalid_value(field, Value(number), "must be greater than or equal to 0"));
  if (number > completions) {
    causes.push_back(invalid_value(
        field, Value(number),
        fmt::format("must be less than or equal to {} (the number of specified completions)", completions)));
  }
  if (indexes && number > *indexes) {
    causes.push_back(
        invalid_value(field, Value(number),
                      fmt::format("must be less than or equal to {} (the number of indexes in the specified "
                                  "succeededIndexes field)",
                                  *indexes)));
  }
}

void validate_success_rule(View rule, std::int64_t completions, const std::string& field, Causes& causes) {
  const View count = rule.member("succeededCount");
  const View indexes = rule.member("succeededIndexes");
  if (!count.exists() && !indexes.exists()) {
    causes.push_back(required(field, "at least one of succeededCount or succeededIndexes must be specified"));
  }
  std::optional<std::int64_t> total;
  if (indexes.exists()) {
    const std::string at = field + ".succeededIndexes";
    if (indexes.text().size() > max_indexes_text) {
      causes.push_back({.reason = "FieldValueTooLong",
                        .message = fmt::format("Too long: may not be more than {} bytes", max_indexes_text),
                        .field = at});
    }
    const auto counted = count_indexes(indexes.text(), completions);
    total = counted.value_or(0);
    if (!counted) {
      causes.push_back(
          invalid_value(at, indexes.to_value(), fmt::format("error parsing succeededIndexes: {}", counted.error())));
    }
  }
  if (count.exists()) validate_succeeded_count(count, total, completions, field + ".succeededCount", causes);
}

}  // namespace

void validate_failure_policy(View spec, const std::string& field, Causes& causes) {
  const View policy = spec.member("podFailurePolicy");
  if (!policy.exists()) return;
  const View rules = policy.member("rules");
  const std::string at = field + ".podFailurePolicy.rules";
  if (rules.size() > max_rules) causes.push_back(too_many_items(at, rules.size(), max_rules));
  std::size_t i = 0;
  for (const View rule : rules.elements()) validate_failure_rule(spec, rule, fmt::format("{}[{}]", at, i++), causes);
}

void validate_success_policy(View spec, const std::string& field, Causes& causes) {
  const View policy = spec.member("successPolicy");
  if (!policy.exists()) return;
  const View rules = policy.member("rules");
  const std::string at = field + ".successPolicy.rules";
  if (rules.empty()) {
    causes.push_back(required(at, "at least one rules must be specified when the successPolicy is specified"));
  }
  if (rules.size() > max_rules) causes.push_back(too_many_items(at, rules.size(), max_rules));
  const std::int64_t completions = integer_cell(spec.member("completions"));
  std::size_t i = 0;
  for (const View rule : rules.elements()) {
    validate_success_rule(rule, completions, fmt::format("{}[{}]", at, i++), causes);
  }
}

}  // namespace pintle::apiserver
