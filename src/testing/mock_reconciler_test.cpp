// SPDX-License-Identifier: Apache-2.0
#include <pintle/testing/mock_reconciler.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <pintle/testing/simulation.hpp>

namespace pintle::testkit {
namespace {

using ::testing::ElementsAre;

// Records the calls of each step.
class Real final : public external::Reconciler<Object, std::string> {
 public:
  Result<std::string> configure(const Object&, Context&) override {
    calls.emplace_back("configure");
    return fail(ErrorCode::unreachable, "no network in tests");
  }
  Outcome read(const Object&, Context&, Scratch&, std::string& meta) override { return called("read", meta); }
  Result<external::Diff> diff(const Object&, Context&, Scratch&, std::string& meta) override {
    (void)called("diff", meta);
    return external::Diff{.need_create = true, .need_update = true};
  }
  Outcome create(const Object&, Context&, Scratch&, std::string& meta) override { return called("create", meta); }
  Outcome update(const Object&, Context&, Scratch&, std::string& meta) override { return called("update", meta); }
  Outcome remove(const Object&, Context&, Scratch&, std::string& meta) override { return called("remove", meta); }
  ErrorDecision on_error(const Object&, Context&, Scratch&, std::string& meta, const Error& error) override {
    (void)called("on_error", meta);
    return propagate(error);
  }
  Outcome on_success(const Object&, Context&, Scratch&, std::string& meta, const external::Diff&) override {
    (void)called("on_success", meta);
    return fail(ErrorCode::invalid, "told last");
  }

  std::vector<std::string> calls;

 private:
  Outcome called(const std::string& step, const std::string& meta) {
    calls.push_back(step + " " + meta);
    return done;
  }
};

// The mock calls each step of the real reconciler, and replaces the result of `configure` by a value of the test (T1-41
// K).
TEST(MockReconciler, ForwardsEveryStepWithAMetaOfTheTest) {
  Simulation simulation({.seed = 1});
  const auto real = std::make_shared<Real>();
  using Mock = MockReconciler<Real>;
  const external::StdReconciler<Mock> reconciler{.finalizer = "test.pintle.dev/cleanup",
                                                 .reconciler = std::make_shared<Mock>(real, "made up")};
  Instance instance(simulation, {.name = "op", .log_level = LogLevel::off}, [&](Manager& manager) {
    auto controller = reconciler.controller({"v1", "ConfigMap"});
    controller.backoff = {.base = std::chrono::hours(1), .cap = std::chrono::hours(1)};
    manager.add(std::move(controller));
  });
  instance.start();
  ASSERT_TRUE(simulation.wait_until([&] { return instance.manager().is_ready(); }));
  const json::Value made = json::object{
      {"apiVersion", "v1"}, {"kind", "ConfigMap"}, {"metadata", json::object{{"name", "a"}, {"namespace", "default"}}}};
  ASSERT_TRUE(simulation.user().create(made));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(real->calls, ElementsAre("configure", "read made up", "diff made up", "create made up", "update made up",
                                       "on_success made up", "on_error made up"));
  real->calls.clear();
  ASSERT_TRUE(simulation.user().remove({"v1", "ConfigMap"}, {"default", "a"}));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(real->calls, ElementsAre("configure", "read made up", "remove made up"));
}

}  // namespace
}  // namespace pintle::testkit
