// SPDX-License-Identifier: Apache-2.0
// The CronJob example, unchanged, in a simulated cluster at virtual time. The tests do the work of the Job controller.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <pintle/pintle.hpp>
#include <pintle/testing/simulation.hpp>

#define main example_main
namespace cronjob_operator {
#include "../../examples/12-cronjob/main.cpp"
}
#undef main

namespace pintle::testkit {
namespace {

using namespace std::chrono_literals;
using cronjob_operator::cron_jobs;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using CronTab = cronjob_operator::CronJob;
using Names = std::vector<std::string>;

const json::Value nightly_template{
    {"metadata", {{"labels", {{"team", "a"}}}, {"annotations", {{"note", "b"}}}}},
    {"spec",
     {{"template",
       {{"spec",
         {{"containers", json::array{json::object{{"name", "c"}, {"image", "d"}}}}, {"restartPolicy", "Never"}}}}}}}};

// A cluster with the operator, a user, and the part of a Job controller that a test needs. The virtual time begins at
// 2026-01-01T00:00:00Z.
class CronCluster {
 public:
  explicit CronCluster(Controller<CronTab> controller = cron_jobs()) : controller_(std::move(controller)) {
    EXPECT_TRUE(simulation_.install<CronTab>());
  }

  void start(http::FaultPlan faults = {}) {
    operator_ = std::make_unique<Instance>(
        simulation_, ManagerOptions{.name = "cronjob-operator", .log_level = LogLevel::off},
        [this](Manager& manager) {
          Controller<CronTab> counted = controller_;
          counted.reconcile = [this](const CronTab& cron_job, Context& ctx) {
            ++reconciles_;
            return controller_.reconcile(cron_job, ctx);
          };
          manager.add(std::move(counted));
        },
        std::move(faults));
    operator_->start();
    EXPECT_TRUE(simulation_.wait_until([&] { return operator_->manager().is_ready(); }));
  }
  void stop() { operator_->stop(); }
  void crash() {
    EXPECT_TRUE(simulation_.wait_until([&] { return operator_->transport().is_crashed(); }, 3h));
    operator_->crash();
  }

  // Creates a CronJob "a" in the namespace "default". The members of `more` are added to its spec.
  void create(const std::string& schedule, const json::object& more = {}, std::vector<std::string> finalizers = {}) {
    json::object spec{{"schedule", schedule}, {"jobTemplate", nightly_template}};
    for (const auto& member : more) spec[member.key()] = member.value();
    json::object metadata{{"name", "a"}, {"namespace", "default"}};
    for (const std::string& finalizer : finalizers) metadata["finalizers"] = json::array{json::Value(finalizer)};
    const auto created = user().create(json::object{{"apiVersion", "batch.demo.pintle.dev/v1"},
                                                    {"kind", "CronJob"},
                                                    {"metadata", std::move(metadata)},
                                                    {"spec", std::move(spec)}});
    ASSERT_TRUE(created) << created.error().to_string();
  }
  void change(const json::object& spec) {
    const auto changed = user().patch(CronTab::type, key_, json::Value{{"spec", spec}});
    ASSERT_TRUE(changed) << changed.error().to_string();
  }

  // Lets time pass until this time of a day in January 2026, "1 03:30".
  void sleep_until(int day, const std::string& time) {
    const std::string date = "2026-01-" + std::string(day < 10 ? "0" : "") + std::to_string(day);
    const WallTime then = parse_time(date + "T" + time + ":00Z").value();
    simulation_.executor().sleep_for(then - simulation_.executor().wall_now());
  }

  // The times of the starts of all Jobs, such as "1 03:00", in their order.
  [[nodiscard]] Names jobs() {
    Names starts;
    for (const Object& job : simulation_.server().objects("jobs.batch")) {
      const std::string_view at = job["/metadata/annotations/batch.demo.pintle.dev~1scheduled-at"].text();
      starts.push_back(at.empty() ? std::string(job.name()) : time_text(at));
    }
    return starts;
  }
  [[nodiscard]] Names active() {
    Names names;
    for (const json::View one : cron_job()["/status/active"].elements()) names.emplace_back(one["/name"].text());
    return names;
  }
  [[nodiscard]] std::string last_start() { return time_text(cron_job()["/status/lastScheduleTime"].text()); }
  // For example "True JobFailed".
  [[nodiscard]] std::string condition(std::string_view type) {
    const auto found = find_condition(cron_job(), type);
    return found ? (found->status == ConditionStatus::true_ ? "True " : "False ") + found->reason : "none";
  }
  [[nodiscard]] std::string message(std::string_view type) {
    const auto found = find_condition(cron_job(), type);
    return found ? found->message : "none";
  }

