#include <pintle/runtime/finalizers.hpp>

#include <map>
#include <set>
#include <stdexcept>

#include <pintle/runtime/status_writer.hpp>
#include <pintle/testing/seeds.hpp>

#include "test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;
using Policy = FinalizerPolicy;

struct Harbour {
  static constexpr Type type{"test.pintle.dev/v1", "Harbour"};
  struct Status {
    std::vector<StatusCondition> conditions{};
    static constexpr auto fields() {
      return pintle::fields(field("conditions", &Status::conditions, "What is so at the moment."));
    }
  };
  Metadata metadata{};
  Status status{};
};

constexpr const char* ours = "test.pintle.dev/cleanup";
constexpr Policy all_policies[] = {Policy::add_then_stop, Policy::add_then_continue, Policy::add_after_success,
                                   Policy::wip_then_real};

// The server, with what it was asked and answered.
class Witness final : public http::Handler {
 public:
  explicit Witness(http::Handler& server) : server_(server) {}

  http::Response handle(const http::Request& request) override {
    if (before_patch && request.method == "PATCH") std::exchange(before_patch, nullptr)();
    if (before_each_patch && request.method == "PATCH") before_each_patch();
    http::Response response = server_.handle(request);
    if (request.method == "PATCH") patches.push_back(request.body);
    if (request.method == "GET" && request.target.find("configmaps/") != std::string::npos) ++gets;
    if (response.body.find("no new finalizers can be added") != std::string::npos) ++illegal;
    return response;
  }

  std::function<void()> before_patch;  // once
  std::function<void()> before_each_patch;
  std::vector<std::string> patches;
  int gets = 0;
  int illegal = 0;

 private:
  http::Handler& server_;
};

class FinalizersTest : public ::testing::Test {
 protected:
  explicit FinalizersTest(std::uint64_t seed = 1)
      : simulation({.seed = seed}),
        witness(simulation.server()),
        transport(std::make_shared<http::MemoryTransport>(simulation.runtime(), witness)),
        client({.transport = transport, .cluster = {.endpoint = std::make_shared<http::Endpoint>()}}) {}
  ~FinalizersTest() override { transport->shutdown(); }

  Object create(const std::vector<std::string>& with = {}) {
    const auto made = simulation.user().create(encode(
        ConfigMap{.metadata = {.name = "a", .namespace_ = "default", .finalizers = with}, .data = {{"k", "v"}}}));
    EXPECT_TRUE(made) << made.error().to_string();
    return *made;
  }
  Object stored() { return simulation.user().get(ConfigMap::type, key).value_or(Object()); }
  static std::vector<std::string> names(const Object& object) {
    std::vector<std::string> names;
    for (const json::View name : object.finalizers().elements()) names.emplace_back(name.text());
    return names;
  }
  std::vector<std::string> names() { return names(stored()); }
  // Somebody else's write, past the witness.
  Object somebody(const json::Value& merge_patch) {
    const auto patched =
        simulation.server().handle({.method = "PATCH",
                                    .target = "/api/v1/namespaces/default/configmaps/a?fieldManager=somebody",
                                    .headers = {{"Content-Type", "application/merge-patch+json"}},
                                    .body = json::print(merge_patch)});
    EXPECT_EQ(patched.status, 200) << patched.body;
    return *Object::parse(patched.body);
  }
  Object somebody_sets(const std::vector<std::string>& wanted) {
    return somebody({{"metadata", json::object{{"finalizers", json::array(wanted.begin(), wanted.end())}}}});
  }
  Object somebody_touches() { return somebody({{"data", json::object{{"n", std::to_string(++touched)}}}}); }
  void somebody_deletes() {
    const auto deleted =
        simulation.server().handle({.method = "DELETE", .target = "/api/v1/namespaces/default/configmaps/a"});
    EXPECT_EQ(deleted.status, 200) << deleted.body;
  }

  const ObjectKey key{"default", "a"};
  int touched = 0;
  testing::Simulation simulation;
  Witness witness;
  std::shared_ptr<http::MemoryTransport> transport;
  Client client;
  Finalizers finalizers{client, ours, "manager"};
};

