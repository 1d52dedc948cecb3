// SPDX-License-Identifier: Apache-2.0
#include "jobs.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>

#include <fmt/format.h>

#include "apiserver/registry/values.hpp"
#include "claims.hpp"
#include "cluster_values.hpp"
#include "events/controller_events.hpp"
#include "job_policies/job_policies.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;
using json::View;

constexpr std::string_view collection_of_jobs = "jobs.batch";
constexpr std::string_view index_annotation = "batch.kubernetes.io/job-completion-index";
constexpr std::int64_t pods_of_a_job_at_once = 500;
constexpr std::int64_t default_back_off_limit = 6;
constexpr auto first_pod_retry = std::chrono::seconds(10);
constexpr auto last_pod_retry = std::chrono::minutes(10);

bool is_indexed(const Object& job) { return job["/spec/completionMode"] == "Indexed"; }

std::optional<std::int64_t> index_of(const Object& pod) {
  const std::string_view text = pod.annotation(index_annotation);
  std::int64_t index = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return index;
}

// When the first container of an ended Pod ended.
std::optional<WallTime> end_time_of(const Object& pod) {
  const auto time = parse_time(pod["/status/containerStatuses/0/state/terminated/finishedAt"].text());
  return time ? std::optional(*time) : std::nullopt;
}

// "0-2,5,6" for {0, 1, 2, 5, 6}.
std::string ranges_of(const std::set<std::int64_t>& numbers) {
  std::string out;
  for (auto first = numbers.begin(); first != numbers.end();) {
    auto last = first;
    auto next = std::next(first);
    while (next != numbers.end() && *next == *last + 1) last = next++;
    out += out.empty() ? "" : ",";
    out += std::to_string(*first);
    if (first != last) out += fmt::format("{}{}", *last == *first + 1 ? "," : "-", *last);
    first = next;
  }
  return out;
}

}  // namespace

Instant Jobs::reconcile(const Object& job) {
  if (is_condition_true(job, "Complete") || is_condition_true(job, "Failed")) return remove_after_its_time(job);
  Tally tally = tally_of(job);
  Instant due = Instant::max();
  const std::optional<End> end = end_of(job, tally, due);
  if (end || job["/spec/suspend"] == true) {
    remove_pods(job, tally, 0);
  } else {
    due = std::min(due, scale(job, tally));
  }
  write_status(job, tally, end);
  report(job, end);
  return end ? Instant::max() : due;
}

Jobs::Tally Jobs::tally_of(const Object& job) {
  Tally out;
  std::vector<Object> ended;
  out.succeeded_indexes = numbers_of(job["/status/completedIndexes"].text());
  for (Object& pod : claimed_by(objects_, job, "pods")) {
    const std::string_view phase = pod["/status/phase"].text();
    if (phase == "Succeeded" || phase == "Failed") {
      ended.push_back(std::move(pod));
    } else if (pod.is_deleting()) {
      ++out.terminating;
    } else {
      if (is_ready(pod)) ++out.ready;
      out.restarts += integer_at(pod, "/status/containerStatuses/0/restartCount");
      if (const auto index = index_of(pod)) out.active_indexes.insert(*index);
      out.active.push_back(std::move(pod));
    }
  }
  count_ended(job, out, ended);
  return out;
}

// Counts each Pod once. When a server continues from a data file, the existing Pods are in the status already.
void Jobs::count_ended(const Object& job, Tally& tally, const std::vector<Object>& ended) {
  const auto [found, is_first] = ended_.try_emplace(std::string(job.uid()));
  Ended& all = found->second;
  std::set<std::string> existing;
  for (const Object& pod : ended) {
    const std::string uid(pod.uid());
    existing.insert(uid);
    const bool is_new = !all.counted.contains(uid);
    if (pod["/status/phase"] == "Succeeded") {
      if (is_new) ++all.succeeded;
      if (const auto index = index_of(pod)) tally.succeeded_indexes.insert(*index);
    } else {
      PodFailure failure = judged_failure(job, pod);
      if (is_new && failure.counts) ++all.failed;
      if (tally.fatal_failure.empty()) tally.fatal_failure = std::move(failure.fails_job);
      if (const auto time = end_time_of(pod)) tally.last_failure = std::max(*time, tally.last_failure.value_or(*time));
    }
  }
  all.counted = std::move(existing);
  if (is_first) {
    all.succeeded = std::max(all.succeeded, integer_at(job, "/status/succeeded"));
    all.failed = std::max(all.failed, integer_at(job, "/status/failed"));
  }
  tally.succeeded = is_indexed(job) ? static_cast<std::int64_t>(tally.succeeded_indexes.size()) : all.succeeded;
  tally.failed = all.failed;
}

