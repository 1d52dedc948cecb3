// SPDX-License-Identifier: Apache-2.0
// The CronJob example: its starts, its history, and crashes and faults in between.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cronjob_cluster.hpp"

namespace pintle::testkit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Runs a CronJob each hour for two days and returns the differences from the expected behaviour.
std::vector<std::string> problems_of(const Controller<CronTab>& controller) {
  std::vector<std::string> problems;
  CronCluster cluster(controller);
  cluster.start();
  cluster.create("0 * * * *");
  std::set<std::string> starts;
  for (int hour = 1; hour <= 48; ++hour) {
    const int day = 1 + hour / 24;
    const std::string text = (hour % 24 < 10 ? "0" : "") + std::to_string(hour % 24);
    cluster.sleep_until(day, text + ":00");
    cluster.settle();
    for (const std::string& start : cluster.jobs()) starts.insert(start);
    if (starts.size() != static_cast<std::size_t>(hour)) problems.push_back("no start at " + text);
    cluster.sleep_until(day, text + ":05");
    cluster.end_jobs();
    const std::uint64_t before = cluster.writes();
    cluster.sleep_until(day, text + ":55");
    if (cluster.writes() != before) problems.push_back("a write after " + text);
    if (problems.size() > 3) return problems;
  }
  if (cluster.jobs() != Names{"2 22:00", "2 23:00", "3 00:00"}) problems.emplace_back("the history is wrong");
  if (cluster.last_start() != "3 00:00") problems.emplace_back("the status is wrong");
  if (cluster.reconciles() > 48 * 8) problems.emplace_back("too many reconciles");
  return problems;
}

TEST(CronJobExample, StartsAJobAtEachTimeOfTheSchedule) { EXPECT_THAT(problems_of(cron_jobs()), IsEmpty()); }

TEST(CronJobExample, AnOperatorThatDoesNothingOrWritesInEachReconcileFailsThisTest) {
  Controller<CronTab> nothing = cron_jobs();
  nothing.reconcile = [](const CronTab&, Context&) { return done; };
  EXPECT_THAT(problems_of(nothing), ::testing::Contains("no start at 01"));

  Controller<CronTab> writing = cron_jobs();
  writing.reconcile = [](const CronTab& cron_job, Context& ctx) -> Outcome {
    (void)cronjob_operator::reconcile(cron_job, ctx);
    ctx.status().set("/lastScheduleTime", format_time(ctx.executor().wall_now()));
    return requeue_after(1min);
  };
  EXPECT_THAT(problems_of(writing), ::testing::Contains(HasSubstr("a write after")));
}

TEST(CronJobExample, AJobIsTheTemplateWithAnOwnerAndItsTime) {
  CronCluster cluster;
  cluster.start();
  cluster.create("30 * * * *");
  cluster.sleep_until(1, "00:31");

  const auto jobs = cluster.simulation().server().objects("jobs.batch");
  ASSERT_EQ(jobs.size(), 1U);
  EXPECT_EQ(jobs[0].name(), "a-1767227400");
  EXPECT_EQ(jobs[0]["/metadata/labels/team"], "a");
  EXPECT_EQ(jobs[0]["/metadata/annotations/note"], "b");
  EXPECT_EQ(jobs[0]["/metadata/annotations/batch.demo.pintle.dev~1scheduled-at"], "2026-01-01T00:30:00Z");
  EXPECT_EQ(jobs[0]["/metadata/ownerReferences/0/uid"].text(), cluster.cron_job().uid());
  EXPECT_EQ(jobs[0]["/spec/template/spec/containers/0/image"], "d");
  EXPECT_THAT(cluster.active(), ElementsAre("a-1767227400"));
  EXPECT_EQ(cluster.condition("Progressing"), "True JobsActive");
  cluster.end_jobs();
  EXPECT_THAT(cluster.active(), IsEmpty());
  EXPECT_EQ(cluster.condition("Progressing"), "False NoJobsActive");
  EXPECT_EQ(cluster.condition("Available"), "True Scheduled");
}

