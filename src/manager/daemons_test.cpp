// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <stdexcept>

#include <pintle/controller/status_writer.hpp>
#include <pintle/manager/daemon.hpp>

#include "controller/test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

struct Session {
  static constexpr Type type{"test.pintle.dev/v1", "Session"};
  struct Spec {
    std::string peer = "x";
    static constexpr auto fields() { return pintle::fields(field("peer", &Spec::peer, "The other side.")); }
  };
  struct Status {
    std::vector<StatusCondition> conditions{};
    static constexpr auto fields() {
      return pintle::fields(field("conditions", &Status::conditions, "The current conditions."));
    }
  };
  Metadata metadata{};
  Spec spec{};
  Status status{};
};

class DaemonsTest : public OperatorTest {
 protected:
  void run_daemon(Daemon<Session> daemon) {
    start([&](Manager& manager) { add_daemon(manager, std::move(daemon)); });
    instance->join();
    ASSERT_TRUE(instance->started()) << instance->started().error().to_string();
  }
  // A daemon that counts itself and runs until it is requested to stop.
  auto counting() {
    return [this](const Session& session, const DaemonContext<Session>& context) -> Result<void> {
      ++starts[session.metadata.name];
      ++running;
      context.executor.sleep_for(1000h, context.stop);
      --running;
      return {};
    };
  }
  void create_session(const std::string& name, const std::string& peer = "x") {
    ASSERT_TRUE(
        simulation.user().create(Session{.metadata = {.name = name, .namespace_ = "default"}, .spec = {.peer = peer}}));
  }
  void set_peer(const std::string& name, const std::string& peer) {
    ASSERT_TRUE(simulation.user().patch(Session::type, {"default", name}, json::Value{{"spec", {{"peer", peer}}}}));
  }
  void set_paused(const std::string& name, const std::string& value) {
    ASSERT_TRUE(simulation.user().patch(Session::type, {"default", name},
                                        json::Value{{"metadata", {{"annotations", {{"pintle.dev/paused", value}}}}}}));
  }
  void remove(const std::string& name) { ASSERT_TRUE(simulation.user().remove(Session::type, {"default", name})); }
  void pass(Duration time) { simulation.executor().sleep_for(time); }
  std::string reason(const std::string& name) {
    const auto session = simulation.user().get<Session>({"default", name});
    if (!session) return session.error().to_string();
    const StatusCondition* condition = find_condition(session->status.conditions, "DaemonRunning");
    return condition == nullptr ? "" : condition->reason;
  }
  std::string message(const std::string& name) {
    const auto session = simulation.user().get<Session>({"default", name});
    if (!session) return session.error().to_string();
    const StatusCondition* condition = find_condition(session->status.conditions, "DaemonRunning");
    return condition == nullptr ? "" : condition->message;
  }
  double gauge(const char* metric_name) {
    return instance->manager().metrics().gauge(metric_name, "", {{"controller", "session-daemon"}}).value();
  }

  std::map<std::string, int> starts;
  int running = 0;
  std::string seen;
  std::vector<Instant> at;
};

TEST_F(DaemonsTest, ADaemonRunsAsLongAsItsObjectExists) {
  run_daemon({.body = counting()});
  create_session("a");
  create_session("b");
  pass(10s);
  EXPECT_EQ(running, 2);
  EXPECT_EQ(gauge("pintle_daemons"), 2);
  EXPECT_EQ(reason("a"), "Running");
  set_peer("a", "other");
  pass(10s);
  EXPECT_EQ(starts["a"], 1) << "a change does not restart it";
  remove("a");
  pass(1s);
  EXPECT_EQ(running, 1);
  EXPECT_EQ(gauge("pintle_daemons"), 1);
  create_session("a");
  pass(1s);
  EXPECT_EQ(starts["a"], 2);
  instance->stop();
  EXPECT_EQ(running, 0);
  EXPECT_EQ(log->errors(), 0);
}

TEST_F(DaemonsTest, ADaemonSeesTheNewestState) {
  run_daemon({.body = [&](const Session&, const DaemonContext<Session>& context) -> Result<void> {
    while (context.executor.sleep_for(1s, context.stop)) seen = context.latest()->spec.peer;
    return {};
  }});
  create_session("a", "first");
  pass(5s);
  EXPECT_EQ(seen, "first");
  set_peer("a", "second");
  pass(5s);
  EXPECT_EQ(seen, "second");
}

