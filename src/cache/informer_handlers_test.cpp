// SPDX-License-Identifier: Apache-2.0
// The changes that the handlers of an informer receive, and their order.
#include <pintle/cache/informer.hpp>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <pintle/api/everyday.hpp>
#include <pintle/testing/seeds.hpp>
#include <pintle/testing/simulation.hpp>

namespace pintle {
namespace {

using namespace std::chrono_literals;

// The state that a handler derives from its changes.
class Received {
 public:
  void take(const Change& change) {
    const std::string name(change.object().name());
    EXPECT_EQ(change.old.exists(), known.contains(name) || change.cause == ChangeCause::resync) << name;
    if (change.current) {
      known[name] = change.current.resource_version();
    } else {
      known.erase(name);
    }
    order += name + (!change.old ? "+" : change.current ? "~" : "-") + " ";
    ++causes[change.cause];
  }

  std::map<std::string, std::string> known;  // versions by name
  std::map<ChangeCause, int> causes;
  std::string order;
};

class InformerHandlers : public ::testing::Test {
 protected:
  ~InformerHandlers() override { end(); }
  void begin(std::uint64_t seed = 1) {
    end();
    simulation = std::make_unique<testkit::Simulation>(testkit::SimulationOptions{.seed = seed});
    transport = simulation->connect();
    client = std::make_unique<Client>(
        ClientOptions{.transport = transport, .cluster = {.endpoint = std::make_shared<http::Endpoint>()}});
    dispatcher = std::make_unique<Dispatcher>(simulation->executor());
    informer = std::make_unique<Informer>(
        *client, *dispatcher, Log(), InformerOptions{.resource = {.kind = ConfigMap::type, .plural = "configmaps"}});
  }
  void end() {
    if (!simulation) return;
    informer->stop();
    dispatcher->stop();
    transport->stop();
    informer.reset();
    dispatcher.reset();
    client.reset();
    transport.reset();
    simulation.reset();
  }
  void start() {
    informer->start();
    ASSERT_TRUE(informer->wait_for_sync(simulation->executor().now() + 1h));
  }
  [[nodiscard]] static ChangeHandler into(Received& received) {
    return [&received](const Change& change) { received.take(change); };
  }
  void create(const std::string& name) {
    ASSERT_TRUE(simulation->user().create(ConfigMap{.metadata = {.name = name, .namespace_ = "default"}}));
  }
  void change(const std::string& name, int n) {
    (void)simulation->user().patch(ConfigMap::type, {"default", name},
                                   json::Value{{"data", {{"n", std::to_string(n)}}}});
  }
  void remove(const std::string& name) { (void)simulation->user().remove(ConfigMap::type, {"default", name}); }
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
};

// No watch event reports an object that was deleted before a list. Its handlers receive the last known state (trap 24).
// The store has the new state before the first handler runs, and deletions come first, so that a new object can take
// what a deleted one used (trap 25).
TEST_F(InformerHandlers, AListDeliversDeletionsFirstAndAfterTheStoreHasChanged) {
  begin();
  for (const char* name : {"a", "b", "c"}) create(name);
  Received received;
  std::vector<std::size_t> sizes;
  std::string last_known;
  informer->add_handler([&](const Change& change) {
    received.take(change);
    sizes.push_back(informer->store().size());
    if (!change.current) last_known += std::string(change.old["/metadata/resourceVersion"].text()) + " ";
  });
  start();
  const auto before = stored();
  received.order.clear();
  sizes.clear();
  transport->set_faults({{.effect = http::ErrorResponse{.status = 410, .reason = "Expired"}, .only = http::is_watch}});
  simulation->executor().sleep_for(10min);  // the open watch ends, and the next ones are refused
  create("0");
  change("a", 1);
  remove("b");
  remove("c");
  transport->set_faults({});
  simulation->executor().sleep_for(10min);
  EXPECT_EQ(received.known, stored());
  if (received.causes[ChangeCause::missed] == 4) {
    EXPECT_EQ(received.order, "b- c- 0+ a~ ");
    EXPECT_EQ(last_known, before.at("b") + " " + before.at("c") + " ");
    EXPECT_EQ(sizes, (std::vector<std::size_t>(4, 2))) << "each handler call sees the whole new state";
  } else {
    ADD_FAILURE() << "the changes were not found by one list: " << received.order;
  }
}

// After a gap, or from a server that repeats events, the type of an event may not fit the cache (trap 26).
TEST_F(InformerHandlers, TheTypeOfAnEventDoesNotDecideWhatItMeans) {
  begin();
  create("known");
  Received received;
  informer->add_handler(into(received));
  std::uint64_t version = simulation->server().resource_version();
  const auto event = [&](const char* type, const char* name) {
    return std::string(R"({"type":")") + type +
           R"(","object":{"apiVersion":"v1","kind":"ConfigMap","metadata":{"namespace":"default","name":")" + name +
           R"(","uid":"u","resourceVersion":")" + std::to_string(++version) + "\"}}}\n";
  };
  std::string body = event("ADDED", "known");
  body += event("MODIFIED", "unknown");
  body += event("DELETED", "never");
  transport->set_faults(
      {{.effect = http::ErrorResponse{.status = 200, .body = body}, .only = http::is_watch, .times = 1},
       {.effect = http::Delay{1h}, .only = http::is_watch, .first = 2}});
  informer->start();
  simulation->executor().sleep_for(90s);
  EXPECT_EQ(received.order, "known+ known~ unknown+ ");
}

// A late handler receives what exists as initial, and from then on each change once and in order (trap 29).
TEST_F(InformerHandlers, ALateHandlerReceivesWhatExistsAndLosesNoChange) {
  for (const std::uint64_t seed : testkit::seeds({.usual = 10, .sanitized = 3, .long_run = 100})) {
    SCOPED_TRACE(seed);
    begin(seed);
    constexpr int count = 1'200;  // several parts
    for (int i = 0; i < count; ++i) create("m" + std::to_string(i));
    start();
    Received late;
    auto state = informer->add_handler(into(late));
    for (int i = 0; i < 300; ++i) {
      const std::string name = "m" + std::to_string(simulation->random().below(count + 100));
      switch (simulation->random().below(4)) {
        case 0: remove(name); break;
        case 1: (void)simulation->user().create(ConfigMap{.metadata = {.name = name, .namespace_ = "default"}}); break;
        default: change(name, i); break;
      }
      if (simulation->random().below(20) == 0) simulation->executor().sleep_for(1ms);
    }
    simulation->executor().sleep_for(10min);
    EXPECT_TRUE(state->has_synced());
    EXPECT_EQ(late.known, stored());
    EXPECT_GT(late.causes[ChangeCause::initial], count / 2);
    EXPECT_EQ(late.causes[ChangeCause::missed], 0);
  }
}

// The slices of a large list are delivered in turns of the I/O thread, and a handler may be added between two of them.
TEST_F(InformerHandlers, AHandlerThatIsAddedDuringTheFirstListReceivesAllOfIt) {
  for (const std::uint64_t seed : testkit::seeds({.usual = 5, .sanitized = 2, .long_run = 50})) {
    SCOPED_TRACE(seed);
    begin(seed);
    constexpr int count = 5'000;
    for (int i = 0; i < count; ++i) create("m" + std::to_string(i));
    Received first, late;
    std::shared_ptr<const InformerHandler> state;
    informer->add_handler([&](const Change& change) {
      first.take(change);
      if (state == nullptr) state = informer->add_handler(into(late));
    });
    start();
    simulation->executor().sleep_for(1min);
    ASSERT_NE(state, nullptr);
    EXPECT_TRUE(state->has_synced());
    EXPECT_EQ(first.known, stored());
    EXPECT_EQ(late.known, stored());
    end();  // waits for the handlers, which use the variables above
  }
}

// Also while the changes of a list are delivered in slices: handlers receive them before the deletions of all objects.
TEST_F(InformerHandlers, AWithdrawalDuringAListLeavesNoObject) {
  for (const std::uint64_t seed : testkit::seeds({.usual = 5, .sanitized = 2, .long_run = 50})) {
    SCOPED_TRACE(seed);
    begin(seed);
    for (int i = 0; i < 2'000; ++i) create("m" + std::to_string(i));
    Received received;
    bool has_withdrawn = false;
    informer->add_handler([&](const Change& change) {
      received.take(change);
      if (change.cause == ChangeCause::missed && !std::exchange(has_withdrawn, true)) informer->withdraw();
    });
    start();
    transport->set_faults({{.effect = http::ErrorResponse{.status = 410, .reason = "Expired"}, .only = http::is_watch},
                           {.effect = http::ErrorResponse{.status = 503}, .only = http::is_list_or_get}});
    simulation->executor().sleep_for(15min);  // the open watch ends, and nothing is delivered any more
    for (int i = 0; i < 600; ++i) remove("m" + std::to_string(i));
    for (int i = 0; i < 600; ++i) create("n" + std::to_string(i));
    transport->set_faults({});
    simulation->executor().sleep_for(10min);
    EXPECT_TRUE(has_withdrawn);
    EXPECT_EQ(received.known.size(), 0U);
    EXPECT_EQ(informer->store().size(), 0U);
    end();  // waits for the handler, which uses the variables above
  }
}

// A provisional state of an own write is not what the other handlers have received, so a late one does not either.
TEST_F(InformerHandlers, ALateHandlerReceivesAnOwnWriteOnce) {
  begin();
  create("a");
  create("b");
  transport->set_faults({{.effect = http::StallEvents{.nth = 1, .duration = 1min}, .only = http::is_watch}});
  start();
  const auto before = stored();
  Received late;
  ASSERT_TRUE(client->patch(ConfigMap::type, {"default", "a"}, json::Value{{"data", {{"k", "v"}}}}));
  ASSERT_TRUE(client->remove(ConfigMap::type, {"default", "b"}));
  ASSERT_TRUE(client->create(ConfigMap{.metadata = {.name = "c", .namespace_ = "default"}}));
  informer->add_handler(into(late));
  simulation->executor().sleep_for(10s);
  EXPECT_EQ(late.known, before) << "the watch has not delivered the writes yet";
  simulation->executor().sleep_for(10min);
  EXPECT_EQ(late.known, stored());
  EXPECT_EQ(late.order, "a+ b+ a~ b- c+ ");
}

TEST_F(InformerHandlers, AHandlerThatIsAddedBeforeTheFirstListIsLikeTheOthers) {
  begin();
  create("a");
  transport->set_faults({{.effect = http::ErrorResponse{.status = 503}, .only = http::is_list_or_get}});
  informer->start();
  simulation->executor().sleep_for(10s);
  Received late;
  const auto state = informer->add_handler(into(late));
  simulation->executor().sleep_for(10s);
  EXPECT_FALSE(state->has_synced());
  transport->set_faults({});
  simulation->executor().sleep_for(5min);
  EXPECT_TRUE(state->has_synced());
  EXPECT_EQ(late.order, "a+ ");
  EXPECT_EQ(late.causes[ChangeCause::initial], 1);
}

// Only the handlers with a resync period receive a resync, without a request to the server (trap 28).
TEST_F(InformerHandlers, AResyncRepeatsTheCache) {
  begin();
  create("a");
  create("b");
  Received plain, repeated;
  informer->add_handler(into(plain));
  informer->add_handler(into(repeated), {.resync_period = 10min});
  start();
  const std::uint64_t lists = transport->calls();
  simulation->executor().sleep_for(65min);
  EXPECT_EQ(plain.order, "a+ b+ ");
  EXPECT_GE(repeated.causes[ChangeCause::resync], 10);
  EXPECT_LE(repeated.causes[ChangeCause::resync], 14);
  EXPECT_EQ(repeated.known, stored());
  EXPECT_LE(transport->calls() - lists, 15U) << "only the watches that end after some minutes";
  end();
}

// A shorter period would occupy the I/O thread, so it counts as one second (trap 28).
TEST_F(InformerHandlers, AResyncTakesPlaceAtMostOnceASecond) {
  begin();
  create("a");
  Received repeated;
  informer->add_handler(into(repeated), {.resync_period = 1ms});
  start();
  simulation->executor().sleep_for(1min);
  EXPECT_GE(repeated.causes[ChangeCause::resync], 50);
  EXPECT_LE(repeated.causes[ChangeCause::resync], 67);
  end();
}

// A handler that runs for an hour delays neither the other handlers nor the watch (trap 34).
TEST_F(InformerHandlers, ASlowHandlerDelaysNoOther) {
  begin();
  Received quick;
  int slow = 0;
  informer->add_handler(into(quick));
  start();
  informer->add_handler([&](const Change&) {
    simulation->executor().sleep_for(1h);
    ++slow;
  });
  for (int i = 0; i < 100; ++i) {
    create("m" + std::to_string(i));
    simulation->executor().sleep_for(1s);
    ASSERT_EQ(quick.known.size(), static_cast<std::size_t>(i) + 1);
  }
  EXPECT_EQ(slow, 0);
  end();  // waits for the handler, which uses the variables above
}

// The parts of a resync run one after the other. The next beginning starts the timer of the next resync itself.
TEST_F(InformerHandlers, AWithdrawalDuringAResyncLeavesOneResync) {
  for (const std::uint64_t seed : testkit::seeds({.usual = 3, .sanitized = 1, .long_run = 50})) {
    SCOPED_TRACE(seed);
    begin(seed);
    constexpr int many = 1'500;
    for (int i = 0; i < many; ++i) create("m" + std::to_string(i));
    int resyncs_of_one = 0;
    bool has_withdrawn = false;
    informer->add_handler(
        [&](const Change& change) {
          if (change.cause != ChangeCause::resync) return;
          if (!std::exchange(has_withdrawn, true)) informer->withdraw();
          resyncs_of_one += change.current.name() == "m0" ? 1 : 0;
        },
        {.resync_period = 1min});
    start();
    simulation->executor().sleep_for(5min);
    ASSERT_TRUE(has_withdrawn);
    informer->begin({.kind = ConfigMap::type, .plural = "configmaps"});
    ASSERT_TRUE(informer->wait_for_sync(simulation->executor().now() + 1h));
    resyncs_of_one = 0;
    simulation->executor().sleep_for(20min);
    EXPECT_GE(resyncs_of_one, 17);
    EXPECT_LE(resyncs_of_one, 23);
    end();  // waits for the handler, which uses the variables above
  }
}

}  // namespace
}  // namespace pintle