  // Begins all Jobs that have not begun.
  void begin_jobs() {
    for (const Object& job : simulation_.server().objects("jobs.batch")) {
      if (!job["/status/startTime"].exists()) set_job_status(job, {{"startTime", now()}, {"active", 1}});
    }
  }
  // Ends all Jobs that have not ended, with the condition Complete or Failed.
  void end_jobs(const std::string& condition = "Complete") {
    begin_jobs();
    for (const Object& job : simulation_.server().objects("jobs.batch")) {
      if (is_condition_true(job, "Complete") || is_condition_true(job, "Failed")) continue;
      json::object status{{"active", nullptr}};
      status["conditions"] = json::array{
          json::object{{"type", condition == "Complete" ? "SuccessCriteriaMet" : "FailureTarget"}, {"status", "True"}},
          json::object{{"type", condition}, {"status", "True"}}};
      if (condition == "Complete") status["completionTime"] = now();
      set_job_status(job, std::move(status));
    }
    settle();
  }
  // Lets a few seconds pass, in which the operator reconciles.
  void settle() { simulation_.executor().sleep_for(5s); }

  [[nodiscard]] Object cron_job() { return simulation_.server().objects("cronjobs.batch.demo.pintle.dev").at(0); }
  [[nodiscard]] Client& user() { return simulation_.user(); }
  [[nodiscard]] Simulation& simulation() { return simulation_; }
  [[nodiscard]] std::uint64_t writes() { return simulation_.server().writes(); }
  [[nodiscard]] int reconciles() const { return reconciles_; }

 private:
  [[nodiscard]] std::string now() { return format_time(simulation_.executor().wall_now()); }
  static std::string time_text(std::string_view time) {
    if (time.size() < 16) return "none";
    std::string day(time.substr(8, 2));
    if (day.front() == '0') day.erase(0, 1);
    return day + " " + std::string(time.substr(11, 5));
  }
  void set_job_status(const Object& job, json::object status) {
    const auto set =
        user().patch(Job::type, job.key(), json::Value{{"status", std::move(status)}}, {.subresource = "status"});
    EXPECT_TRUE(set) << set.error().to_string();
  }

