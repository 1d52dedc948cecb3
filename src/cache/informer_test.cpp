// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <type_traits>
#include <utility>

#include <gtest/gtest.h>

#include <pintle/testing/seeds.hpp>

#include "informer_test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

// Synced means that the handlers have run, not only that the store is filled (trap 30).
TEST_F(InformerTest, IsSyncedOnceItsHandlersHaveRun) {
  begin(1);
  for (const char* name : {"a", "b", "c"}) create(name);
  EXPECT_FALSE(informer->has_synced());
  informer->start();
  ASSERT_TRUE(informer->wait_for_sync(simulation->executor().now() + 1min));
  EXPECT_EQ(view.versions(), stored());
  EXPECT_EQ(informer->store().size(), 3U);
  end();
}

TEST_F(InformerTest, AStreamFillsTheCacheWithoutAList) {
  begin(1, {.reflector = {.list_mode = ListMode::streaming}});
  for (const char* name : {"a", "b"}) create(name);
  transport->set_faults({{.effect = http::ErrorResponse{.status = 500}, .only = http::is_list_or_get}});
  informer->start();
  ASSERT_TRUE(informer->wait_for_sync(simulation->executor().now() + 1min));
  EXPECT_EQ(view.versions(), stored());
  EXPECT_EQ(view.last_cause, ChangeCause::initial);
  create("c");
  simulation->executor().sleep_for(1min);
  EXPECT_EQ(view.versions(), stored());
  end();
}

TEST_F(InformerTest, CanHoldMetadataOnly) {
  for (const ListMode list_mode : {ListMode::paged, ListMode::streaming}) {
    view = View();
    begin(1, {.reflector = {.list_mode = list_mode, .metadata_only = true}});
    const ConfigMap map{.metadata = {.name = "a", .namespace_ = "default"}, .data = {{"k", "v"}}};
    ASSERT_TRUE(simulation->user().create(map));
    transport->set_faults({{.effect = http::Delay{1min}, .only = http::is_watch}});
    informer->start();
    ASSERT_TRUE(informer->wait_for_sync(simulation->executor().now() + 5min));
    const auto held = [&] { return informer->store().get({"default", "a"}); };
    EXPECT_EQ(held().describe(), "v1 ConfigMap default/a")
        << "the kind is that of the object, not PartialObjectMetadata";
    EXPECT_FALSE(held()["/data"].exists());
    ASSERT_TRUE(client->patch(ConfigMap::type, {"default", "a"}, json::Value{{"data", {{"k", "2"}}}}));
    EXPECT_FALSE(held()["/data"].exists()) << "the response to an own write is reduced as well";
    EXPECT_EQ(held().resource_version(), stored()["a"]);
    end();
  }
}

TEST_F(InformerTest, ReportsWhyItIsNotSynced) {
  begin(1);
  informer.reset();
  informer = std::make_unique<Informer>(
      *client, *dispatcher, Log(), InformerOptions{.resource = {.kind = {"v1", "Elephant"}, .plural = "elephants"}});
  informer->start();
  const auto late = informer->wait_for_sync(simulation->executor().now() + 10s);
  EXPECT_EQ(late.error().code, ErrorCode::timeout);
  EXPECT_NE(late.error().message.find("404"), std::string::npos) << late.error().message;
  end();
}

