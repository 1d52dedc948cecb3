// SPDX-License-Identifier: Apache-2.0
// cronjob-operator: creates a Job at each time of a schedule, as a CronJob of Kubernetes does. A webhook checks
// schedules and names.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <pintle/api/everyday.hpp>
#include <pintle/base/schedule.hpp>
#include <pintle/pintle.hpp>
#include <pintle/webhook/admission.hpp>

// [kind]
enum class ConcurrencyPolicy { allow, forbid, replace };
constexpr auto enum_names(ConcurrencyPolicy) {
  return pintle::names_of<ConcurrencyPolicy>({{ConcurrencyPolicy::allow, "Allow"},
                                              {ConcurrencyPolicy::forbid, "Forbid"},
                                              {ConcurrencyPolicy::replace, "Replace"}});
}

struct CronJob {
  static constexpr pintle::Type type{"batch.demo.pintle.dev/v1", "CronJob"};
  struct Spec {
    std::string schedule{};
    std::optional<std::int64_t> starting_deadline_seconds{};
    ConcurrencyPolicy concurrency_policy = ConcurrencyPolicy::allow;
    bool suspend = false;
    pintle::api::batch::v1::JobTemplateSpec job_template{};
    std::int32_t successful_jobs_history_limit = 3;
    std::int32_t failed_jobs_history_limit = 1;
    static constexpr auto fields() {
      return pintle::fields(
          pintle::field("schedule", &Spec::schedule, "Times of the starts, as in cron, in UTC.")
              .required()
              .column("Schedule"),
          pintle::field("startingDeadlineSeconds", &Spec::starting_deadline_seconds,
                        "A start that is later than this is skipped. Default: no limit.")
              .minimum(0),
          pintle::field("concurrencyPolicy", &Spec::concurrency_policy, "What to do at a start while a Job is active.")
              .default_value(ConcurrencyPolicy::allow),
          pintle::field("suspend", &Spec::suspend, "No Job is started while this is true.")
              .default_value(false)
              .column("Suspend"),
          pintle::field("jobTemplate", &Spec::job_template, "The Job to create.").required(),
          pintle::field("successfulJobsHistoryLimit", &Spec::successful_jobs_history_limit,
                        "Number of successful Jobs to keep.")
              .minimum(0),
          pintle::field("failedJobsHistoryLimit", &Spec::failed_jobs_history_limit, "Number of failed Jobs to keep.")
              .minimum(0));
    }
  };
  struct Status {
    std::vector<pintle::api::core::v1::ObjectReference> active{};
    std::optional<pintle::WallTime> last_schedule_time{};
    std::vector<pintle::StatusCondition> conditions{};
    static constexpr auto fields() {
      return pintle::fields(
          pintle::field("active", &Status::active, "The Jobs that have not finished.").atomic(),
          pintle::field("lastScheduleTime", &Status::last_schedule_time, "Time of the last start.").column("Last"),
          pintle::field("conditions", &Status::conditions, "The current conditions."));
    }
  };
  pintle::Metadata metadata{};
  Spec spec{};
  Status status{};
};
// [/kind]

// [jobs]
constexpr const char* scheduled_at = "batch.demo.pintle.dev/scheduled-at";  // an annotation of each Job

// The Jobs of a CronJob, those that began first at the front.
struct Jobs {
  std::vector<pintle::Job> active{};
  std::vector<pintle::Job> successful{};
  std::vector<pintle::Job> failed{};
  std::optional<pintle::WallTime> last_start{};  // stored in the status, or found at a Job
  std::optional<pintle::WallTime> missed{};      // a start that is too late
};

std::optional<pintle::WallTime> start_of(const pintle::Job& job) {
  const auto text = job.metadata.annotations.find(scheduled_at);
  if (text == job.metadata.annotations.end()) return {};
  const auto time = pintle::parse_time(text->second);
  return time ? std::optional(*time) : std::nullopt;
}

