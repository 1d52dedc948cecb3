// SPDX-License-Identifier: Apache-2.0
#include <pintle/cache/informer.hpp>

#include <map>
#include <set>
#include <type_traits>

#include <gtest/gtest.h>

#include <pintle/api/everyday.hpp>
#include <pintle/object/protobuf.hpp>
#include <pintle/testing/seeds.hpp>
#include <pintle/testing/simulation.hpp>

namespace pintle {
namespace {

using namespace std::chrono_literals;

// Applies the changes that a handler receives, and checks that they are consistent.
class View {
 public:
  void take(const Change& change) {
    const std::string name(change.object().name());
    last_cause = change.cause;
    if (change.old && !change.current) {
      EXPECT_EQ(known_.erase(name), 1U) << "a missing object was deleted: " << name;
      ++deletes[name];
    } else if (!change.old) {
      EXPECT_TRUE(known_.emplace(name, change.current).second) << "added twice: " << name;
      added.insert(name);
    } else {
      EXPECT_TRUE(known_.contains(name)) << "changed before it was added: " << name;
      known_[name] = change.current;
    }
  }
  [[nodiscard]] std::map<std::string, std::string> versions() const {
    std::map<std::string, std::string> all;
    for (const auto& [name, object] : known_) all[name] = object.resource_version();
    return all;
  }

  std::map<std::string, int> deletes;
  std::set<std::string> added;
  ChangeCause last_cause{};

 private:
  std::map<std::string, Object> known_;
};

class InformerTest : public ::testing::Test {
 protected:
  void begin(std::uint64_t seed, InformerOptions options = {}, http::Handler* between = nullptr) {
    simulation = std::make_unique<testkit::Simulation>(testkit::SimulationOptions{.seed = seed});
    transport = between == nullptr ? simulation->connect()
                                   : std::make_shared<http::InProcessTransport>(simulation->executor(), *between);
    client = std::make_unique<Client>(
        ClientOptions{.transport = transport, .cluster = {.endpoint = std::make_shared<http::Endpoint>()}});
    dispatcher = std::make_unique<Dispatcher>(simulation->executor());
    options.resource = {.kind = ConfigMap::type, .plural = "configmaps"};
    informer = std::make_unique<Informer>(*client, *dispatcher, Log(), std::move(options));
    informer->add_handler([this](const Change& change) { view.take(change); });
  }
  void end() {
    informer->stop();
    dispatcher->stop();
    transport->stop();
    informer.reset();
    dispatcher.reset();
    client.reset();
    transport.reset();
    simulation.reset();
  }
  void create(const std::string& name) {
    (void)simulation->user().create(ConfigMap{.metadata = {.name = name, .namespace_ = "default"}});
  }
  [[nodiscard]] std::map<std::string, std::string> stored() const {
    std::map<std::string, std::string> all;
    for (const Object& object : simulation->server().objects("configmaps"))
      all[std::string(object.name())] = object.resource_version();
    return all;
  }

  std::unique_ptr<testkit::Simulation> simulation;
  std::shared_ptr<http::InProcessTransport> transport;
  std::unique_ptr<Client> client;
  std::unique_ptr<Dispatcher> dispatcher;
  std::unique_ptr<Informer> informer;
  View view;
};

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

// Sends each list in parts of 40 bytes, one every 20 s.
class Trickle final : public http::Handler {
 public:
  http::Response handle(const http::Request& request) override {
    http::Response response = simulation->server().handle(request);
    if (!http::is_list_or_get(request)) return response;
    http::read_full_body(response);
    lengths.push_back(response.body.size());
    response.stream = std::make_unique<Body>(simulation->executor(), std::exchange(response.body, {}));
    return response;
  }

  testkit::Simulation* simulation = nullptr;
  std::vector<std::size_t> lengths;

