// SPDX-License-Identifier: Apache-2.0
// The rules of Job and CronJob. No controller acts on them here.
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "../cells.hpp"
#include "../rules.hpp"
#include "apiserver/registry/schedule/cron_schedule.hpp"
#include "apiserver/registry/values.hpp"
#include "pod_template.hpp"

namespace pintle::apiserver {
namespace {

using json::object;
using json::Value;
using json::View;

constexpr std::string_view controller_uid_label = "batch.kubernetes.io/controller-uid";

// Returns the status of a condition; "" if there is none.
std::string_view status_of_condition(View job, std::string_view type) {
  for (const View one : job["/status/conditions"].elements()) {
    if (one.member("type") == type) return one.member("status").text();
  }
  return {};
}

// The Pods of a Job must terminate.
void check_restart_policy(View spec, const std::string& field, std::vector<StatusCause>& causes) {
  const std::string_view policy = spec["/template/spec/restartPolicy"].text();
  if (policy == "Always") {
    causes.push_back(not_supported(field + ".template.spec.restartPolicy", Value(policy), {"Never", "OnFailure"}));
  }
}

class Job final : public BuiltinStrategy {
 public:
  using BuiltinStrategy::BuiltinStrategy;

  bool has_own_cells() const override { return true; }

  // Adds a selector for the uid of the Job, unless the Job has a manual selector.
  void prepare_create(Value& job) const override {
    BuiltinStrategy::prepare_create(job);
    const Value* manual = json::find(job, "/spec/manualSelector");
    if (manual != nullptr && *manual == Value(true)) return;
    const std::string uid(text_at(job, "/metadata/uid"));
    const std::string name(text_at(job, "/metadata/name"));
    Value& spec = job.as_object()["spec"];
    for (object* metadata : {&metadata_in(job), &object_in(spec.get_object()["template"], "metadata")}) {
      Value& labels = (*metadata)["labels"];
      if (!labels.is_object()) labels.emplace_object();
      for (const std::string_view label : {controller_uid_label, std::string_view("controller-uid")}) {
        labels.get_object()[label] = uid;
      }
      for (const char* label : {"batch.kubernetes.io/job-name", "job-name"}) labels.get_object()[label] = name;
    }
    object& matched = object_in(spec.get_object()["selector"], "matchLabels");
    matched[controller_uid_label] = uid;
  }

  void validate(const Value& next, const Value* old, std::vector<StatusCause>& causes) const override {
    BuiltinStrategy::validate(next, old, causes);
    const json::Document document(next);
    const View spec = document.root().member("spec");
    validate_pod_spec(spec["/template/spec"], "spec.template.spec", causes);
    check_restart_policy(spec, "spec", causes);
    for (const char* name : {"selector", "template", "completionMode"}) {
      const Value* was = old == nullptr ? nullptr : json::find(*old, fmt::format("/spec/{}", name));
      const Value* is = json::find(next, fmt::format("/spec/{}", name));
      if (was != nullptr && is != nullptr && !json::equal(*was, *is)) {
        causes.push_back(immutable_field(fmt::format("spec.{}", name), *is));
      }
    }
  }

 protected:
  void set_defaults(Value& job) const override {
    object& spec = object_in(job, "spec");
    // Without both, the Job needs one completion. With parallelism alone, one success is enough.
    if (!spec.contains("parallelism") && !spec.contains("completions")) spec["completions"] = 1;
    spec.emplace("parallelism", 1);
    spec.emplace("backoffLimit", 6);
    set_default(spec, "completionMode", "NonIndexed");
    spec.emplace("suspend", false);
    spec.emplace("manualSelector", false);
    set_default(spec, "podReplacementPolicy", spec.contains("podFailurePolicy") ? "Failed" : "TerminatingOrFailed");
    if (Value* made = spec.if_contains("template")) default_pod_spec(*made);
  }

  Value cell(std::string_view column, View job, WallTime now) const override {
    if (column == "Status") return Value(state(job));
    if (column == "Completions") return Value(completions(job));
    if (column == "Duration") return Value(duration(job, now));
    return template_cell(column, job.member("spec"));
  }

 private:
  static std::string state(View job) {
    if (status_of_condition(job, "Complete") == "True") return "Complete";
    if (status_of_condition(job, "Failed") == "True") return "Failed";
    if (job["/metadata/deletionTimestamp"].exists()) return "Terminating";
    if (status_of_condition(job, "Suspended") == "True") return "Suspended";
    if (status_of_condition(job, "FailureTarget") == "True") return "FailureTarget";
    if (status_of_condition(job, "SuccessCriteriaMet") == "True") return "SuccessCriteriaMet";
    return "Running";
  }

