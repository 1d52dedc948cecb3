// SPDX-License-Identifier: Apache-2.0
// Leader election in a manager: a standby, the loss of the lease, and the order of stopping.
#include <pintle/manager/manager.hpp>

#include <algorithm>

#include <pintle/base/stop.hpp>

#include "controller/test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

// One or two instances of one operator.
class ManagerElectionTest : public ::testing::Test {
 protected:
  using Reconcile = std::function<Outcome(const Note&, Context&)>;

  ~ManagerElectionTest() override {
    a.reset();
    b.reset();
  }

  std::unique_ptr<testkit::Instance> make(const std::string& identity, Reconcile reconcile) {
    auto made = std::make_unique<testkit::Instance>(
        simulation,
        ManagerOptions{.name = "op",
                       .leader_election = LeaderElectionOptions{.identity = identity},
                       .log_level = LogLevel::debug,
                       .log_sink = log},
        [&](Manager& manager) { manager.add(Controller<Note>{.reconcile = std::move(reconcile)}); });
    made->start();
    made->join();
    EXPECT_TRUE(made->started()) << made->started().error().to_string();
    return made;
  }
  // Counts its reconciles.
  Reconcile counting(int& reconciles) {
    return [&reconciles](const Note&, Context&) -> Outcome { return ++reconciles, requeue_after(1s); };
  }
  void lead(testkit::Instance& instance) {
    ASSERT_TRUE(simulation.wait_until([&] { return instance.manager().is_leading(); }, 1min));
  }
  void create(const Note& made) {
    const auto created = simulation.user().create(made);
    ASSERT_TRUE(created) << created.error().to_string();
  }
  Object lease() { return simulation.server().objects("leases.coordination.k8s.io").at(0); }
  // Another client takes the lease.
  void seize() {
    ASSERT_TRUE(simulation.user().patch(Type{"coordination.k8s.io/v1", "Lease"}, {"default", "op"},
                                        json::Value{{"spec", {{"holderIdentity", "thief"}}}}));
  }
  Instant now() { return simulation.executor().now(); }

  std::shared_ptr<RecordingLogSink> log = std::make_shared<RecordingLogSink>();
  testkit::Simulation simulation{{.seed = 11}};
  std::unique_ptr<testkit::Instance> a;
  std::unique_ptr<testkit::Instance> b;
};

TEST_F(ManagerElectionTest, AStandbyIsReadyAndRunsNoReconcile) {
  int reconciles_of_a = 0;
  int reconciles_of_b = 0;
  a = make("a", counting(reconciles_of_a));
  lead(*a);
  b = make("b", counting(reconciles_of_b));
  create(note("x"));
  ASSERT_TRUE(simulation.wait_until([&] { return reconciles_of_a > 5; }));
  EXPECT_TRUE(b->manager().is_ready());
  EXPECT_FALSE(b->manager().is_leading());
  EXPECT_EQ(reconciles_of_b, 0);

  const Instant stopped = now();
  a->stop();
  ASSERT_TRUE(simulation.wait_until([&] { return reconciles_of_b > 0; }));
  EXPECT_LE(now() - stopped, 4500ms) << "one poll of a standby, and no list";
  EXPECT_EQ(lease()["/spec/holderIdentity"], "b");
}

// No worker takes the keys of a standby, so the former states of all objects would stay in its memory.
TEST_F(ManagerElectionTest, AStandbyKeepsNoFormerStatesInItsQueue) {
  a = make("a", [](const Note&, Context&) -> Outcome { return done; });
  lead(*a);
  create(note("x"));
  std::vector<ReconcileCause> causes;
  std::string text;
  std::size_t reconciles = 0;
  b = make("b", [&](const Note& reconciled, Context& context) -> Outcome {
    if (++reconciles == 1) causes = context.causes();
    text = reconciled.spec.text;
    return done;
  });
  constexpr int many = 30;
  for (int i = 1; i <= many; ++i) {
    ASSERT_TRUE(
        simulation.user().patch(Note::type, {"default", "x"}, json::Value{{"spec", {{"text", std::to_string(i)}}}}));
    simulation.executor().sleep_for(1s);
  }
  a->stop();
  ASSERT_TRUE(simulation.wait_until([&] { return reconciles > 0; }));
  const auto has_objects = [](const ReconcileCause& cause) { return cause.object || cause.before; };
  EXPECT_EQ(std::count_if(causes.begin(), causes.end(), has_objects), 1) << to_string(causes);
  ASSERT_FALSE(causes.empty());
  EXPECT_EQ(causes[0].source, ReconcileCause::Source::initial);
  EXPECT_TRUE(causes[0].object) << "as in an operator without a standby";
  EXPECT_EQ(text, std::to_string(many)) << "the cache has the newest state";

  ASSERT_TRUE(simulation.user().patch(Note::type, {"default", "x"}, json::Value{{"spec", {{"text", "new"}}}}));
  simulation.executor().sleep_for(1s);
  EXPECT_EQ(reconciles, 2U);
  EXPECT_EQ(text, "new");
}

