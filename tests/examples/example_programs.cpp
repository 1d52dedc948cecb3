// SPDX-License-Identifier: Apache-2.0
#include "example_programs.hpp"

#include <charconv>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <utility>

#include <pintle/api/everyday.hpp>
#include <pintle/base/schedule.hpp>
#include <pintle/patterns/crud.hpp>
#include <pintle/patterns/external.hpp>
#include <pintle/patterns/guard.hpp>
#include <pintle/patterns/phased.hpp>
#include <pintle/patterns/service.hpp>
#include <pintle/patterns/watcher.hpp>
#include <pintle/pintle.hpp>
#include <pintle/webhook/admission.hpp>

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

namespace pintle {
namespace {

const json::Value ada{{"who", "Ada"}};
const json::Value grace{{"spec", {{"who", "Grace"}}}};
const GroupVersionKind greeting{"demo.pintle.dev/v1", "Greeting"};

}  // namespace

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

json::Value Example::object(const std::string& name_of_object) const {
  return json::object{
      {"apiVersion", kind.api_version()},
      {"kind", kind.kind},
      {"metadata", json::object{{"name", name_of_object}, {"namespace", "default"}, {"labels", labels}}},
      {"spec", spec}};
}

int Example::run() const {
  char program[] = "example";
  char* arguments[] = {program, nullptr};
  return main(1, arguments);
}

}  // namespace pintle
