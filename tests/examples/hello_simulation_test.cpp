// SPDX-License-Identifier: Apache-2.0
// The hello operator, unchanged, in a simulated cluster: random interleavings, crashes and edits, each from one seed.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>

#include <gtest/gtest.h>

#include <pintle/testing/seeds.hpp>
#include <pintle/testing/simulation.hpp>

#define main hello_main
#include "../../examples/01-hello/main.cpp"
#undef main

namespace pintle::testkit {
namespace {

using namespace std::chrono_literals;

const GroupVersionKind greeting_kind = Greeting::type;
const GroupVersionKind config_map_kind = ConfigMap::type;

// If a seed is given, the log of the operator is printed.
ManagerOptions options() {
  return {.name = "hello-operator",
          .log_level = std::getenv("PINTLE_SEED") != nullptr ? LogLevel::debug : LogLevel::off,
          .log_format = LogFormat::text};
}

void add_hello(Manager& manager) {
  manager.add(Controller<Greeting>{.owns = {ConfigMap::type}, .reconcile = reconcile});
}

// A cluster with the operator, and a user who makes random changes.
class Story {
 public:
  explicit Story(std::uint64_t seed)
      : simulation_({.seed = seed,
                     .replay = "PINTLE_SEED=" + std::to_string(seed) +
                               " example_tests --gtest_filter=HelloSimulation.*Interleaving*"}) {
    start_operator();
  }

  void run(int steps) {
    simulation_.wait_until([&] { return simulation_.user().resource(greeting_kind).has_value(); });
    const int crash_at = static_cast<int>(simulation_.random().below(static_cast<std::uint64_t>(steps)));
    for (int step = 0; step < steps; ++step) {
      if (step == crash_at) crash();
      act();
      simulation_.executor().sleep_for(std::chrono::milliseconds(simulation_.random().below(300)));
    }
  }

  // The state that every story must end with.
  void check_end() {
    ASSERT_TRUE(simulation_.run_until_idle()) << "the cluster does not become idle";
    std::map<std::string, std::string> wanted;
    for (const Object& greeting : simulation_.server().objects("greetings.demo.pintle.dev")) {
      wanted[std::string(greeting.name())] = "Hello, " + std::string(greeting["/spec/who"].text()) + "!";
    }
    std::map<std::string, std::string> there;
    for (const Object& config_map : simulation_.server().objects("configmaps")) {
      there[std::string(config_map.name())] = config_map["/data/text"].text();
      EXPECT_EQ(config_map["/metadata/ownerReferences/0/kind"], "Greeting");
    }
    EXPECT_EQ(there, wanted);
  }

  // A restarted operator finds nothing to do.
  void check_idempotence() {
    const std::uint64_t writes = simulation_.server().writes();
    operator_->stop();
    start_operator();
    ASSERT_TRUE(simulation_.run_until_idle());
    operator_->join();
    ASSERT_TRUE(operator_->started()) << operator_->started().error().to_string();
    EXPECT_EQ(simulation_.server().writes(), writes) << "a second reconcile incremented a resourceVersion";
  }

 private:
  void start_operator() {
    operator_ = std::make_unique<Instance>(simulation_, options(), add_hello);
    operator_->start();
  }
  void crash() {
    operator_->crash();
    start_operator();
  }

  void act() {
    Client& user = simulation_.user();
    const ObjectKey key{"default", std::string(1, static_cast<char>('a' + simulation_.random().below(3)))};
    const std::string who = "person-" + std::to_string(simulation_.random().below(5));
    switch (simulation_.random().below(8)) {
      case 0:
      case 1: {
        const Greeting greeting{.metadata = {.name = key.name, .namespace_ = key.namespace_}, .spec = {.who = who}};
        allow(user.create(greeting), ErrorCode::already_exists);
        break;
      }
      case 2:
      case 3: allow(user.patch(greeting_kind, key, json::Value{{"spec", {{"who", who}}}}), ErrorCode::not_found); break;
      case 4: EXPECT_TRUE(user.remove(greeting_kind, key)); break;
      case 5: EXPECT_TRUE(user.remove(config_map_kind, key)); break;
      case 6:
        allow(user.patch(config_map_kind, key, json::Value{{"data", {{"text", "vandalised"}}}}), ErrorCode::not_found);
        break;
      default: simulation_.server().compact();  // the watches of the operator must list again
    }
  }

  template <class T>
  static void allow(const Result<T>& result, ErrorCode code) {
    EXPECT_TRUE(result || result.error().code == code) << result.error().to_string();
  }

  Simulation simulation_;
  std::unique_ptr<Instance> operator_;
};

TEST(HelloSimulation, EndsInTheRightStateForEveryInterleavingCrashAndEdit) {
  for (const std::uint64_t seed : seeds({.usual = 200, .sanitized = 20, .long_run = 5'000})) {
    SCOPED_TRACE("replay: PINTLE_SEED=" + std::to_string(seed) +
                 " example_tests --gtest_filter=HelloSimulation.*Interleaving*");
    Story story(seed);
    story.run(12);
    story.check_end();
    story.check_idempotence();
    if (HasFailure()) break;
  }
}

TEST(HelloSimulation, AThousandHoursTakeSeconds) {
  Simulation simulation({.seed = 1000});
  Instance hello(simulation, options(), add_hello);
  hello.start();
  ASSERT_TRUE(simulation.wait_until([&] { return simulation.user().resource(greeting_kind).has_value(); }));
  ASSERT_TRUE(simulation.user().create(Greeting{.metadata = {.name = "a", .namespace_ = "default"}}));
  for (int hour = 0; hour < (is_sanitized ? 50 : 1000); hour += 10) {
    simulation.executor().sleep_for(10h);
    const std::string who = "hour-" + std::to_string(hour);
    ASSERT_TRUE(simulation.user().patch(greeting_kind, {"default", "a"}, json::Value{{"spec", {{"who", who}}}}));
    EXPECT_TRUE(simulation.wait_until([&] {
      const auto all = simulation.server().objects("configmaps");
      return all.size() == 1 && all[0]["/data/text"] == "Hello, " + who + "!";
    }));
  }
}

// The README shows the example as the size of a complete operator.
TEST(HelloExample, HasAtMost30Lines) {
  std::ifstream file("examples/01-hello/main.cpp");
  ASSERT_TRUE(file) << "run this test in the root folder of the repository";
  EXPECT_LE(std::count(std::istreambuf_iterator<char>(file), {}, '\n'), 30);
}

}  // namespace
}  // namespace pintle::testkit