// The lease of a crashed holder ends after a time without renewal (trap 57).
TEST_F(ManagerElectionTest, AStandbyTakesOverFromOneThatCrashed) {
  int reconciles_of_a = 0;
  int reconciles_of_b = 0;
  a = make("a", counting(reconciles_of_a));
  lead(*a);
  b = make("b", counting(reconciles_of_b));
  create(note("x"));
  simulation.executor().sleep_for(5s);
  const Instant crashed = now();
  a->crash();
  ASSERT_TRUE(simulation.wait_until([&] { return reconciles_of_b > 0; }, 1min));
  EXPECT_GE(now() - crashed, 13s);
  EXPECT_LE(now() - crashed, 21s);
}

// Otherwise another instance would work beside the last reconcile (trap 59).
TEST_F(ManagerElectionTest, TheLeaseIsGivenBackAfterTheLastReconcile) {
  bool running = false;
  a = make("a", [&](const Note&, Context& context) -> Outcome {
    running = true;
    context.executor().sleep_for(20s);  // ignores its stop token
    running = false;
    return done;
  });
  lead(*a);
  bool began_while_running = false;
  int reconciles_of_b = 0;
  b = make("b", [&](const Note&, Context&) -> Outcome {
    began_while_running = began_while_running || running;
    ++reconciles_of_b;
    return done;
  });
  create(note("x"));
  ASSERT_TRUE(simulation.wait_until([&] { return running; }));
  const Instant stopped_at = now();
  a->stop();
  EXPECT_GE(now() - stopped_at, 19s) << "within the grace time, and longer than a lease, which was renewed";
  EXPECT_EQ(lease()["/spec/holderIdentity"], "");
  ASSERT_TRUE(simulation.wait_until([&] { return reconciles_of_b > 0; }));
  EXPECT_FALSE(began_while_running);
  EXPECT_FALSE(log->has("still runs"));
}

// The leader renews the lease as long as its work runs (trap 59).
TEST_F(ManagerElectionTest, AReconcileBeyondTheGraceTimeKeepsTheLease) {
  bool running = false;
  a = make("a", [&](const Note&, Context& context) -> Outcome {
    running = true;
    context.executor().sleep_for(2min);
    running = false;
    return done;
  });
  lead(*a);
  create(note("x"));
  ASSERT_TRUE(simulation.wait_until([&] { return running; }));
  Thread stopper = simulation.executor().spawn({.name = "stopper"}, [&] { a->manager().stop(1s); });
  simulation.executor().sleep_for(1min);
  EXPECT_TRUE(running);
  EXPECT_TRUE(log->has("controller=note key=default/x"));
  EXPECT_EQ(lease()["/spec/holderIdentity"], "a");
  stopper.join();
  EXPECT_FALSE(running);
  EXPECT_EQ(lease()["/spec/holderIdentity"], "");
  EXPECT_EQ(a->manager().wait().error().code, ErrorCode::timeout);
}

// Time alone ends the lease, whichever thread runs first (traps 57 and 62).
TEST_F(ManagerElectionTest, NoReconcileBeginsAfterAFailedRenewal) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    testkit::Simulation world({.seed = seed});
    FallibleServer server(world.server());
    const auto transport = std::make_shared<http::InProcessTransport>(world.executor(), server);
    Instant last{};
    Instant begun{};
    Manager manager({.name = "op",
                     .leader_election = LeaderElectionOptions{},
                     .log_level = LogLevel::off,
                     .executor = &world.executor(),
                     .transport = transport});
    // The reconciles are aligned with the election, whose times are whole seconds after the same moment.
    manager.add(Controller<ConfigMap>{.reconcile = [&](const ConfigMap&, Context& context) -> Outcome {
      last = context.executor().now();
      if (begun == Instant()) begun = last;
      return requeue_after(100ms);
    }});
    ASSERT_TRUE(world.user().create(ConfigMap{.metadata = {.name = "x", .namespace_ = "default"}}));
    ASSERT_TRUE(manager.start());
    ASSERT_TRUE(world.wait_until([&] { return begun != Instant(); }));
    world.executor().sleep_for(5s);
    server.silent = true;
    EXPECT_FALSE(manager.wait());
    const Instant ended = world.executor().now();
    EXPECT_EQ((ended - begun) % 2s, 0s) << "the end must coincide with an attempt";
    EXPECT_LT(last, ended) << seed;
    EXPECT_GE(last, ended - 100ms);
    manager.stop();
    transport->stop();
  }
}

