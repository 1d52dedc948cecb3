// SPDX-License-Identifier: Apache-2.0
// `Controller::gone` and `Controller::observe`: objects that no longer exist, and the observers of changes.
#include <set>
#include <stdexcept>

#include "test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

class GoneTest : public OperatorTest {
 protected:
  // Appends each call to `calls`: "reconcile a=1" for a reconcile and "gone a=1" for the `gone` function.
  Controller<Note> recording() {
    return {.reconcile = [this](const Note& n, Context&) -> Outcome {
              calls.push_back("reconcile " + n.metadata.name + "=" + n.spec.text);
              return done;
            },
            .gone = [this](const Note& n, Context&) -> Outcome {
              calls.push_back("gone " + n.metadata.name + "=" + n.spec.text);
              return next_outcome();
            }};
  }
  Outcome next_outcome() {
    if (is_down) return requeue_after(1h);
    if (outcomes.empty()) return done;
    Outcome outcome = std::move(outcomes.front());
    outcomes.erase(outcomes.begin());
    return outcome;
  }
  void remove(const std::string& name) {
    const auto removed = simulation.user().remove(Note::type, {"default", name});
    ASSERT_TRUE(removed) << removed.error().to_string();
  }
  // Drops all requests. All watches have ended when this function returns.
  void cut_off() {
    instance->transport().set_faults({{.effect = http::Drop{}}});
    simulation.executor().sleep_for(30min);
  }
  // Restores the connection to a server that has dropped its history meanwhile.
  void reconnect() {
    simulation.server().compact();
    instance->transport().set_faults({});
  }
  // The informer delivers the deletion and the new object as one change.
  void replace(const std::string& name, const std::string& text) {
    cut_off();
    remove(name);
    create(note(name, text));
    reconnect();
  }
  static Outcome outage() { return failed(make_error(ErrorCode::unavailable, "not now")); }

  std::vector<std::string> calls;
  std::vector<Outcome> outcomes;
  bool is_down = false;
};

using Calls = std::vector<std::string>;

TEST_F(GoneTest, IsCalledOnceWithTheLastCachedState) {
  run(recording());
  create(note("a", "1"));
  ASSERT_TRUE(simulation.run_until_idle());
  set_text("a", "2");
  ASSERT_TRUE(simulation.run_until_idle());
  remove("a");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(calls, (Calls{"reconcile a=1", "reconcile a=2", "gone a=2"}));
}

// A Pod without finalizers terminates for its grace period after the deletion, and does not yet wait for the collector.
TEST_F(GoneTest, APodIsReconciledWhileItTerminates) {
  start([&](Manager& manager) {
    manager.add(Controller<Pod>{.reconcile = [this](const Pod& pod, Context&) -> Outcome {
                                  calls.push_back(pod.metadata.is_deleting() ? "terminating" : "running");
                                  return done;
                                },
                                .gone = [this](const Pod&, Context&) -> Outcome {
                                  calls.push_back("gone");
                                  return done;
                                }});
  });
  ASSERT_TRUE(simulation.wait_until([&] { return instance->manager().is_ready(); }));
  Pod pod{.metadata = {.name = "a", .namespace_ = "default"}};
  pod.spec.node_name = "n1";
  pod.spec.containers = {{.image = "i", .name = "c"}};
  const auto created = simulation.user().create(pod);
  ASSERT_TRUE(created) << created.error().to_string();
  ASSERT_TRUE(simulation.run_until_idle());
  ASSERT_TRUE(simulation.user().remove(Pod::type, {"default", "a"}, {.grace_period = 30s}));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(calls, (Calls{"running", "terminating", "gone"}));
}

TEST_F(GoneTest, IsCalledForADeletionThatTheWatchMissed) {
  run(recording());
  create(note("a", "1"));
  ASSERT_TRUE(simulation.run_until_idle());
  cut_off();
  remove("a");
  reconnect();
  ASSERT_TRUE(simulation.run_until_idle(2min));
  EXPECT_EQ(calls, (Calls{"reconcile a=1", "gone a=1"}));
}

TEST_F(GoneTest, FailuresAreRetriedUntilDone) {
  outcomes = {outage(), requeue_after(1min), requeue};
  run(recording());
  create(note("a", "1"));
  ASSERT_TRUE(simulation.run_until_idle());
  remove("a");
  ASSERT_TRUE(simulation.run_until_idle(2min));
  EXPECT_EQ(calls, (Calls{"reconcile a=1", "gone a=1", "gone a=1", "gone a=1", "gone a=1"}));
  EXPECT_EQ(metric("controller_runtime_reconcile_errors_total"), 1);
}

