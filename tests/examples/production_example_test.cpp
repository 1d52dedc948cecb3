// SPDX-License-Identifier: Apache-2.0
// The production example, unchanged, in a simulated cluster, with only the permissions that its deployment grants.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include <pintle/testing/simulation.hpp>

#define main production_main
#include "../../examples/11-production/main.cpp"
#undef main

namespace pintle::testkit {
namespace {

class ProductionExample : public ::testing::Test {
 protected:
  ProductionExample() {
    start();
    const auto installed = simulation_.wait_until([this] { return operator_->manager().is_ready(); });
    EXPECT_TRUE(installed);
  }
  ~ProductionExample() override {
    operator_->stop();
    std::filesystem::remove_all(folder_);
  }

  void start() {
    operator_ = std::make_unique<Instance>(
        simulation_, ManagerOptions{.name = "tenant-operator", .log_level = LogLevel::off}, [this](Manager& manager) {
          manager.add(tenants(std::make_shared<TenantReconciler>(Billing(folder_), manager.metrics())));
        });
    operator_->start();
  }
  void create(const std::string& plan) {
    ASSERT_TRUE(simulation_.user().create(
        Tenant{.metadata = {.name = "a", .namespace_ = "default"}, .spec = {.plan = plan, .seats = 3}}));
    ASSERT_TRUE(simulation_.run_until_idle());
  }
  [[nodiscard]] Tenant tenant() { return simulation_.user().get<Tenant>({"default", "a"}).value(); }
  [[nodiscard]] StatusCondition ready() { return tenant().status.conditions.at(0); }
  [[nodiscard]] std::string account() {
    std::ifstream file(std::filesystem::path(folder_) / tenant().metadata.uid);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  [[nodiscard]] std::size_t accounts() {
    const std::filesystem::directory_iterator begin(folder_);
    return static_cast<std::size_t>(std::distance(begin, {}));
  }

  std::string folder_ = (std::filesystem::temp_directory_path() / "pintle-billing-XXXXXX").string();
  const bool made_ = ::mkdtemp(folder_.data()) != nullptr;
  Simulation simulation_{{.seed = 1, .on_missing_permission = [](const std::string& what) { ADD_FAILURE() << what; }}};
  std::unique_ptr<Instance> operator_;
};

TEST_F(ProductionExample, ATenantHasSettingsAndAnAccountUntilItsDeletion) {
  create("team");
  EXPECT_EQ(account(), "team 3\n");
  EXPECT_EQ(ready().status, ConditionStatus::true_);
  EXPECT_EQ(tenant().status.account, "account-" + tenant().metadata.uid);
  EXPECT_EQ(simulation_.user().get<ConfigMap>({"default", "a"})->data.at("plan"), "team");
  ASSERT_TRUE(simulation_.user().patch(Tenant::type, {"default", "a"}, json::Value{{"spec", {{"plan", "company"}}}}));
  ASSERT_TRUE(simulation_.run_until_idle());
  EXPECT_EQ(account(), "company 3\n");
  EXPECT_EQ(operator_->manager().metrics().counter("tenant_operator_accounts_opened_total", "", {}).value(), 1);
  ASSERT_TRUE(simulation_.user().remove(Tenant::type, {"default", "a"}));
  ASSERT_TRUE(simulation_.run_until_idle());
  EXPECT_EQ(accounts(), 0U);
  EXPECT_TRUE(simulation_.server().objects("tenants.demo.pintle.dev").empty());
  EXPECT_TRUE(simulation_.server().objects("configmaps").empty());
}

TEST_F(ProductionExample, AnOutageOfBillingIsReportedAndThenRetried) {
  std::filesystem::remove_all(folder_);
  std::ofstream(folder_) << "in the way";
  create("free");
  EXPECT_EQ(ready().status, ConditionStatus::false_);
  EXPECT_EQ(ready().reason, "BillingFailed");
  std::filesystem::remove(folder_);
  ASSERT_TRUE(
      simulation_.wait_until([this] { return ready().status == ConditionStatus::true_; }, std::chrono::minutes(30)));
  EXPECT_EQ(account(), "free 3\n");
}

TEST_F(ProductionExample, TheAccountOfATenantDeletedDuringADowntimeIsRemoved) {
  create("free");
  ASSERT_EQ(accounts(), 1U);
  operator_->stop();
  ASSERT_TRUE(simulation_.user().remove(Tenant::type, {"default", "a"}));
  start();
  ASSERT_TRUE(simulation_.wait_until([this] { return accounts() == 0; }));
}

}  // namespace
}  // namespace pintle::testkit
