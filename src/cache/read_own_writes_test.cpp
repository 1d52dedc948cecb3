// SPDX-License-Identifier: Apache-2.0
// Reading your own writes, with a client and an informer against a server.
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <pintle/api/everyday.hpp>
#include <pintle/cache/informer.hpp>
#include <pintle/testing/seeds.hpp>
#include <pintle/testing/simulation.hpp>

namespace pintle {
namespace {

using namespace std::chrono_literals;

class ReadOwnWritesTest : public ::testing::Test {
 protected:
  ~ReadOwnWritesTest() override {
    informer->stop();
    dispatcher.stop();
    transport->stop();
  }
  // Starts an informer. From then on its watch is delayed by a minute, and the writes of the client are not.
  void begin(InformerOptions options = {}) {
    if (options.resource.plural.empty()) options.resource = {.kind = ConfigMap::type, .plural = "configmaps"};
    informer = std::make_unique<Informer>(client, dispatcher, Log(), std::move(options));
    informer->add_handler([this](const Change& change) {
      const auto version = [](const Object& o) { return o ? std::string(o.resource_version()) : std::string("-"); };
      changes.push_back(std::string(change.object().name()) + " " + version(change.old) + " " +
                        version(change.current));
    });
    transport->set_faults({{.effect = http::Delay{60s}, .only = http::is_watch}});
    informer->start();
    ASSERT_TRUE(informer->wait_for_sync(simulation.executor().now() + 10s));
  }
  ConfigMap map(const std::string& name, std::map<std::string, std::string> labels = {}) {
    return {.metadata = {.name = name, .namespace_ = "default", .labels = std::move(labels)}};
  }
  Object stored(const std::string& name) { return informer->store().get({"default", name}); }
  std::string version(const std::string& name) { return std::string(stored(name).resource_version()); }

