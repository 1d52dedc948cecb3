// SPDX-License-Identifier: Apache-2.0
// The four finalizer policies, in single reconciles and in a controller.
#include <pintle/controller/finalizers.hpp>

#include <set>
#include <stdexcept>

#include <pintle/controller/status_writer.hpp>

#include "finalizers_test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;
using Policy = FinalizerPolicy;

struct Harbour {
  static constexpr Type type{"test.pintle.dev/v1", "Harbour"};
  struct Status {
    std::vector<StatusCondition> conditions{};
    static constexpr auto fields() {
      return pintle::fields(field("conditions", &Status::conditions, "The current conditions."));
    }
  };
  Metadata metadata{};
  Status status{};
};

class FinalizedReconcileTest : public FinalizersTest {
 protected:
  void use(Policy policy) {
    reconciles = std::make_unique<FinalizerReconciler>(client, FinalizerOptions{.name = ours, .policy = policy});
  }
  Outcome run_reconcile(const Object& object) {
    return reconciles->run(
        object,
        [this](const Object& seen) {
          calls.push_back("reconcile " + join(names(seen)));
          return on_reconcile ? on_reconcile() : Outcome(done);
        },
        [this](const Object& seen) {
          calls.push_back("finalize " + join(names(seen)));
          return on_finalize ? on_finalize() : Outcome(done);
        },
        {}, hooks);
  }
  Outcome run_reconcile() { return run_reconcile(stored()); }
  static std::string join(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ",") + name.substr(name.find('/') + 1);
    return text;
  }
  using Calls = std::vector<std::string>;

  std::unique_ptr<FinalizerReconciler> reconciles;
  std::function<Outcome()> on_reconcile;
  std::function<Outcome()> on_finalize;
  FinalizerHooks hooks;
  Calls calls;
};

// The finalizer is added in a reconcile of its own (001, §3.2).
TEST_F(FinalizedReconcileTest, AddThenStopReconcilesAfterAnImmediateRequeue) {
  use(Policy::add_then_stop);
  create();
  const Outcome added = run_reconcile();
  ASSERT_NE(added.as_requeue_after(), nullptr);
  EXPECT_EQ(added.as_requeue_after()->delay, Duration::zero());
  EXPECT_TRUE(calls.empty());
  EXPECT_EQ(names(), (std::vector<std::string>{ours}));
  EXPECT_TRUE(run_reconcile().is_done());
  EXPECT_EQ(calls, (Calls{"reconcile cleanup"}));
}

// If the cache does not contain the own write yet, the next reconcile continues with the newest object.
TEST_F(FinalizedReconcileTest, AddThenStopContinuesWithTheNewestObjectIfTheCacheIsOld) {
  use(Policy::add_then_stop);
  const Object old = create();
  ASSERT_NE(run_reconcile(old).as_requeue_after(), nullptr);
  ASSERT_TRUE(run_reconcile(old).is_done());
  EXPECT_EQ(calls, (Calls{"reconcile cleanup"}));
}

// The same reconcile continues with the object in the response to the write (003, §5.5).
TEST_F(FinalizedReconcileTest, AddThenContinueReconcilesTheObjectInTheResponse) {
  use(Policy::add_then_continue);
  create();
  EXPECT_TRUE(run_reconcile().is_done());
  EXPECT_EQ(calls, (Calls{"reconcile cleanup"}));
}

// The finalizer is added after the first reconcile that returns done (004, §6.7).
TEST_F(FinalizedReconcileTest, AddAfterSuccessWaitsForDone) {
  use(Policy::add_after_success);
  create();
  on_reconcile = [] { return Outcome(requeue_after(1min)); };
  EXPECT_NE(run_reconcile().as_requeue_after(), nullptr);
  on_reconcile = [] { return failed(make_error(ErrorCode::unknown, "not yet")); };
  EXPECT_NE(run_reconcile().as_failed(), nullptr);
  EXPECT_TRUE(names().empty());
  on_reconcile = nullptr;
  EXPECT_TRUE(run_reconcile().is_done());
  EXPECT_EQ(names(), (std::vector<std::string>{ours}));
  EXPECT_TRUE(run_reconcile().is_done());
  EXPECT_EQ(calls, (Calls{"reconcile ", "reconcile ", "reconcile ", "reconcile cleanup"}));
}

