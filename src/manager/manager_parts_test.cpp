// SPDX-License-Identifier: Apache-2.0
// Runnables, controllers without the lease, defaults, feature gates, and access of the host program.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <stdexcept>

#include <pintle/manager/manager.hpp>
#include <pintle/manager/manager_cache.hpp>

#include "controller/test_support.hpp"
#include "manager_state.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

class ManagerPartsTest : public OperatorTest {
 protected:
  void start_ready(const std::function<void(Manager&)>& add, ManagerOptions options = {}) {
    start(add, std::move(options));
    instance->join();
    ASSERT_TRUE(instance->started()) << instance->started().error().to_string();
  }
  void pass(Duration time) { simulation.executor().sleep_for(time); }
  static Controller<Note> idle() {
    return {.owns = {ConfigMap::type}, .reconcile = [](const Note&, Context&) -> Outcome { return done; }};
  }
};

TEST_F(ManagerPartsTest, ReconciledKindsAreThoseOfTheControllersOfTheHomeCluster) {
  Manager manager({.executor = &simulation.executor()});
  manager.add(idle());
  manager.add(Controller<Note>{.name = "again", .reconcile = idle().reconcile});
  manager.add(Controller<ConfigMap>{.cluster = "other",
                                    .reconcile = [](const ConfigMap&, Context&) -> Outcome { return done; }});

  EXPECT_EQ(manager.reconciled_kinds(), (std::vector<GroupVersionKind>{Note::type}));
}

TEST_F(ManagerPartsTest, ARunnableStartsWithFilledCachesAndEndsBeforeThem) {
  std::vector<std::string> events;
  ASSERT_TRUE(simulation.install<Note>());
  create(note("a"));
  start_ready([&](Manager& manager) {
    manager.add(idle());
    manager.add(Runnable{.name = "feeder", .body = [&](const RunnableContext& context) -> Result<void> {
                           context.executor.sleep_for(1s, context.stop);
                           const auto notes = manager.cache()->list<Note>();
                           events.push_back("sees " + std::to_string(notes ? notes->size() : 0));
                           context.executor.sleep_for(24h, context.stop);
                           const auto last = context.client.get(Note::type, {"default", "a"});
                           events.push_back(last ? "reads" : last.error().to_string());
                           return make_error(ErrorCode::cancelled, "stopped");
                         }});
  });
  pass(10s);
  instance->stop();
  EXPECT_EQ(events, (std::vector<std::string>{"sees 1", "reads"}));
  EXPECT_EQ(log->errors(), 0) << log->lines().back();
}

TEST_F(ManagerPartsTest, ARunnableThatFailsStopsTheManager) {
  start_ready([&](Manager& manager) {
    manager.add(idle());
    manager.add(Runnable{.name = "short", .body = [](const RunnableContext&) -> Result<void> { return {}; }});
    manager.add(Runnable{.name = "feeder", .body = [](const RunnableContext& context) -> Result<void> {
                           context.executor.sleep_for(5s, context.stop);
                           throw std::runtime_error("no feed");
                         }});
  });
  const auto waited = instance->manager().wait();
  ASSERT_FALSE(waited);
  EXPECT_NE(waited.error().to_string().find("runnable feeder: it threw"), std::string::npos)
      << waited.error().to_string();
  EXPECT_NE(waited.error().to_string().find("no feed"), std::string::npos);
  EXPECT_TRUE(log->has("the runnable has ended runnable=short"));
}

TEST_F(ManagerPartsTest, AManagerMayHaveRunnablesOnly) {
  bool ran = false;
  start_ready([&](Manager& manager) {
    manager.add(Runnable{.name = "job",
                         .body = [&](const RunnableContext&) -> Result<void> { return ran = true, Result<void>(); }});
  });
  pass(1s);
  EXPECT_TRUE(ran);
}

TEST_F(ManagerPartsTest, AStopNamesARunnableThatIgnoresItsToken) {
  start_ready(
      [&](Manager& manager) {
        manager.add(idle());
        manager.add(Runnable{.name = "deaf", .body = [](const RunnableContext& context) -> Result<void> {
                               context.executor.sleep_for(1min);
                               return {};
                             }});
      },
      {.stop_timeout = 10s});
  pass(1s);
  const Instant begun = simulation.executor().now();
  Thread stopper = simulation.executor().spawn({.name = "stopper"}, [&] { instance->manager().stop(); });
  stopper.join();
  EXPECT_GE(simulation.executor().now() - begun, 50s) << "it waits for the thread";
  EXPECT_TRUE(log->has("a runnable ignores its stop token and still runs runnable=deaf"));
}

