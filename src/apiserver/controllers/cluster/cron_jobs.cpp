// SPDX-License-Identifier: Apache-2.0
#include "cron_jobs.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "apiserver/registry/schedule/cron_schedule.hpp"
#include "apiserver/registry/values.hpp"
#include "cluster_values.hpp"
#include "events/controller_events.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;
using json::View;

constexpr std::string_view collection_of_cron_jobs = "cronjobs.batch";
constexpr std::string_view jobs_of_batch = "jobs.batch";
constexpr std::string_view time_annotation = "batch.kubernetes.io/cronjob-scheduled-timestamp";

std::optional<WallTime> time_at(const Object& object, std::string_view pointer) {
  const auto time = parse_time(object[pointer].text());
  return time ? std::optional(*time) : std::nullopt;
}

bool is_created_before(const Object& a, const Object& b) {
  return a["/metadata/creationTimestamp"].text() < b["/metadata/creationTimestamp"].text();
}

Value reference_to_job(const Object& job) {
  return json::object{{"kind", "Job"},    {"namespace", job.namespace_()}, {"name", job.name()},
                      {"uid", job.uid()}, {"apiVersion", "batch/v1"},      {"resourceVersion", job.resource_version()}};
}

// The time from which the schedule counts.
WallTime start_of(const Object& cron_job, WallTime now) {
  return time_at(cron_job, "/status/lastScheduleTime")
      .value_or(time_at(cron_job, "/metadata/creationTimestamp").value_or(now));
}

// The newest time of the schedule that is over and for which no Job was started.
std::optional<WallTime> missed_time(const Object& cron_job, const CronSchedule& schedule, WallTime now) {
  WallTime begin = start_of(cron_job, now);
  if (const auto limit = cron_job["/spec/startingDeadlineSeconds"].as_integer()) {
    begin = std::max(begin, now - std::chrono::seconds(*limit));
  }
  return schedule.last(begin, now);
}

}  // namespace

Instant CronJobs::reconcile(const Object& cron_job) {
  Runs runs = runs_of(cron_job);
  report_ends(cron_job, runs);
  std::optional<WallTime> scheduled = time_at(cron_job, "/status/lastScheduleTime");
  Instant due = Instant::max();
  const auto schedule = CronSchedule::parse(cron_job["/spec/schedule"].text(), cron_job["/spec/timeZone"].text(),
                                            start_of(cron_job, objects_.wall_now()));
  if (schedule && cron_job["/spec/suspend"] != true) {
    const auto time = missed_time(cron_job, *schedule, objects_.wall_now());
    if (time && start(cron_job, runs, *time)) scheduled = time;
    due = objects_.instant_of(schedule->next(objects_.wall_now()));
  }
  write_status(cron_job, runs, scheduled);
  remove_history(cron_job, runs);
  return due;
}

CronJobs::Runs CronJobs::runs_of(const Object& cron_job) const {
  Runs out{.last_success = time_at(cron_job, "/status/lastSuccessfulTime")};
  for (Object& job : objects_.owned_by(cron_job, jobs_of_batch)) {
    if (job.is_deleting()) continue;
    if (is_condition_true(job, "Complete")) {
      const auto end = time_at(job, "/status/completionTime");
      if (end) out.last_success = std::max(*end, out.last_success.value_or(*end));
      out.succeeded.push_back(std::move(job));
    } else {
      (is_condition_true(job, "Failed") ? out.failed : out.active).push_back(std::move(job));
    }
  }
  return out;
}

bool CronJobs::start(const Object& cron_job, Runs& runs, WallTime time) {
  const std::string_view policy = cron_job["/spec/concurrencyPolicy"].text();
  if (policy == "Forbid" && !runs.active.empty()) {
    write_event(objects_, cron_job, "JobAlreadyActive",
                "Not starting job because prior execution is running and concurrency policy is Forbid");
    return false;
  }
  if (policy == "Replace") {
    for (const Object& job : runs.active) remove_job(cron_job, job);
    runs.active.clear();
  }
  Value job = cron_job["/spec/jobTemplate"].to_value();
  json::object& metadata = metadata_in(job);
  // The name depends on the time only, so no time has two Jobs.
  const auto minutes = std::chrono::duration_cast<std::chrono::minutes>(time.time_since_epoch()).count();
  metadata["name"] = fmt::format("{}-{}", cron_job.name(), minutes);
  metadata["ownerReferences"] = json::array{reference_to_controller(cron_job)};
  object_in(job.get_object()["metadata"], "annotations")[time_annotation] = format_time(time);
  if (auto made = objects_.create(jobs_of_batch, cron_job.namespace_(), std::move(job))) {
    write_event(objects_, cron_job, "SuccessfulCreate", fmt::format("Created job {}", made->name()));
    runs.active.push_back(std::move(*made));
  }
  return true;
}

void CronJobs::remove_job(const Object& cron_job, const Object& job) {
  objects_.remove(jobs_of_batch, job);
  write_event(objects_, cron_job, "SuccessfulDelete", fmt::format("Deleted job {}", job.name()));
}

// A Job that the status contains as active has ended.
void CronJobs::report_ends(const Object& cron_job, const Runs& runs) {
  for (const auto& [jobs, condition] : {std::pair(&runs.succeeded, "Complete"), std::pair(&runs.failed, "Failed")}) {
    for (const Object& job : *jobs) {
      for (const View one : cron_job["/status/active"].elements()) {
        if (one.member("uid") != job.uid()) continue;
        write_event(objects_, cron_job, "SawCompletedJob",
                    fmt::format("Saw completed job: {}, condition: {}", job.name(), condition));
      }
    }
  }
}

void CronJobs::remove_history(const Object& cron_job, const Runs& runs) {
  const auto keep_newest = [&](std::vector<Object> jobs, std::int64_t limit) {
    const auto kept = static_cast<std::size_t>(std::max<std::int64_t>(limit, 0));
    if (jobs.size() <= kept) return;
    std::stable_sort(jobs.begin(), jobs.end(), is_created_before);
    jobs.resize(jobs.size() - kept);
    for (const Object& job : jobs) remove_job(cron_job, job);
  };
  keep_newest(runs.succeeded, integer_at(cron_job, "/spec/successfulJobsHistoryLimit", 3));
  keep_newest(runs.failed, integer_at(cron_job, "/spec/failedJobsHistoryLimit", 1));
}

void CronJobs::write_status(const Object& cron_job, const Runs& runs, std::optional<WallTime> scheduled) {
  json::object status;
  json::array active;
  for (const Object& job : runs.active) active.push_back(reference_to_job(job));
  if (!active.empty()) status["active"] = std::move(active);
  if (scheduled) status["lastScheduleTime"] = format_time(*scheduled);
  if (runs.last_success) status["lastSuccessfulTime"] = format_time(*runs.last_success);
  objects_.set_status(collection_of_cron_jobs, cron_job, status);
}

}  // namespace pintle::apiserver
