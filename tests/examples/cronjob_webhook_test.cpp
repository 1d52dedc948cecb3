// SPDX-License-Identifier: Apache-2.0
// The webhook of the CronJob example.
#include <memory>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cronjob_cluster.hpp"

namespace pintle::testkit {
namespace {

using ::testing::HasSubstr;

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

}  // namespace
}  // namespace pintle::testkit
