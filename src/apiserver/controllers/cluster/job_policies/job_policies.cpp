// SPDX-License-Identifier: Apache-2.0
#include "job_policies.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>

#include <fmt/format.h>

#include "../cluster_values.hpp"

namespace pintle::apiserver {
namespace {

using json::View;

constexpr std::int64_t max_completions = 100'000;  // of an indexed Job

bool matches_code(std::int64_t code, View requirement) {
  bool is_listed = false;
  for (const View one : requirement.member("values").elements()) {
    is_listed = is_listed || one.as_integer().value_or(0) == code;
  }
  return is_listed == (requirement.member("operator") == "In");
}

// Returns the status of the first container whose exit code matches.
View matching_container(const Object& pod, View requirement) {
  for (const char* list : {"/status/containerStatuses", "/status/initContainerStatuses"}) {
    for (const View container : pod[list].elements()) {
      const std::int64_t code = container["/state/terminated/exitCode"].as_integer().value_or(0);
      const View name = requirement.member("containerName");
      const bool is_named = !name.exists() || name == container.member("name").text();
      if (is_named && code != 0 && matches_code(code, requirement)) return container;
    }
  }
  return {};
}

View matching_condition(const Object& pod, View patterns) {
  for (const View condition : pod["/status/conditions"].elements()) {
    for (const View pattern : patterns.elements()) {
      if (pattern.member("type") != condition.member("type").text()) continue;
      if (pattern.member("status") == condition.member("status").text()) return condition;
    }
  }
  return {};
}

// Returns why a Pod matches a rule; "" if it does not.
std::string match(const Object& pod, View rule) {
  if (const View codes = rule.member("onExitCodes"); codes.exists()) {
    const View container = matching_container(pod, codes);
    if (!container.exists()) return {};
    return fmt::format("Container {} for pod {}/{} failed with exit code {}", container.member("name").text(),
                       pod.namespace_(), pod.name(), container["/state/terminated/exitCode"].as_integer().value_or(0));
  }
  const View condition = matching_condition(pod, rule.member("onPodConditions"));
  if (!condition.exists()) return {};
  return fmt::format("Pod {}/{} has condition {}", pod.namespace_(), pod.name(), condition.member("type").text());
}

}  // namespace

PodFailure judged_failure(const Object& job, const Object& pod) {
  std::size_t index = 0;
  for (const View rule : job["/spec/podFailurePolicy/rules"].elements()) {
    const std::size_t at = index++;
    const std::string why = match(pod, rule);
    if (why.empty()) continue;
    const View action = rule.member("action");
    if (action == "Ignore") return {.counts = false};
    if (action == "FailJob") return {.fails_job = fmt::format("{} matching FailJob rule at index {}", why, at)};
    return {};
  }
  return {};
}

std::string met_success_rule(const Object& job, const std::set<std::int64_t>& succeeded) {
  if (succeeded.empty()) return {};
  std::size_t index = 0;
  for (const View rule : job["/spec/successPolicy/rules"].elements()) {
    const std::size_t at = index++;
    const auto count = rule.member("succeededCount").as_integer();
    std::size_t done = succeeded.size();
    bool are_all_done = false;
    if (const View indexes = rule.member("succeededIndexes"); indexes.exists()) {
      const std::set<std::int64_t> wanted = numbers_of(indexes.text());
      done = static_cast<std::size_t>(
          std::count_if(wanted.begin(), wanted.end(), [&](std::int64_t one) { return succeeded.contains(one); }));
      are_all_done = !wanted.empty() && done == wanted.size();
      if (wanted.empty()) continue;
    }
    const bool are_enough_done = count && static_cast<std::int64_t>(done) >= *count;
    if (are_all_done || are_enough_done) return fmt::format("Matched rules at index {}", at);
  }
  return {};
}

std::set<std::int64_t> numbers_of(std::string_view ranges) {
  std::set<std::int64_t> out;
  const char* at = ranges.data();
  const char* const end = ranges.data() + ranges.size();
  while (at < end) {
    std::int64_t first = 0;
    at = std::from_chars(at, end, first).ptr;
    std::int64_t last = first;
    if (at < end && *at == '-') at = std::from_chars(at + 1, end, last).ptr;
    last = std::min(last, first + max_completions);  // a client may write any text
    for (std::int64_t number = first; number <= last; ++number) out.insert(number);
    if (at < end && *at != ',') break;
    ++at;
  }
  return out;
}

}  // namespace pintle::apiserver
