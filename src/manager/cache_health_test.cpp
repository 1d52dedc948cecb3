// SPDX-License-Identifier: Apache-2.0
#include "cache_health.hpp"

#include <gmock/gmock.h>

#include <pintle/api/everyday.hpp>
#include <pintle/testing/simulation.hpp>

#include "health.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// The caches of config maps and of widgets, which the server does not serve.
class CacheHealthTest : public ::testing::Test {
 protected:
  void SetUp() override {
    config_maps->start();
    widgets->start();
    ASSERT_TRUE(config_maps->wait_for_sync(executor.now() + 1min));
  }
  void TearDown() override {
    config_maps->stop();
    widgets->stop();
    dispatcher.stop();
    transport->stop();
  }
  [[nodiscard]] std::string value(const std::string& name) {
    health.measure();
    const std::string text = metrics.text();
    const auto at = text.find("\n" + name);
    const auto space = text.find(' ', text.find('}', at));
    return at == std::string::npos ? "none" : text.substr(space + 1, text.find('\n', space) - space - 1);
  }

  testkit::Simulation simulation{{.seed = 1}};
  Executor& executor = simulation.executor();
  std::shared_ptr<http::InProcessTransport> transport = simulation.connect();
  Client client{{.transport = transport, .cluster = {.endpoint = std::make_shared<http::Endpoint>()}}};
  Dispatcher dispatcher{executor};
  std::shared_ptr<Informer> config_maps = std::make_shared<Informer>(
      client, dispatcher, Log(), InformerOptions{.resource = {.kind = ConfigMap::type, .plural = "configmaps"}});
  std::shared_ptr<Informer> widgets = std::make_shared<Informer>(
      client, dispatcher, Log(), InformerOptions{.resource = {.kind = {"example.com/v1", "Widget"}}});
  MetricsRegistry metrics;
  CacheHealth health{executor, metrics, "op", 5min};
};

TEST_F(CacheHealthTest, DoesNotNameAKindThatNeedNotBeServed) {
  health.add("home", {{config_maps, {}}, {widgets, {.if_served = true}}});
  EXPECT_THAT(health.problems(), IsEmpty());
  EXPECT_THAT(health.missing(), IsEmpty());
}

// A namespace may get the labels of a selector while the manager stops.
TEST_F(CacheHealthTest, IgnoresACacheThatIsAddedAfterItsEnd) {
  health.add("b", {{widgets, {}}});
  health.close();
  health.add("b", {{widgets, {}}});
  EXPECT_THAT(health.missing(), IsEmpty());
}

TEST_F(CacheHealthTest, ForgetsACacheThatWasRemoved) {
  health.add("home", {{config_maps, {}}, {widgets, {}}});
  health.remove(*widgets);
  EXPECT_THAT(health.missing(), IsEmpty());
  EXPECT_EQ(widgets.use_count(), 1);
  EXPECT_EQ(health.caches().size(), 1U);
}

TEST_F(CacheHealthTest, NamesAKindThatIsNotServed) {
  health.add("home", {{config_maps, {}}});
  health.add("b", {{widgets, {}}});
  const std::string waiting =
      "example.com/v1 Widget is not served by the cluster; waiting until its CRD is installed (cluster b)";
  EXPECT_THAT(health.problems(), ElementsAre(waiting));
  EXPECT_THAT(health.missing(), ElementsAre(waiting));
  EXPECT_EQ(health.progress(), "1 of 2 caches are filled, 0 objects");
  EXPECT_EQ(value("pintle_cache_state{group=\"example.com\",name=\"op/b\",resource=\"widget\",state=\"waiting\""), "1");
}

TEST_F(CacheHealthTest, NamesASilentSource) {
  health.add("home", {{config_maps, {}}});
  executor.sleep_for(1h);
  EXPECT_THAT(health.problems(), IsEmpty()) << "bookmarks arrive each minute";
  transport->set_faults({{.effect = http::Drop{}}});
  simulation.server().compact();
  simulation.restart_server(simulation.server().resource_version());
  executor.sleep_for(10min);
  EXPECT_THAT(health.problems(),
              ElementsAre(HasSubstr("the cache of configmaps may be outdated: the server has sent nothing about it")));
  EXPECT_GE(std::stod(value("pintle_cache_staleness_seconds")), 300);
  transport->set_faults({});
  executor.sleep_for(3min);
  EXPECT_THAT(health.problems(), IsEmpty());
}

