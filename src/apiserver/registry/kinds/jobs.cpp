// SPDX-License-Identifier: Apache-2.0
// The rules of Job and CronJob. No controller acts on them here.
#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <pintle/object/selector.hpp>

#include "../cells.hpp"
#include "../rules.hpp"
#include "apiserver/registry/names/label_rules.hpp"
#include "apiserver/registry/names/name_rules.hpp"
#include "apiserver/registry/schedule/cron_schedule.hpp"
#include "apiserver/registry/values.hpp"
#include "job_rules.hpp"
#include "pods/pod_template.hpp"
#include "workload_rules.hpp"

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

// The labels that the Pods of a Job get, and those by which the Job selects them.
json::object generated_labels(const Value& job) {
  object labels;
  for (const std::string_view label : {controller_uid_label, std::string_view("controller-uid")}) {
    labels[label] = text_at(job, "/metadata/uid");
  }
  for (const char* label : {"batch.kubernetes.io/job-name", "job-name"}) labels[label] = text_at(job, "/metadata/name");
  return labels;
}

void check_job_selector(const Value& job, View spec, bool is_new, std::vector<StatusCause>& causes) {
  const View selecting = spec.member("selector");
  const auto selector = selecting.is_object() ? LabelSelector::from_json(selecting) : Result<LabelSelector>();
  if (!selecting.exists()) causes.push_back(required("spec.selector"));
  validate_selector(selecting, "spec.selector", causes);
  const View labels = spec["/template/metadata/labels"];
  if (selector && (!selecting.exists() || !selector->matches(labels))) {
    causes.push_back(invalid_value("spec.template.metadata.labels", labels.to_value(),
                                   "`selector` does not match template `labels`"));
  }
  if (!is_new || spec.member("manualSelector") == true || !selector || !selecting.exists()) return;
  const json::Document generated(Value(generated_labels(job)));
  if (selector->matches(generated.root())) return;
  causes.push_back(invalid_value("spec.selector", selecting.to_value(), "`selector` not auto-generated"));
}

// Returns the template without the members that may change: those that decide where the Pods of a Job that is suspended
// run, until it starts, and their resources.
Value lasting_part(const Value& job, const Value& old) {
  Value made = *json::find(job, "/spec/template");
  const Value* suspended = json::find(old, "/spec/suspend");
  if (suspended == nullptr || *suspended != Value(true) || !made.is_object()) return made;
  for (const char* list : {"/spec/containers", "/spec/initContainers"}) {
    each_object(made, list, [](Value& container) { container.get_object().erase("resources"); });
  }
  if (json::find(old, "/status/startTime") != nullptr) return made;
  object& spec = object_in(made, "spec");
  for (const char* name : {"nodeSelector", "tolerations", "schedulingGates"}) spec.erase(name);
  if (object* affinity = object_at(made, "/spec/affinity")) {
    affinity->erase("nodeAffinity");
    if (affinity->empty()) spec.erase("affinity");
  }
  object& metadata = object_in(made, "metadata");
  for (const char* name : {"labels", "annotations"}) metadata.erase(name);
  return made;
}