TEST_F(FinalizedReconcileTest, WipThenRealReplacesTheFinalizerAfterSuccess) {
  use(Policy::wip_then_real);
  create();
  on_reconcile = [] { return failed(make_error(ErrorCode::unknown, "not yet")); };
  EXPECT_NE(run_reconcile().as_failed(), nullptr);
  EXPECT_EQ(names(), (std::vector<std::string>{reconciles->finalizers().wip_name()}));
  on_reconcile = nullptr;
  EXPECT_TRUE(run_reconcile().is_done());
  EXPECT_EQ(names(), (std::vector<std::string>{ours}));
  EXPECT_TRUE(run_reconcile().is_done());
  EXPECT_EQ(calls, (Calls{"reconcile cleanup-wip", "reconcile cleanup-wip", "reconcile cleanup"}));
}

TEST_F(FinalizedReconcileTest, DeletionFinalizesUntilDoneAndThenRemovesTheFinalizer) {
  for (const Policy policy : all_policies) {
    SCOPED_TRACE(static_cast<int>(policy));
    use(policy);
    calls.clear();
    create({ours});
    user_deletes();
    on_finalize = [] { return Outcome(requeue_after(10s)); };
    EXPECT_NE(run_reconcile().as_requeue_after(), nullptr);
    on_finalize = [] { return failed(make_error(ErrorCode::unavailable, "later")); };
    EXPECT_NE(run_reconcile().as_failed(), nullptr);
    EXPECT_EQ(names(), (std::vector<std::string>{ours}));
    on_finalize = nullptr;
    EXPECT_TRUE(run_reconcile().is_done());
    EXPECT_FALSE(stored());
    EXPECT_EQ(calls, (Calls{"finalize cleanup", "finalize cleanup", "finalize cleanup"}));
  }
}

// An object that is deleted and never had the finalizer of this operator needs no cleanup (001 B3, 003 B9, TX-19).
TEST_F(FinalizedReconcileTest, DeletionWithoutOurFinalizerNeedsNoCleanup) {
  for (const Policy policy : all_policies) {
    use(policy);
    create({"b.dev/b"});
    user_deletes();
    EXPECT_TRUE(run_reconcile().is_done());
    user_sets({});
  }
  EXPECT_TRUE(calls.empty());
  EXPECT_TRUE(witness.patches.empty());
}

// The deletion arrives while the finalizer is being added: the finalizer is not added, and nothing needs a cleanup.
TEST_F(FinalizedReconcileTest, ADeletionBeforeTheFinalizerWasAddedReconcilesNothing) {
  for (const Policy policy : {Policy::add_then_stop, Policy::add_then_continue, Policy::wip_then_real}) {
    for (const bool held : {false, true}) {
      use(policy);
      const Object object = create(held ? std::vector<std::string>{"b.dev/b"} : std::vector<std::string>{});
      witness.before_patch = [&] { user_deletes(); };
      EXPECT_TRUE(run_reconcile(object).is_done());
      if (held) user_sets({});
      EXPECT_FALSE(stored());
    }
  }
  EXPECT_TRUE(calls.empty());
  EXPECT_EQ(witness.illegal, 0);
}

// The deletion arrives between the add and the reconcile: the cleanup runs nevertheless.
TEST_F(FinalizedReconcileTest, ADeletionBetweenAddAndReconcileIsCleanedUpAfter) {
  for (const Policy policy : all_policies) {
    SCOPED_TRACE(static_cast<int>(policy));
    use(policy);
    calls.clear();
    create();
    if (policy == Policy::add_then_stop) {
      ASSERT_NE(run_reconcile().as_requeue_after(), nullptr);
    }
    on_reconcile = [&] {
      user_deletes();
      return Outcome(done);
    };
    if (policy == Policy::add_then_stop) {
      user_deletes();
    } else {
      EXPECT_TRUE(run_reconcile().is_done());
    }
    if (stored()) {
      EXPECT_TRUE(run_reconcile().is_done());
    }
    EXPECT_FALSE(stored());
    ASSERT_FALSE(calls.empty());
    EXPECT_TRUE(calls.back().starts_with("finalize")) << calls.back();
    on_reconcile = nullptr;
  }
  EXPECT_EQ(witness.illegal, 0);
}