// The name is checked where it is declared.
TEST(FinalizerName, IsAQualifiedNameWithADomain) {
  const auto message = [](std::string_view name, Policy policy = Policy::add_then_stop) {
    const auto checked = check_finalizer(name, policy);
    return checked ? std::string() : checked.error().message;
  };
  EXPECT_EQ(message("example.com/cleanup"), "");
  EXPECT_EQ(message("cleanup"), "the finalizer \"cleanup\" must have a domain, such as \"example.com/cleanup\"");
  EXPECT_NE(message("foregroundDeletion"), "") << "that of the cluster is not ours";
  EXPECT_NE(message(""), "");
  EXPECT_NE(message("Example.com/cleanup"), "");
  EXPECT_NE(message("example.com/a/b"), "");
  EXPECT_EQ(message("example.com/" + std::string(63, 'x')), "");
  EXPECT_NE(message("example.com/" + std::string(64, 'x')).find("at most 63"), std::string::npos);
  EXPECT_EQ(message("example.com/" + std::string(59, 'x'), Policy::wip_then_real), "");
  EXPECT_NE(message("example.com/" + std::string(60, 'x'), Policy::wip_then_real).find("-wip"), std::string::npos);
  EXPECT_EQ(check_finalizer("x", Policy::add_then_stop).error().code, ErrorCode::invalid);
}

TEST_F(FinalizersTest, IsPutBehindThoseOfOthers) {
  const auto added = finalizers.ensure(create({"b.dev/b", "a.dev/a"}), {});
  ASSERT_TRUE(added) << added.error().to_string();
  EXPECT_TRUE(added->written);
  EXPECT_EQ(names(added->object), (std::vector<std::string>{"b.dev/b", "a.dev/a", ours}));
  EXPECT_EQ(added->object, stored());
}

TEST_F(FinalizersTest, IsTheFirstOfAnObjectWithoutAny) {
  const auto added = finalizers.ensure(create(), {});
  ASSERT_TRUE(added) << added.error().to_string();
  EXPECT_EQ(names(), (std::vector<std::string>{ours}));
  EXPECT_TRUE(finalizers.is_on(added->object));
}

TEST_F(FinalizersTest, OneThatIsThereCostsNoRequest) {
  const Object object = create({ours});
  const auto added = finalizers.ensure(object, {});
  ASSERT_TRUE(added);
  EXPECT_FALSE(added->written);
  EXPECT_TRUE(added->object.same_as(object));
  EXPECT_TRUE(witness.patches.empty());
}

// Trap 76: those that others added since it was read stay.
TEST_F(FinalizersTest, AnObjectThatHasChangedIsReadAgainBeforeOursIsPutOn) {
  const Object old = create();
  somebody_sets({"b.dev/b"});
  const auto added = finalizers.ensure(old, {});
  ASSERT_TRUE(added) << added.error().to_string();
  EXPECT_EQ(names(), (std::vector<std::string>{"b.dev/b", ours}));
  EXPECT_EQ(witness.patches.size(), 2U);
}

TEST_F(FinalizersTest, OneThatIsThereInTheNewestIsNotAddedAgain) {
  const Object old = create();
  somebody_sets({ours});
  const auto added = finalizers.ensure(old, {});
  ASSERT_TRUE(added);
  EXPECT_FALSE(added->written);
  EXPECT_EQ(names(), (std::vector<std::string>{ours}));
}

// Trap 77, TX-19.
TEST_F(FinalizersTest, IsNeverPutOnAnObjectThatIsBeingDeleted) {
  create({"b.dev/b"});
  somebody_deletes();
  const auto added = finalizers.ensure(stored(), {});
  ASSERT_TRUE(added);
  EXPECT_FALSE(added->written);
  EXPECT_FALSE(finalizers.is_on(added->object));
  EXPECT_TRUE(witness.patches.empty());
}

// Trap 77, TX-19: also when the deletion comes between.
TEST_F(FinalizersTest, ADeletionSinceItWasReadKeepsItOff) {
  const Object old = create({"b.dev/b"});
  somebody_deletes();
  for (const bool wip : {false, true}) {
    const auto added = wip ? finalizers.ensure_wip(old, {}) : finalizers.ensure(old, {});
    ASSERT_TRUE(added);
    EXPECT_FALSE(added->written);
    EXPECT_TRUE(added->object.is_deleting());
  }
  EXPECT_EQ(names(), (std::vector<std::string>{"b.dev/b"}));
  EXPECT_EQ(witness.illegal, 0);
}