pintle::Result<Jobs> jobs_of(const CronJob& cron_job, pintle::Context& ctx) {
  auto all = ctx.list_owned<pintle::Job>();
  if (!all) return pintle::fail(all.error());
  std::ranges::stable_sort(*all, {}, [](const pintle::Job& job) { return job.status.start_time; });
  Jobs jobs{.last_start = cron_job.status.last_schedule_time};
  for (pintle::Job& job : *all) {
    jobs.last_start = std::max(jobs.last_start, start_of(job));
    const pintle::Object& object = job.metadata.snapshot();
    const bool is_successful = pintle::is_condition_true(object, "Complete");
    const bool is_failed = pintle::is_condition_true(object, "Failed");
    (is_successful ? jobs.successful : is_failed ? jobs.failed : jobs.active).push_back(std::move(job));
  }
  return jobs;
}
// [/jobs]

// [history]
pintle::Outcome remove_old(const std::vector<pintle::Job>& jobs, std::int32_t limit, const CronJob& cron_job,
                           pintle::Context& ctx) {
  pintle::Outcome outcome = pintle::done;
  const std::size_t kept = std::min(jobs.size(), static_cast<std::size_t>(limit));
  for (std::size_t i = 0; i < jobs.size() - kept; ++i) {
    if (start_of(jobs[i]) > cron_job.status.last_schedule_time) {
      // Only the Job shows that this start is done, until the end of this reconcile stores lastScheduleTime.
      outcome = pintle::requeue_after(std::chrono::seconds(0));
    } else if (auto removed = ctx.remove(jobs[i]); !removed) {
      return removed;
    }
  }
  return outcome;
}
// [/history]

// [start]
pintle::Result<pintle::Job> create_job(const CronJob& cron_job, pintle::WallTime at, pintle::Context& ctx) {
  const auto& from = cron_job.spec.job_template;
  // The name is that of the start, so no start has two Jobs.
  const auto seconds = std::chrono::floor<std::chrono::seconds>(at).time_since_epoch().count();
  pintle::Job job{.metadata = pintle::owned_by(cron_job, std::to_string(seconds)), .spec = from.spec};
  job.metadata.labels = from.metadata.labels;
  job.metadata.annotations = from.metadata.annotations;
  job.metadata.annotations[scheduled_at] = pintle::format_time(at);
  return ctx.create(job);
}

// Creates the Job of the last start that is due, if there is one. Earlier starts that were missed are skipped.
pintle::Outcome start_due(const CronJob& cron_job, Jobs& jobs, pintle::Context& ctx) {
  const auto schedule = pintle::Schedule::parse(cron_job.spec.schedule);
  if (!schedule) return pintle::failed(schedule.error().terminal());  // no retry before the object changes
  const pintle::WallTime now = ctx.executor().wall_now();
  pintle::Outcome again = pintle::requeue_after(schedule->next(now) - now);

  const auto due = schedule->last(jobs.last_start.value_or(*cron_job.metadata.creation_timestamp), now);
  if (!due) return again;
  if (const auto limit = cron_job.spec.starting_deadline_seconds; limit && now - *due > std::chrono::seconds(*limit)) {
    jobs.missed = due;
    return again;
  }
  if (!jobs.active.empty() && cron_job.spec.concurrency_policy == ConcurrencyPolicy::forbid) return again;
  if (cron_job.spec.concurrency_policy == ConcurrencyPolicy::replace) {
    for (const pintle::Job& job : std::exchange(jobs.active, {})) {
      if (auto removed = ctx.remove(job); !removed) return removed;
    }
  }
  auto job = create_job(cron_job, *due, ctx);
  if (!job) return job.error();
  ctx.event(pintle::EventType::normal, "JobCreated", "created Job " + job->metadata.name);
  jobs.active.push_back(std::move(*job));
  jobs.last_start = due;
  return again;
}
// [/start]

// [status]
void set_condition(pintle::Context& ctx, const char* type, bool is_true, const char* reason, std::string message = {}) {
  const auto status = is_true ? pintle::ConditionStatus::true_ : pintle::ConditionStatus::false_;
  ctx.status().set_condition({.type = type, .status = status, .reason = reason, .message = std::move(message)});
}