// The object disappears before the finalizer could be added. The results of its reconcile are cleaned up nevertheless,
// and again until the cleanup returns done (004 B7 and others).
TEST_F(FinalizedReconcileTest, AddAfterSuccessCleansUpAnObjectThatDisappears) {
  use(Policy::add_after_success);
  const Object object = create();
  on_reconcile = [&] {
    user_deletes();
    return Outcome(done);
  };
  on_finalize = [] { return failed(make_error(ErrorCode::unavailable, "later")); };
  EXPECT_NE(run_reconcile().as_failed(), nullptr);
  EXPECT_FALSE(stored());
  const auto finalize = [this](const Object& seen) {
    calls.push_back("gone " + std::string(seen.uid()));
    return Outcome(done);
  };
  EXPECT_TRUE(reconciles->run_gone(key, finalize).is_done());
  EXPECT_TRUE(reconciles->run_gone(key, finalize).is_done()) << "no work remains";
  EXPECT_EQ(calls, (Calls{"reconcile ", "finalize ", "gone " + std::string(object.uid())}));
}

TEST_F(FinalizedReconcileTest, AddAfterSuccessCleansUpBeforeASuccessorOfTheSameName) {
  use(Policy::add_after_success);
  create();
  on_reconcile = []() -> Outcome { throw std::runtime_error("half done"); };
  EXPECT_THROW((void)run_reconcile(), std::runtime_error);
  user_deletes();
  create();
  on_reconcile = nullptr;
  on_finalize = [] { return Outcome(requeue); };
  EXPECT_TRUE(run_reconcile().is_requeue());
  on_finalize = nullptr;
  EXPECT_TRUE(run_reconcile().is_done());
  EXPECT_EQ(calls, (Calls{"reconcile ", "finalize ", "finalize ", "reconcile "}));
  EXPECT_EQ(names(), (std::vector<std::string>{ours}));
}

TEST_F(FinalizedReconcileTest, ExceptionsOfUserCodePropagateAndKeepTheState) {
  for (const Policy policy : all_policies) {
    SCOPED_TRACE(static_cast<int>(policy));
    use(policy);
    create();
    if (policy == Policy::add_then_stop) {
      ASSERT_NE(run_reconcile().as_requeue_after(), nullptr);
    }
    on_reconcile = []() -> Outcome { throw std::runtime_error("half done"); };
    EXPECT_THROW((void)run_reconcile(), std::runtime_error);
    EXPECT_EQ(names().empty(), policy == Policy::add_after_success);
    on_reconcile = nullptr;
    ASSERT_TRUE(run_reconcile().is_done());
    user_deletes();
    on_finalize = []() -> Outcome { throw std::runtime_error("half gone"); };
    EXPECT_THROW((void)run_reconcile(), std::runtime_error);
    EXPECT_EQ(names(), (std::vector<std::string>{ours}));
    on_finalize = nullptr;
    EXPECT_TRUE(run_reconcile().is_done());
    EXPECT_FALSE(stored());
  }
}

// The last status is written before the object can disappear (003 B4).
TEST_F(FinalizedReconcileTest, BeforeRemovalRunsBeforeTheFinalizerIsRemoved) {
  use(Policy::add_then_continue);
  create({ours});
  user_deletes();
  hooks.before_removal = [&]() -> Result<void> {
    calls.push_back("before " + join(names()));
    return fail(ErrorCode::unavailable, "not now");
  };
  ASSERT_NE(run_reconcile().as_failed(), nullptr);
  ASSERT_TRUE(stored()) << "an error of the hook keeps the finalizer";
  hooks.before_removal = [&]() -> Result<void> {
    calls.push_back("before " + join(names()));
    return {};
  };
  EXPECT_TRUE(run_reconcile().is_done());
  EXPECT_EQ(calls, (Calls{"finalize cleanup", "before cleanup", "finalize cleanup", "before cleanup"}));
}

