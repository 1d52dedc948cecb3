// SPDX-License-Identifier: Apache-2.0
// Every example, unchanged, with its printed roles enforced: the roles must allow everything that it does.
#include <charconv>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <pintle/patterns/crud.hpp>
#include <pintle/patterns/external.hpp>
#include <pintle/patterns/guard.hpp>
#include <pintle/patterns/phased.hpp>
#include <pintle/patterns/service.hpp>
#include <pintle/patterns/watcher.hpp>
#include <pintle/pintle.hpp>
#include <pintle/testing/access_granter.hpp>
#include <pintle/testing/simulation.hpp>

namespace pintle {

// Replaces the manager in the main() of an example. The first call only records the options; the second call uses the
// manager of a simulated instance.
class ExampleManager {
 public:
  explicit ExampleManager(ManagerOptions options) {
    options.args = {};
    if (target == nullptr) shown = std::move(options);
    if (target == nullptr) own_ = std::make_unique<Manager>(ManagerOptions{});
  }
  template <class T>
  void add(T&& controller) {
    get().add(std::forward<T>(controller));
  }
  operator Manager&() { return get(); }  // NOLINT(google-explicit-constructor)
  [[nodiscard]] Manager& get() { return target == nullptr ? *own_ : *target; }
  [[nodiscard]] MetricsRegistry& metrics() { return get().metrics(); }
  [[nodiscard]] Executor& executor() { return get().executor(); }

  static inline ManagerOptions shown{};
  static inline Manager* target = nullptr;
  static inline bool is_declared = false;
  static inline bool is_over = false;

 private:
  std::unique_ptr<Manager> own_;
};

// The second call returns only when the test is over, because controllers may refer to local variables of main().
inline int stay_in_main(ExampleManager& manager) {
  if (ExampleManager::target == nullptr) return 0;
  ExampleManager::is_declared = true;
  while (!ExampleManager::is_over) manager.executor().sleep_for(std::chrono::seconds(1));
  return 0;
}

}  // namespace pintle

#define Manager ExampleManager
#define run_until_signal stay_in_main
#define main example_main
namespace hello_example {
#include "../../examples/01-hello/main.cpp"
}
namespace dynamic_example {
#include "../../examples/02-dynamic/main.cpp"
}
namespace children_example {
#include "../../examples/03-children/main.cpp"
}
namespace finalizer_example {
#include "../../examples/04-finalizer/main.cpp"
}
namespace status_example {
#include "../../examples/05-status/main.cpp"
}
namespace references_example {
#include "../../examples/06-references/main.cpp"
}
namespace webhook_example {
#include "../../examples/07-webhook/main.cpp"
}
namespace leader_example {
#include "../../examples/08-leader-election/main.cpp"
}
namespace crud_example {
#include "../../examples/09-patterns/crud/main.cpp"
}
namespace external_example {
#include "../../examples/09-patterns/external/main.cpp"
}
namespace guard_example {
#include "../../examples/09-patterns/guard/main.cpp"
}
namespace phased_example {
#include "../../examples/09-patterns/phased/main.cpp"
}
namespace service_example {
#include "../../examples/09-patterns/service/main.cpp"
}
namespace watcher_example {
#include "../../examples/09-patterns/watcher/main.cpp"
}
namespace production_example {
#include "../../examples/11-production/main.cpp"
}
namespace cronjob_example {
#include "../../examples/12-cronjob/main.cpp"
}
namespace memcached_example {
#include "../../examples/13-memcached/main.cpp"
}
#undef main
#undef run_until_signal
#undef Manager

namespace pintle::testkit {
namespace {

using namespace std::chrono_literals;

struct Example {
  friend std::ostream& operator<<(std::ostream& out, const Example& example) { return out << example.name; }