void check_job_change(const Value& next, const Value& old, std::vector<StatusCause>& causes) {
  const auto same = [](const Value* a, const Value* b) {
    return a == nullptr || b == nullptr ? a == b : json::equal(*a, *b);
  };
  const auto value_of = [](const Value* value) { return value == nullptr ? Value() : *value; };
  for (const char* name : {"completions", "selector", "template", "completionMode", "podFailurePolicy",
                           "backoffLimitPerIndex", "managedBy", "successPolicy"}) {
    const Value* is = json::find(next, fmt::format("/spec/{}", name));
    const Value* was = json::find(old, fmt::format("/spec/{}", name));
    if (same(is, was)) continue;
    const std::string field = fmt::format("spec.{}", name);
    if (std::string_view(name) == "completions" && text_at(next, "/spec/completionMode") == "Indexed") {
      if (is == nullptr || same(is, json::find(next, "/spec/parallelism"))) continue;
      causes.push_back(invalid_value(field, *is, "can only be modified in tandem with spec.parallelism"));
      continue;
    }
    if (std::string_view(name) == "template" && is != nullptr && was != nullptr &&
        json::equal(lasting_part(next, old), lasting_part(old, old))) {
      continue;
    }
    causes.push_back(immutable_field(field, value_of(is)));
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
    const object generated = generated_labels(job);
    Value& spec = job.as_object()["spec"];
    for (object* metadata : {&metadata_in(job), &object_in(spec.get_object()["template"], "metadata")}) {
      Value& labels = (*metadata)["labels"];
      if (!labels.is_object()) labels.emplace_object();
      for (const auto& [label, value] : generated) labels.get_object()[label] = value;
    }
    object& matched = object_in(spec.get_object()["selector"], "matchLabels");
    matched[controller_uid_label] = uid;
  }

  void validate(const Value& next, const Value* old, std::vector<StatusCause>& causes) const override {
    BuiltinStrategy::validate(next, old, causes);
    const Value& spec = *member(next, "spec");
    if (old != nullptr && identical(&spec, member(*old, "spec"))) return;
    const json::Document document(spec);
    validate_job(document.root(), "spec", causes);
    check_job_selector(next, document.root(), old == nullptr, causes);
    if (old != nullptr) return check_job_change(next, *old, causes);
    check_hostnames(document.root(), text_at(next, "/metadata/name"), causes);
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
    if (Value* policy = spec.if_contains("podFailurePolicy")) {
      each_object(*policy, "/rules", [](Value& rule) {
        each_object(rule, "/onPodConditions",
                    [](Value& pattern) { set_default(pattern.get_object(), "status", "True"); });
      });
    }
    if (Value* made = spec.if_contains("template")) default_pod_spec(*made);
  }

  Value cell(std::string_view column, View job, WallTime now) const override {
    if (column == "Status") return Value(state(job));
    if (column == "Completions") return Value(completions(job));
    if (column == "Duration") return Value(duration(job, now));
    return template_cell(column, job.member("spec"));
  }

 private:
  // The Pods of an indexed Job have the name of the Job and their index as hostname.
  static void check_hostnames(View spec, std::string_view name, std::vector<StatusCause>& causes) {
    const std::int64_t completions = integer_cell(spec.member("completions"));
    if (spec.member("completionMode") != "Indexed" || completions <= 0) return;
    const std::string last = fmt::format("{}-{}", name, completions - 1);
    if (dns_label_errors(last).empty()) return;
    causes.push_back(invalid_value("metadata.name", Value(name),
                                   fmt::format("will not able to create pod with invalid DNS label: {}", last)));
  }

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

bool has_zone(std::string_view schedule) { return schedule.starts_with("TZ=") || schedule.starts_with("CRON_TZ="); }

// Returns the error in a schedule; empty if there is none.
std::string schedule_error(std::string_view text) {
  if (has_zone(text)) text.remove_prefix(std::min(text.find(' '), text.size() - 1) + 1);
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
  if (text.find("TZ") == std::string_view::npos) return;
  causes.push_back(
      invalid_value("spec.schedule", Value(text), "cannot use TZ or CRON_TZ in schedule, use timeZone field instead"));
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
    const Value& value = *member(next, "spec");
    if (old != nullptr && identical(&value, member(*old, "spec"))) return;
    const json::Document document(value);
    const View spec = document.root();
    check_schedule(spec.member("schedule").text(), causes);
    validate_counts(spec, {"startingDeadlineSeconds"}, "spec", causes);
    check_time_zone(next, old, causes);
    const View job = spec["/jobTemplate/spec"];
    validate_job(job, "spec.jobTemplate.spec", causes);
    if (const View selector = job.member("selector")) {
      causes.push_back(
          invalid_value("spec.jobTemplate.spec.selector", selector.to_value(), "`selector` will be auto-generated"));
    }
    if (job.member("manualSelector") == true) {
      causes.push_back(not_supported("spec.jobTemplate.spec.manualSelector", Value(true), {"nil", "false"}));
    }
    validate_counts(spec, {"successfulJobsHistoryLimit", "failedJobsHistoryLimit"}, "spec", causes);
    // The names of the Jobs are longer.
    constexpr std::size_t max_name_length = 52;
    const std::string_view name = text_at(next, "/metadata/name");
    if (old != nullptr || name.size() <= max_name_length) return;
    causes.push_back(invalid_value("metadata.name", Value(name), "must be no more than 52 characters"));
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