  static std::string completions(View job) {
    const std::int64_t succeeded = integer_cell(job["/status/succeeded"]);
    if (const View wanted = job["/spec/completions"]) return fmt::format("{}/{}", succeeded, integer_cell(wanted));
    const std::int64_t parallel = integer_cell(job["/spec/parallelism"]);
    return parallel > 1 ? fmt::format("{}/1 of {}", succeeded, parallel) : fmt::format("{}/1", succeeded);
  }

  static std::string duration(View job, WallTime now) {
    const auto start = parse_time(job["/status/startTime"].text());
    if (!start) return "";
    const auto end = parse_time(job["/status/completionTime"].text());
    return human_duration((end ? *end : now) - *start);
  }
};

// Returns the error in a schedule; empty if there is none.
std::string schedule_error(std::string_view text) {
  std::vector<std::string> fields;
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;) fields.push_back(std::move(word));
  constexpr std::size_t all_fields = 5;
  if (!text.starts_with('@') && fields.size() != all_fields) {
    return fmt::format("expected exactly {} fields, found {}: [{}]", all_fields, fields.size(), fmt::join(fields, " "));
  }
  const auto schedule = CronSchedule::parse(text);
  return schedule ? std::string() : schedule.error().message;
}

void check_schedule(std::string_view text, std::vector<StatusCause>& causes) {
  if (text.empty()) {
    causes.push_back(required("spec.schedule"));
  } else if (const std::string error = schedule_error(text); !error.empty()) {
    causes.push_back(invalid_value("spec.schedule", Value(text), error));
  }
}

// A time zone that an update keeps is not checked again.
void check_time_zone(const Value& next, const Value* old, std::vector<StatusCause>& causes) {
  const Value* zone = json::find(next, "/spec/timeZone");
  if (zone == nullptr || !zone->is_string()) return;
  const Value* before = old == nullptr ? nullptr : json::find(*old, "/spec/timeZone");
  if (before != nullptr && *before == *zone) return;
  const std::string error = time_zone_error(std::string_view(zone->get_string()));
  if (!error.empty()) causes.push_back(invalid_value("spec.timeZone", *zone, error));
}

class CronJob final : public BuiltinStrategy {
 public:
  using BuiltinStrategy::BuiltinStrategy;

  bool has_own_cells() const override { return true; }

  void validate(const Value& next, const Value* old, std::vector<StatusCause>& causes) const override {
    BuiltinStrategy::validate(next, old, causes);
    check_schedule(text_at(next, "/spec/schedule"), causes);
    check_time_zone(next, old, causes);
    const json::Document document(next);
    const View job = document.root()["/spec/jobTemplate/spec"];
    validate_pod_spec(job["/template/spec"], "spec.jobTemplate.spec.template.spec", causes);
    check_restart_policy(job, "spec.jobTemplate.spec", causes);
  }

 protected:
  void set_defaults(Value& job) const override {
    object& spec = object_in(job, "spec");
    set_default(spec, "concurrencyPolicy", "Allow");
    spec.emplace("suspend", false);
    spec.emplace("successfulJobsHistoryLimit", 3);
    spec.emplace("failedJobsHistoryLimit", 1);
    if (Value* made = json::find(job, "/spec/jobTemplate/spec/template")) default_pod_spec(*made);
  }

  Value cell(std::string_view column, View job, WallTime now) const override {
    const View spec = job.member("spec");
    if (column == "Schedule") return Value(spec.member("schedule").text());
    if (column == "Timezone") return Value(text_cell(spec.member("timeZone")));
    if (column == "Suspend") return Value(truth_cell(spec.member("suspend")));
    if (column == "Active") return static_cast<std::int64_t>(job["/status/active"].size());
    if (column == "Last Schedule") {
      const std::string_view last = job["/status/lastScheduleTime"].text();
      return Value(last.empty() ? "<none>" : human_age(last, now));
    }
    return template_cell(column, spec["/jobTemplate/spec"]);
  }
};

}  // namespace

StrategyPtr job_strategy(BuiltinKind kind) { return std::make_shared<Job>(std::move(kind)); }
StrategyPtr cron_job_strategy(BuiltinKind kind) { return std::make_shared<CronJob>(std::move(kind)); }

}  // namespace pintle::apiserver