  std::string name;
  int (*main)(int, char**);
  GroupVersionKind kind;
  json::Value spec;     // of the object that a user creates
  json::Value next;     // a merge patch for this object
  std::string makes{};  // a resource that the operator creates; empty: none
  json::Value labels = json::object{};
};

const json::Value ada{{"who", "Ada"}};
const json::Value grace{{"spec", {{"who", "Grace"}}}};
const GroupVersionKind greeting{"demo.pintle.dev/v1", "Greeting"};

std::vector<Example> examples() {
  const json::Value containers{{"labels", {{"app", "x"}}}};
  const json::Value replica_set{
      {"replicas", 0},
      {"selector", {{"matchLabels", {{"app", "x"}}}}},
      {"template",
       {{"metadata", containers},
        {"spec", {{"containers", json::array{json::object{{"name", "a"}, {"image", "b"}}}}}}}}};
  const json::Value job{
      {"template",
       {{"spec",
         {{"containers", json::array{json::object{{"name", "a"}, {"image", "b"}}}}, {"restartPolicy", "Never"}}}}}};
  return {
      {"hello", hello_example::example_main, greeting, ada, grace, "configmaps"},
      {"dynamic",
       dynamic_example::example_main,
       {"apps/v1", "ReplicaSet"},
       replica_set,
       {{"metadata", {{"labels", {{"hello", "moon"}}}}}},
       "",
       json::object{{"team", "demo"}}},
      {"children",
       children_example::example_main,
       {"demo.pintle.dev/v1", "Database"},
       {{"host", "10.0.0.1"}, {"backups", true}},
       {{"spec", {{"host", "10.0.0.2"}}}},
       "secrets"},
      {"finalizer",
       finalizer_example::example_main,
       {"demo.pintle.dev/v1", "Folder"},
       {{"note", "a"}},
       {{"spec", {{"note", "b"}}}}},
      {"status",
       status_example::example_main,
       {"demo.pintle.dev/v1", "Team"},
       {{"seats", 1}, {"members", json::array{"a"}}},
       {{"spec", {{"seats", 2}}}}},
      {"references",
       references_example::example_main,
       {"demo.pintle.dev/v1", "Bundle"},
       {{"secrets", json::array{}}},
       {{"spec", {{"secrets", json::array{"missing"}}}}},
       "configmaps"},
      {"webhook",
       webhook_example::example_main,
       {"demo.pintle.dev/v2", "Proxy"},
       {{"host", "10.0.0.1"}},
       {{"spec", {{"tls", true}}}},
       "configmaps"},
      {"leader",
       leader_example::example_main,
       {"demo.pintle.dev/v1", "Heart"},
       {{"milliseconds", 2000}},
       {{"spec", {{"milliseconds", 5000}}}},
       "configmaps"},
      {"crud", crud_example::example_main, greeting, ada, grace, "configmaps"},
      {"external", external_example::example_main, greeting, ada, grace, "configmaps"},
      {"guard", guard_example::example_main, greeting, ada, grace, "configmaps"},
      {"phased", phased_example::example_main, greeting, ada, grace, "configmaps"},
      {"service", service_example::example_main, greeting, ada, grace},
      {"watcher", watcher_example::example_main, greeting, ada, grace, "configmaps"},
      {"production",
       production_example::example_main,
       {"demo.pintle.dev/v1", "Tenant"},
       {{"plan", "team"}, {"seats", 3}},
       {{"spec", {{"plan", "company"}}}},
       "configmaps"},
      {"cronjob",
       cronjob_example::example_main,
       {"batch.demo.pintle.dev/v1", "CronJob"},
       {{"schedule", "* * * * *"}, {"successfulJobsHistoryLimit", 0}, {"jobTemplate", {{"spec", job}}}},
       {{"spec", {{"concurrencyPolicy", "Replace"}}}},
       "jobs.batch"},
      {"memcached",
       memcached_example::example_main,
       {"cache.demo.pintle.dev/v1", "Memcached"},
       {{"size", 2}},
       {{"spec", {{"size", 3}}}},
       "deployments.apps"},
  };
}

class RolesOfExamples : public ::testing::TestWithParam<Example> {
 protected:
  RolesOfExamples() {
    ExampleManager::target = nullptr;
    ExampleManager::is_declared = false;
    ExampleManager::is_over = false;
    std::filesystem::create_directories(folder_);
    std::filesystem::current_path(folder_);
  }
  ~RolesOfExamples() override {
    std::filesystem::current_path(before_);
    std::filesystem::remove_all(folder_);
  }

  // Starts an instance whose controllers are declared by the main() of the example, on a thread that stays in main().
  void start() {
    char* arguments[] = {nullptr};
    (void)GetParam().main(0, arguments);
    ManagerOptions options = ExampleManager::shown;
    options.log_level = LogLevel::off;
    for (NamedCluster& cluster : options.clusters) {
      SimulatedCluster& simulated = simulation_.add_cluster(cluster.name.value());
      cluster.address = simulated.address();
      if (cluster.name.value() != "platform") continue;
      granter_.emplace(simulation_, simulated, AccessGranterOptions{});
      ASSERT_TRUE(granter_->start());
    }
    instance_ = std::make_unique<Instance>(simulation_, options, [this](pintle::Manager& manager) {
      ExampleManager::target = &manager;
      main_ = simulation_.executor().spawn({.name = "main"}, [] {
        char* none[] = {nullptr};
        (void)GetParam().main(0, none);
      });
      while (!ExampleManager::is_declared) simulation_.executor().sleep_for(1ms);
    });
    instance_->start();
    ASSERT_TRUE(simulation_.wait_until([&] { return instance_->manager().is_leading(); }))
        << (instance_->started() ? "" : instance_->started().error().to_string());
  }
  void stop() {
    instance_->stop();
    ExampleManager::is_over = true;
    main_.join();
  }

  const std::filesystem::path before_ = std::filesystem::current_path();
  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("pintle-roles-" + std::to_string(::getpid()));
  Simulation simulation_{{.seed = 1,
                          .on_missing_permission = [](const std::string& what) { ADD_FAILURE() << what; },
                          .enforce_roles = true}};
  std::optional<AccessGranter> granter_;
  Thread main_;
  std::unique_ptr<Instance> instance_;
};

TEST_P(RolesOfExamples, AllowAllTheirRequests) {
  const Example& example = GetParam();
  start();
  const ObjectKey key{"default", "a"};
  const auto created = simulation_.user().create(
      json::object{{"apiVersion", example.kind.api_version()},
                   {"kind", example.kind.kind},
                   {"metadata", json::object{{"name", "a"}, {"namespace", "default"}, {"labels", example.labels}}},
                   {"spec", example.spec}});
  ASSERT_TRUE(created) << created.error().to_string();
  simulation_.executor().sleep_for(90s);
  if (!example.makes.empty()) {
    EXPECT_FALSE(simulation_.server().objects(example.makes).empty());
  }
  const auto changed = simulation_.user().patch(example.kind, key, example.next);
  ASSERT_TRUE(changed) << changed.error().to_string();
  simulation_.executor().sleep_for(90s);
  ASSERT_TRUE(simulation_.user().remove(example.kind, key));
  simulation_.executor().sleep_for(2min);
  EXPECT_FALSE(simulation_.user().get(example.kind, key));
  stop();
}

INSTANTIATE_TEST_SUITE_P(Examples, RolesOfExamples, ::testing::ValuesIn(examples()),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace pintle::testkit