// Another instance may begin at once, so there is no grace time (trap 63).
TEST_F(ManagerElectionTest, LosingTheLeaseStopsReconcilesAtOnceAndEndsTheManager) {
  Instant stopped_at{};
  a = make("a", [&](const Note&, Context& context) -> Outcome {
    context.executor().sleep_for(24h, context.stop_token());
    stopped_at = context.executor().now();
    return done;
  });
  lead(*a);
  create(note("x"));
  simulation.executor().sleep_for(5s);
  seize();
  const Instant seized = now();

  const auto ended = a->manager().wait();

  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().reason, "LeaseLost");
  EXPECT_NE(ended.error().message.find("default/op: thief holds it"), std::string::npos) << ended.error().message;
  EXPECT_LE(now() - seized, 2s + 1ms) << "with the next renewal";
  const Instant noticed = now();
  ASSERT_TRUE(simulation.wait_until([&] { return stopped_at != Instant(); })) << "before any call of stop()";
  EXPECT_EQ(stopped_at, noticed);
  EXPECT_FALSE(a->manager().is_ready());
  EXPECT_FALSE(a->manager().is_leading());
  a->manager().stop();
  EXPECT_LE(now() - noticed, 2s) << "no grace of 30 s";
  EXPECT_EQ(lease()["/spec/holderIdentity"], "thief");
  EXPECT_EQ(a->manager().wait().error().reason, "LeaseLost") << "also after stop()";
}

// A reconcile that ignores its stop token is reported with its key, and cannot write (traps 62 and 63).
TEST_F(ManagerElectionTest, AReconcileBeyondTheLeaseIsReportedAndCannotWrite) {
  Result<Object> written;
  Result<Object> read;
  bool is_called = false;
  a = make("a", [&](const Note& n, Context& context) -> Outcome {
    while (!context.stop_token().stop_requested()) context.executor().sleep_for(100ms);
    context.executor().sleep_for(20s);
    // These calls do not use the stop token of the reconcile, like code that keeps the client.
    written = context.client().patch(Note::type, n.metadata.key(), json::Value{{"spec", {{"text", "late"}}}});
    read = context.client().get(Note::type, n.metadata.key());
    is_called = true;
    return done;
  });
  lead(*a);
  create(note("x"));
  simulation.executor().sleep_for(3s);
  seize();
  ASSERT_FALSE(a->manager().wait());
  const Instant lost = now();

  a->manager().stop();

  EXPECT_GE(now() - lost, 19s) << "the stop waits, since a library cannot end a thread";
  EXPECT_TRUE(log->has("a reconcile ignores its stop token and still runs controller=note key=default/x"));
  const auto ended = a->manager().wait();
  EXPECT_NE(
      ended.error().message.find("; then: these functions ignore their stop token and still run: note of default/x"),
      std::string::npos)
      << ended.error().message;
  ASSERT_TRUE(is_called);
  EXPECT_EQ(written.error().code, ErrorCode::cancelled);
  EXPECT_NE(written.error().message.find("is not held any more"), std::string::npos) << written.error().message;
  ASSERT_TRUE(read);
  EXPECT_EQ((*read)["/spec/text"], "x");
}

// The callback is code of the user. It delays neither the report of the loss nor the end of the stop.
TEST_F(ManagerElectionTest, ABlockingStopCallbackDoesNotDelayTheLossOfTheLease) {
  a = make("a", [&](const Note&, Context& context) -> Outcome {
    const StopCallback blocking(context.executor(), context.stop_token(), [&] { context.executor().sleep_for(1h); });
    context.executor().sleep_for(24h, context.stop_token());
    return done;
  });
  lead(*a);
  create(note("x"));
  simulation.executor().sleep_for(5s);
  seize();
  const Instant seized = now();

  const auto ended = a->manager().wait();

  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().reason, "LeaseLost");
  EXPECT_LE(now() - seized, 2s + 1ms);
  EXPECT_TRUE(log->has("the lease is lost; stopping"));
  Thread stopper = simulation.executor().spawn({.name = "stopper"}, [&] { a->manager().stop(30s); });
  simulation.executor().sleep_for(30s);
  EXPECT_TRUE(log->has("a reconcile ignores its stop token and still runs controller=note key=default/x"));
  EXPECT_NE(a->manager().wait().error().message.find("; then: these functions ignore"), std::string::npos);
  stopper.join();
  EXPECT_GE(now() - seized, 1h);
}