TEST(CronJobExample, AfterADowntimeOnlyTheLastStartIsMadeUp) {
  CronCluster cluster;
  cluster.start();
  cluster.create("* * * * *");
  cluster.sleep_until(1, "00:01");
  cluster.settle();
  cluster.stop();
  cluster.sleep_until(11, "00:00");  // more than 14,000 starts are missed
  cluster.simulation().executor().sleep_for(20s);
  cluster.start();
  cluster.settle();

  EXPECT_THAT(cluster.jobs(), ElementsAre("1 00:01", "11 00:00"));
  cluster.sleep_until(11, "00:01");
  cluster.settle();
  EXPECT_THAT(cluster.jobs(), ElementsAre("1 00:01", "11 00:00", "11 00:01"));
}

TEST(CronJobExample, AStartAfterItsDeadlineIsReportedAndSkipped) {
  CronCluster cluster;
  cluster.start();
  cluster.create("0 * * * *", {{"startingDeadlineSeconds", 600}});
  cluster.sleep_until(1, "00:30");
  cluster.stop();
  cluster.sleep_until(1, "01:09");
  cluster.start();
  cluster.settle();
  EXPECT_THAT(cluster.jobs(), ElementsAre("1 01:00")) << "9 minutes late";
  cluster.stop();
  cluster.sleep_until(1, "02:11");
  cluster.start();
  cluster.settle();

  EXPECT_THAT(cluster.jobs(), ElementsAre("1 01:00")) << "11 minutes late";
  EXPECT_EQ(cluster.condition("Degraded"), "True MissedSchedule");
  EXPECT_EQ(cluster.message("Degraded"), "missed the start at 2026-01-01T02:00:00Z");
  cluster.sleep_until(1, "03:01");
  EXPECT_THAT(cluster.jobs(), ElementsAre("1 01:00", "1 03:00"));
  EXPECT_EQ(cluster.condition("Degraded"), "False AsExpected");
}

TEST(CronJobExample, AllowStartsAJobWhileMoreThanTenAreActive) {
  CronCluster cluster;
  cluster.start();
  cluster.create("*/10 * * * *");
  cluster.sleep_until(1, "02:01");
  EXPECT_EQ(cluster.jobs().size(), 12U);
  EXPECT_EQ(cluster.active().size(), 12U);
}

TEST(CronJobExample, ForbidWaitsForTheActiveJob) {
  CronCluster cluster;
  cluster.start();
  cluster.create("0 * * * *", {{"concurrencyPolicy", "Forbid"}});
  cluster.sleep_until(1, "03:30");
  EXPECT_THAT(cluster.jobs(), ElementsAre("1 01:00"));
  cluster.end_jobs();
  EXPECT_THAT(cluster.jobs(), ElementsAre("1 01:00", "1 03:00")) << "only the last start is made up";
}

TEST(CronJobExample, ReplaceDeletesTheActiveJob) {
  CronCluster cluster;
  cluster.start();
  cluster.create("0 * * * *", {{"concurrencyPolicy", "Replace"}});
  cluster.sleep_until(1, "01:30");
  const auto first = cluster.simulation().server().objects("jobs.batch");
  ASSERT_EQ(first.size(), 1U);
  ASSERT_TRUE(cluster.user().create(with_controller_reference(
      {{"apiVersion", "v1"}, {"kind", "ConfigMap"}, {"metadata", {{"name", "of-the-job"}, {"namespace", "default"}}}},
      controller_reference(first[0]))));
  cluster.sleep_until(1, "02:30");
  EXPECT_THAT(cluster.jobs(), ElementsAre("1 02:00"));
  EXPECT_THAT(cluster.active(), ElementsAre("a-1767232800"));
  EXPECT_TRUE(cluster.simulation().server().objects("configmaps").empty()) << "the pods of a Job are deleted with it";
}