TEST_F(FinalizersTest, AnotherObjectOfTheSameNameIsNotTouched) {
  const Object old = create({ours});
  Object without = *simulation.user().patch(ConfigMap::type, key, json::Value{{"metadata", {{"finalizers", nullptr}}}});
  somebody_deletes();
  create({"b.dev/b", ours});
  const auto added = finalizers.ensure(without, {});
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().code, ErrorCode::not_found);
  const auto removed = finalizers.remove(old, {});
  ASSERT_TRUE(removed) << removed.error().to_string();
  EXPECT_FALSE(*removed);
  EXPECT_EQ(names(), (std::vector<std::string>{"b.dev/b", ours}));
}

// Trap 76: the place it was at is another one's now.
TEST_F(FinalizersTest, RemovingFindsOursWhereverItIsNow) {
  const Object old = create({ours, "b.dev/b", "c.dev/c"});
  somebody_sets({"b.dev/b", "d.dev/d", ours});
  const auto removed = finalizers.remove(old, {});
  ASSERT_TRUE(removed) << removed.error().to_string();
  EXPECT_TRUE(*removed);
  EXPECT_EQ(names(), (std::vector<std::string>{"b.dev/b", "d.dev/d"}));
}

TEST_F(FinalizersTest, RemovingTakesOneRequestWhenOnlyOtherThingsChanged) {
  const Object old = create({"b.dev/b", ours});
  somebody_touches();
  ASSERT_TRUE(finalizers.remove(old, {}).value_or(false));
  EXPECT_EQ(witness.patches.size(), 1U);
  EXPECT_EQ(witness.gets, 0);
}

TEST_F(FinalizersTest, RemovingTakesEveryOneOfOursAtOnce) {
  const Object object = create({ours, "b.dev/b", finalizers.wip_name(), "c.dev/c"});
  ASSERT_TRUE(finalizers.remove(object, {}).value_or(false));
  EXPECT_EQ(names(), (std::vector<std::string>{"b.dev/b", "c.dev/c"}));
  EXPECT_EQ(witness.patches.size(), 1U);
}

// Trap 77.
TEST_F(FinalizersTest, RemovingFromAnObjectThatIsGoneIsSuccess) {
  const Object old = create({ours});
  somebody_sets({});
  somebody_deletes();
  const auto removed = finalizers.remove(old, {});
  ASSERT_TRUE(removed) << removed.error().to_string();
  EXPECT_FALSE(*removed);
}

TEST_F(FinalizersTest, TheLastOneRemovedLetsTheObjectGo) {
  create({ours});
  somebody_deletes();
  ASSERT_TRUE(finalizers.remove(stored(), {}).value_or(false));
  EXPECT_FALSE(stored());
}

TEST_F(FinalizersTest, ConflictsAreBounded) {
  const Object object = create();
  witness.before_each_patch = [&] { somebody_touches(); };
  const auto added = finalizers.ensure(object, {});
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().code, ErrorCode::conflict);
  EXPECT_EQ(witness.patches.size(), 5U);
  EXPECT_NE(added.error().to_string().find("add finalizer test.pintle.dev/cleanup"), std::string::npos);
}

TEST_F(FinalizersTest, TheOneForWorkInProgressIsReplacedInItsPlace) {
  const Object object = create();
  const auto wip = finalizers.ensure_wip(object, {});
  ASSERT_TRUE(wip) << wip.error().to_string();
  EXPECT_EQ(names(), (std::vector<std::string>{"test.pintle.dev/cleanup-wip"}));
  EXPECT_TRUE(finalizers.is_on(wip->object));
  EXPECT_FALSE(finalizers.is_complete(wip->object));
  somebody_sets({"test.pintle.dev/cleanup-wip", "b.dev/b"});
  const auto real = finalizers.ensure(wip->object, {});
  ASSERT_TRUE(real) << real.error().to_string();
  EXPECT_EQ(names(), (std::vector<std::string>{ours, "b.dev/b"}));
  EXPECT_TRUE(finalizers.is_complete(real->object));
}

TEST_F(FinalizersTest, WritesAsTheFieldManagerItWasGiven) {
  ASSERT_TRUE(finalizers.ensure(create(), {}));
  const std::string text = simulation.server().objects("configmaps").at(0)["/metadata/managedFields"].print();
  EXPECT_NE(text.find(R"("manager":"manager")"), std::string::npos) << text;
}

// ---- FinalizedReconcile ----