TEST_F(FinalizedReconcileTest, EachWriteIsReported) {
  hooks.on_write = [&](const Object& object, FinalizerStep step, const Result<void>& written) -> Outcome {
    calls.push_back(std::string(step == FinalizerStep::add ? "add " : "remove ") + join(names(object)) +
                    (written ? "" : ": " + written.error().message));
    return requeue_after(7s);
  };
  for (const Policy policy : all_policies) {
    use(policy);
    calls.clear();
    create();
    while (names() != std::vector<std::string>{ours}) (void)run_reconcile();
    EXPECT_EQ(std::count(calls.begin(), calls.end(), "add cleanup"), 1);
    EXPECT_EQ(std::count(calls.begin(), calls.end(), "add cleanup-wip"), policy == Policy::wip_then_real ? 1 : 0);
    user_deletes();
    EXPECT_TRUE(run_reconcile().is_done()) << "the result of the hook does not matter after a successful write";
    EXPECT_EQ(calls.back(), "remove cleanup");
  }
}

TEST_F(FinalizedReconcileTest, OnWriteReturnsTheOutcomeOfAFailedWrite) {
  hooks.on_write = [&](const Object&, FinalizerStep step, const Result<void>& written) -> Outcome {
    if (written) return done;
    calls.push_back(step == FinalizerStep::add ? "add" : "remove");
    return requeue_after(7s);
  };
  for (const Policy policy : all_policies) {
    use(policy);
    create();
    witness.before_each_patch = [&] { user_touches(); };
    const Outcome added = run_reconcile();
    ASSERT_NE(added.as_requeue_after(), nullptr);
    EXPECT_EQ(added.as_requeue_after()->delay, 7s);
    EXPECT_EQ(calls.back(), "add");
    witness.before_each_patch = [&] { user_sets({"b.dev/b", ours}); };
    (void)run_reconcile();
    witness.before_each_patch = [&, first = true]() mutable {
      user_sets(first ? std::vector<std::string>{ours, "b.dev/b"} : std::vector<std::string>{"b.dev/b", ours});
      first = !first;
    };
    user_deletes();
    const Outcome removed = run_reconcile();
    ASSERT_NE(removed.as_requeue_after(), nullptr);
    EXPECT_EQ(calls.back(), "remove");
    witness.before_each_patch = nullptr;
    ASSERT_TRUE(run_reconcile().is_done());
    user_sets({});
    ASSERT_FALSE(stored());
  }
}

TEST_F(FinalizedReconcileTest, AChangeOfPolicyReplacesAWorkInProgressFinalizer) {
  create({std::string(ours) + "-wip"});
  use(Policy::add_then_continue);
  EXPECT_TRUE(run_reconcile().is_done());
  EXPECT_EQ(names(), (std::vector<std::string>{ours}));
}

TEST_F(FinalizedReconcileTest, AnInvalidNameFailsTerminally) {
  FinalizerReconciler wrong(client, {.name = "cleanup"});
  const auto nothing = [](const Object&) { return Outcome(done); };
  const Outcome outcome = wrong.run(create(), nothing, nothing, {});
  ASSERT_NE(outcome.as_failed(), nullptr);
  EXPECT_TRUE(outcome.as_failed()->is_terminal);
  EXPECT_NE(outcome.as_failed()->message.find("domain"), std::string::npos);
}

// ---- in a controller, with a status ----

class FinalizedControllerTest : public OperatorTest {};

