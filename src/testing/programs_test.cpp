// SPDX-License-Identifier: Apache-2.0
// The main() of an operator as the process of an instance.
#include <pintle/testing/simulation.hpp>

#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>

#include <pintle/api/everyday.hpp>
#include <pintle/manager/manager_host.hpp>

namespace pintle::testkit {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

ManagerOptions silent(const std::string& name) { return {.name = name, .log_level = LogLevel::off}; }

// main() of an operator that counts its reconciles.
struct CountingProgram {
  int operator()() const {
    Manager manager(silent("counter"));
    manager.add(Controller<ConfigMap>{.reconcile = [this](const ConfigMap&, Context&) -> Outcome {
      ++*reconciles;
      return done;
    }});
    const int code = run_until_signal(manager);
    ++*ends;
    return code;
  }

  std::shared_ptr<int> reconciles = std::make_shared<int>(0);
  std::shared_ptr<int> ends = std::make_shared<int>(0);
};

TEST(ProgramInstance, RunsMainUntilItIsStopped) {
  Simulation simulation({.seed = 1});
  const CountingProgram program;
  Instance instance(simulation, program);
  instance.start();
  ASSERT_TRUE(instance.has_manager());
  ASSERT_TRUE(simulation.wait_until([&] { return instance.manager().is_ready(); }));
  ASSERT_TRUE(simulation.user().create(ConfigMap{.metadata = {.name = "a", .namespace_ = "default"}}));
  simulation.executor().sleep_for(1min);
  EXPECT_EQ(*program.reconciles, 1);
  EXPECT_EQ(*program.ends, 0);
  instance.stop();
  EXPECT_EQ(*program.ends, 1);
  EXPECT_FALSE(instance.has_manager());
}

TEST(ProgramInstance, StartsAgainAfterACrash) {
  Simulation simulation({.seed = 2});
  const CountingProgram program;
  Instance instance(simulation, program);
  instance.start();
  ASSERT_TRUE(simulation.wait_until([&] { return instance.manager().is_ready(); }));
  instance.crash();
  ASSERT_TRUE(simulation.user().create(ConfigMap{.metadata = {.name = "a", .namespace_ = "default"}}));
  simulation.executor().sleep_for(1min);
  EXPECT_EQ(*program.reconciles, 0);
  instance.start();
  simulation.executor().sleep_for(1min);
  EXPECT_EQ(*program.reconciles, 1);
}

TEST(ProgramInstance, HasEndedIfMainReturnsWithoutAManager) {
  Simulation simulation({.seed = 3});
  Instance instance(simulation, [] { return 7; });
  instance.start();
  EXPECT_TRUE(instance.has_ended());
  EXPECT_FALSE(instance.has_manager());
  ASSERT_FALSE(instance.started());
  EXPECT_THAT(instance.started().error().message, HasSubstr("ended with the code 7 before run_until_signal()"));
}

TEST(ProgramInstance, HasEndedIfItsManagerDoesNotStart) {
  Simulation simulation({.seed = 4});
  Instance instance(simulation, [] {
    Manager manager(silent("empty"));
    return run_until_signal(manager);
  });
  instance.start();
  ASSERT_TRUE(simulation.wait_until([&] { return instance.has_ended(); }));
  ASSERT_FALSE(instance.started());
  EXPECT_THAT(instance.started().error().message, HasSubstr("has no controller"));
}

TEST(ProgramInstance, AdjustsTheOptionsOfMain) {
  Simulation simulation({.seed = 5});
  const CountingProgram program;
  Instance instance(simulation, program, [](ManagerOptions& options) { options.name = "other"; });
  instance.start();
  EXPECT_EQ(instance.manager().options().name, "other");
}

TEST(OptionsOfProgram, AreThoseThatMainGivesToItsManager) {
  const CountingProgram program;
  const auto options = options_of_program(program);
  ASSERT_TRUE(options);
  EXPECT_EQ(options->name, "counter");
  EXPECT_EQ(*program.ends, 1) << "main() does not wait";
  const auto none = options_of_program([] { return 3; });
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message, HasSubstr("has constructed no manager"));
}

TEST(OptionsOfProgram, ContainWhatFlagsHaveSet) {
  const auto options = options_of_program([] {
    std::vector<std::string> texts{"op", "--leader-elect", "--webhook-listen", "0.0.0.0:9443"};
    std::vector<char*> arguments;
    for (std::string& text : texts) arguments.push_back(text.data());
    arguments.push_back(nullptr);
    ManagerOptions given = silent("flags");
    given.args = {static_cast<int>(texts.size()), arguments.data()};
    Manager manager(std::move(given));
    return run_until_signal(manager);
  });
  ASSERT_TRUE(options);
  EXPECT_TRUE(options->leader_election.has_value());
  EXPECT_EQ(options->webhooks.listen, "0.0.0.0:9443");
}

TEST(HostedThread, EndsWithItsScope) {
  class Host final : public ManagerHost {
   public:
    void prepare(ManagerOptions& options) override { options.name = "hosted"; }
    int run(Manager&) override { return 5; }
  };
  Host host;
  {
    const HostedThread hosted(host);
    Manager manager(silent("mine"));
    EXPECT_EQ(manager.options().name, "hosted");
    EXPECT_EQ(run_until_signal(manager), 5);
  }
  EXPECT_EQ(HostedThread::current(), nullptr);
  const Manager manager(silent("mine"));
  EXPECT_EQ(manager.options().name, "mine");
}

}  // namespace
}  // namespace pintle::testkit
