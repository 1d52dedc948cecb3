// SPDX-License-Identifier: Apache-2.0
// The CronJob example, unchanged, in a simulated cluster at virtual time. The tests do the work of the Job controller.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <pintle/api/everyday.hpp>
#include <pintle/base/schedule.hpp>
#include <pintle/pintle.hpp>
#include <pintle/testing/simulation.hpp>
#include <pintle/webhook/admission.hpp>

namespace {  // several sources contain the example
namespace cronjob_operator {
[[maybe_unused]] int example_main(int argc, char** argv);
#define main example_main
#include "../../examples/12-cronjob/main.cpp"
#undef main
}  // namespace cronjob_operator
}  // namespace

namespace pintle::testkit {
namespace {

using namespace std::chrono_literals;
using cronjob_operator::cron_jobs;
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

}  // namespace
}  // namespace pintle::testkit