 private:
  class Body final : public http::BodyStream {
   public:
    Body(Executor& executor, std::string text) : executor_(executor), text_(std::move(text)), next_(executor.now()) {}
    State read(std::string& out) override {
      if (executor_.now() < next_) return State::waiting;
      const std::size_t some = std::min<std::size_t>(40, text_.size() - at_);
      out.append(text_, at_, some);
      at_ += some;
      next_ = after(executor_.now(), 20s);
      return at_ == text_.size() ? State::ended : State::waiting;
    }
    void on_ready(std::function<void()> /*wake*/) override {}
    [[nodiscard]] Instant next_deadline() const override { return next_; }

   private:
    Executor& executor_;
    const std::string text_;
    std::size_t at_ = 0;
    Instant next_;
  };
};

// A list is limited by the time without bytes, not by its total time.
TEST_F(InformerTest, AcceptsAListThatArrivesSlowly) {
  Trickle trickle;
  begin(1, {}, &trickle);
  trickle.simulation = simulation.get();
  for (const char* name : {"a", "b", "c"}) create(name);
  informer->start();
  const Instant begun = simulation->executor().now();
  ASSERT_TRUE(informer->wait_for_sync(begun + 1h));
  EXPECT_GT(simulation->executor().now() - begun, 2min);
  EXPECT_EQ(trickle.lengths.size(), 1U);
  EXPECT_EQ(view.versions(), stored());
  end();
}

TEST_F(InformerTest, RepeatsASilentListWithBackOff) {
  begin(1);
  create("a");
  transport->set_faults({{.effect = http::TruncateBody{.after_bytes = 20, .how = http::TruncateBody::How::silence},
                          .only = http::is_list_or_get}});
  informer->start();
  EXPECT_FALSE(informer->wait_for_sync(simulation->executor().now() + 1h));
  EXPECT_GE(transport->calls(), 50U);
  EXPECT_LE(transport->calls(), 120U);
  transport->set_faults({});
  ASSERT_TRUE(informer->wait_for_sync(simulation->executor().now() + 2min));
  EXPECT_EQ(view.versions(), stored());
  end();
}

TEST_F(InformerTest, LimitsTheRateOfListsIfEachWatchIsExpired) {
  begin(1);
  create("a");
  transport->set_faults({{.effect = http::ErrorResponse{.status = 410, .reason = "Expired"}, .only = http::is_watch}});
  informer->start();
  ASSERT_TRUE(informer->wait_for_sync(simulation->executor().now() + 1min));
  const std::uint64_t before = transport->calls();
  simulation->executor().sleep_for(1h);
  EXPECT_LE(transport->calls() - before, 300U) << "one list and one watch for each expired watch";
  create("b");
  simulation->executor().sleep_for(2min);
  EXPECT_EQ(view.versions(), stored()) << "the lists alone keep the cache up to date";
  end();
}

// A transform is code of a user and may throw.
TEST_F(InformerTest, DropsAnObjectWhoseTransformThrows) {
  const auto picky = [](json::Value& object) {
    if (object.at("metadata").at("labels").as_object().contains("bad")) throw std::runtime_error("what is this");
  };
  MetricsRegistry metrics;
  begin(1, {.reflector = {.projection = {.transform = picky}}, .metrics = &metrics, .name = "op"});
  const auto make = [&](const std::string& name, bool bad) {
    (void)simulation->user().create(
        ConfigMap{.metadata = {.name = name, .namespace_ = "default", .labels = {{bad ? "bad" : "good", "x"}}}});
  };
  make("good", false);
  make("bad", true);
  informer->start();
  ASSERT_TRUE(informer->wait_for_sync(simulation->executor().now() + 1min));
  EXPECT_EQ(view.added, std::set<std::string>{"good"});
  const auto turn = [&](const char* to) {
    (void)simulation->user().patch(ConfigMap::type, {"default", "good"},
                                   json::Value{{"metadata", {{"labels", {{to, "x"}}}}}});
    simulation->executor().sleep_for(1min);
  };
  make("late", true);
  turn("bad");
  EXPECT_TRUE(view.versions().empty()) << "the cache keeps no outdated state of the dropped object";
  EXPECT_EQ(informer->store().size(), 0U);
  ASSERT_TRUE(simulation->user().remove(ConfigMap::type, {"default", "good"}));
  make("other", false);
  simulation->executor().sleep_for(1min);
  EXPECT_EQ(view.versions().size(), 1U) << "the watch continues";
  EXPECT_NE(metrics.text().find("pintle_informer_dropped_objects_total"), std::string::npos) << metrics.text();
  end();
}

// The server is restored from a backup while the informer watches, so it assigns some versions a second time.
TEST_F(InformerTest, FollowsARewindOfTheServer) {
  for (const ListMode list_mode : {ListMode::paged, ListMode::streaming}) {
    for (const std::uint64_t since : {0U, 2U, 20U}) {
      SCOPED_TRACE(since);
      view = View();
      begin(since + 1, {.reflector = {.list_mode = list_mode}});
      for (const char* name : {"a", "b", "c"}) create(name);
      const std::uint64_t backup = simulation->server().resource_version();
      informer->start();
      ASSERT_TRUE(informer->wait_for_sync(simulation->executor().now() + 1min));
      for (const char* name : {"x", "y"}) create(name);
      ASSERT_TRUE(simulation->user().remove(ConfigMap::type, {"default", "a"}));
      simulation->executor().sleep_for(1min);
      const std::uint64_t calls = transport->calls();
      ASSERT_TRUE(simulation->server().rewind(backup));
      for (std::uint64_t i = 0; i < since; ++i) create("after" + std::to_string(i));
      simulation->executor().sleep_for(10min);
      EXPECT_EQ(view.versions(), stored());
      EXPECT_EQ(informer->store().size(), stored().size());
      simulation->executor().sleep_for(50min);
      EXPECT_LE(transport->calls() - calls, 30U);
      end();
    }
  }
}

// After the restore the object has the same uid and the same version as before, but other content.
TEST_F(InformerTest, DeliversOtherContentWithTheSameVersion) {
  begin(1);
  create("a");
  const std::uint64_t backup = simulation->server().resource_version();
  const auto change = [&](const char* to) {
    ASSERT_TRUE(simulation->user().patch(ConfigMap::type, {"default", "a"}, json::Value{{"data", {{"k", to}}}}));
  };
  change("one");
  std::string current;
  informer->add_handler([&](const Change& one) { current = one.current["/data/k"].text(); });
  informer->start();
  ASSERT_TRUE(informer->wait_for_sync(simulation->executor().now() + 1min));
  simulation->executor().sleep_for(1min);
  const auto before = stored();
  ASSERT_TRUE(simulation->server().rewind(backup));
  change("two");
  ASSERT_EQ(stored(), before);
  simulation->executor().sleep_for(10min);
  EXPECT_EQ(current, "two");
  end();
}

// The response contains a version that the cache has passed without seeing that state, so the server has another
// history.
TEST_F(InformerTest, AContradictingResponseCausesAnEarlyList) {
  begin(1);
  create("a");
  const std::uint64_t backup = simulation->server().resource_version();
  informer->start();
  ASSERT_TRUE(informer->wait_for_sync(simulation->executor().now() + 1min));
  for (int i = 0; i < 9; ++i) create("undone" + std::to_string(i));
  simulation->executor().sleep_for(5min);
  ASSERT_TRUE(simulation->server().rewind(backup));
  create("b");
  ASSERT_TRUE(client->patch(ConfigMap::type, {"default", "a"}, json::Value{{"data", {{"k", "v"}}}}));
  simulation->executor().sleep_for(20s);
  EXPECT_EQ(view.versions(), stored());
  EXPECT_EQ(informer->store().get({"default", "a"})["/data/k"], "v");
  end();
}

// The cache of another kind cannot detect the set-back: its watch stays open, and none of its objects changes.
TEST_F(InformerTest, ARewindMakesAllInformersOfTheClientList) {
  begin(1);
  auto secrets = std::make_unique<Informer>(*client, *dispatcher, Log(),
                                            InformerOptions{.resource = {.kind = Secret::type, .plural = "secrets"}});
  create("a");
  const std::uint64_t backup = simulation->server().resource_version();
  ASSERT_TRUE(simulation->user().create(Secret{.metadata = {.name = "undone", .namespace_ = "default"}}));
  for (Informer* one : {informer.get(), secrets.get()}) {
    one->start();
    ASSERT_TRUE(one->wait_for_sync(simulation->executor().now() + 1min));
  }
  EXPECT_EQ(secrets->store().size(), 1U);
  for (int i = 0; i < 9; ++i) create("undone" + std::to_string(i));
  simulation->executor().sleep_for(5min);
  ASSERT_TRUE(simulation->server().rewind(backup));
  ASSERT_TRUE(client->patch(ConfigMap::type, {"default", "a"}, json::Value{{"data", {{"k", "v"}}}}));
  simulation->executor().sleep_for(20s);
  EXPECT_EQ(view.versions(), stored());
  EXPECT_EQ(secrets->store().size(), 0U);
  secrets.reset();
  end();
}

// The versions show the rewind. The list after it contains what the cache contains, but own versions and all that
// depends on the former history are still dropped (trap 75).
TEST_F(InformerTest, ARewindIsReportedEvenIfNoObjectDiffers) {
  for (const bool is_rewound : {true, false}) {
    SCOPED_TRACE(is_rewound);
    view = View();
    begin(1);
    int rewinds = 0;
    informer->on_rewind([&] { ++rewinds; });
    create("a");
    const Object before = simulation->server().objects("configmaps").at(0);
    informer->start();
    ASSERT_TRUE(informer->wait_for_sync(simulation->executor().now() + 1min));
    const std::uint64_t backup = simulation->server().resource_version();
    const auto written = client->replace(before.to_value());
    ASSERT_TRUE(written) << written.error().to_string();
    json::Value changed = written->to_value();
    changed.as_object()["data"] = json::object{{"k", "v"}};
    const auto own = client->replace(changed);
    ASSERT_TRUE(own) << own.error().to_string();
    EXPECT_TRUE(informer->has_only_own_writes(*written, *own));
    ASSERT_TRUE(simulation->user().remove(ConfigMap::type, {"default", "a"}));
    for (int i = 0; i < 9; ++i) create("undone" + std::to_string(i));
    for (int i = 0; i < 9; ++i) {
      ASSERT_TRUE(simulation->user().remove(ConfigMap::type, {"default", "undone" + std::to_string(i)}));
    }
    simulation->executor().sleep_for(1min);
    ASSERT_EQ(informer->store().size(), 0U);
    transport->set_faults({{.effect = http::Delay{10s}, .only = http::is_list_or_get}});
    if (is_rewound) {
      ASSERT_TRUE(simulation->server().rewind(backup));
    }
    create("b");
    simulation->executor().sleep_for(1s);
    for (const auto& [name, version] : stored()) {
      ASSERT_TRUE(simulation->user().remove(ConfigMap::type, {"default", name}));
    }
    simulation->executor().sleep_for(10min);
    EXPECT_EQ(view.versions(), stored());
    EXPECT_EQ(rewinds, is_rewound ? 1 : 0);
    EXPECT_EQ(informer->has_only_own_writes(*written, *own), !is_rewound);
    end();
  }
}

// The events after the backup do not mention an object that this client deleted and that the backup contains (trap 75).
TEST_F(InformerTest, ShowsADeletedObjectThatABackupBroughtBack) {
  begin(1);
  create("a");
  transport->set_faults({{.effect = http::TruncateBody{.after = 1s, .how = http::TruncateBody::How::silence},
                          .only = http::is_watch,
                          .times = 1}});
  informer->start();
  ASSERT_TRUE(informer->wait_for_sync(simulation->executor().now() + 1min));
  simulation->executor().sleep_for(10s);
  const std::uint64_t backup = simulation->server().resource_version();
  ASSERT_TRUE(client->remove(ConfigMap::type, {"default", "a"}));
  EXPECT_EQ(informer->store().size(), 0U);
  ASSERT_TRUE(simulation->server().rewind(backup));
  for (const char* name : {"b", "c"}) create(name);
  simulation->executor().sleep_for(10min);
  EXPECT_EQ(informer->store().size(), 3U);
  EXPECT_EQ(view.versions(), stored());
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

// Responds to each list with objects n0, n1, … in one page.
class LargeList final : public http::Handler {
 public:
  http::Response handle(const http::Request& request) override {
    if (!http::is_list_or_get(request)) return simulation->server().handle(request);
    std::string body = R"({"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[)";
    for (std::size_t i = 0; i < objects; ++i) {
      body += std::string(i == 0 ? "" : ",") + R"({"metadata":{"namespace":"default","name":"n)" + std::to_string(i) +
              R"(","uid":"u","resourceVersion":"1"}})";
    }
    return {.status = 200, .body = body + "]}"};
  }

  testkit::Simulation* simulation = nullptr;
  std::size_t objects = 20'000;
};