class FinalizedReconcileTest : public FinalizersTest {
 protected:
  void use(Policy policy) {
    reconciles = std::make_unique<FinalizedReconcile>(client, FinalizerOptions{.name = ours, .policy = policy});
  }
  Outcome pass(const Object& object) {
    return reconciles->run(
        object,
        [this](const Object& seen) {
          calls.push_back("reconcile " + join(names(seen)));
          return on_reconcile ? on_reconcile() : Outcome(settled);
        },
        [this](const Object& seen) {
          calls.push_back("finalize " + join(names(seen)));
          return on_finalize ? on_finalize() : Outcome(settled);
        },
        {}, before_removal);
  }
  Outcome pass() { return pass(stored()); }
  static std::string join(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ",") + name.substr(name.find('/') + 1);
    return text;
  }
  using Calls = std::vector<std::string>;

  std::unique_ptr<FinalizedReconcile> reconciles;
  std::function<Outcome()> on_reconcile;
  std::function<Outcome()> on_finalize;
  std::function<Result<void>()> before_removal;
  Calls calls;
};

// 001, §3.2: the finalizer has a pass of its own.
TEST_F(FinalizedReconcileTest, AddThenStopReconcilesInTheNextPass) {
  use(Policy::add_then_stop);
  create();
  const Outcome added = pass();
  ASSERT_NE(added.as_look_again_in(), nullptr);
  EXPECT_EQ(added.as_look_again_in()->delay, Duration::zero());
  EXPECT_TRUE(calls.empty());
  EXPECT_EQ(names(), (std::vector<std::string>{ours}));
  EXPECT_TRUE(pass().is_settled());
  EXPECT_EQ(calls, (Calls{"reconcile cleanup"}));
}

// A local copy that has not seen our own write does not stop for ever.
TEST_F(FinalizedReconcileTest, AddThenStopGoesOnWithTheNewestWhenItsCopyIsOld) {
  use(Policy::add_then_stop);
  const Object old = create();
  ASSERT_NE(pass(old).as_look_again_in(), nullptr);
  ASSERT_TRUE(pass(old).is_settled());
  EXPECT_EQ(calls, (Calls{"reconcile cleanup"}));
}

// 003, §5.5.
TEST_F(FinalizedReconcileTest, AddThenContinueReconcilesWhatTheWriteAnswered) {
  use(Policy::add_then_continue);
  create();
  EXPECT_TRUE(pass().is_settled());
  EXPECT_EQ(calls, (Calls{"reconcile cleanup"}));
}

// 004, §6.7.
TEST_F(FinalizedReconcileTest, AddAfterSuccessWaitsForAPassThatSettles) {
  use(Policy::add_after_success);
  create();
  on_reconcile = [] { return Outcome(look_again_in(1min)); };
  EXPECT_NE(pass().as_look_again_in(), nullptr);
  on_reconcile = [] { return failed(make_error(ErrorCode::unknown, "not yet")); };
  EXPECT_NE(pass().as_failed(), nullptr);
  EXPECT_TRUE(names().empty());
  on_reconcile = nullptr;
  EXPECT_TRUE(pass().is_settled());
  EXPECT_EQ(names(), (std::vector<std::string>{ours}));
  EXPECT_TRUE(pass().is_settled());
  EXPECT_EQ(calls, (Calls{"reconcile ", "reconcile ", "reconcile ", "reconcile cleanup"}));
}

TEST_F(FinalizedReconcileTest, WipThenRealHasOneBeforeAndAnotherAfterSuccess) {
  use(Policy::wip_then_real);
  create();
  on_reconcile = [] { return failed(make_error(ErrorCode::unknown, "not yet")); };
  EXPECT_NE(pass().as_failed(), nullptr);
  EXPECT_EQ(names(), (std::vector<std::string>{reconciles->finalizers().wip_name()}));
  on_reconcile = nullptr;
  EXPECT_TRUE(pass().is_settled());
  EXPECT_EQ(names(), (std::vector<std::string>{ours}));
  EXPECT_TRUE(pass().is_settled());
  EXPECT_EQ(calls, (Calls{"reconcile cleanup-wip", "reconcile cleanup-wip", "reconcile cleanup"}));
}