TEST_F(ManagerElectionTest, ABlockingStopCallbackDoesNotExtendTheGraceTime) {
  bool running = false;
  a = make("a", [&](const Note&, Context& context) -> Outcome {
    running = true;
    const StopCallback blocking(context.executor(), context.stop_token(), [&] { context.executor().sleep_for(1h); });
    context.executor().sleep_for(24h, context.stop_token());
    return done;
  });
  lead(*a);
  create(note("x"));
  ASSERT_TRUE(simulation.wait_until([&] { return running; }));
  Thread stopper = simulation.executor().spawn({.name = "stopper"}, [&] { a->manager().stop(5s); });
  simulation.executor().sleep_for(6s);
  const auto ended = a->manager().wait();
  ASSERT_FALSE(ended);
  EXPECT_NE(ended.error().message.find("note of default/x"), std::string::npos) << ended.error().message;
  stopper.join();
}

// A poll may be at work like a reconcile, so the lease is held until it has ended.
TEST_F(ManagerElectionTest, APollThatIgnoresItsStopTokenKeepsTheLeaseAndIsNamed) {
  bool running = false;
  const auto poll = [&](const std::stop_token&) -> Result<std::vector<ObjectKey>> {
    running = true;
    simulation.executor().sleep_for(2min);
    running = false;
    return std::vector<ObjectKey>();
  };
  a = std::make_unique<testkit::Instance>(
      simulation,
      ManagerOptions{.name = "op",
                     .leader_election = LeaderElectionOptions{.identity = "a"},
                     .log_level = LogLevel::debug,
                     .log_sink = log},
      [&](Manager& manager) {
        manager.add(Controller<Note>{.polls = {{.name = "feed", .poll = poll}},
                                     .reconcile = [](const Note&, Context&) -> Outcome { return done; }});
      });
  a->start();
  a->join();
  ASSERT_TRUE(a->started()) << a->started().error().to_string();
  ASSERT_TRUE(simulation.wait_until([&] { return running; }, 1min));
  Thread stopper = simulation.executor().spawn({.name = "stopper"}, [&] { a->manager().stop(20s); });
  simulation.executor().sleep_for(15s);
  EXPECT_TRUE(log->has("the stop waits for a poll, which must observe its stop token controller=note poll=feed"));
  EXPECT_FALSE(log->has("a poll ignores its stop token"));
  simulation.executor().sleep_for(45s);
  EXPECT_TRUE(running);
  EXPECT_EQ(lease()["/spec/holderIdentity"], "a");
  EXPECT_TRUE(log->has("a poll ignores its stop token and still runs controller=note poll=feed"));
  const auto ended = a->manager().wait();
  ASSERT_FALSE(ended);
  EXPECT_NE(ended.error().message.find("poll feed of note"), std::string::npos) << ended.error().message;
  stopper.join();
  EXPECT_FALSE(running);
  EXPECT_EQ(lease()["/spec/holderIdentity"], "");
}

// The runnables exist until the thread of the election has ended, which requests them to stop.
TEST_F(ManagerElectionTest, TheLeaseMayBeLostWhileTheStopWaitsForARunnable) {
  bool running = false;
  a = std::make_unique<testkit::Instance>(
      simulation,
      ManagerOptions{.name = "op",
                     .leader_election = LeaderElectionOptions{.identity = "a"},
                     .log_level = LogLevel::debug,
                     .log_sink = log},
      [&](Manager& manager) {
        manager.add(Runnable{.name = "short", .body = [](const RunnableContext&) -> Result<void> { return {}; }});
        manager.add(Runnable{.name = "long", .body = [&](const RunnableContext& context) -> Result<void> {
                               running = true;
                               context.executor.sleep_for(5min);  // ignores its stop token
                               running = false;
                               return {};
                             }});
      });
  a->start();
  a->join();
  ASSERT_TRUE(a->started()) << a->started().error().to_string();
  ASSERT_TRUE(simulation.wait_until([&] { return running; }, 1min));
  Thread stopper = simulation.executor().spawn({.name = "stopper"}, [&] { a->manager().stop(1s); });
  simulation.executor().sleep_for(10s);
  EXPECT_TRUE(log->has("a runnable ignores its stop token and still runs runnable=long"));
  seize();
  simulation.executor().sleep_for(10s);
  EXPECT_TRUE(running);
  EXPECT_TRUE(log->has("the lease is lost; stopping"));
  stopper.join();
  EXPECT_FALSE(running);
  EXPECT_EQ(lease()["/spec/holderIdentity"], "thief");
}