// Faults on the way to a server that works.
http::FaultPlan warning(Random& random) {
  using How = http::TruncateBody::How;
  http::FaultPlan plan{
      {.effect = http::TruncateBody{.after = 2s}, .only = http::is_watch, .probability = 0.3},
      {.effect = http::RepeatEvent{.nth = 1 + random.below(5)}, .only = http::is_watch, .probability = 0.2},
      {.effect = http::Delay{500ms}, .only = http::is_watch, .probability = 0.2},
      {.effect = http::TruncateBody{.after_bytes = 5'000, .how = How::silence},
       .only = http::is_watch,
       .probability = 0.05},
      {.effect = http::ErrorResponse{.status = 429, .reason = "TooManyRequests"}, .probability = 0.03},
      {.effect = http::ErrorResponse{.status = 503, .reason = "ServiceUnavailable"}, .probability = 0.03},
      {.effect = http::ErrorResponse{.status = 410, .reason = "Expired"}, .probability = 0.03},
      {.effect = http::TruncateBody{.after_bytes = 300}, .only = http::is_list_or_get, .probability = 0.1}};
  for (const How how : {How::reset, How::end}) {
    for (const std::uint64_t bytes : {1U, 400U, 3'000U}) {
      plan.push_back({.effect = http::TruncateBody{.after_bytes = bytes + random.below(2 * bytes), .how = how},
                      .only = http::is_watch,
                      .probability = 0.2});
    }
  }
  return plan;
}

// Users who create, change and delete config maps.
class People {
 public:
  explicit People(testkit::Simulation& simulation) : simulation_(simulation), random_(simulation.random()) {}

  void do_something() {
    const auto choice = random_.below(6);
    if (choice < 2 || alive.empty()) {
      make();
    } else if (choice < 4) {
      change(some());
    } else {
      remove(some());
    }
  }
  void wait_a_little() {
    simulation_.executor().sleep_for(std::chrono::milliseconds(random_.below(20'000)));
    if (random_.below(4) == 0) simulation_.server().compact();
  }

  std::set<std::string> alive;
  bool reuses_names = false;

 private:
  std::string some() { return *std::next(alive.begin(), static_cast<long>(random_.below(alive.size()))); }
  void make() {
    const std::string name = "n" + std::to_string(reuses_names ? random_.below(10) : made_++);
    if (!alive.insert(name).second) return;
    ASSERT_TRUE(simulation_.user().create(ConfigMap{.metadata = {.name = name, .namespace_ = "default"}}));
  }
  void change(const std::string& name) {
    ASSERT_TRUE(simulation_.user().patch(ConfigMap::type, {"default", name},
                                         json::Value{{"data", {{"n", std::to_string(random_.next())}}}}));
  }
  void remove(const std::string& name) {
    alive.erase(name);
    ASSERT_TRUE(simulation_.user().remove(ConfigMap::type, {"default", name}));
  }

  testkit::Simulation& simulation_;
  Random& random_;
  std::uint64_t made_ = 0;
};

// Watches are cut at random points and the server drops its history: no change is lost, and each deletion is delivered
// once (TX-08, TX-09).
TEST_F(InformerTest, AgreesWithTheServerAfterTruncatedWatches) {
  std::uint64_t faults = 0;
  const auto all = testkit::seeds({.usual = 15, .sanitized = 4, .long_run = 150});
  for (const std::uint64_t seed : all) {
    SCOPED_TRACE(seed);
    view = View();
    begin(seed, {.reflector = {.list_mode = seed % 3 == 0 ? ListMode::streaming : ListMode::paged}});
    transport->set_faults(warning(simulation->random()));
    informer->start();
    People people(*simulation);
    for (int step = 0; step < 1000; ++step) {
      people.do_something();
      if (simulation->random().below(8) == 0) people.wait_a_little();
    }
    faults += transport->injected_faults();
    transport->set_faults({});
    simulation->executor().sleep_for(20min);
    EXPECT_EQ(view.versions(), stored());
    for (const auto& [name, times] : view.deletes) EXPECT_EQ(times, 1) << name;
    for (const std::string& name : view.added)
      EXPECT_EQ(view.deletes.contains(name), !people.alive.contains(name)) << name;
    EXPECT_GT(view.deletes.size(), 100U);
    end();
  }
  EXPECT_GT(faults, 15 * all.size());
}

// Objects are deleted and created again with the same name while no watch is open (trap 27).
TEST_F(InformerTest, AgreesWithTheServerWhenNamesAreUsedAgain) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    view = View();
    begin(seed);
    transport->set_faults(warning(simulation->random()));
    informer->start();
    People people(*simulation);
    people.reuses_names = true;
    for (int step = 0; step < 400; ++step) {
      people.do_something();
      if (simulation->random().below(8) == 0) people.wait_a_little();
    }
    transport->set_faults({});
    simulation->executor().sleep_for(20min);
    EXPECT_EQ(view.versions(), stored());
    end();
  }
}

// An object is deleted while no watch is open, and the server then drops its history. The list finds the deletion, and
// it is delivered once (TX-09).
TEST_F(InformerTest, AListFindsADeletionThatTheServerCompacted) {
  for (const bool by_status : {false, true}) {
    SCOPED_TRACE(by_status);
    view = View();
    begin(1);
    for (const char* name : {"a", "b"}) create(name);
    transport->set_faults({{.effect = http::TruncateBody{.after = 1min, .how = http::TruncateBody::How::end},
                            .only = http::is_watch,
                            .times = 1},
                           {.effect = http::Delay{1min}, .only = http::is_watch, .first = 2}});
    informer->start();
    ASSERT_TRUE(informer->wait_for_sync(simulation->executor().now() + 10s));
    simulation->executor().sleep_for(90s);  // the request of the second watch is delayed
    ASSERT_TRUE(simulation->user().remove(ConfigMap::type, {"default", "a"}));
    if (by_status) {
      transport->set_faults(
          {{.effect = http::ErrorResponse{.status = 410, .reason = "Expired"}, .only = http::is_watch, .times = 1}});
    }
    simulation->server().compact();
    simulation->executor().sleep_for(10min);
    EXPECT_EQ(view.deletes, (std::map<std::string, int>{{"a", 1}}));
    EXPECT_EQ(view.last_cause, ChangeCause::missed);
    EXPECT_EQ(view.versions(), stored());
    end();
  }
}

TEST_F(InformerTest, ReportsTheEndsOfItsWatches) {
  begin(1);
  std::vector<std::string> ends;
  informer->on_watch_end([&](const Error* error) { ends.push_back(error == nullptr ? "well" : error->message); });
  const std::string gone =
      R"({"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired","message":"old"}})";
  transport->set_faults(
      {{.effect = http::ErrorResponse{.status = 200, .body = gone + "\n"}, .only = http::is_watch, .times = 1},
       {.effect = http::TruncateBody{.after = 1min, .how = http::TruncateBody::How::end}, .only = http::is_watch}});
  informer->start();
  simulation->executor().sleep_for(90s);
  ASSERT_EQ(ends.size(), 2U);
  EXPECT_NE(ends[0].find("old"), std::string::npos) << ends[0];
  EXPECT_EQ(ends[1], "well");
  end();
  EXPECT_EQ(ends.size(), 2U) << "the stop of the informer is not reported";
}

// Handlers share snapshots, and no handler can change the object that another one receives (TX-14).
TEST_F(InformerTest, NoHandlerCanChangeTheObjectOfAnother) {
  static_assert(!std::is_assignable_v<json::View, json::Value>);
  static_assert(!std::is_assignable_v<const Object&, Object>);
  static_assert(std::is_same_v<ChangeHandler, std::function<void(const Change&)>>);
  begin(1);
  std::vector<Object> first, second;
  informer->add_handler([&](const Change& change) {
    first.push_back(change.current);
    json::Value copy = change.current.to_value();
    copy.as_object()["data"] = json::object{{"k", "changed"}};
    Object mine = change.current;
    mine = Object(copy);
  });
  informer->add_handler([&](const Change& change) { second.push_back(change.current); });
  informer->start();
  ASSERT_TRUE(simulation->user().create(
      ConfigMap{.metadata = {.name = "a", .namespace_ = "default"}, .data = {{"k", "true"}}}));
  simulation->executor().sleep_for(1min);
  ASSERT_EQ(second.size(), 1U);
  EXPECT_EQ(second[0]["/data/k"], "true");
  EXPECT_TRUE(first[0].is_same_document(second[0])) << "both share one document";
  EXPECT_TRUE(informer->store().get({"default", "a"}).is_same_document(second[0]));
  // A snapshot that a handler holds does not change with the object.
  ASSERT_TRUE(simulation->user().patch(ConfigMap::type, {"default", "a"}, json::Value{{"data", {{"k", "new"}}}}));
  simulation->executor().sleep_for(1min);
  EXPECT_EQ(first[0]["/data/k"], "true");
  EXPECT_EQ(informer->store().get({"default", "a"})["/data/k"], "new");
  end();
}

TEST_F(InformerTest, ReportsTheLastResponseTheObjectsAndTheirMemory) {
  begin(1);
  EXPECT_EQ(informer->status().state, InformerState::syncing);
  EXPECT_FALSE(informer->status().last_response);
  for (const char* name : {"a", "b"}) create(name);
  informer->start();
  ASSERT_TRUE(informer->wait_for_sync(simulation->executor().now() + 1min));
  const auto expect_memory_of_the_store = [&] {
    std::size_t bytes = 0;
    for (const Object& object : informer->store().list()) bytes += object.bytes();
    EXPECT_EQ(informer->status().bytes, bytes);
    EXPECT_EQ(informer->status().objects, informer->store().size());
  };
  expect_memory_of_the_store();
  create("c");
  ASSERT_TRUE(simulation->user().patch(ConfigMap::type, {"default", "a"},
                                       json::Value{{"data", {{"k", std::string(5'000, 'x')}}}}));
  ASSERT_TRUE(simulation->user().remove(ConfigMap::type, {"default", "b"}));
  simulation->executor().sleep_for(1min);
  expect_memory_of_the_store();
  const auto age = [&] { return simulation->executor().now() - informer->status().last_response.value(); };
  simulation->executor().sleep_for(1h);
  EXPECT_EQ(informer->status().state, InformerState::synced);
  EXPECT_LE(age(), 62s) << "bookmarks arrive each minute";
  transport->set_faults({{.effect = http::Drop{}}});
  simulation->server().compact();
  simulation->executor().sleep_for(1h);
  EXPECT_GE(age(), 45min) << "a watch that delivers nothing is no response";
  end();
}

// A server without bookmarks, for example an aggregated one, shows by the acceptance of a watch that it is alive.
TEST_F(InformerTest, AnAcceptedWatchIsAResponseOfAServerWithoutBookmarks) {
  begin(1);
  create("a");
  simulation->server().set_faults({.rules = {{.effect = WithholdBookmarks{}}}});
  informer->start();
  for (int i = 0; i < 60; ++i) {
    simulation->executor().sleep_for(1min);
    EXPECT_LE(simulation->executor().now() - informer->status().last_response.value(), 4min) << i;
  }
  end();
}

// A kind whose CRD is missing when the program starts, comes, is deleted and comes again.
TEST_F(InformerTest, WaitsForAKindAndDeliversItsEnd) {
  begin(1);
  informer.reset();
  informer =
      std::make_unique<Informer>(*client, *dispatcher, Log(), InformerOptions{.resource = {.kind = ConfigMap::type}});
  informer->add_handler([this](const Change& change) { view.take(change); });
  for (const char* name : {"a", "b"}) create(name);
  EXPECT_FALSE(informer->is_readable());
  informer->start();
  EXPECT_TRUE(informer->wait_for_sync_if_active(simulation->executor().now() + 1min));
  const std::uint64_t calls = transport->calls();
  simulation->executor().sleep_for(1h);
  EXPECT_EQ(transport->calls(), calls);
  EXPECT_EQ(informer->status().state, InformerState::waiting);
  EXPECT_EQ(informer->status().detail, "v1 ConfigMap is not served by the cluster; waiting until its CRD is installed");
  EXPECT_TRUE(informer->is_readable()) << "no object of the kind exists";

  const Resource resource{.kind = ConfigMap::type, .plural = "configmaps"};
  for (int round = 0; round < 3; ++round) {
    SCOPED_TRACE(round);
    informer->begin(resource);
    ASSERT_TRUE(informer->wait_for_sync(simulation->executor().now() + 1min));
    EXPECT_EQ(view.versions(), stored());
    EXPECT_TRUE(informer->is_readable());
    create("late" + std::to_string(round));
    simulation->executor().sleep_for(1min);
    EXPECT_EQ(view.versions(), stored()) << "there is one watch";

    ASSERT_TRUE(
        client->patch(ConfigMap::type, {"default", "a"}, json::Value{{"data", {{"k", std::to_string(round)}}}}));
    informer->withdraw();
    simulation->executor().sleep_for(1s);
    EXPECT_TRUE(view.versions().empty()) << "the deletion of each object is delivered";
    EXPECT_EQ(view.last_cause, ChangeCause::missed);
    EXPECT_EQ(informer->store().size(), 0U);
    EXPECT_EQ(informer->status().bytes, 0U);
    EXPECT_EQ(informer->status().state, InformerState::waiting);
    const std::uint64_t quiet = transport->calls();
    simulation->executor().sleep_for(1h);
    EXPECT_EQ(transport->calls(), quiet);
  }
  informer->begin(resource);
  informer->withdraw();
  end();
}

// Nothing reads the store, and no watch would confirm the writes.
TEST_F(InformerTest, KeepsNoWritesWhileItIsSuspended) {
  MetricsRegistry registry;
  begin(1, {.metrics = &registry});
  informer->suspend();
  informer->start();
  for (int i = 0; i < 1'000; ++i)
    ASSERT_TRUE(client->create(ConfigMap{.metadata = {.name = "m" + std::to_string(i), .namespace_ = "default"}}));
  EXPECT_EQ(informer->store().size(), 0U);

  informer->begin({.kind = ConfigMap::type, .plural = "configmaps"});
  ASSERT_TRUE(informer->wait_for_sync(simulation->executor().now() + 1min));

  EXPECT_EQ(view.versions(), stored());
  EXPECT_EQ(informer->store().size(), 1'000U);
  const Labels labels{{"name", ""}, {"group", ""}, {"version", "v1"}, {"resource", "configmaps"}};
  const std::string help = "Objects that show an own write which the watch has not delivered yet.";
  EXPECT_EQ(registry.gauge("pintle_informer_provisional_objects", help, labels).value(), 0);
  informer->suspend();
  simulation->executor().sleep_for(1s);
  ASSERT_TRUE(client->create(ConfigMap{.metadata = {.name = "late", .namespace_ = "default"}}));
  EXPECT_EQ(informer->store().size(), 0U);
  end();
}

TEST_F(InformerTest, ReportsARefusalWithTheRuleToAdd) {
  begin(1, {.namespace_ = "default"});
  transport->set_faults({{.effect = http::ErrorResponse{.status = 403, .reason = "Forbidden"}, .times = 3}});
  informer->start();
  simulation->executor().sleep_for(1s);
  const InformerStatus refused = informer->status();
  EXPECT_EQ(refused.state, InformerState::forbidden);
  EXPECT_NE(refused.detail.find(R"(required in a Role in namespace default: {apiGroups: [""], resources: )"
                                R"(["configmaps"], verbs: ["list", "watch"]})"),
            std::string::npos)
      << refused.detail;
  EXPECT_FALSE(informer->is_readable());
  ASSERT_TRUE(informer->wait_for_sync(simulation->executor().now() + 10min));
  EXPECT_EQ(informer->status().state, InformerState::synced);
  EXPECT_EQ(informer->status().detail, "");
  end();
}

}  // namespace
}  // namespace pintle