// Other watches and the renewal of a lease use the same thread, so a large list is applied in many turns of it. Readers
// see all objects or none (trap 25).
TEST_F(InformerTest, AppliesALargeListInTurnsAndAtOnceForReaders) {
  LargeList server;
  begin(1, {}, &server);
  server.simulation = simulation.get();
  std::size_t turns = 0;
  std::size_t mixed = 0;
  std::function<void()> probe = [&] {
    if (informer->status().objects == 0) return transport->post(probe);  // nothing has arrived yet
    ++turns;
    const std::size_t seen = informer->store().size();
    if (seen != 0 && seen != server.objects) ++mixed;
    if (!informer->has_synced()) transport->post(probe);
  };
  informer->start();
  transport->post(probe);
  ASSERT_TRUE(informer->wait_for_sync(simulation->executor().now() + 1min));
  EXPECT_EQ(view.versions().size(), server.objects);
  EXPECT_EQ(mixed, 0U);
  EXPECT_GE(turns, 3 * server.objects / 1'000) << "at least one turn for each 1,000 objects in each of three steps";
  end();
}

// A server without streaming lists rejects the parameter, ignores it, or never sends the end of the initial events
// (trap 22).
TEST_F(InformerTest, AServerWithoutStreamsIsListedAndNotAskedEachTime) {
  for (const bool rejects : {true, false}) {
    SCOPED_TRACE(rejects);
    view = View();
    begin(1, {.reflector = {.list_mode = ListMode::streaming}});
    for (const char* name : {"a", "b"}) create(name);
    int streams = 0;
    const auto is_stream = [](const http::Request& request) {
      return request.target.find("sendInitialEvents=true") != std::string::npos;
    };
    if (rejects) {
      transport->set_faults({{.effect = http::ErrorResponse{.status = 422, .reason = "Invalid"}, .only = is_stream}});
    } else {
      simulation->server().set_faults({.rules = {{.effect = WithholdBookmarks{.only_initial_end = true}}}});
    }
    informer->on_watch_end([&](const Error* error) { streams += error != nullptr ? 1 : 0; });
    informer->start();
    ASSERT_TRUE(informer->wait_for_sync(simulation->executor().now() + 25s));
    EXPECT_EQ(view.versions(), stored());
    EXPECT_EQ(streams, 1);
    for (int i = 0; i < 10; ++i) {
      create("c" + std::to_string(i));
      simulation->server().compact();
      simulation->executor().sleep_for(30min);
    }
    EXPECT_EQ(view.versions(), stored());
    EXPECT_LE(streams, 1 + 10) << "each compaction may end one watch, and no further stream fails";
    end();
  }
}

// The informers of a client share that its server rejects streams; those of another client may have another server.
TEST_F(InformerTest, ASecondInformerOfTheClientDoesNotRequestAStreamThatTheServerRejects) {
  const InformerOptions options{.resource = {.kind = ConfigMap::type, .plural = "configmaps"},
                                .namespace_ = "default",
                                .reflector = {.list_mode = ListMode::streaming}};
  begin(1, options);
  create("a");
  transport->set_faults(
      {{.effect = http::ErrorResponse{.status = 422, .reason = "Invalid"}, .only = [](const http::Request& request) {
          return request.target.find("sendInitialEvents=true") != std::string::npos;
        }}});
  informer->start();
  ASSERT_TRUE(informer->wait_for_sync(simulation->executor().now() + 1min));
  EXPECT_EQ(transport->injected_faults(), 1U);
  const auto fill_another = [&] {
    Informer another(*client, *dispatcher, Log(), options);
    another.start();
    EXPECT_TRUE(another.wait_for_sync(simulation->executor().now() + 1min));
  };
  fill_another();
  EXPECT_EQ(transport->injected_faults(), 1U);
  simulation->executor().sleep_for(25h);
  fill_another();
  EXPECT_EQ(transport->injected_faults(), 2U) << "the server may have been upgraded";
  end();
}

// A connection whose peer has disappeared reports no error (trap 14).
TEST_F(InformerTest, OpensASilentWatchAgain) {
  begin(1);
  transport->set_faults({{.effect = http::TruncateBody{.after = 1s, .how = http::TruncateBody::How::silence},
                          .only = http::is_watch,
                          .times = 1}});
  informer->start();
  ASSERT_TRUE(informer->wait_for_sync(simulation->executor().now() + 1min));
  simulation->executor().sleep_for(10s);
  create("a");
  simulation->executor().sleep_for(1min);
  EXPECT_TRUE(view.versions().empty());
  simulation->executor().sleep_for(3min);
  EXPECT_EQ(view.versions(), stored());
  end();
}

// Keeps the targets of all requests.
class RecordedTargets final : public http::Handler {
 public:
  http::Response handle(const http::Request& request) override {
    targets.push_back(request.target);
    return simulation->server().handle(request);
  }

  testkit::Simulation* simulation = nullptr;
  std::vector<std::string> targets;
};

// A server rejects a match on a plain watch, a stream without it, and a list with `sendInitialEvents` (trap 18).
TEST_F(InformerTest, SendsTheParametersThatEachKindOfRequestPermits) {
  for (const ListMode list_mode : {ListMode::paged, ListMode::streaming}) {
    RecordedTargets server;
    view = View();
    begin(1, {.reflector = {.list_mode = list_mode, .page_size = 2}}, &server);
    server.simulation = simulation.get();
    for (const char* name : {"a", "b", "c"}) create(name);
    simulation->server().set_faults(
        {.rules = {{.effect = ErrorEvent{.after_events = 1}, .only = http::is_watch, .probability = 0.5}}});
    informer->start();
    simulation->executor().sleep_for(2h);
    std::size_t streams = 0;
    for (const std::string& target : server.targets) {
      const auto has = [&](const char* text) { return target.find(text) != std::string::npos; };
      const bool is_stream = has("sendInitialEvents=true");
      streams += is_stream ? 1 : 0;
      if (!has("watch=true")) {
        EXPECT_FALSE(has("sendInitialEvents")) << target;
        EXPECT_FALSE(has("continue=") && (has("resourceVersion=") || has("resourceVersionMatch="))) << target;
      } else {
        EXPECT_EQ(has("resourceVersionMatch=NotOlderThan"), is_stream) << target;
        EXPECT_EQ(has("resourceVersionMatch="), is_stream) << target;
      }
    }
    EXPECT_EQ(streams > 1, list_mode == ListMode::streaming);
    EXPECT_GT(server.targets.size(), 10U);
    EXPECT_EQ(view.versions(), stored());
    end();
  }
}

// A transform may be expensive, and its result must not be transformed again, also not when the object is deleted
// (trap 31).
TEST_F(InformerTest, TransformsEachStateOnce) {
  int calls = 0;
  const auto transform = [&](json::Value& object) {
    ++calls;
    EXPECT_FALSE(object.as_object().contains("transformed"));
    object.as_object()["transformed"] = true;
  };
  begin(1, {.reflector = {.projection = {.transform = transform}}});
  for (const char* name : {"a", "b"}) create(name);
  informer->start();
  ASSERT_TRUE(informer->wait_for_sync(simulation->executor().now() + 1min));
  EXPECT_EQ(calls, 2);
  create("c");
  simulation->executor().sleep_for(1min);
  EXPECT_EQ(calls, 3);
  ASSERT_TRUE(client->patch(ConfigMap::type, {"default", "a"}, json::Value{{"data", {{"k", "v"}}}}));
  EXPECT_TRUE(informer->store().get({"default", "a"})["/transformed"].exists());
  simulation->executor().sleep_for(1min);
  EXPECT_EQ(calls, 5) << "once for the response to an own write, and once for its event";
  calls = 0;
  simulation->server().set_faults({.rules = {{.effect = ErrorEvent{}, .only = http::is_watch, .times = 1}}});
  simulation->server().compact();
  simulation->executor().sleep_for(20min);
  EXPECT_EQ(calls % 3, 0) << "each list transforms each object once";
  EXPECT_GT(calls, 0);
  calls = 0;
  informer->withdraw();
  simulation->executor().sleep_for(1min);
  EXPECT_EQ(view.deletes.size(), 3U);
  EXPECT_EQ(calls, 0) << "the deletions contain the cached states";
  end();
}

// Records the media types of a server's responses, and can damage the protobuf in them.
class MediaTypes final : public http::Handler {
 public:
  http::Response handle(const http::Request& request) override {
    http::Response response = simulation->server().handle(request);
    const std::string type(response.headers.get("Content-Type").value_or(""));
    types.insert(type);
    const bool is_protobuf = type.starts_with(protobuf_media_type);
    if (damages_lists && is_protobuf && response.stream == nullptr) response.body[4] = '\xff';
    if (damages_watches && is_protobuf && response.stream != nullptr) {
      response.stream.reset();
      response.body = std::string("\0\0\0\2ab", 6);
    }
    return response;
  }

  testkit::Simulation* simulation = nullptr;
  bool damages_lists = false;
  bool damages_watches = false;
  std::set<std::string> types;
};

constexpr const char* protobuf_list = "application/vnd.kubernetes.protobuf";
constexpr const char* protobuf_watch = "application/vnd.kubernetes.protobuf;stream=watch";

TEST_F(InformerTest, ReadsProtobufOfABuiltInKind) {
  for (const ListMode mode : {ListMode::paged, ListMode::streaming}) {
    MediaTypes server;
    begin(1, {.reflector = {.list_mode = mode}}, &server);
    server.simulation = simulation.get();
    for (const char* name : {"a", "b"}) create(name);
    server.types.clear();
    informer->start();
    ASSERT_TRUE(informer->wait_for_sync(simulation->executor().now() + 1min));
    create("c");
    (void)simulation->user().remove(ConfigMap::type, {"default", "a"});
    simulation->executor().sleep_for(1s);
    EXPECT_EQ(view.versions(), stored());
    EXPECT_EQ(view.deletes["a"], 1);
    EXPECT_EQ(server.types.contains(protobuf_list), mode == ListMode::paged);
    EXPECT_TRUE(server.types.contains(protobuf_watch));
    const Object object = informer->store().get({"default", "b"});
    EXPECT_EQ(object, simulation->server().objects("configmaps").front());
    end();
    view = {};
  }
}

// Without a fallback the cache would never fill.
TEST_F(InformerTest, RequestsJsonAfterProtobufThatItCannotDecode) {
  for (const bool in_list : {true, false}) {
    MediaTypes server;
    server.damages_lists = in_list;
    server.damages_watches = !in_list;
    begin(1, {}, &server);
    server.simulation = simulation.get();
    for (const char* name : {"a", "b"}) create(name);
    informer->start();
    ASSERT_TRUE(informer->wait_for_sync(simulation->executor().now() + 1min));
    create("c");
    simulation->executor().sleep_for(1min);
    EXPECT_EQ(view.versions(), stored());
    EXPECT_TRUE(server.types.contains("application/json"));
    EXPECT_TRUE(server.types.contains(in_list ? protobuf_list : protobuf_watch));
    end();
    view = {};
  }
}

}  // namespace
}  // namespace pintle