  testkit::Simulation simulation{{.seed = 1}};
  std::shared_ptr<http::InProcessTransport> transport = simulation.connect();
  Client client{{.transport = transport, .cluster = {.endpoint = std::make_shared<http::Endpoint>()}}};
  Dispatcher dispatcher{simulation.executor()};
  json::Pool pool{simulation.executor()};
  std::unique_ptr<Informer> informer;
  std::vector<std::string> changes;
};

TEST_F(ReadOwnWritesTest, EveryWriteIsInTheStoreBeforeItReturns) {
  begin();
  const auto created = client.create(map("a"));
  ASSERT_TRUE(created);
  EXPECT_EQ(version("a"), created->metadata.resource_version);
  const auto patched = client.patch(ConfigMap::type, {"default", "a"}, json::Value{{"data", {{"k", "1"}}}});
  ASSERT_TRUE(patched);
  EXPECT_EQ(version("a"), patched->resource_version());
  ConfigMap after = *decode<ConfigMap>(*patched);
  after.data["k"] = "2";
  ASSERT_TRUE(client.update(*decode<ConfigMap>(*patched), after));
  EXPECT_EQ(stored("a")["/data/k"], "2");
  ASSERT_TRUE(client.apply(ConfigMap{.metadata = map("b").metadata, .data = {{"k", "3"}}}));
  EXPECT_EQ(informer->store().list("default").size(), 2U);
  ASSERT_TRUE(client.remove(ConfigMap::type, {"default", "a"}));
  EXPECT_FALSE(stored("a"));
  EXPECT_TRUE(changes.empty()) << "handlers receive it from the watch";
}

// The response is parsed once, into the pool of the cache, and the caller receives the same object.
TEST_F(ReadOwnWritesTest, TheWriterReceivesTheObjectOfTheStore) {
  begin({.reflector = {.pool = &pool}});

  const auto created = client.create(encode(ConfigMap{.metadata = map("a").metadata, .data = {{"k", "1"}}}));

  ASSERT_TRUE(created);
  EXPECT_TRUE(created->is_same_document(stored("a")));
  EXPECT_FALSE((*created)["/metadata/managedFields"].exists());
  EXPECT_TRUE((*client.get(ConfigMap::type, {"default", "a"}))["/metadata/managedFields"].exists());
}

TEST_F(ReadOwnWritesTest, TheWriterReceivesTheWholeObjectIfTheStoreKeepsLess) {
  begin({.reflector = {.pool = &pool, .projection = {.projection = {.drop = {"/data"}}}}});

  const auto created = client.create(encode(ConfigMap{.metadata = map("a").metadata, .data = {{"k", "1"}}}));

  ASSERT_TRUE(created);
  EXPECT_EQ((*created)["/data/k"], "1");
  EXPECT_EQ(stored("a").name(), "a");
  EXPECT_FALSE(stored("a")["/data"].exists());
}

// Handlers receive a provisional state once, with its event. The cache does not treat that event as already known.
TEST_F(ReadOwnWritesTest, TheEventOfAnOwnWriteIsDeliveredOnce) {
  begin();
  const auto created = client.create(map("a"));
  ASSERT_TRUE(created);
  simulation.executor().sleep_for(5min);
  EXPECT_EQ(changes, std::vector<std::string>{"a - " + created->metadata.resource_version});
  const auto again = client.patch(ConfigMap::type, {"default", "a"}, json::Value{{"data", {{"k", "1"}}}});
  ASSERT_TRUE(again);
  simulation.executor().sleep_for(5min);
  ASSERT_EQ(changes.size(), 2U);
  EXPECT_EQ(changes.back(), "a " + created->metadata.resource_version + " " + std::string(again->resource_version()));
}

TEST_F(ReadOwnWritesTest, AnObjectRemovedBeforeItsEventIsNeverShown) {
  begin();
  ASSERT_TRUE(client.create(map("a")));
  ASSERT_TRUE(client.remove(ConfigMap::type, {"default", "a"}));
  EXPECT_FALSE(stored("a"));
  simulation.executor().sleep_for(5min);
  EXPECT_FALSE(stored("a"));
}

TEST_F(ReadOwnWritesTest, ADeletedObjectStaysUntilItsFinalizerIsRemoved) {
  begin();
  ConfigMap held = map("a");
  held.metadata.finalizers = {"demo.pintle.dev/hold"};
  ASSERT_TRUE(client.create(held));
  ASSERT_TRUE(client.remove(ConfigMap::type, {"default", "a"}));
  ASSERT_TRUE(stored("a"));
  EXPECT_TRUE(stored("a").is_deleting());
  ASSERT_TRUE(client.patch(ConfigMap::type, {"default", "a"}, json::Value{{"metadata", {{"finalizers", nullptr}}}}));
  EXPECT_FALSE(stored("a"));
  simulation.executor().sleep_for(5min);
  EXPECT_FALSE(stored("a"));
}

// A cache with a selector may never receive a write, and must not wait for it (trap 70).
TEST_F(ReadOwnWritesTest, ObjectsOutsideTheSelectorNeverEnterTheStore) {
  begin({.label_selector = "team=a"});
  ASSERT_TRUE(client.create(map("in", {{"team", "a"}})));
  ASSERT_TRUE(client.create(map("out", {{"team", "b"}})));
  EXPECT_TRUE(stored("in"));
  EXPECT_FALSE(stored("out"));
}

TEST_F(ReadOwnWritesTest, ObjectsThatLeaveTheSelectorLeaveTheStore) {
  begin({.label_selector = "team=a"});
  ASSERT_TRUE(client.create(map("x", {{"team", "a"}})));
  simulation.executor().sleep_for(5min);
  const auto label = [&](const char* team) {
    ASSERT_TRUE(
        client.patch(ConfigMap::type, {"default", "x"}, json::Value{{"metadata", {{"labels", {{"team", team}}}}}}));
  };
  label("b");
  EXPECT_FALSE(stored("x"));
  label("a");
  EXPECT_TRUE(stored("x"));
  label("b");
  simulation.executor().sleep_for(5min);
  EXPECT_FALSE(stored("x"));
}

TEST_F(ReadOwnWritesTest, ObjectsOfAnotherNamespaceOrFieldNeverEnterTheStore) {
  begin({.namespace_ = "default", .field_selector = "metadata.name=a"});
  ASSERT_TRUE(client.create(map("a")));
  ASSERT_TRUE(client.create(map("b")));
  ConfigMap elsewhere = map("a");
  elsewhere.metadata.namespace_ = "kube-system";
  ASSERT_TRUE(client.create(elsewhere));
  EXPECT_EQ(informer->store().size(), 1U);
}

TEST_F(ReadOwnWritesTest, ADryRunIsNoWrite) {
  begin();
  ASSERT_TRUE(client.create(map("a"), {.dry_run = true}));
  EXPECT_EQ(informer->store().size(), 0U);
}

TEST_F(ReadOwnWritesTest, ALostResponseToAGenerateNameCreateIsAPendingCreate) {
  begin();
  const json::Value nameless{
      {"apiVersion", "v1"}, {"kind", "ConfigMap"}, {"metadata", {{"generateName", "a-"}, {"namespace", "default"}}}};
  transport->set_faults({{.effect = http::Drop{.after_commit = true}, .only = http::is_write}});
  EXPECT_FALSE(client.create(nameless));
  EXPECT_TRUE(informer->pending_create());
}

// Several writers write to one kind, and each reads its own write at once.
void write_and_read(Executor& executor, http::Handler& server, http::FaultPlan faults,
                    const std::function<void(const Informer&)>& at_the_end = {}) {
  const auto transport = std::make_shared<http::InProcessTransport>(executor, server, std::move(faults));
  Client client({.transport = transport, .cluster = {.endpoint = std::make_shared<http::Endpoint>()}});
  Dispatcher dispatcher(executor);
  Informer informer(client, dispatcher, Log(), {.resource = {.kind = ConfigMap::type, .plural = "configmaps"}});
  informer.start();
  std::vector<Thread> writers;
  for (const char* name : {"a", "b", "c"}) {
    writers.push_back(executor.spawn({.name = name}, [&, name] {
      const ObjectKey key{"default", name};
      for (int i = 0; i < 12; ++i) {
        const std::string text = std::to_string(i);
        const auto applied = client.apply(
            ConfigMap{.metadata = {.name = name, .namespace_ = "default"}, .data = {{"i", text}}}, {.force = true});
        ASSERT_TRUE(applied) << applied.error().to_string();
        EXPECT_EQ(informer.store().get(key)["/data/i"], text);
        if (i % 4 != 3) continue;
        ASSERT_TRUE(client.remove(ConfigMap::type, key));
        EXPECT_FALSE(informer.store().get(key));
      }
    }));
  }
  for (Thread& writer : writers) writer.join();
  transport->set_faults({});
  if (at_the_end) at_the_end(informer);
  informer.stop();
  dispatcher.stop();
  transport->stop();
}

TEST(ReadOwnWritesConcurrency, NoWriterReadsLessThanItWrote) {
  for (const std::uint64_t seed : testkit::seeds({.usual = 100, .sanitized = 10})) {
    SCOPED_TRACE(seed);
    testkit::Simulation simulation({.seed = seed});
    write_and_read(simulation.executor(), simulation.server(),
                   {{.effect = http::TruncateBody{.after_bytes = 700}, .only = http::is_watch, .probability = 0.7},
                    {.effect = http::Delay{100ms}, .only = http::is_watch, .probability = 0.5},
                    {.effect = http::RepeatEvent{.nth = 2}, .only = http::is_watch, .probability = 0.3}},
                   [&](const Informer& informer) {
                     simulation.executor().sleep_for(10min);
                     EXPECT_EQ(informer.store().size(), 0U);
                   });
    if (::testing::Test::HasFailure()) break;
  }
}

TEST(ReadOwnWritesConcurrency, NoWriterReadsLessThanItWroteOnTheRealExecutor) {
  const auto executor = make_real_executor();
  for (int i = 0; i < 5; ++i) {
    ApiServer server(*executor);
    write_and_read(*executor, server, {{.effect = http::RepeatEvent{.nth = 2}, .only = http::is_watch}});
    server.stop();
  }
}

// Whether the deletion is complete depends on the response, not on the parts of it that the cache keeps.
TEST_F(ReadOwnWritesTest, ANamespaceThatTerminatesStaysInACacheWithoutItsSpec) {
  const ObjectKey key{"", "a"};
  begin({.resource = {.kind = Namespace::type, .plural = "namespaces", .namespaced = false},
         .reflector = {.projection = {.transform = [](json::Value& object) { object.as_object().erase("spec"); }}}});
  Namespace made{.metadata = {.name = "a"}};
  made.spec.finalizers = {"example.com/other"};
  ASSERT_TRUE(client.create(made));
  ASSERT_TRUE(client.remove(Namespace::type, key));
  ASSERT_TRUE(simulation.user().get(Namespace::type, key));
  EXPECT_TRUE(informer->store().get(key).is_deleting());
}

}  // namespace
}  // namespace pintle