TEST_F(FinalizedReconcileTest, DeletionFinalizesUntilItSettlesAndThenLetsGo) {
  for (const Policy policy : all_policies) {
    SCOPED_TRACE(static_cast<int>(policy));
    use(policy);
    calls.clear();
    create({ours});
    somebody_deletes();
    on_finalize = [] { return Outcome(look_again_in(10s)); };
    EXPECT_NE(pass().as_look_again_in(), nullptr);
    on_finalize = [] { return failed(make_error(ErrorCode::unavailable, "later")); };
    EXPECT_NE(pass().as_failed(), nullptr);
    EXPECT_EQ(names(), (std::vector<std::string>{ours}));
    on_finalize = nullptr;
    EXPECT_TRUE(pass().is_settled());
    EXPECT_FALSE(stored());
    EXPECT_EQ(calls, (Calls{"finalize cleanup", "finalize cleanup", "finalize cleanup"}));
  }
}

// 001 B3, 003 B9, TX-19: an object that is deleted without ever having had ours.
TEST_F(FinalizedReconcileTest, DeletionOfWhatNeverHadOursIsNothingToDo) {
  for (const Policy policy : all_policies) {
    use(policy);
    create({"b.dev/b"});
    somebody_deletes();
    EXPECT_TRUE(pass().is_settled());
    somebody_sets({});
  }
  EXPECT_TRUE(calls.empty());
  EXPECT_TRUE(witness.patches.empty());
}

// The deletion comes while the finalizer is being added: it does not stick, and nothing has been made yet.
TEST_F(FinalizedReconcileTest, ADeletionBeforeTheFinalizerIsOnReconcilesNothing) {
  for (const Policy policy : {Policy::add_then_stop, Policy::add_then_continue, Policy::wip_then_real}) {
    for (const bool held : {false, true}) {
      use(policy);
      const Object object = create(held ? std::vector<std::string>{"b.dev/b"} : std::vector<std::string>{});
      witness.before_patch = [&] { somebody_deletes(); };
      EXPECT_TRUE(pass(object).is_settled());
      if (held) somebody_sets({});
      EXPECT_FALSE(stored());
    }
  }
  EXPECT_TRUE(calls.empty());
  EXPECT_EQ(witness.illegal, 0);
}

// The deletion comes between add and reconcile: the cleanup is not lost.
TEST_F(FinalizedReconcileTest, ADeletionBetweenAddAndReconcileIsCleanedUpAfter) {
  for (const Policy policy : all_policies) {
    SCOPED_TRACE(static_cast<int>(policy));
    use(policy);
    calls.clear();
    create();
    if (policy == Policy::add_then_stop) {
      ASSERT_NE(pass().as_look_again_in(), nullptr);
    }
    on_reconcile = [&] {
      somebody_deletes();
      return Outcome(settled);
    };
    if (policy == Policy::add_then_stop) {
      somebody_deletes();
    } else {
      EXPECT_TRUE(pass().is_settled());
    }
    if (stored()) {
      EXPECT_TRUE(pass().is_settled());
    }
    EXPECT_FALSE(stored());
    ASSERT_FALSE(calls.empty());
    EXPECT_TRUE(calls.back().starts_with("finalize")) << calls.back();
    on_reconcile = nullptr;
  }
  EXPECT_EQ(witness.illegal, 0);
}

// 004 B7 and the like: what a pass made before the finalizer could go on is cleaned up all the same, and again until
// that settles.
TEST_F(FinalizedReconcileTest, AddAfterSuccessCleansUpAnObjectThatWentMeanwhile) {
  use(Policy::add_after_success);
  const Object object = create();
  on_reconcile = [&] {
    somebody_deletes();
    return Outcome(settled);
  };
  on_finalize = [] { return failed(make_error(ErrorCode::unavailable, "later")); };
  EXPECT_NE(pass().as_failed(), nullptr);
  EXPECT_FALSE(stored());
  const auto finalize = [this](const Object& seen) {
    calls.push_back("gone " + std::string(seen.uid()));
    return Outcome(settled);
  };
  EXPECT_TRUE(reconciles->run_gone(key, finalize).is_settled());
  EXPECT_TRUE(reconciles->run_gone(key, finalize).is_settled()) << "nothing is left";
  EXPECT_EQ(calls, (Calls{"reconcile ", "finalize ", "gone " + std::string(object.uid())}));
}

TEST_F(FinalizedReconcileTest, AddAfterSuccessCleansUpBeforeAnotherOfTheSameNameIsReconciled) {
  use(Policy::add_after_success);
  create();
  on_reconcile = []() -> Outcome { throw std::runtime_error("half done"); };
  EXPECT_THROW((void)pass(), std::runtime_error);
  somebody_deletes();
  create();
  on_reconcile = nullptr;
  on_finalize = [] { return Outcome(look_again); };
  EXPECT_TRUE(pass().is_look_again());
  on_finalize = nullptr;
  EXPECT_TRUE(pass().is_settled());
  EXPECT_EQ(calls, (Calls{"reconcile ", "finalize ", "finalize ", "reconcile "}));
  EXPECT_EQ(names(), (std::vector<std::string>{ours}));
}