TEST_F(DaemonsTest, ADaemonRunsWhileItsObjectMatches) {
  run_daemon({.when = [](const Session& session) { return session.spec.peer == "on"; }, .body = counting()});
  create_session("a", "off");
  pass(5s);
  EXPECT_EQ(running, 0);
  EXPECT_EQ(reason("a"), "");
  for (const int times : {1, 2}) {
    set_peer("a", "on");
    pass(5s);
    EXPECT_EQ(running, 1);
    EXPECT_EQ(starts["a"], times);
    set_peer("a", "off");
    pass(5s);
    EXPECT_EQ(running, 0);
    EXPECT_EQ(reason("a"), "");
  }
}

TEST_F(DaemonsTest, BeyondTheMaximumObjectsWaitInOrder) {
  run_daemon({.body = counting(), .max_daemons = 2});
  for (const char* name : {"a", "b", "c", "d"}) {
    create_session(name);
    pass(1s);
  }
  EXPECT_EQ(running, 2);
  EXPECT_EQ(gauge("pintle_daemons_waiting"), 2);
  EXPECT_EQ(reason("c"), "TooManyDaemons");
  remove("a");
  pass(1s);
  EXPECT_EQ(starts["c"], 1);
  EXPECT_EQ(starts["d"], 0);
  EXPECT_EQ(reason("c"), "Running");
  EXPECT_EQ(gauge("pintle_daemons_waiting"), 1);
  remove("d");
  pass(1s);
  EXPECT_EQ(gauge("pintle_daemons_waiting"), 0);
  remove("b");
  pass(1s);
  EXPECT_EQ(running, 1);
}

TEST_F(DaemonsTest, AWaitingObjectThatIsPausedDoesNotBlockOthers) {
  run_daemon({.body = counting(), .max_daemons = 1});
  for (const char* name : {"a", "b", "c", "d"}) {
    create_session(name);
    pass(1s);
  }
  set_paused("b", "true");
  remove("a");
  pass(5s);
  EXPECT_EQ(starts["b"], 0);
  EXPECT_EQ(starts["c"], 1);
  EXPECT_EQ(starts["d"], 0);
  set_paused("b", "false");
  pass(5s);
  EXPECT_EQ(starts["b"], 0) << "there is no room";
  EXPECT_EQ(reason("b"), "TooManyDaemons");
  EXPECT_EQ(gauge("pintle_daemons_waiting"), 2);
  remove("c");
  remove("d");
  pass(5s);
  EXPECT_EQ(starts["b"], 1);
  EXPECT_EQ(running, 1);
}

// Both places become free at once, but each end must wake one object.
TEST_F(DaemonsTest, EachFreePlaceIsTaken) {
  run_daemon({.body = counting(), .max_daemons = 3});
  for (const char* name : {"a", "b", "c", "d", "e", "f", "g"}) {
    create_session(name);
    pass(1s);
  }
  for (const char* name : {"a", "b", "c"}) remove(name);
  pass(5s);
  EXPECT_EQ(running, 3);
  for (const char* name : {"d", "e", "f"}) EXPECT_EQ(starts[name], 1) << name;
  EXPECT_EQ(starts["g"], 0);
}

TEST_F(DaemonsTest, AFailedDaemonStartsAgainWithBackOff) {
  run_daemon({.body = [&](const Session&, const DaemonContext<Session>& context) -> Result<void> {
                at.push_back(context.executor.now());
                if (at.size() == 2) throw std::runtime_error("odd");
                if (at.size() < 4) return make_error(ErrorCode::unavailable, "no peer");
                context.executor.sleep_for(1000h, context.stop);
                return {};
              },
              .backoff = {.base = 1s, .factor = 2, .cap = 10s}});
  create_session("a");
  pass(30s);
  ASSERT_EQ(at.size(), 4U);
  EXPECT_EQ(at[1] - at[0], 1s);
  EXPECT_EQ(at[2] - at[1], 2s);
  EXPECT_EQ(at[3] - at[2], 4s);
  EXPECT_EQ(metric("pintle_daemon_failures_total", {}), 0) << "of another controller";
  EXPECT_EQ(instance->manager()
                .metrics()
                .counter("pintle_daemon_failures_total", "", {{"controller", "session-daemon"}})
                .value(),
            3);
}