  const Controller<CronTab> controller_;
  const ObjectKey key_{"default", "a"};
  int reconciles_ = 0;  // declared before the simulation, whose threads count it
  Simulation simulation_{{.seed = 1, .on_missing_permission = [](const std::string& what) { ADD_FAILURE() << what; }}};
  std::unique_ptr<Instance> operator_;
};

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

// The operator with its webhook. It is in the namespace "default", whose objects are not sent to the webhook.
class CronJobExampleWebhook : public ::testing::Test {
 protected:
  CronJobExampleWebhook() {
    EXPECT_TRUE(simulation_.user().create(
        json::Value{{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", {{"name", "shop"}}}}));
    EXPECT_TRUE(simulation_.install<CronTab>());
  }
  void start() {
    operator_ = std::make_unique<Instance>(
        simulation_,
        ManagerOptions{.name = "cronjob-operator", .log_level = LogLevel::off, .webhooks = {.listen = "0.0.0.0:9443"}},
        [](Manager& manager) {
          manager.add(cron_jobs());
          manager.add(Admission<CronTab>{.validate = cronjob_operator::check});
        });
    operator_->start();
    EXPECT_TRUE(simulation_.wait_until([&] { return operator_->manager().is_ready(); }));
  }
  Result<Object> create(const std::string& name, const std::string& schedule, json::array finalizers = {}) {
    return simulation_.user().create(json::object{
        {"apiVersion", "batch.demo.pintle.dev/v1"},
        {"kind", "CronJob"},
        {"metadata", json::object{{"name", name}, {"namespace", "shop"}, {"finalizers", std::move(finalizers)}}},
        {"spec", json::object{{"schedule", schedule}, {"jobTemplate", nightly_template}}}});
  }
  static std::string text_of(const Result<Object>& result) { return result ? "admitted" : result.error().message; }

  Simulation simulation_{{.seed = 1, .on_missing_permission = [](const std::string& what) { ADD_FAILURE() << what; }}};
  std::unique_ptr<Instance> operator_;
};

TEST_F(CronJobExampleWebhook, TheServerSetsTheDefaults) {
  start();
  const auto created = create("a", "0 * * * *");
  ASSERT_TRUE(created) << created.error().to_string();
  EXPECT_EQ((*created)["/spec/concurrencyPolicy"], "Allow");
  EXPECT_EQ((*created)["/spec/suspend"], false);
  EXPECT_EQ((*created)["/spec/successfulJobsHistoryLimit"], 3);
  EXPECT_EQ((*created)["/spec/failedJobsHistoryLimit"], 1);
}

TEST_F(CronJobExampleWebhook, DeniesInvalidSchedulesAndLongNames) {
  start();
  EXPECT_EQ(text_of(create(std::string(52, 'a'), "0 * * * *")), "admitted");
  EXPECT_THAT(text_of(create(std::string(53, 'a'), "0 * * * *")), HasSubstr("must be no more than 52 characters"));
  EXPECT_THAT(text_of(create("b", "every hour")), HasSubstr("spec.schedule: Invalid value: every hour: schedule"));
  EXPECT_THAT(text_of(create("b", "")), HasSubstr("spec.schedule"));
  ASSERT_EQ(text_of(create("b", "@daily")), "admitted");
  const auto change = [&](const json::object& spec) {
    return text_of(simulation_.user().patch(CronTab::type, {"shop", "b"}, json::Value{{"spec", spec}}));
  };
  EXPECT_THAT(change({{"schedule", "0 0 30 2 *"}}), HasSubstr("has no point in time"));
  EXPECT_THAT(change({{"concurrencyPolicy", "Never"}}), HasSubstr("concurrencyPolicy"));
  EXPECT_THAT(change({{"startingDeadlineSeconds", -1}}), HasSubstr("startingDeadlineSeconds"));
  EXPECT_EQ(change({{"schedule", "@hourly"}}), "admitted");
}

TEST_F(CronJobExampleWebhook, AnInvalidObjectFromBeforeTheWebhookCanBeDeleted) {
  ASSERT_EQ(text_of(create("old", "every hour", {"example.com/wait"})), "admitted");
  start();
  const json::Value no_finalizers{{"metadata", {{"finalizers", nullptr}}}};
  const json::Value label{{"metadata", {{"labels", {{"a", "b"}}}}}};
  EXPECT_THAT(text_of(simulation_.user().patch(CronTab::type, {"shop", "old"}, label)), HasSubstr("every hour"));
  ASSERT_TRUE(simulation_.user().remove(CronTab::type, {"shop", "old"}));
  EXPECT_EQ(text_of(simulation_.user().patch(CronTab::type, {"shop", "old"}, no_finalizers)), "admitted");
  ASSERT_TRUE(simulation_.run_until_idle());
  EXPECT_TRUE(simulation_.server().objects("cronjobs.batch.demo.pintle.dev").empty());
}

// The number of lines with code of an example, and of its CMakeLists.txt.
std::size_t lines_of(const std::string& folder) {
  std::size_t lines = 0;
  for (const char* name : {"/main.cpp", "/CMakeLists.txt"}) {
    std::ifstream file(folder + name);
    EXPECT_TRUE(file) << "run this test in the root folder of the repository";
    for (std::string line; std::getline(file, line);) {
      const std::size_t begin = line.find_first_not_of(' ');
      const bool is_comment = begin != std::string::npos && (line.compare(begin, 2, "//") == 0 || line[begin] == '#');
      // A directive of the preprocessor is code.
      const bool is_directive = begin != std::string::npos && line.compare(begin, 8, "#include") == 0;
      if (begin != std::string::npos && (!is_comment || is_directive)) ++lines;
    }
  }
  return lines;
}

TEST(CronJobExample, ThePageAboutControllerRuntimeShowsTheSizeOfTheExamples) {
  std::ifstream file("docs/migrate-from-controller-runtime.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  const std::string cron_job = std::to_string(lines_of("examples/12-cronjob"));
  const std::string memcached = std::to_string(lines_of("examples/13-memcached"));
  const std::string row = "| sum | 723 and 36 markers | " + cron_job + " | 421 and 21 markers | " + memcached + " |";
  EXPECT_NE(page.find(row), std::string::npos) << "the page must contain: " << row;
}

}  // namespace
}  // namespace pintle::testkit