// Returns why the Job ends now. Otherwise sets `due` to its deadline.
std::optional<Jobs::End> Jobs::end_of(const Object& job, const Tally& tally, Instant& due) const {
  if (!tally.fatal_failure.empty()) return End{false, "PodFailurePolicy", tally.fatal_failure};
  if (std::string met = met_success_rule(job, tally.succeeded_indexes); !met.empty()) {
    return End{true, "SuccessPolicy", std::move(met)};
  }
  const auto completions = job["/spec/completions"].as_integer();
  const bool is_done = completions ? tally.succeeded >= *completions : tally.succeeded > 0 && tally.active.empty();
  if (is_done) return End{true, "CompletionsReached", "Reached expected number of succeeded pods"};
  if (tally.failed + tally.restarts > integer_at(job, "/spec/backoffLimit", default_back_off_limit)) {
    return End{false, "BackoffLimitExceeded", "Job has reached the specified backoff limit"};
  }
  const auto seconds = job["/spec/activeDeadlineSeconds"].as_integer();
  const auto start = parse_time(job["/status/startTime"].text());
  if (!seconds || job["/spec/suspend"] == true) return std::nullopt;
  const WallTime end = (start ? *start : objects_.wall_now()) + std::chrono::seconds(*seconds);
  if (objects_.wall_now() >= end)
    return End{false, "DeadlineExceeded", "Job was active longer than specified deadline"};
  due = objects_.instant_of(end);
  return std::nullopt;
}

std::int64_t Jobs::wanted_pods(const Object& job, const Tally& tally) {
  const std::int64_t parallelism = integer_at(job, "/spec/parallelism", 1);
  const auto completions = job["/spec/completions"].as_integer();
  if (completions) return std::min(parallelism, *completions - tally.succeeded);
  // A work queue: no Pod starts after one has succeeded.
  return tally.succeeded > 0 ? std::min(parallelism, static_cast<std::int64_t>(tally.active.size())) : parallelism;
}

Instant Jobs::scale(const Object& job, Tally& tally) {
  const std::int64_t wanted = std::max<std::int64_t>(wanted_pods(job, tally), 0);
  const auto active = static_cast<std::int64_t>(tally.active.size());
  if (active > wanted) {
    remove_pods(job, tally, static_cast<std::size_t>(wanted));
    return Instant::max();
  }
  if (active == wanted) return Instant::max();
  if (tally.last_failure) {
    const auto doublings = std::clamp<std::int64_t>(tally.failed - 1, 0, 6);
    const auto delay = std::min<std::chrono::seconds>(first_pod_retry * (std::int64_t{1} << doublings), last_pod_retry);
    if (const WallTime retry = *tally.last_failure + delay; objects_.wall_now() < retry) {
      return objects_.instant_of(retry);
    }
  }
  for (std::int64_t made = 0; made < std::min(wanted - active, pods_of_a_job_at_once); ++made) {
    if (!create_pod(job, tally)) break;
  }
  return Instant::max();
}

bool Jobs::create_pod(const Object& job, Tally& tally) {
  Value pod = pod_of_template(job["/spec/template"], job);
  std::string prefix = fmt::format("{}-", job.name());
  if (is_indexed(job)) {
    std::int64_t index = 0;
    while (tally.succeeded_indexes.contains(index) || tally.active_indexes.contains(index)) ++index;
    tally.active_indexes.insert(index);
    object_in(pod.get_object()["metadata"], "annotations")[index_annotation] = std::to_string(index);
    object_in(pod.get_object()["metadata"], "labels")[index_annotation] = std::to_string(index);
    object_in(pod, "spec")["hostname"] = fmt::format("{}-{}", job.name(), index);
    prefix += fmt::format("{}-", index);
  }
  metadata_in(pod)["generateName"] = prefix;
  auto made = objects_.create("pods", job.namespace_(), std::move(pod));
  if (made) {
    write_event(objects_, job, "SuccessfulCreate", fmt::format("Created pod: {}", made->name()));
    tally.active.push_back(std::move(*made));
    return true;
  }
  if (const auto& refusal = objects_.refusal()) {
    write_event(objects_, job, "FailedCreate", fmt::format("Error creating: {}", *refusal), "Warning");
  }
  return false;
}