TEST_F(FinalizedReconcileTest, WhatUserCodeThrowsPassesThroughAndLosesNothing) {
  for (const Policy policy : all_policies) {
    SCOPED_TRACE(static_cast<int>(policy));
    use(policy);
    create();
    if (policy == Policy::add_then_stop) {
      ASSERT_NE(pass().as_look_again_in(), nullptr);
    }
    on_reconcile = []() -> Outcome { throw std::runtime_error("half done"); };
    EXPECT_THROW((void)pass(), std::runtime_error);
    EXPECT_EQ(names().empty(), policy == Policy::add_after_success);
    on_reconcile = nullptr;
    ASSERT_TRUE(pass().is_settled());
    somebody_deletes();
    on_finalize = []() -> Outcome { throw std::runtime_error("half gone"); };
    EXPECT_THROW((void)pass(), std::runtime_error);
    EXPECT_EQ(names(), (std::vector<std::string>{ours}));
    on_finalize = nullptr;
    EXPECT_TRUE(pass().is_settled());
    EXPECT_FALSE(stored());
  }
}

// 003 B4: the last status is written before the object may go.
TEST_F(FinalizedReconcileTest, WhatHasToBeDoneBeforeTheRemovalIsDoneBefore) {
  use(Policy::add_then_continue);
  create({ours});
  somebody_deletes();
  before_removal = [&]() -> Result<void> {
    calls.push_back("before " + join(names()));
    return fail(ErrorCode::unavailable, "not now");
  };
  ASSERT_NE(pass().as_failed(), nullptr);
  ASSERT_TRUE(stored()) << "its error keeps the finalizer on";
  before_removal = [&]() -> Result<void> {
    calls.push_back("before " + join(names()));
    return {};
  };
  EXPECT_TRUE(pass().is_settled());
  EXPECT_EQ(calls, (Calls{"finalize cleanup", "before cleanup", "finalize cleanup", "before cleanup"}));
}

TEST_F(FinalizedReconcileTest, AChangeOfPolicyKeepsAnOldOneForWorkInProgressOurs) {
  create({std::string(ours) + "-wip"});
  use(Policy::add_then_continue);
  EXPECT_TRUE(pass().is_settled());
  EXPECT_EQ(names(), (std::vector<std::string>{ours}));
}

TEST_F(FinalizedReconcileTest, AWrongNameFailsEveryPassForGood) {
  FinalizedReconcile wrong(client, {.name = "cleanup"});
  const auto nothing = [](const Object&) { return Outcome(settled); };
  const Outcome outcome = wrong.run(create(), nothing, nothing, {});
  ASSERT_NE(outcome.as_failed(), nullptr);
  EXPECT_TRUE(outcome.as_failed()->is_terminal);
  EXPECT_NE(outcome.as_failed()->message.find("domain"), std::string::npos);
}

// ---- in a controller, with a status ----

class FinalizedControllerTest : public OperatorTest {};