// Each instance may run a controller that reads only, or writes to something of its own.
TEST_F(ManagerPartsTest, AControllerCanWorkOnEveryInstance) {
  ASSERT_TRUE(simulation.user().create(json::Value{{"apiVersion", "coordination.k8s.io/v1"},
                                                   {"kind", "Lease"},
                                                   {"metadata", {{"name", "test-operator"}, {"namespace", "default"}}},
                                                   {"spec",
                                                    {{"holderIdentity", "another"},
                                                     {"leaseDurationSeconds", 3600},
                                                     {"renewTime", "2026-01-01T00:00:00.000000Z"}}}}));
  std::vector<std::string> seen;
  Result<ConfigMap> written = make_error(ErrorCode::unknown, "not called");
  const auto record = [&](const char* name) {
    return [&seen, name](const Note&, Context&) -> Outcome { return seen.emplace_back(name), done; };
  };
  std::vector<std::string> ran;
  start_ready(
      [&](Manager& manager) {
        manager.add(Controller<Note>{.name = "leader", .reconcile = record("leader")});
        manager.add(Controller<Note>{.name = "all",
                                     .reconcile = [&](const Note& n, Context& context) -> Outcome {
                                       seen.emplace_back("all");
                                       written = context.apply(ConfigMap{.metadata = owned_by(n)});
                                       return done;
                                     },
                                     .leadership = Leadership::every_instance});
        manager.add(Runnable{.name = "of-leader", .body = [&](const RunnableContext&) -> Result<void> {
                               ran.emplace_back("leader");
                               return {};
                             }});
        manager.add(Runnable{.name = "of-all",
                             .body = [&](const RunnableContext&) -> Result<void> {
                               ran.emplace_back("all");
                               return {};
                             },
                             .leadership = Leadership::every_instance});
      },
      {.leader_election = LeaderElectionOptions{.identity = "me"}});
  create(note("a"));
  pass(10s);
  EXPECT_FALSE(instance->manager().is_leading());
  EXPECT_EQ(seen, std::vector<std::string>{"all"});
  EXPECT_EQ(ran, std::vector<std::string>{"all"});
  EXPECT_TRUE(written) << written.error().to_string();
  ASSERT_TRUE(simulation.user().remove(Type{"coordination.k8s.io/v1", "Lease"}, {"default", "test-operator"}));
  ASSERT_TRUE(simulation.wait_until([&] { return instance->manager().is_leading(); }, 1min));
  pass(1s);
  EXPECT_EQ(seen, (std::vector<std::string>{"all", "leader"}));
  EXPECT_EQ(ran, (std::vector<std::string>{"all", "leader"}));
}

TEST_F(ManagerPartsTest, TheLeaseHasTheLabelsOfTheOptions) {
  start_ready([&](Manager& manager) { manager.add(idle()); },
              {.leader_election = LeaderElectionOptions{.labels = {{"team", "sea"}}}});
  ASSERT_TRUE(simulation.wait_until([&] { return instance->manager().is_leading(); }, 1min));
  ASSERT_TRUE(simulation.user().patch(Type{"coordination.k8s.io/v1", "Lease"}, {"default", "test-operator"},
                                      json::Value{{"metadata", {{"labels", {{"team", nullptr}, {"other", "kept"}}}}}}));
  pass(10s);
  const Object lease = simulation.server().objects("leases.coordination.k8s.io").at(0);
  EXPECT_EQ(lease.label("team"), "sea");
  EXPECT_EQ(lease.label("other"), "kept");
}

