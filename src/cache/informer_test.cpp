#include <pintle/cache/informer.hpp>

#include <map>
#include <set>
#include <type_traits>

#include <gtest/gtest.h>

#include <pintle/api/everyday.hpp>
#include <pintle/testing/seeds.hpp>
#include <pintle/testing/simulation.hpp>

namespace pintle {
namespace {

using namespace std::chrono_literals;

// What a handler was told, checked as it comes.
class View {
 public:
  void take(const Change& change) {
    const std::string name(change.object().name());
    last_cause = change.cause;
    if (change.old && !change.current) {
      EXPECT_EQ(known_.erase(name), 1U) << "a delete of what was not there: " << name;
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
  void begin(std::uint64_t seed, InformerOptions options = {}) {
    simulation = std::make_unique<testing::Simulation>(testing::SimulationSetup{.seed = seed});
    transport = simulation->connect();
    client = std::make_unique<Client>(
        ClientOptions{.transport = transport, .cluster = {.endpoint = std::make_shared<http::Endpoint>()}});
    dispatcher = std::make_unique<Dispatcher>(simulation->runtime());
    options.resource = {.kind = ConfigMap::type, .plural = "configmaps"};
    informer = std::make_unique<Informer>(*client, *dispatcher, Log(), std::move(options));
    informer->add_handler([this](const Change& change) { view.take(change); });
  }
  void end() {
    informer->stop();
    dispatcher->stop();
    transport->shutdown();
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

  std::unique_ptr<testing::Simulation> simulation;
  std::shared_ptr<http::MemoryTransport> transport;
  std::unique_ptr<Client> client;
  std::unique_ptr<Dispatcher> dispatcher;
  std::unique_ptr<Informer> informer;
  View view;
};

// Trap 30: synced means that the handlers have been told, not only that the store is filled.
TEST_F(InformerTest, IsSyncedOnceItsHandlersHaveBeenTold) {
  begin(1);
  for (const char* name : {"a", "b", "c"}) create(name);
  EXPECT_FALSE(informer->has_synced());
  informer->start();
  ASSERT_TRUE(informer->wait_for_sync(simulation->runtime().now() + 1min));
  EXPECT_EQ(view.versions(), stored());
  EXPECT_EQ(informer->store().size(), 3U);
  end();
}

TEST_F(InformerTest, IsFilledByAStreamWithoutAList) {
  begin(1, {.reflector = {.first_read = FirstRead::streaming}});
  for (const char* name : {"a", "b"}) create(name);
  transport->set_faults({{.effect = http::AnswerError{.status = 500}, .only = http::is_list_or_get}});
  informer->start();
  ASSERT_TRUE(informer->wait_for_sync(simulation->runtime().now() + 1min));
  EXPECT_EQ(view.versions(), stored());
  EXPECT_EQ(view.last_cause, ChangeCause::initial);
  create("c");
  simulation->runtime().sleep_for(1min);
  EXPECT_EQ(view.versions(), stored());
  end();
}

TEST_F(InformerTest, MayHoldMetadataAlone) {
  for (const FirstRead first_read : {FirstRead::paged, FirstRead::streaming}) {
    view = View();
    begin(1, {.reflector = {.first_read = first_read, .metadata_only = true}});
    const ConfigMap map{.metadata = {.name = "a", .namespace_ = "default"}, .data = {{"k", "v"}}};
    ASSERT_TRUE(simulation->user().create(map));
    transport->set_faults({{.effect = http::Delay{1min}, .only = http::is_watch}});
    informer->start();
    ASSERT_TRUE(informer->wait_for_sync(simulation->runtime().now() + 5min));
    const auto held = [&] { return informer->store().get({"default", "a"}); };
    EXPECT_EQ(held().describe(), "v1 ConfigMap default/a") << "and not of the kind that it comes as";
    EXPECT_FALSE(held()["/data"].exists());
    ASSERT_TRUE(client->patch(ConfigMap::type, {"default", "a"}, json::Value{{"data", {{"k", "2"}}}}));
    EXPECT_FALSE(held()["/data"].exists()) << "nor what a write of our own answers";
    EXPECT_EQ(held().resource_version(), stored()["a"]);
    end();
  }
}

TEST_F(InformerTest, SaysWhyItIsNotSynced) {
  begin(1);
  informer.reset();
  informer = std::make_unique<Informer>(
      *client, *dispatcher, Log(), InformerOptions{.resource = {.kind = {"v1", "Elephant"}, .plural = "elephants"}});
  informer->start();
  const auto late = informer->wait_for_sync(simulation->runtime().now() + 10s);
  EXPECT_EQ(late.error().code, ErrorCode::timeout);
  EXPECT_NE(late.error().message.find("404"), std::string::npos) << late.error().message;
  end();
}

// What goes wrong with a connection to a server that is there.
http::FaultPlan trouble(Random& random) {
  using How = http::Cut::How;
  http::FaultPlan plan{
      {.effect = http::Cut{.after = 2s}, .only = http::is_watch, .probability = 0.3},
      {.effect = http::RepeatEvent{.nth = 1 + random.below(5)}, .only = http::is_watch, .probability = 0.2},
      {.effect = http::Delay{500ms}, .only = http::is_watch, .probability = 0.2},
      {.effect = http::Cut{.after_bytes = 5'000, .how = How::silence}, .only = http::is_watch, .probability = 0.05},
      {.effect = http::AnswerError{.status = 429, .reason = "TooManyRequests"}, .probability = 0.03},
      {.effect = http::AnswerError{.status = 503, .reason = "ServiceUnavailable"}, .probability = 0.03},
      {.effect = http::AnswerError{.status = 410, .reason = "Expired"}, .probability = 0.03},
      {.effect = http::Cut{.after_bytes = 300}, .only = http::is_list_or_get, .probability = 0.1}};
  for (const How how : {How::reset, How::end}) {
    for (const std::uint64_t bytes : {1U, 400U, 3'000U}) {
      plan.push_back({.effect = http::Cut{.after_bytes = bytes + random.below(2 * bytes), .how = how},
                      .only = http::is_watch,
                      .probability = 0.2});
    }
  }
  return plan;
}

// People who make, change and remove config maps.
class People {
 public:
  explicit People(testing::Simulation& simulation) : simulation_(simulation), random_(simulation.random()) {}

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
    simulation_.runtime().sleep_for(std::chrono::milliseconds(random_.below(20'000)));
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

  testing::Simulation& simulation_;
  Random& random_;
  std::uint64_t made_ = 0;
};

// TX-08, TX-09: watches cut at random points and a server that forgets the past lose nothing and tell each delete once.
TEST_F(InformerTest, AgreesWithTheServerHoweverItsWatchesAreCut) {
  std::uint64_t faults = 0;
  const auto all = testing::seeds({.usual = 15, .sanitized = 4, .long_run = 150});
  for (const std::uint64_t seed : all) {
    SCOPED_TRACE(seed);
    view = View();
    begin(seed, {.reflector = {.first_read = seed % 3 == 0 ? FirstRead::streaming : FirstRead::paged}});
    transport->set_faults(trouble(simulation->random()));
    informer->start();
    People people(*simulation);
    for (int step = 0; step < 1000; ++step) {
      people.do_something();
      if (simulation->random().below(8) == 0) people.wait_a_little();
    }
    faults += transport->faults_done();
    transport->set_faults({});
    simulation->runtime().sleep_for(20min);
    EXPECT_EQ(view.versions(), stored());
    for (const auto& [name, times] : view.deletes) EXPECT_EQ(times, 1) << name;
    for (const std::string& name : view.added)
      EXPECT_EQ(view.deletes.contains(name), !people.alive.contains(name)) << name;
    EXPECT_GT(view.deletes.size(), 100U);
    end();
  }
  EXPECT_GT(faults, 15 * all.size());
}

// Trap 27: an object of the same name is made again while nobody looks.
TEST_F(InformerTest, AgreesWithTheServerWhenNamesAreUsedAgain) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    view = View();
    begin(seed);
    transport->set_faults(trouble(simulation->random()));
    informer->start();
    People people(*simulation);
    people.reuses_names = true;
    for (int step = 0; step < 400; ++step) {
      people.do_something();
      if (simulation->random().below(8) == 0) people.wait_a_little();
    }
    transport->set_faults({});
    simulation->runtime().sleep_for(20min);
    EXPECT_EQ(view.versions(), stored());
    end();
  }
}

// TX-09: what is deleted while the watch is away, and then forgotten by the server, is told once, found by the list.
TEST_F(InformerTest, ADeleteThatTheServerHasForgottenIsFoundByTheList) {
  for (const bool by_status : {false, true}) {
    SCOPED_TRACE(by_status);
    view = View();
    begin(1);
    for (const char* name : {"a", "b"}) create(name);
    transport->set_faults(
        {{.effect = http::Cut{.after = 1min, .how = http::Cut::How::end}, .only = http::is_watch, .times = 1},
         {.effect = http::Delay{1min}, .only = http::is_watch, .first = 2}});
    informer->start();
    ASSERT_TRUE(informer->wait_for_sync(simulation->runtime().now() + 10s));
    simulation->runtime().sleep_for(90s);  // the second watch is on its way
    ASSERT_TRUE(simulation->user().remove(ConfigMap::type, {"default", "a"}));
    if (by_status) {
      transport->set_faults(
          {{.effect = http::AnswerError{.status = 410, .reason = "Expired"}, .only = http::is_watch, .times = 1}});
    }
    simulation->server().compact();
    simulation->runtime().sleep_for(10min);
    EXPECT_EQ(view.deletes, (std::map<std::string, int>{{"a", 1}}));
    EXPECT_EQ(view.last_cause, ChangeCause::missed);
    EXPECT_EQ(view.versions(), stored());
    end();
  }
}

TEST_F(InformerTest, TellsOfTheEndsOfItsWatches) {
  begin(1);
  std::vector<std::string> ends;
  informer->on_watch_end([&](const Error* error) { ends.push_back(error == nullptr ? "well" : error->message); });
  const std::string gone =
      R"({"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired","message":"old"}})";
  transport->set_faults(
      {{.effect = http::AnswerError{.status = 200, .body = gone + "\n"}, .only = http::is_watch, .times = 1},
       {.effect = http::Cut{.after = 1min, .how = http::Cut::How::end}, .only = http::is_watch}});
  informer->start();
  simulation->runtime().sleep_for(90s);
  ASSERT_EQ(ends.size(), 2U);
  EXPECT_NE(ends[0].find("old"), std::string::npos) << ends[0];
  EXPECT_EQ(ends[1], "well");
  end();
  EXPECT_EQ(ends.size(), 2U) << "its own stop is no end to tell of";
}

// TX-14: handlers share snapshots, and nothing they can do to one shows in another.
TEST_F(InformerTest, NoHandlerCanChangeWhatAnotherIsHanded) {
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
    mine = Object(std::move(copy));
  });
  informer->add_handler([&](const Change& change) { second.push_back(change.current); });
  informer->start();
  ASSERT_TRUE(simulation->user().create(
      ConfigMap{.metadata = {.name = "a", .namespace_ = "default"}, .data = {{"k", "true"}}}));
  simulation->runtime().sleep_for(1min);
  ASSERT_EQ(second.size(), 1U);
  EXPECT_EQ(second[0]["/data/k"], "true");
  EXPECT_TRUE(first[0].same_as(second[0])) << "and nothing was copied for it";
  EXPECT_TRUE(informer->store().get({"default", "a"}).same_as(second[0]));
  // The one that is held stays as it is when the object changes.
  ASSERT_TRUE(simulation->user().patch(ConfigMap::type, {"default", "a"}, json::Value{{"data", {{"k", "new"}}}}));
  simulation->runtime().sleep_for(1min);
  EXPECT_EQ(first[0]["/data/k"], "true");
  EXPECT_EQ(informer->store().get({"default", "a"})["/data/k"], "new");
  end();
}

}  // namespace
}  // namespace pintle