// The order that a controller keeps: the status of a pass is written at its end, that of the last one before the object
// may go.
TEST_F(FinalizedControllerTest, KeepsItsOutsideInStepAndSaysSo) {
  std::set<std::string> outside;
  std::vector<std::string> last_words;
  std::unique_ptr<FinalizedReconcile> finalized;
  std::unique_ptr<StatusWriter> writer;
  const auto reconcile = [&](const Object& object, Context& ctx) -> Outcome {
    if (finalized == nullptr) {
      finalized = std::make_unique<FinalizedReconcile>(ctx.client(), FinalizerOptions{.name = ours});
      writer = std::make_unique<StatusWriter>(ctx.client());
    }
    StatusDraft status(object, ctx.runtime());
    const auto make = [&](const Object& latest, Context&) -> Outcome {
      status.works_on(latest);
      outside.insert(std::string(latest.name()));
      status.condition({.type = "Ready", .status = ConditionStatus::true_, .reason = "Made"});
      return settled;
    };
    const auto clean = [&](const Object& latest, Context&) -> Outcome {
      outside.erase(std::string(latest.name()));
      status.condition({.type = "Ready", .status = ConditionStatus::false_, .reason = "Gone"});
      return settled;
    };
    const auto before_removal = [&]() -> Result<void> {
      const auto flushed = writer->flush(status, ctx.stop_token());
      if (!flushed) return fail(flushed.error());
      last_words.emplace_back(find_condition(*flushed, "Ready")->reason);
      return {};
    };
    return writer->finish(finalized->run(object, ctx, make, clean, before_removal), status, ctx.stop_token());
  };
  start([&](Manager& manager) {
    // The definition with a status, and nothing else to do with it.
    manager.add(Controller<Harbour>{.reconcile = [](const Harbour&, Context&) -> Outcome { return settled; }});
    manager.add(Controller<Object>{.name = "finalized", .watch = Harbour::type, .reconcile = reconcile});
  });
  ASSERT_TRUE(simulation.wait_until([&] { return instance->manager().is_ready(); }));
  for (const char* name : {"a", "b"}) {
    ASSERT_TRUE(simulation.user().create(Harbour{.metadata = {.name = name, .namespace_ = "default"}}));
  }
  ASSERT_TRUE(simulation.settle());
  EXPECT_EQ(outside, (std::set<std::string>{"a", "b"}));
  const auto made = simulation.user().get(GroupVersionKind(Harbour::type), {"default", "a"});
  ASSERT_TRUE(made);
  EXPECT_TRUE(is_condition_true(*made, "Ready"));
  const std::uint64_t writes = simulation.server().writes();
  simulation.runtime().sleep_for(1h);
  EXPECT_EQ(simulation.server().writes(), writes) << "it comes to rest";

  ASSERT_TRUE(simulation.user().remove(Harbour::type, {"default", "a"}));
  ASSERT_TRUE(simulation.settle());
  EXPECT_EQ(outside, (std::set<std::string>{"b"}));
  EXPECT_EQ(simulation.server().objects("harbours.test.pintle.dev").size(), 1U);
  EXPECT_EQ(last_words, (std::vector<std::string>{"Gone"}));
  EXPECT_FALSE(log->has("failed"));
}

// A predicate that keeps the event of our own write out does not keep the object from being reconciled.
TEST_F(FinalizedControllerTest, EveryPolicyReconcilesOnceBehindAPredicateOfTheGeneration) {
  for (const Policy policy : all_policies) {
    SCOPED_TRACE(static_cast<int>(policy));
    int made = 0;
    int cleaned = 0;
    start([&](Manager& manager) {
      manager.add(Controller<Note>{.predicate = generation_changed(),
                                   .reconcile = [&](const Note&, Context&) -> Outcome {
                                     ++made;
                                     return settled;
                                   },
                                   .finalize = [&](const Note&, Context&) -> Outcome {
                                     ++cleaned;
                                     return settled;
                                   },
                                   .finalizer = ours,
                                   .finalizer_policy = policy});
    });
    ASSERT_TRUE(simulation.wait_until([&] { return instance->manager().is_ready(); }));
    create(note("a"));
    ASSERT_TRUE(simulation.settle());
    EXPECT_EQ(made, 1);
    ASSERT_TRUE(simulation.user().remove(Note::type, {"default", "a"}));
    ASSERT_TRUE(simulation.settle());
    EXPECT_EQ(cleaned, 1);
    EXPECT_TRUE(simulation.server().objects("notes.test.pintle.dev").empty());
    instance->stop();
  }
}

// ---- two operators, any order of things ----

// An operator as small as one can be: it looks at what is there, now and then at what was there a while ago, and dies
// now and then in the middle of what it does. What it makes outside is a set of uids.
class SmallOperator {
 public:
  SmallOperator(testing::Simulation& simulation, http::Handler& server, std::string name, Policy policy,
                std::uint64_t seed)
      : runtime_(simulation.runtime()),
        transport_(std::make_shared<http::MemoryTransport>(runtime_, server)),
        client_({.transport = transport_, .cluster = {.endpoint = std::make_shared<http::Endpoint>()}}),
        options_{.name = std::move(name), .policy = policy},
        random_(seed),
        reconciles_(std::make_unique<FinalizedReconcile>(client_, options_)),
        thread_(runtime_.spawn({.name = "operator"}, [this] { run(); })) {}
  ~SmallOperator() {
    stop_.request_stop();
    thread_.join();
    transport_->shutdown();
  }