TEST_F(ManagerPartsTest, ClientAndCacheAreAvailableWhileTheManagerRuns) {
  ASSERT_TRUE(simulation.install<Note>());
  create(note("a", "hello"));
  Manager early({.name = "early", .executor = &simulation.executor()});
  EXPECT_EQ(early.client().error().message,
            "Manager::client() was called before start() has returned; call it afterwards");
  EXPECT_FALSE(early.cache());

  start_ready([&](Manager& manager) { manager.add(idle()); });
  Manager& manager = instance->manager();
  EXPECT_EQ(manager.cache()->get<Note>({"default", "a"})->spec.text, "hello");
  EXPECT_EQ(manager.cache()->get<Note>({"default", "b"}).error().code, ErrorCode::not_found);
  EXPECT_EQ(manager.cache()->list<Note>({.namespace_ = "default"})->size(), 1U);
  EXPECT_EQ(manager.cache()->list<Note>({.namespace_ = "other"})->size(), 0U);
  const auto secret = manager.cache()->get(GroupVersionKind("v1", "Secret"), {"default", "s"});
  EXPECT_EQ(secret.error().message,
            "no controller watches v1 Secret in cluster home; add the kind to .owns or .watches of a controller, or "
            "read through Manager::client()");
  EXPECT_FALSE(manager.cache("elsewhere"));
  ASSERT_TRUE((*manager.client())->create(note("b")));
  EXPECT_TRUE(manager.cache()->get<Note>({"default", "b"})) << "the cache has the writes of this client";
  manager.stop();
  EXPECT_NE(manager.client().error().message.find("after stop()"), std::string::npos);
}

TEST_F(ManagerPartsTest, AllObjectsAreReconciledAgainAboutEveryTenHours) {
  std::map<std::string, std::vector<Instant>> at;
  run({.reconcile = [&](const Note& n, Context& context) -> Outcome {
         at[n.metadata.name].push_back(simulation.executor().now());
         if (at[n.metadata.name].size() > 1) {
           EXPECT_EQ(context.causes().front().source, ReconcileCause::Source::resync);
         }
         return done;
       },
       .workers = 3});
  create(note("a"));
  create(note("b"));
  pass(8h);
  EXPECT_EQ(at["a"].size(), 1U);
  pass(4h);
  EXPECT_EQ(at["a"].size(), 2U);
  EXPECT_EQ(at["b"].size(), 2U);
  pass(100h);
  EXPECT_GE(at["a"].size(), 11U);
  EXPECT_LE(at["a"].size(), 13U);
  std::set<Duration> intervals;
  for (std::size_t i = 2; i < at["a"].size(); ++i) intervals.insert(at["a"][i] - at["a"][i - 1]);
  EXPECT_GT(intervals.size(), 5U) << "the intervals are random";
}

TEST_F(ManagerPartsTest, TheDefaultsApplyToControllersThatDoNotSetThem) {
  int defaulted = 0;
  int own = 0;
  std::vector<Duration> limits;
  start_ready(
      [&](Manager& manager) {
        manager.add(Controller<Note>{.name = "defaulted", .reconcile = [&](const Note&, Context& context) -> Outcome {
                                       ++defaulted;
                                       limits.push_back(context.deadline() - context.executor().now());
                                       return done;
                                     }});
        manager.add(Controller<Note>{.name = "own",
                                     .reconcile = [&](const Note&, Context& context) -> Outcome {
                                       ++own;
                                       EXPECT_EQ(context.deadline(), Instant::max());
                                       return done;
                                     },
                                     .workers = 1,
                                     .timeout = 0s,
                                     .resync_period = 0s});
      },
      {.defaults = {.workers = 4, .timeout = 20s, .resync_period = 1h}});
  create(note("a"));
  pass(10h);
  EXPECT_GE(defaulted, 9);
  EXPECT_LE(defaulted, 12);
  EXPECT_EQ(own, 1);
  EXPECT_LE(limits.front(), 20s);
  const auto workers = [&](const char* name) {
    return instance->manager()
        .metrics()
        .gauge("controller_runtime_max_concurrent_reconciles", "", {{"controller", name}})
        .value();
  };
  EXPECT_EQ(workers("defaulted"), 4);
  EXPECT_EQ(workers("own"), 1);
}

TEST_F(ManagerPartsTest, AsManyIdleConnectionsAreKeptAsThereAreWorkers) {
  MetricsRegistry metrics;
  std::vector<AnyController> controllers{erase_type(idle()), erase_type(idle())};
  controllers[0].workers = 40;

  const http::NetworkOptions made = network_options({.max_connections = 500}, controllers, metrics);

  EXPECT_EQ(made.max_connections, 500U);
  EXPECT_EQ(made.max_idle_per_server, 40U + 1 + 16);
}