TEST_F(GoneTest, ATerminalErrorIsLoggedAndNotRetried) {
  outcomes = {failed(make_error(ErrorCode::invalid, "cannot be").terminal())};
  run(recording());
  create(note("a", "1"));
  ASSERT_TRUE(simulation.run_until_idle());
  remove("a");
  ASSERT_TRUE(simulation.run_until_idle(1h, 3h));
  EXPECT_EQ(calls, (Calls{"reconcile a=1", "gone a=1"}));
  EXPECT_TRUE(log->has("the `gone` handler failed permanently"));
}

TEST_F(GoneTest, AnExceptionIsAFailure) {
  Controller<Note> controller = recording();
  controller.gone = [this](const Note& n, Context&) -> Outcome {
    calls.push_back("gone " + n.metadata.name);
    if (calls.size() == 2) throw std::runtime_error("oops");
    return done;
  };
  run(std::move(controller));
  create(note("a", "1"));
  ASSERT_TRUE(simulation.run_until_idle());
  remove("a");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(calls, (Calls{"reconcile a=1", "gone a", "gone a"}));
  EXPECT_TRUE(log->has("oops"));
}

// A new object of the same name waits while the `gone` function fails for the old one.
TEST_F(GoneTest, ANewObjectOfTheSameNameWaitsForGone) {
  outcomes = {requeue_after(1min)};
  run(recording());
  create(note("a", "1"));
  ASSERT_TRUE(simulation.run_until_idle());
  remove("a");
  ASSERT_TRUE(simulation.run_until_idle(1s));
  create(note("a", "2"));
  ASSERT_TRUE(simulation.run_until_idle(5min));
  EXPECT_EQ(calls, (Calls{"reconcile a=1", "gone a=1", "gone a=1", "reconcile a=2"}));
}

TEST_F(GoneTest, IsCalledForAnObjectThatWasReplaced) {
  run(recording());
  create(note("a", "1"));
  ASSERT_TRUE(simulation.run_until_idle());
  replace("a", "2");
  ASSERT_TRUE(simulation.run_until_idle(2min));
  EXPECT_EQ(calls, (Calls{"reconcile a=1", "gone a=1", "reconcile a=2"}));
}

// The `gone` function is called once for each deleted object, even if the queue is full.
TEST_F(GoneTest, AFullQueueLosesNone) {
  Controller<Note> controller = recording();
  controller.queue.max_keys = 2;
  controller.reconcile = [](const Note&, Context&) -> Outcome { return done; };
  controller.gone = [record = controller.gone](const Note& n, Context& ctx) {
    ctx.executor().sleep_for(100ms);  // the others are deleted meanwhile
    return record(n, ctx);
  };
  run(std::move(controller));
  Calls expected;
  for (int i = 0; i < 20; ++i) create(note("n" + std::to_string(i)));
  ASSERT_TRUE(simulation.run_until_idle());
  for (int i = 0; i < 20; ++i) {
    remove("n" + std::to_string(i));
    expected.push_back("gone n" + std::to_string(i) + "=x");
  }
  ASSERT_TRUE(simulation.run_until_idle());
  std::sort(calls.begin(), calls.end());
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(calls, expected);
}

// Some of these pass no deletion.
TEST_F(GoneTest, IsCalledForADeletionThatThePredicateRejects) {
  const Predicate changed([](const Change& change) { return change.old && change.current; });
  for (const Predicate& predicate : {fields_changed({"/spec"}), labels_changed(), is_added(), is_updated(), changed}) {
    Controller<Note> controller = recording();
    controller.reconcile = [](const Note&, Context&) -> Outcome { return done; };
    controller.predicate = predicate;
    calls.clear();
    run(std::move(controller));
    create(note("a", "1"));
    ASSERT_TRUE(simulation.run_until_idle());
    replace("a", "1");
    ASSERT_TRUE(simulation.run_until_idle(2min));
    EXPECT_EQ(calls, (Calls{"gone a=1"}));
    remove("a");
    ASSERT_TRUE(simulation.run_until_idle(2min));
    EXPECT_EQ(calls, (Calls{"gone a=1", "gone a=1"}));
    instance.reset();
  }
}