// A standby that never led has nothing to lose (trap 58).
TEST_F(ManagerElectionTest, AStandbyThatStopsReportsNoLoss) {
  int reconciles = 0;
  a = make("a", counting(reconciles));
  lead(*a);
  b = make("b", counting(reconciles));
  simulation.executor().sleep_for(10s);
  b->manager().stop();
  EXPECT_TRUE(b->manager().wait());
  EXPECT_FALSE(log->has("lost"));
  EXPECT_EQ(lease()["/spec/holderIdentity"], "a");
}

// Otherwise two instances could work at once, or one failed renewal would lose the lease (trap 52).
TEST_F(ManagerElectionTest, AllErrorsOfTheElectionAreReportedTogether) {
  testkit::Instance wrong(simulation,
                          {.name = "My Operator",
                           .leader_election = LeaderElectionOptions{.lease_duration = 5s},
                           .log_level = LogLevel::off},
                          [](Manager&) {});
  wrong.start();
  wrong.join();
  ASSERT_FALSE(wrong.started());
  const std::string text = wrong.started().error().to_string();
  EXPECT_EQ(wrong.started().error().code, ErrorCode::invalid);
  for (const char* part : {"has no controller", "\"My Operator\"", "lease_duration 5s"}) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }
}

TEST_F(ManagerElectionTest, AManagerStartsOnce) {
  int reconciles = 0;
  a = make("a", counting(reconciles));
  EXPECT_EQ(a->manager().start().error().code, ErrorCode::invalid);
  a->manager().stop();
  EXPECT_EQ(a->manager().start().error().code, ErrorCode::invalid);
  EXPECT_TRUE(a->manager().wait());
}

TEST_F(ManagerElectionTest, WaitEndsWhenAStopIsRequested) {
  int reconciles = 0;
  a = make("a", counting(reconciles));
  Thread asker = simulation.executor().spawn({.name = "asker"}, [&] {
    simulation.executor().sleep_for(7s);
    a->manager().request_stop();
  });
  const Instant begun = now();
  EXPECT_TRUE(a->manager().wait());
  EXPECT_EQ(now(), begun + 7s);
  asker.join();
}

TEST_F(ManagerElectionTest, ConcurrentStopsAllWait) {
  int reconciles = 0;
  bool ended = false;
  a = make("a", [&](const Note&, Context& context) -> Outcome {
    ++reconciles;
    context.executor().sleep_for(5s);
    ended = true;
    return done;
  });
  create(note("x"));
  ASSERT_TRUE(simulation.wait_until([&] { return reconciles == 1; }));
  std::vector<Thread> stoppers;
  for (int i = 0; i < 3; ++i) {
    stoppers.push_back(simulation.executor().spawn({.name = "stopper"}, [&] {
      a->manager().stop();
      EXPECT_TRUE(ended);
    }));
  }
  for (Thread& stopper : stoppers) stopper.join();
  EXPECT_EQ(lease()["/spec/holderIdentity"], "");
}

TEST_F(ManagerElectionTest, TwoOperatorsInOneProcessHaveTwoLeases) {
  int reconciles_of_a = 0;
  int reconciles_of_b = 0;
  a = make("a", counting(reconciles_of_a));
  b = std::make_unique<testkit::Instance>(
      simulation,
      ManagerOptions{.name = "other", .leader_election = LeaderElectionOptions{}, .log_level = LogLevel::off},
      [&](Manager& manager) { manager.add(Controller<Note>{.reconcile = counting(reconciles_of_b)}); });
  b->start();
  lead(*a);
  lead(*b);
  create(note("x"));
  EXPECT_TRUE(simulation.wait_until([&] { return reconciles_of_a > 0 && reconciles_of_b > 0; }));
}

}  // namespace
}  // namespace pintle