TEST_F(DaemonsTest, ADaemonThatOnlyFailsIsNotReportedAsRunning) {
  bool is_healthy = false;
  run_daemon({.body = [&](const Session&, const DaemonContext<Session>& context) -> Result<void> {
                at.push_back(context.executor.now());
                if (!is_healthy) return make_error(ErrorCode::unavailable, "no peer");
                context.executor.sleep_for(1000h, context.stop);
                return {};
              },
              .backoff = {.base = 1s, .factor = 2, .cap = 1min}});
  create_session("a");
  pass(2s);
  EXPECT_EQ(reason("a"), "Failed");
  EXPECT_NE(message("a").find("no peer"), std::string::npos);
  const std::uint64_t writes = simulation.server().writes();
  const std::size_t attempts = at.size();
  pass(10min);
  EXPECT_GT(at.size(), attempts + 5);
  EXPECT_EQ(simulation.server().writes(), writes) << "no attempt writes the same failure again";
  is_healthy = true;
  pass(30s);
  EXPECT_EQ(reason("a"), "Failed") << "no run has lasted as long as the delay before it";
  pass(2min);
  EXPECT_EQ(reason("a"), "Running");
  EXPECT_EQ(simulation.server().writes(), writes + 1);
}

TEST_F(DaemonsTest, FailuresWithNewTextsAreReportedOnceInTheLongestBackOff) {
  run_daemon({.body = [&](const Session&, const DaemonContext<Session>& context) -> Result<void> {
                at.push_back(context.executor.now());
                return make_error(ErrorCode::unavailable, "no peer, attempt " + std::to_string(at.size()));
              },
              .backoff = {.base = 1s, .factor = 2, .cap = 1min}});
  create_session("a");
  pass(500ms);
  const std::string first = message("a");
  EXPECT_NE(first.find("attempt 1"), std::string::npos);
  const std::uint64_t writes = simulation.server().writes();
  pass(50s);
  EXPECT_GT(at.size(), 5U);
  EXPECT_EQ(simulation.server().writes(), writes);
  pass(1min);
  EXPECT_EQ(simulation.server().writes(), writes + 1);
  EXPECT_NE(message("a"), first);
}

// A run that ends before the delay in front of it has passed again does not count as a recovery.
TEST_F(DaemonsTest, ADaemonThatFailsAfterAShortTimeStaysFailed) {
  run_daemon({.body = [&](const Session&, const DaemonContext<Session>& context) -> Result<void> {
                at.push_back(context.executor.now());
                context.executor.sleep_for(5s, context.stop);
                return make_error(ErrorCode::unavailable, "the peer has closed the connection");
              },
              .backoff = {.base = 1s, .factor = 2, .cap = 1min}});
  create_session("a");
  pass(1min);
  const std::uint64_t writes = simulation.server().writes();
  const std::size_t attempts = at.size();
  EXPECT_EQ(reason("a"), "Failed");
  pass(10min);
  EXPECT_GT(at.size(), attempts + 5);
  EXPECT_EQ(simulation.server().writes(), writes);
}

TEST_F(DaemonsTest, ATerminalErrorAndASuccessEndADaemon) {
  run_daemon({.body = [&](const Session& session, const DaemonContext<Session>&) -> Result<void> {
    ++starts[session.metadata.name];
    if (session.spec.peer == "bad") return fail(make_error(ErrorCode::invalid, "no such peer").terminal());
    return {};
  }});
  create_session("a", "good");
  create_session("b", "bad");
  pass(1h);
  EXPECT_EQ(reason("a"), "Finished");
  EXPECT_EQ(reason("b"), "Failed");
  EXPECT_EQ(gauge("pintle_daemons"), 0);
  EXPECT_EQ(starts["a"], 1);
  EXPECT_EQ(starts["b"], 1);
}