TEST_F(ManagerPartsTest, ConnectionsAreShownAsMetrics) {
  const std::string file = ::testing::TempDir() + "pintle-connections-" + std::to_string(::getpid());
  std::ofstream(file) << "current-context: c\ncontexts: [{name: c, context: {cluster: c, user: u}}]\n"
                         "clusters: [{name: c, cluster: {server: \"http://127.0.0.1:1\"}}]\n"
                         "users: [{name: u, user: {token: t}}]\n";
  Manager manager({.kubeconfig = file, .log_level = LogLevel::off, .sync_timeout = 1ms});
  manager.add(idle());

  EXPECT_EQ(manager.start().error().code, ErrorCode::unreachable);

  EXPECT_NE(manager.metrics().text().find("pintle_client_connections{state=\"idle\"} 0"), std::string::npos);
  std::filesystem::remove(file);
}

TEST_F(ManagerPartsTest, FeatureGatesAreSetWithoutArgumentsAndShownAsMetrics) {
  bool alpha = true;
  bool beta = false;
  start_ready([&](Manager& manager) { manager.add(idle()); },
              {.feature_gates = {{"FastSync", "Skips", &alpha}, {"Layout", "New", &beta, FeatureStage::beta}}});
  EXPECT_FALSE(alpha);
  EXPECT_TRUE(beta);
  auto& metrics = instance->manager().metrics();
  EXPECT_EQ(metrics.gauge("pintle_feature_enabled", "", {{"name", "FastSync"}, {"stage", "alpha"}}).value(), 0);
  EXPECT_EQ(metrics.gauge("pintle_feature_enabled", "", {{"name", "Layout"}, {"stage", "beta"}}).value(), 1);
}

TEST_F(ManagerPartsTest, AnEventMayNameAnActionAndARelatedObject) {
  run({.owns = {ConfigMap::type}, .reconcile = [](const Note& n, Context& context) -> Outcome {
         const auto child = context.apply(ConfigMap{.metadata = owned_by(n)});
         if (!child) return failed(child.error());
         context.event(EventType::normal, "Scaled", "up", {.action = "Scale", .related = child->metadata.snapshot()});
         context.event(EventType::normal, "Seen", "here");
         return done;
       }});
  create(note("a"));
  ASSERT_TRUE(simulation.run_until_idle());
  std::map<std::string, Object> events;
  for (const Object& event : simulation.server().objects("events")) {
    events[std::string(event["/reason"].text())] = event;
  }
  EXPECT_EQ(events["Scaled"]["/action"], "Scale");
  EXPECT_EQ(events["Scaled"]["/related/kind"], "ConfigMap");
  EXPECT_EQ(events["Scaled"]["/related/name"], "a");
  EXPECT_EQ(events["Scaled"]["/involvedObject/kind"], "Note");
  EXPECT_EQ(events["Seen"]["/action"], "Reconcile");
  EXPECT_FALSE(events["Seen"]["/related"].exists());
}

// A reconcile function that reports the destruction of each of its copies.
struct CountedReconcile {
  explicit CountedReconcile(std::function<void()> on_end) : ended(std::move(on_end)) {}
  CountedReconcile(const CountedReconcile&) = default;
  CountedReconcile& operator=(const CountedReconcile&) = default;
  ~CountedReconcile() { ended(); }
  Outcome operator()(const Object&, Context&) const { return done; }

  std::function<void()> ended;
};

// The cache of the Events observes the writes of the client, also those of the stop.
TEST_F(ManagerPartsTest, AControllerOfEventsExistsUntilTheLastEventIsSent) {
  bool is_stopping = false;
  std::set<std::size_t> sent_before_ends;
  start_ready([&](Manager& manager) {
    manager.add(AnyController{.name = "reader",
                              .watch = {"events.k8s.io/v1", "Event"},
                              .reconcile = CountedReconcile([&] {
                                if (is_stopping) sent_before_ends.insert(simulation.server().objects("events").size());
                              })});
    manager.add(Controller<Note>{.reconcile = [](const Note&, Context& context) -> Outcome {
      context.event(EventType::normal, "Seen", "here");
      return done;
    }});
  });
  instance->transport().set_faults(
      {{.effect = http::Delay{1s}, .only = [](const http::Request& request) { return request.method == "POST"; }}});
  create(note("a"));
  pass(500ms);
  ASSERT_TRUE(simulation.server().objects("events").empty());
  is_stopping = true;
  instance->stop();
  instance.reset();
  EXPECT_EQ(sent_before_ends, (std::set<std::size_t>{1}));
}

}  // namespace
}  // namespace pintle
