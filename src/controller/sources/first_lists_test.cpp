// SPDX-License-Identifier: Apache-2.0
#include "first_lists.hpp"

#include <set>

#include "controller/test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

bool reads_all(const http::Request& request) {
  return request.method == "GET" && request.target.find("limit=500") != std::string::npos;
}

// Starts an operator that owns 12 kinds besides its own one, and records the targets of its first lists.
class FirstListsTest : public OperatorTest {
 protected:
  void start_with(http::FaultPlan faults) {
    faults.insert(faults.begin(), {.effect = http::Delay{}, .only = [this](const http::Request& request) {
                                     if (reads_all(request)) targets.push_back(request.target);
                                     return false;
                                   }});
    const auto add = [](Manager& manager) {
      Controller<Note> controller{.reconcile = [](const Note&, Context&) -> Outcome { return done; }};
      for (const char* kind : {"ConfigMap", "Secret", "Service", "Pod", "ServiceAccount", "Endpoints", "Namespace",
                               "Node", "PersistentVolumeClaim", "LimitRange", "ResourceQuota", "PodTemplate"}) {
        controller.owns.emplace_back(GroupVersionKind("v1", kind));
      }
      manager.add(std::move(controller));
    };
    instance = std::make_unique<testkit::Instance>(
        simulation, ManagerOptions{.name = "op", .log_sink = log, .list_mode = ListMode::paged}, add,
        std::move(faults));
    instance->start();
  }

  std::vector<std::string> targets;
};

TEST_F(FirstListsTest, AtMostEightAreReadAtOnceTheOwnKindFirst) {
  start_with({{.effect = http::Delay{20s}, .only = reads_all}});
  simulation.executor().sleep_for(15s);
  ASSERT_EQ(targets.size(), FirstLists::max_running);
  EXPECT_NE(targets[0].find("/notes?"), std::string::npos) << targets[0];
  EXPECT_TRUE(log->has("the start waits for the first lists progress=0 of 13 caches are filled, 0 objects"));
  simulation.executor().sleep_for(15s);
  EXPECT_EQ(targets.size(), 13U);
  EXPECT_TRUE(simulation.wait_until([&] { return instance->manager().is_ready(); }));
}

// A kind without permission must not keep its place until a person grants it.
TEST_F(FirstListsTest, ARefusedListLeavesItsPlace) {
  start_with({{.effect = http::ErrorResponse{.status = 403, .reason = "Forbidden"}, .only = reads_all}});
  simulation.executor().sleep_for(5s);
  EXPECT_EQ(std::set<std::string>(targets.begin(), targets.end()).size(), 13U);
}

}  // namespace
}  // namespace pintle