TEST_F(GoneTest, APredicateReceivesANewObjectOfTheSameName) {
  const Predicate added([](const Change& change) { return !change.old; });
  for (const Predicate& predicate : {fields_changed({"/spec"}), annotations_changed(), is_added(), added}) {
    Controller<Note> controller = recording();
    controller.gone = {};
    controller.predicate = predicate;
    calls.clear();
    run(std::move(controller));
    create(note("a", "1"));
    ASSERT_TRUE(simulation.run_until_idle());
    replace("a", "1");
    ASSERT_TRUE(simulation.run_until_idle(2min));
    EXPECT_EQ(calls, (Calls{"reconcile a=1", "reconcile a=1"}));
    instance.reset();
    remove("a");
  }
}

TEST_F(GoneTest, ThePredicateDoesNotRejectTheBeginningOfADeletionWithAFinalizer) {
  for (const Predicate& predicate : {fields_changed({"/spec"}), labels_changed(), annotations_changed(), is_added()}) {
    Controller<Note> controller = recording();
    controller.gone = {};
    controller.predicate = predicate;
    controller.finalizer = "test.pintle.dev/note";
    controller.finalize = [this](const Note& n, Context&) -> Outcome {
      calls.push_back("finalize " + n.metadata.name);
      return done;
    };
    calls.clear();
    run(std::move(controller));
    create(note("a", "1"));
    ASSERT_TRUE(simulation.run_until_idle());
    remove("a");
    ASSERT_TRUE(simulation.run_until_idle());
    ASSERT_FALSE(calls.empty());
    EXPECT_EQ(calls.back(), "finalize a");
    EXPECT_FALSE(simulation.user().get(Note::type, {"default", "a"}));
    instance.reset();
    (void)simulation.user().patch(Note::type, {"default", "a"}, json::Value{{"metadata", {{"finalizers", nullptr}}}});
  }
}

// A terminal error is not retried, so each object stays without the finalizer.
TEST_F(GoneTest, AFullQueueLosesNoCleanupOfAnObjectWithoutFinalizer) {
  std::set<std::string> reconciled;
  std::set<std::string> finalized;
  Controller<Note> controller{.reconcile = [&](const Note& n, Context&) -> Outcome {
                                reconciled.insert(n.metadata.name);
                                return failed(make_error(ErrorCode::invalid, "cannot be").terminal());
                              },
                              .finalize = [&](const Note& n, Context& ctx) -> Outcome {
                                ctx.executor().sleep_for(100ms);  // the others are deleted meanwhile
                                finalized.insert(n.metadata.name);
                                return done;
                              },
                              .finalizer = "test.pintle.dev/note",
                              .finalizer_policy = FinalizerPolicy::add_after_success};
  controller.queue.max_keys = 2;
  run(std::move(controller));
  for (int i = 0; i < 20; ++i) create(note("n" + std::to_string(i)));
  ASSERT_TRUE(simulation.run_until_idle());
  ASSERT_EQ(reconciled.size(), 20U);
  for (int i = 0; i < 20; ++i) remove("n" + std::to_string(i));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(finalized, reconciled);
}

TEST_F(GoneTest, TooManyGoneObjectsOfOneNameAreDroppedAndLogged) {
  is_down = true;
  run(recording());
  for (int i = 0; i < 20; ++i) {
    create(note("a", std::to_string(i)));
    ASSERT_TRUE(simulation.run_until_idle(1s));
    remove("a");
    ASSERT_TRUE(simulation.run_until_idle(1s));
  }
  EXPECT_TRUE(log->has("the oldest is dropped"));
  is_down = false;
  ASSERT_TRUE(simulation.run_until_idle(2h, 10h));
  EXPECT_EQ(calls.back(), "gone a=19");
}

TEST_F(GoneTest, FinalizeRunsBeforeGone) {
  Controller<Note> controller = recording();
  controller.finalizer = "test.pintle.dev/note";
  controller.finalize = [this](const Note& n, Context&) -> Outcome {
    calls.push_back("finalize " + n.metadata.name);
    return done;
  };
  run(std::move(controller));
  create(note("a", "1"));
  ASSERT_TRUE(simulation.run_until_idle());
  remove("a");
  ASSERT_TRUE(simulation.run_until_idle());
  ASSERT_GE(calls.size(), 2U);
  EXPECT_EQ(Calls(calls.end() - 2, calls.end()), (Calls{"finalize a", "gone a=1"}));
}