  [[nodiscard]] const std::set<std::string>& outside() const { return outside_; }
  // No more accidents.
  void calm() { calm_ = true; }

 private:
  struct Death {};

  void run() {
    while (runtime_.sleep_for(std::chrono::milliseconds(random_.below(30)), stop_.get_token())) {
      if (calm_ || random_.below(3) != 0) look();
      const auto keys = keys_;
      for (const ObjectKey& key : keys) visit(key);
    }
  }
  void look() {
    const auto list = client_.list(ConfigMap::type, {.namespace_ = "default"});
    copy_.clear();
    for (const Object& object : list->items) {
      copy_[object.key()] = object;
      keys_.insert(object.key());
    }
  }
  void visit(const ObjectKey& key) {
    const auto finalize = [this](const Object& object) { return clean(object); };
    try {
      const auto object = copy_.find(key);
      if (object == copy_.end()) {
        (void)reconciles_->run_gone(key, finalize);
      } else {
        (void)reconciles_->run(
            object->second, [this](const Object& seen) { return make(seen); }, finalize, stop_.get_token());
      }
    } catch (const Death&) {
      reconciles_ = std::make_unique<FinalizedReconcile>(client_, options_);
    } catch (const std::runtime_error&) {}
  }
  Outcome make(const Object& object) {
    (void)accident();
    outside_.insert(std::string(object.uid()));
    return accident();
  }
  Outcome clean(const Object& object) {
    (void)accident();
    outside_.erase(std::string(object.uid()));
    return accident();
  }
  Outcome accident() {
    runtime_.sleep_for(std::chrono::milliseconds(random_.below(5)));
    const auto kind = calm_ ? 99 : random_.below(12);
    // One that dies without a finalizer cannot know: the policy says so.
    if (kind == 0 && options_.policy != Policy::add_after_success) throw Death{};
    if (kind == 1) throw std::runtime_error("an accident");
    if (kind == 2) return failed(make_error(ErrorCode::unavailable, "an accident"));
    if (kind == 3) return look_again_in(1s);
    return settled;
  }

  Runtime& runtime_;
  std::shared_ptr<http::MemoryTransport> transport_;
  Client client_;
  const FinalizerOptions options_;
  Random random_;
  std::unique_ptr<FinalizedReconcile> reconciles_;
  std::map<ObjectKey, Object> copy_;
  std::set<ObjectKey> keys_;
  std::set<std::string> outside_;
  std::atomic<bool> calm_ = false;
  std::stop_source stop_;
  Thread thread_;
};

// TX-10: two operators with two finalizers on one object, random interleaving: both cleanups run, both finalizers are
// removed, none is lost. TX-19: the server is never asked to add one to an object that is being deleted.
TEST(FinalizersOfTwoOperators, LoseNoCleanupInAnyOrderOfThings) {
  for (const std::uint64_t seed : testing::seeds({.usual = 150, .sanitized = 150})) {
    SCOPED_TRACE(seed);
    testing::Simulation simulation({.seed = seed});
    Witness witness(simulation.server());
    Random& random = simulation.random();
    SmallOperator first(simulation, witness, "first.dev/cleanup", all_policies[seed % 4], random.next());
    SmallOperator second(simulation, witness, "second.dev/cleanup", all_policies[seed / 4 % 4], random.next());
    Client& user = simulation.user();
    for (int step = 0; step < 15; ++step) {
      const ObjectKey key{"default", "n" + std::to_string(random.below(3))};
      const ConfigMap object{.metadata = {.name = key.name, .namespace_ = key.namespace_}};
      if (random.below(2) == 0) {
        (void)user.create(object);
      } else {
        ASSERT_TRUE(user.remove(ConfigMap::type, key));
      }
      simulation.runtime().sleep_for(std::chrono::milliseconds(random.below(40)));
    }
    first.calm();
    second.calm();
    for (int n = 0; n < 3; ++n) ASSERT_TRUE(user.remove(ConfigMap::type, {"default", "n" + std::to_string(n)}));
    EXPECT_TRUE(simulation.wait_until(
        [&] {
          return simulation.server().objects("configmaps").empty() && first.outside().empty() &&
                 second.outside().empty();
        },
        1min));
    EXPECT_TRUE(simulation.server().objects("configmaps").empty());
    EXPECT_EQ(first.outside().size(), 0U);
    EXPECT_EQ(second.outside().size(), 0U);
    EXPECT_EQ(witness.illegal, 0);
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace pintle