// The order in a controller: the status of a reconcile is written at its end, and the last status before the object can
// disappear.
TEST_F(FinalizedControllerTest, KeepsExternalResourcesAndStatusInStep) {
  std::set<std::string> outside;
  std::vector<std::string> last_words;
  std::unique_ptr<FinalizerReconciler> finalized;
  std::unique_ptr<StatusWriter> writer;
  const auto reconcile = [&](const Object& object, Context& ctx) -> Outcome {
    if (finalized == nullptr) {
      finalized = std::make_unique<FinalizerReconciler>(ctx.client(), FinalizerOptions{.name = ours});
      writer = std::make_unique<StatusWriter>(ctx.client());
    }
    StatusDraft status(object, ctx.executor());
    const auto make = [&](const Object& latest, Context&) -> Outcome {
      status.set_observed_object(latest);
      outside.insert(std::string(latest.name()));
      status.set_condition({.type = "Ready", .status = ConditionStatus::true_, .reason = "Made"});
      return done;
    };
    const auto clean = [&](const Object& latest, Context&) -> Outcome {
      outside.erase(std::string(latest.name()));
      status.set_condition({.type = "Ready", .status = ConditionStatus::false_, .reason = "Gone"});
      return done;
    };
    const auto before_removal = [&]() -> Result<void> {
      const auto flushed = writer->flush(status, ctx.stop_token());
      if (!flushed) return fail(flushed.error());
      last_words.emplace_back(find_condition(*flushed, "Ready")->reason);
      return {};
    };
    return writer->finish(finalized->run(object, ctx, make, clean, {.before_removal = before_removal}), status,
                          ctx.stop_token());
  };
  start([&](Manager& manager) {
    // This controller only installs the CRD, which has a status.
    manager.add(Controller<Harbour>{.reconcile = [](const Harbour&, Context&) -> Outcome { return done; }});
    manager.add(Controller<Object>{.name = "finalized", .watch = Harbour::type, .reconcile = reconcile});
  });
  ASSERT_TRUE(simulation.wait_until([&] { return instance->manager().is_ready(); }));
  for (const char* name : {"a", "b"}) {
    ASSERT_TRUE(simulation.user().create(Harbour{.metadata = {.name = name, .namespace_ = "default"}}));
  }
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(outside, (std::set<std::string>{"a", "b"}));
  const auto made = simulation.user().get(GroupVersionKind(Harbour::type), {"default", "a"});
  ASSERT_TRUE(made);
  EXPECT_TRUE(is_condition_true(*made, "Ready"));
  const std::uint64_t writes = simulation.server().writes();
  simulation.executor().sleep_for(1h);
  EXPECT_EQ(simulation.server().writes(), writes) << "the operator is idle";

  ASSERT_TRUE(simulation.user().remove(Harbour::type, {"default", "a"}));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(outside, (std::set<std::string>{"b"}));
  EXPECT_EQ(simulation.server().objects("harbours.test.pintle.dev").size(), 1U);
  EXPECT_EQ(last_words, (std::vector<std::string>{"Gone"}));
  EXPECT_FALSE(log->has("failed"));
}

// A predicate that drops the event of an own write does not prevent the reconcile of the object.
TEST_F(FinalizedControllerTest, EveryPolicyReconcilesOnceBehindAGenerationPredicate) {
  for (const Policy policy : all_policies) {
    SCOPED_TRACE(static_cast<int>(policy));
    int made = 0;
    int cleaned = 0;
    start([&](Manager& manager) {
      manager.add(Controller<Note>{.predicate = generation_changed(),
                                   .reconcile = [&](const Note&, Context&) -> Outcome {
                                     ++made;
                                     return done;
                                   },
                                   .finalize = [&](const Note&, Context&) -> Outcome {
                                     ++cleaned;
                                     return done;
                                   },
                                   .finalizer = ours,
                                   .finalizer_policy = policy});
    });
    ASSERT_TRUE(simulation.wait_until([&] { return instance->manager().is_ready(); }));
    create(note("a"));
    ASSERT_TRUE(simulation.run_until_idle());
    EXPECT_EQ(made, 1);
    ASSERT_TRUE(simulation.user().remove(Note::type, {"default", "a"}));
    ASSERT_TRUE(simulation.run_until_idle());
    EXPECT_EQ(cleaned, 1);
    EXPECT_TRUE(simulation.server().objects("notes.test.pintle.dev").empty());
    instance->stop();
  }
}

}  // namespace
}  // namespace pintle