TEST(CronJobExample, KeepsTheNewestJobsOfTheHistory) {
  CronCluster cluster;
  cluster.start();
  cluster.create("0 * * * *", {{"successfulJobsHistoryLimit", 2}, {"failedJobsHistoryLimit", 1}});
  for (const char* time : {"01:01", "02:01", "03:01"}) {
    cluster.sleep_until(1, time);
    cluster.end_jobs();
  }
  EXPECT_THAT(cluster.jobs(), ElementsAre("1 02:00", "1 03:00"));
  for (const char* time : {"04:01", "05:01"}) {
    cluster.sleep_until(1, time);
    cluster.end_jobs("Failed");
  }
  EXPECT_THAT(cluster.jobs(), ElementsAre("1 02:00", "1 03:00", "1 05:00"));
  EXPECT_EQ(cluster.condition("Degraded"), "True JobFailed");
  cluster.sleep_until(1, "06:01");
  cluster.end_jobs();
  EXPECT_THAT(cluster.jobs(), ElementsAre("1 03:00", "1 05:00", "1 06:00"));
  EXPECT_EQ(cluster.condition("Degraded"), "False AsExpected") << "a later Job was successful";
  cluster.change({{"successfulJobsHistoryLimit", 0}, {"failedJobsHistoryLimit", 0}});
  cluster.settle();
  EXPECT_THAT(cluster.jobs(), IsEmpty());
}

TEST(CronJobExample, OrdersTheHistoryByTheBeginOfTheJobs) {
  CronCluster cluster;
  cluster.start();
  cluster.create("0 * * * *", {{"suspend", true}, {"successfulJobsHistoryLimit", 1}});
  for (const char* name : {"z-first", "a-second"}) {
    json::Value job = nightly_template;
    job.as_object()["apiVersion"] = "batch/v1";
    job.as_object()["kind"] = "Job";
    job.as_object()["metadata"] = json::object{{"name", name}, {"namespace", "default"}};
    ASSERT_TRUE(cluster.user().create(with_controller_reference(job, controller_reference(cluster.cron_job()))));
    cluster.end_jobs();
  }
  EXPECT_THAT(cluster.jobs(), ElementsAre("a-second"));
}

TEST(CronJobExample, AStartWhoseJobWasDeletedIsNotRepeated) {
  CronCluster cluster;
  cluster.start();
  cluster.create("0 * * * *", {{"successfulJobsHistoryLimit", 0}});
  cluster.sleep_until(1, "01:01");
  cluster.end_jobs();
  EXPECT_THAT(cluster.jobs(), IsEmpty());
  cluster.sleep_until(1, "01:59");
  EXPECT_THAT(cluster.jobs(), IsEmpty());
  EXPECT_EQ(cluster.last_start(), "1 01:00");
  cluster.stop();
  cluster.start();
  cluster.settle();
  EXPECT_THAT(cluster.jobs(), IsEmpty());
  cluster.sleep_until(1, "02:01");
  EXPECT_THAT(cluster.jobs(), ElementsAre("1 02:00"));
}

// The operator crashes after the Job was created and before the status is stored, and crashes again after it has found
// the finished Job, which the history must not contain.
TEST(CronJobExample, AStartIsNotRepeatedAfterCrashesAlthoughItsJobIsDeleted) {
  CronCluster cluster;
  const auto status = http::requests("PATCH", "/apis/batch.demo.pintle.dev/");
  cluster.start({{.effect = http::Crash{}, .only = status, .first = 2}});
  cluster.create("0 * * * *", {{"successfulJobsHistoryLimit", 0}});
  cluster.crash();
  EXPECT_THAT(cluster.jobs(), ElementsAre("1 01:00"));
  EXPECT_EQ(cluster.last_start(), "none");
  cluster.end_jobs();
  cluster.start({{.effect = http::Crash{}, .only = status}});
  cluster.crash();
  cluster.start();
  cluster.settle();
  EXPECT_THAT(cluster.jobs(), IsEmpty());
  EXPECT_EQ(cluster.last_start(), "1 01:00");
  cluster.sleep_until(1, "01:59");
  EXPECT_THAT(cluster.jobs(), IsEmpty());
}

TEST(CronJobExample, ACrashWhileTheJobIsCreatedGivesOneJob) {
  for (const bool after_commit : {false, true}) {
    CronCluster cluster;
    cluster.start(
        {{.effect = http::Crash{.after_commit = after_commit}, .only = http::requests("POST", "/apis/batch/")}});
    cluster.create("0 * * * *");
    cluster.crash();
    EXPECT_EQ(cluster.jobs().size(), after_commit ? 1U : 0U);
    cluster.start();
    cluster.settle();
    EXPECT_THAT(cluster.jobs(), ElementsAre("1 01:00"));
    EXPECT_EQ(cluster.last_start(), "1 01:00");
  }
}