TEST_F(CacheHealthTest, CountsObjectsAndTheirMemory) {
  health.add("home", {{config_maps, {}}});
  for (const char* name : {"a", "b"}) {
    ASSERT_TRUE(simulation.user().create(ConfigMap{.metadata = {.name = name, .namespace_ = "default"}}));
  }
  executor.sleep_for(1s);
  EXPECT_EQ(value("pintle_cache_objects"), "2");
  EXPECT_GT(std::stod(value("pintle_cache_bytes")), 100);
  EXPECT_EQ(health.progress(), "1 of 1 caches are filled, 2 objects");
}

// The alert about a silent source would otherwise fire for ever.
TEST_F(CacheHealthTest, ACacheThatIsNotWatchedIsNotStale) {
  health.add("home", {{config_maps, {}}});
  executor.sleep_for(10s);
  EXPECT_GT(std::stod(value("pintle_cache_staleness_seconds")), 0);
  for (const bool suspends : {false, true}) {
    SCOPED_TRACE(suspends);
    suspends ? config_maps->suspend() : config_maps->withdraw();
    executor.sleep_for(1h);
    EXPECT_EQ(value("pintle_cache_staleness_seconds"), "0");
    EXPECT_EQ(config_maps->status().last_response, std::nullopt);
    config_maps->begin({.kind = ConfigMap::type, .plural = "configmaps"});
    executor.sleep_for(10s);
    EXPECT_NE(config_maps->status().last_response, std::nullopt);
  }
}

// Two caches of one resource, for example of two namespaces.
TEST_F(CacheHealthTest, OneSuspendedCacheDoesNotMakeTheOthersStale) {
  const auto other = std::make_shared<Informer>(
      client, dispatcher, Log(), InformerOptions{.resource = {.kind = ConfigMap::type, .plural = "configmaps"}});
  other->start();
  health.add("home", {{config_maps, {}}, {other, {}}});
  executor.sleep_for(10s);
  other->suspend();
  executor.sleep_for(1h);
  EXPECT_LT(std::stod(value("pintle_cache_staleness_seconds")), 120);
  other->stop();
}

TEST_F(CacheHealthTest, TheMetricsOfTheLastCacheOfAResourceBecomeZero) {
  health.add("home", {{config_maps, {}}});
  ASSERT_TRUE(simulation.user().create(ConfigMap{.metadata = {.name = "a", .namespace_ = "default"}}));
  executor.sleep_for(10s);
  ASSERT_EQ(value("pintle_cache_objects"), "1");
  health.remove(*config_maps);
  executor.sleep_for(1h);
  for (const char* name : {"pintle_cache_objects", "pintle_cache_bytes", "pintle_cache_staleness_seconds"}) {
    EXPECT_EQ(value(name), "0") << name;
  }
  EXPECT_EQ(value("pintle_cache_state{group=\"\",name=\"op\",resource=\"configmaps\",state=\"synced\""), "0");
}

// Liveness must not depend on caches, because a restart does not fill them sooner (trap 82).
TEST(HealthOfCaches, ReadyzNamesAProblemAndHealthzIsOk) {
  MetricsRegistry metrics;
  std::vector<std::string> problems{"first", "second"};
  Health health(metrics, {.is_ready = [] { return true; },
                          .check_alive = [] { return Result<void>(); },
                          .problems = [&] { return problems; }});
  EXPECT_EQ(health.handle({.target = "/readyz"}).status, 503);
  EXPECT_EQ(health.handle({.target = "/readyz"}).body, "first\nsecond\n");
  EXPECT_EQ(health.handle({.target = "/healthz"}).status, 200);
  problems.clear();
  EXPECT_EQ(health.handle({.target = "/readyz"}).status, 200);
}

}  // namespace
}  // namespace pintle
