// SPDX-License-Identifier: Apache-2.0
#include "job_rules.hpp"

#include <cstdint>
#include <string_view>

#include <fmt/format.h>

#include "../cells.hpp"
#include "apiserver/registry/refusal.hpp"
#include "batch/job_policy_rules.hpp"
#include "pods/pod_template.hpp"
#include "workload_rules.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;
using json::View;

using Causes = std::vector<StatusCause>;

constexpr std::int64_t max_indexed_parallelism = 100'000;

void validate_indexed(View spec, const std::string& field, Causes& causes) {
  const View completions = spec.member("completions");
  const View parallelism = spec.member("parallelism");
  const View failures = spec.member("maxFailedIndexes");
  if (!completions.exists()) {
    causes.push_back(required(field + ".completions", "when completion mode is Indexed"));
  }
  if (integer_cell(parallelism) > max_indexed_parallelism) {
    causes.push_back(invalid_value(
        field + ".parallelism", parallelism.to_value(),
        fmt::format("must be less than or equal to {} when completion mode is Indexed", max_indexed_parallelism)));
  }
  if (completions.exists() && failures.exists() && integer_cell(failures) > integer_cell(completions)) {
    causes.push_back(
        invalid_value(field + ".maxFailedIndexes", failures.to_value(), "must be less than or equal to completions"));
  }
}

void validate_indexes(View spec, const std::string& field, Causes& causes) {
  if (spec.member("maxFailedIndexes").exists() && !spec.member("backoffLimitPerIndex").exists()) {
    causes.push_back(required(field + ".backoffLimitPerIndex", "when maxFailedIndexes is specified"));
  }
  if (spec.member("completionMode") == "Indexed") return validate_indexed(spec, field, causes);
  for (const char* name : {"backoffLimitPerIndex", "maxFailedIndexes", "successPolicy"}) {
    const View value = spec.member(name);
    if (!value.exists()) continue;
    causes.push_back(
        invalid_value(fmt::format("{}.{}", field, name), value.to_value(), "requires indexed completion mode"));
  }
}

// The Pods of a Job end.
void validate_restarts(View spec, const std::string& field, Causes& causes) {
  const std::string_view policy = spec["/template/spec/restartPolicy"].text();
  const std::string at = field + ".template.spec.restartPolicy";
  if (policy.empty() || policy == "Always") {
    causes.push_back(required(at, R"(valid values: "OnFailure", "Never")"));
  } else if (spec.member("podFailurePolicy").exists() && policy != "Never") {
    causes.push_back(
        invalid_value(at, Value(policy), R"(only "Never" is supported when podFailurePolicy is specified)"));
  }
}

}  // namespace

void validate_job(View spec, const std::string& field, Causes& causes) {
  validate_counts(spec,
                  {"parallelism", "completions", "activeDeadlineSeconds", "backoffLimit", "ttlSecondsAfterFinished",
                   "backoffLimitPerIndex", "maxFailedIndexes"},
                  field, causes);
  validate_indexes(spec, field, causes);
  validate_failure_policy(spec, field, causes);
  if (spec.member("completionMode") == "Indexed") validate_success_policy(spec, field, causes);
  const View replacement = spec.member("podReplacementPolicy");
  if (spec.member("podFailurePolicy").exists() && replacement.exists() && replacement != "Failed") {
    causes.push_back(not_supported(field + ".podReplacementPolicy", replacement.to_value(), {"Failed"}));
  }
  validate_pod_template(spec.member("template"), field + ".template", causes);
  validate_restarts(spec, field, causes);
}

}  // namespace pintle::apiserver