TEST(CronJobExample, ACrashWhileAJobIsReplacedGivesOneJob) {
  for (const bool after_commit : {false, true}) {
    CronCluster cluster;
    cluster.start(
        {{.effect = http::Crash{.after_commit = after_commit}, .only = http::requests("DELETE", "/apis/batch/")}});
    cluster.create("0 * * * *", {{"concurrencyPolicy", "Replace"}});
    cluster.crash();
    cluster.start();
    cluster.settle();
    EXPECT_THAT(cluster.jobs(), ElementsAre("1 02:00"));
  }
}

TEST(CronJobExample, AnOutageIsReportedAndTheStartIsMadeUpWithinAMinute) {
  CronCluster cluster;
  cluster.start(
      {{.effect = http::ErrorResponse{.status = 403, .reason = "Forbidden"}, .only = [&](const http::Request& request) {
          return http::requests("POST", "/apis/batch/")(request) &&
                 cluster.simulation().executor().wall_now() < parse_time("2026-01-01T05:00:00Z").value();
        }}});
  cluster.create("0 * * * *");
  cluster.sleep_until(1, "04:59");
  EXPECT_THAT(cluster.jobs(), IsEmpty());
  EXPECT_EQ(cluster.condition("Degraded"), "True ReconcileFailed");
  EXPECT_EQ(cluster.condition("Available"), "False ReconcileFailed");
  cluster.sleep_until(1, "05:01");
  cluster.settle();
  EXPECT_THAT(cluster.jobs(), ElementsAre("1 05:00"));
  EXPECT_EQ(cluster.condition("Degraded"), "False AsExpected");
}

TEST(CronJobExample, AFailedDeletionIsRetriedAndDelaysAStartByAMinuteAtMost) {
  CronCluster cluster;
  cluster.start(
      {{.effect = http::ErrorResponse{.status = 403, .reason = "Forbidden"}, .only = [&](const http::Request& request) {
          return http::requests("DELETE", "/apis/batch/")(request) &&
                 cluster.simulation().executor().wall_now() < parse_time("2026-01-01T03:30:00Z").value();
        }}});
  cluster.create("0 * * * *", {{"successfulJobsHistoryLimit", 0}});
  for (const char* time : {"01:02", "02:02", "03:02"}) {
    cluster.sleep_until(1, time);
    cluster.end_jobs();
  }
  EXPECT_THAT(cluster.jobs(), ElementsAre("1 01:00", "1 02:00", "1 03:00"));
  cluster.sleep_until(1, "03:32");
  EXPECT_THAT(cluster.jobs(), IsEmpty());
}

TEST(CronJobExample, LostResponsesAndConflictsGiveOneJobForEachStart) {
  CronCluster cluster;
  const auto of_jobs = http::requests("POST", "/apis/batch/");
  const auto of_status = http::requests("PATCH", "/apis/batch.demo.pintle.dev/");
  cluster.start({{.effect = http::Drop{.after_commit = true}, .only = of_jobs, .every = 2},
                 {.effect = http::conflict_response(), .only = of_status, .every = 3}});
  cluster.create("0 * * * *");
  std::vector<std::string> expected;
  for (const char* hour : {"01", "02", "03", "04", "05", "06"}) {
    cluster.sleep_until(1, std::string(hour) + ":05");
    expected.push_back(std::string("1 ") + hour + ":00");
    EXPECT_EQ(cluster.jobs(), expected);
  }
}

TEST(CronJobExample, SuspendStopsStartsAndItsEndMakesUpTheLastOne) {
  CronCluster cluster;
  cluster.start();
  cluster.create("0 * * * *", {{"suspend", true}});
  cluster.sleep_until(1, "05:30");
  EXPECT_THAT(cluster.jobs(), IsEmpty());
  EXPECT_EQ(cluster.condition("Available"), "False Suspended");
  cluster.change({{"suspend", false}});
  cluster.settle();
  EXPECT_THAT(cluster.jobs(), ElementsAre("1 05:00"));
  EXPECT_EQ(cluster.condition("Available"), "True Scheduled");
}