// Otherwise two daemons of one object could run at the same time, or one without its object.
TEST_F(DaemonsTest, WithAFinalizerTheObjectExistsUntilItsDaemonHasEnded) {
  run_daemon({.body = [&](const Session& session, const DaemonContext<Session>& context) -> Result<void> {
                ++starts[session.metadata.name];
                context.executor.sleep_for(1000h, context.stop);
                context.executor.sleep_for(1min);  // closes the session
                return {};
              },
              .finalizer = "test.pintle.dev/session"});
  create_session("a");
  pass(5s);
  remove("a");
  pass(50s);
  EXPECT_TRUE(simulation.user().get(Session::type, {"default", "a"}));
  EXPECT_EQ(log->count("a daemon ignores its stop token and still runs"), 3U) << "after 10, 20 and 40 s";
  pass(20s);
  EXPECT_FALSE(simulation.user().get(Session::type, {"default", "a"}));
}

// The order at the deletion: the stop is requested, the daemon cleans up and ends, the finalizer is removed.
TEST_F(DaemonsTest, TheFinalizerIsRemovedAfterTheCleanUpOfTheDaemon) {
  std::vector<std::string> order;
  run_daemon({.body = [&](const Session& session, const DaemonContext<Session>& context) -> Result<void> {
                order.emplace_back("started");
                context.executor.sleep_for(1000h, context.stop);
                order.emplace_back("stopped");
                context.executor.sleep_for(5s);
                const auto object = simulation.user().get<Session>({"default", session.metadata.name});
                order.emplace_back(object && object->metadata.is_deleting() ? "cleaned up, object exists" : "too late");
                return {};
              },
              .finalizer = "test.pintle.dev/session"});
  create_session("a");
  pass(5s);
  remove("a");
  pass(1s);
  EXPECT_EQ(order, (std::vector<std::string>{"started", "stopped"}));
  pass(10s);
  EXPECT_EQ(order.back(), "cleaned up, object exists");
  EXPECT_FALSE(simulation.user().get(Session::type, {"default", "a"}));
  EXPECT_EQ(log->errors(), 0);
}

// Two instances of an operator run at most one daemon for each object, except after a crash.
TEST_F(DaemonsTest, TheNextHolderOfTheLeaseStartsTheDaemonsAgain) {
  std::map<std::string, int> running_in;
  std::vector<std::string> order;
  const auto make = [&](const std::string& identity) {
    auto made = std::make_unique<testkit::Instance>(
        simulation,
        ManagerOptions{.name = "op",
                       .leader_election = LeaderElectionOptions{.identity = identity},
                       .log_level = LogLevel::debug,
                       .log_sink = log},
        [&, identity](Manager& manager) {
          add_daemon(manager,
                     Daemon<Session>{
                         .body = [&, identity](const Session&, const DaemonContext<Session>& context) -> Result<void> {
                           order.push_back("start " + identity);
                           ++running_in[identity];
                           context.executor.sleep_for(1000h, context.stop);
                           context.executor.sleep_for(2s);
                           --running_in[identity];
                           order.push_back("end " + identity);
                           return {};
                         }});
        });
    made->start();
    made->join();
    EXPECT_TRUE(made->started()) << made->started().error().to_string();
    return made;
  };
  instance = make("a");
  ASSERT_TRUE(simulation.wait_until([&] { return instance->manager().is_leading(); }, 1min));
  auto standby = make("b");
  create_session("x");
  pass(10s);
  EXPECT_EQ(running_in["a"], 1);
  EXPECT_EQ(running_in["b"], 0);

  // Another client takes the lease and does not renew it.
  ASSERT_TRUE(simulation.user().patch(Type{"coordination.k8s.io/v1", "Lease"}, {"default", "op"},
                                      json::Value{{"spec", {{"holderIdentity", "other"}}}}));
  ASSERT_TRUE(simulation.wait_until([&] { return running_in["b"] == 1; }, 2min));
  EXPECT_EQ(running_in["a"], 0);
  EXPECT_EQ(order, (std::vector<std::string>{"start a", "end a", "start b"}));
  EXPECT_EQ(reason("x"), "Running");
  standby.reset();
}

TEST_F(DaemonsTest, ReportsAnInvalidDeclaration) {
  start([&](Manager& manager) { add_daemon(manager, Daemon<Session>{.body = counting(), .max_daemons = 0}); });
  instance->join();
  EXPECT_NE(instance->started().error().to_string().find(".max_daemons 0; set at least 1"), std::string::npos);
}

}  // namespace
}  // namespace pintle