TEST_F(GoneTest, ObserversReceiveEachChangeBeforeThePredicate) {
  Calls changes;
  Controller<Note> controller = recording();
  controller.predicate = generation_changed();
  controller.on_change = [&](const Change& change) {
    changes.push_back((change.old ? std::string(change.old["/spec/text"].text()) : "none") + "->" +
                      (change.current ? std::string(change.current["/spec/text"].text()) : "none"));
    if (changes.size() == 1) throw std::runtime_error("oops");
  };
  run(std::move(controller));
  create(note("a", "1"));
  ASSERT_TRUE(simulation.run_until_idle());
  ASSERT_TRUE(
      simulation.user().patch(Note::type, {"default", "a"}, json::Value{{"metadata", {{"labels", {{"x", "y"}}}}}}));
  ASSERT_TRUE(simulation.run_until_idle());
  remove("a");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(changes, (Calls{"none->1", "1->1", "1->none"}));
  EXPECT_EQ(calls, (Calls{"reconcile a=1", "gone a=1"}));
  EXPECT_TRUE(log->has("threw an exception"));
}

// A watch reports an object that leaves its selector as deleted (trap 32).
class UnselectedTest : public GoneTest {
 protected:
  Controller<Note> selecting() {
    Controller<Note> controller = recording();
    controller.label_selector = "watched=yes";
    return controller;
  }
  void create_watched(const std::string& name) {
    Note made = note(name, "1");
    made.metadata.labels["watched"] = "yes";
    create(made);
  }
  void label(const std::string& name, json::Value value) {
    const json::Value patch{{"metadata", {{"labels", {{"watched", std::move(value)}}}}}};
    ASSERT_TRUE(simulation.user().patch(Note::type, {"default", name}, patch));
  }
};

// The event looks like a deletion, and its object still matches the selector (trap 32).
TEST_F(UnselectedTest, AnUnselectedObjectIsNotGone) {
  run(selecting());
  create_watched("a");
  ASSERT_TRUE(simulation.run_until_idle());
  label("a", "no");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(calls, (Calls{"reconcile a=1"}));
  label("a", "yes");
  ASSERT_TRUE(simulation.run_until_idle());
  remove("a");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(calls, (Calls{"reconcile a=1", "reconcile a=1", "gone a=1"}));
}

TEST_F(UnselectedTest, FailedReadsBackOffAndNothingIsCleanedUp) {
  run(selecting());
  create_watched("a");
  create_watched("b");
  ASSERT_TRUE(simulation.run_until_idle());
  int attempts = 0;
  const auto is_attempt = [&](const http::Request& request) {
    const bool is_one = request.method == "GET" && request.target.find("/notes/") != std::string::npos;
    attempts += is_one ? 1 : 0;
    return is_one;
  };
  instance->transport().set_faults(
      {{.effect = http::ErrorResponse{.status = 403, .reason = "Forbidden"}, .only = is_attempt}});
  label("a", "no");
  remove("b");
  simulation.executor().sleep_for(1h);
  EXPECT_EQ(calls, (Calls{"reconcile a=1", "reconcile b=1"}));
  EXPECT_GE(attempts, 2 * 10);
  EXPECT_LE(attempts, 2 * 22);
  instance->transport().set_faults({});
  simulation.executor().sleep_for(2h);
  EXPECT_EQ(calls, (Calls{"reconcile a=1", "reconcile b=1", "gone b=1"}));
}

// Nor is the finalize function called for such an object if it does not have the finalizer yet.
TEST_F(UnselectedTest, AnUnselectedObjectWithoutFinalizerIsNotFinalized) {
  Controller<Note> controller = selecting();
  controller.gone = {};
  controller.finalizer = "test.pintle.dev/note";
  controller.finalizer_policy = FinalizerPolicy::add_after_success;
  controller.reconcile = [](const Note&, Context&) -> Outcome { return requeue_after(1min); };
  controller.finalize = [this](const Note& n, Context&) -> Outcome {
    calls.push_back("finalize " + n.metadata.name);
    return done;
  };
  run(std::move(controller));
  create_watched("a");
  create_watched("b");
  simulation.executor().sleep_for(10s);
  label("a", "no");
  remove("b");
  simulation.executor().sleep_for(10min);
  EXPECT_EQ(calls, (Calls{"finalize b"}));
}

}  // namespace
}  // namespace pintle