// Sets all three conditions each time, so that none stays when its reason is gone.
void set_status(const CronJob& cron_job, const Jobs& jobs, const pintle::Outcome& outcome, pintle::Context& ctx) {
  CronJob::Status status{.last_schedule_time = jobs.last_start};
  for (const pintle::Job& job : jobs.active) {
    status.active.push_back({.api_version = "batch/v1",
                             .kind = "Job",
                             .name = job.metadata.name,
                             .namespace_ = job.metadata.namespace_,
                             .uid = job.metadata.uid});
  }
  ctx.status().set(status);

  const auto latest = [](const std::vector<pintle::Job>& of) {
    return of.empty() ? std::nullopt : of.back().status.start_time;
  };
  const bool has_failed = !jobs.failed.empty() && latest(jobs.successful) <= latest(jobs.failed);
  const pintle::Error* const error = outcome.as_failed();
  const char* const reason = error ? "ReconcileFailed" : cron_job.spec.suspend ? "Suspended" : "Scheduled";
  set_condition(ctx, "Available", !error && !cron_job.spec.suspend, reason);
  set_condition(ctx, "Progressing", !jobs.active.empty(), jobs.active.empty() ? "NoJobsActive" : "JobsActive");
  if (error) {
    set_condition(ctx, "Degraded", true, "ReconcileFailed", error->message);
  } else if (jobs.missed) {
    set_condition(ctx, "Degraded", true, "MissedSchedule", "missed the start at " + pintle::format_time(*jobs.missed));
  } else {
    set_condition(ctx, "Degraded", has_failed, has_failed ? "JobFailed" : "AsExpected");
  }
}
// [/status]

// [reconcile]
pintle::Outcome reconcile(const CronJob& cron_job, pintle::Context& ctx) {
  auto jobs = jobs_of(cron_job, ctx);
  if (!jobs) return jobs.error();
  const CronJob::Spec& spec = cron_job.spec;
  pintle::Outcome outcome = remove_old(jobs->successful, spec.successful_jobs_history_limit, cron_job, ctx);
  outcome = merge(outcome, remove_old(jobs->failed, spec.failed_jobs_history_limit, cron_job, ctx));
  if (!spec.suspend && !cron_job.metadata.is_deleting()) outcome = merge(outcome, start_due(cron_job, *jobs, ctx));
  set_status(cron_job, *jobs, outcome, ctx);
  return outcome;
}
// [/reconcile]

// [webhook]
pintle::AdmissionVerdict check(const CronJob& cron_job, const pintle::AdmissionContext&) {
  // The last write of a deletion removes a finalizer. It must pass even if the object is invalid.
  if (cron_job.metadata.is_deleting()) return pintle::admitted();
  pintle::FieldErrors errors;
  // The name of a Job has at most 63 characters, of which the time of its start takes 11.
  const std::string& name = cron_job.metadata.name;
  if (name.size() > 52) errors.invalid("metadata.name", name, "must be no more than 52 characters");
  const auto schedule = pintle::Schedule::parse(cron_job.spec.schedule);
  if (!schedule) errors.invalid("spec.schedule", cron_job.spec.schedule, schedule.error().message);
  return pintle::denied(errors);
}
// [/webhook]

// [main]
pintle::Controller<CronJob> cron_jobs() {
  // A start can be due each minute, so a retry does not wait longer.
  return {.owns = {pintle::Job::type}, .reconcile = reconcile, .backoff = {.cap = std::chrono::minutes(1)}};
}

int main(int argc, char** argv) {
  pintle::Manager manager{{.name = "cronjob-operator", .args = {argc, argv}, .webhooks = {.listen = "0.0.0.0:9443"}}};
  manager.add(cron_jobs());
  manager.add(pintle::Admission<CronJob>{.validate = check});
  return pintle::run_until_signal(manager);
}
// [/main]