void Jobs::remove_pods(const Object& job, Tally& tally, std::size_t kept) {
  while (tally.active.size() > kept) {
    if (is_ready(tally.active.back())) --tally.ready;
    objects_.remove("pods", tally.active.back());
    write_event(objects_, job, "SuccessfulDelete", fmt::format("Deleted pod: {}", tally.active.back().name()));
    tally.active.pop_back();
  }
}

void Jobs::write_status(const Object& job, const Tally& tally, const std::optional<End>& end) {
  const WallTime now = objects_.wall_now();
  const bool is_suspended = job["/spec/suspend"] == true && !end;
  json::object status;
  const auto add = [&](const char* name, std::int64_t number) {
    if (number != 0) status[name] = number;
  };
  json::array conditions;
  const bool was_suspended = condition_of(job, "Suspended").exists();
  if (is_suspended || was_suspended) {
    conditions.emplace_back(
        made_condition(job,
                       {"Suspended", is_suspended ? "True" : "False", is_suspended ? "JobSuspended" : "JobResumed",
                        is_suspended ? "Job suspended" : "Job resumed"},
                       now));
  }
  if (end) {
    const char* const before = end->is_success ? "SuccessCriteriaMet" : "FailureTarget";
    const char* const final = end->is_success ? "Complete" : "Failed";
    for (const char* type : {before, final})
      conditions.emplace_back(made_condition(job, {type, "True", end->reason, end->message}, now));
  }
  if (!conditions.empty()) status["conditions"] = std::move(conditions);
  if (!is_suspended) {
    const View start = job["/status/startTime"];
    status["startTime"] = start.exists() ? std::string(start.text()) : format_time(now);
  }
  if (end && end->is_success) status["completionTime"] = format_time(now);
  add("active", static_cast<std::int64_t>(tally.active.size()));
  add("succeeded", tally.succeeded);
  add("failed", tally.failed);
  if (is_indexed(job) && !tally.succeeded_indexes.empty()) {
    status["completedIndexes"] = ranges_of(tally.succeeded_indexes);
  }
  status["terminating"] = tally.terminating;
  status["ready"] = tally.ready;
  status["uncountedTerminatedPods"] = json::object();
  objects_.set_status(collection_of_jobs, job, status);
}

// Writes the Events about the changes of the conditions.
void Jobs::report(const Object& job, const std::optional<End>& end) {
  if (end) {
    if (end->is_success) return write_event(objects_, job, "Completed", "Job completed");
    return write_event(objects_, job, end->reason, end->message, "Warning");
  }
  const bool was_suspended = is_condition_true(job, "Suspended");
  const bool is_suspended = job["/spec/suspend"] == true;
  if (is_suspended && !was_suspended) write_event(objects_, job, "Suspended", "Job suspended");
  if (!is_suspended && was_suspended) write_event(objects_, job, "Resumed", "Job resumed");
}

// Deletes a Job that has ended, ttlSecondsAfterFinished after its end.
Instant Jobs::remove_after_its_time(const Object& job) {
  const auto seconds = job["/spec/ttlSecondsAfterFinished"].as_integer();
  if (!seconds) return Instant::max();
  const View final = is_condition_true(job, "Complete") ? condition_of(job, "Complete") : condition_of(job, "Failed");
  const auto ended = parse_time(final.member("lastTransitionTime").text());
  const WallTime end = (ended ? *ended : objects_.wall_now()) + std::chrono::seconds(*seconds);
  if (objects_.wall_now() < end) return objects_.instant_of(end);
  objects_.remove(collection_of_jobs, job);
  return Instant::max();
}

}  // namespace pintle::apiserver