TEST(CronJobExample, AChangedScheduleAppliesAtOnce) {
  CronCluster cluster;
  cluster.start();
  cluster.create("0 0 1 7 *");
  cluster.sleep_until(1, "01:10");
  cluster.change({{"schedule", "20 * * * *"}});
  cluster.sleep_until(1, "01:21");
  EXPECT_THAT(cluster.jobs(), ::testing::Contains("1 01:20"));
}

TEST(CronJobExample, ADeletionDeletesTheJobsAndStartsNoMore) {
  CronCluster cluster;
  cluster.start();
  cluster.create("0 * * * *", {}, {"example.com/wait"});
  cluster.sleep_until(1, "01:30");
  EXPECT_EQ(cluster.jobs().size(), 1U);
  ASSERT_TRUE(cluster.user().remove(CronTab::type, {"default", "a"}));
  cluster.sleep_until(1, "03:30");
  EXPECT_THAT(cluster.jobs(), ElementsAre("1 01:00")) << "no start while the object waits for its finalizer";
  ASSERT_TRUE(
      cluster.user().patch(CronTab::type, {"default", "a"}, json::Value{{"metadata", {{"finalizers", nullptr}}}}));
  ASSERT_TRUE(cluster.simulation().run_until_idle());
  EXPECT_THAT(cluster.jobs(), IsEmpty());
}

TEST(CronJobExample, JobsOfAnEarlierObjectOfTheSameNameDoNotCount) {
  CronCluster cluster;
  cluster.start();
  cluster.create("0 * * * *", {{"concurrencyPolicy", "Forbid"}});
  cluster.sleep_until(1, "01:30");
  const json::Value waiting{{"metadata", {{"finalizers", json::array{"example.com/wait"}}}}};
  ASSERT_TRUE(cluster.user().patch(Job::type, {"default", "a-1767229200"}, waiting));
  ASSERT_TRUE(cluster.user().remove(CronTab::type, {"default", "a"}));
  ASSERT_TRUE(cluster.simulation().run_until_idle());
  cluster.create("0 * * * *", {{"concurrencyPolicy", "Forbid"}});
  cluster.sleep_until(1, "02:30");
  EXPECT_THAT(cluster.jobs(), ElementsAre("1 01:00", "1 02:00")) << "the first one waits for its finalizer";
  EXPECT_THAT(cluster.active(), ElementsAre("a-1767232800"));
}

TEST(CronJobExample, AnotherJobWithTheNameOfAStartIsReportedAndKept) {
  CronCluster cluster;
  cluster.start();
  cluster.create("0 * * * *");
  json::Value other = nightly_template;
  other.as_object()["apiVersion"] = "batch/v1";
  other.as_object()["kind"] = "Job";
  other.as_object()["metadata"] = json::object{{"name", "a-1767229200"}, {"namespace", "default"}};
  ASSERT_TRUE(cluster.user().create(other));
  cluster.sleep_until(1, "01:30");
  EXPECT_THAT(cluster.jobs(), ElementsAre("a-1767229200"));
  EXPECT_EQ(cluster.condition("Degraded"), "True ReconcileFailed");
  EXPECT_THAT(cluster.message("Degraded"), HasSubstr("a-1767229200"));
  cluster.sleep_until(1, "02:02");
  EXPECT_THAT(cluster.jobs(), ElementsAre("a-1767229200", "1 02:00"));
  EXPECT_EQ(cluster.condition("Degraded"), "False AsExpected");
}

TEST(CronJobExample, AnInvalidScheduleIsReportedAndNotRetried) {
  CronCluster cluster;
  cluster.start();
  cluster.create("61 * * * *");
  cluster.settle();
  const int reconciles = cluster.reconciles();
  EXPECT_EQ(cluster.condition("Degraded"), "True ReconcileFailed");
  EXPECT_THAT(cluster.message("Degraded"), HasSubstr("minute \"61\""));
  cluster.sleep_until(1, "05:00");
  EXPECT_EQ(cluster.reconciles(), reconciles);
  cluster.change({{"schedule", "1 * * * *"}});
  cluster.sleep_until(1, "05:02");
  EXPECT_EQ(cluster.condition("Degraded"), "False AsExpected");
  EXPECT_THAT(cluster.jobs(), ElementsAre("1 04:01", "1 05:01"));
}

}  // namespace
}  // namespace pintle::testkit
