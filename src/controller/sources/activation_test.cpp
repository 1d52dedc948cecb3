// SPDX-License-Identifier: Apache-2.0
// Owned kinds that are active only under a condition: the server serves them, or an object needs them.
#include <gmock/gmock.h>

#include "controller/test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A kind of another operator, whose CRD may be missing.
struct Monitor {
  static constexpr Type type{"monitoring.example.com/v1", "Monitor"};
  struct Spec {
    std::string text{};
    static constexpr auto fields() { return pintle::fields(field("text", &Spec::text, "Any text.")); }
  };
  Metadata metadata{};
  Spec spec{};
};

const GroupVersionKind monitor{Monitor::type};
const ObjectKey monitors_crd{.name = "monitors.monitoring.example.com"};
const GroupVersionKind crds("apiextensions.k8s.io/v1", "CustomResourceDefinition");

bool is_monitored(const Note& note) { return note.spec.text == "monitored"; }

// The operator applies a ConfigMap and a Monitor for each note, and a Secret after the Monitor.
class Activation : public OperatorTest {
 protected:
  void begin(OwnsOptions options) {
    run({.owns = {ConfigMap::type, Secret::type, Owns{Monitor::type, std::move(options)}},
         .reconcile = [this](const Note& n, Context& ctx) -> Outcome {
           ++reconciles;
           activation_causes +=
               static_cast<int>(std::count_if(ctx.causes().begin(), ctx.causes().end(), [](const ReconcileCause& one) {
                 return one.source == ReconcileCause::Source::activation;
               }));
           ChildSet children;
           children.add(ConfigMap{.metadata = owned_by(n)});
           const std::string id = children.add(Monitor{.metadata = owned_by(n), .spec = {.text = n.spec.text}});
           children.add(Secret{.metadata = owned_by(n)}, {.after = {id}});
           applied = ctx.apply(children);
           pruned.insert(pruned.end(), applied.pruned.begin(), applied.pruned.end());
           is_active = ctx.is_active(monitor);
           return applied;
         }});
    instance->transport().set_faults({{.effect = http::Delay{}, .only = [this](const http::Request& request) {
                                         if (request.target.find("/monitors") != std::string::npos)
                                           requests.push_back(request.method + " " + request.target);
                                         return false;
                                       }}});
  }
  void install() {
    ASSERT_TRUE(simulation.user().create(crd_of<Monitor>()));
    simulation.user().invalidate_discovery(monitor);
    simulation.executor().sleep_for(1s);
  }
  void settle() { ASSERT_TRUE(simulation.run_until_idle()) << log->lines().back(); }
  [[nodiscard]] bool exists(const GroupVersionKind& kind, const std::string& name) {
    return static_cast<bool>(simulation.user().get(kind, {"default", name}));
  }
  [[nodiscard]] bool is_watched() const {
    return log->count("a kind is watched from now on") > log->count("a kind is not watched any more");
  }

  AppliedChildren applied;
  std::vector<std::string> pruned;
  bool is_active = false;
  int reconciles = 0;
  int activation_causes = 0;
  std::vector<std::string> requests;
};

TEST_F(Activation, AChildWhoseKindIsNotServedIsLeftOutUntilItIs) {
  begin({.if_served = true});
  create(note("a"));
  settle();
  EXPECT_FALSE(is_active);
  EXPECT_FALSE(applied.error) << applied.error->to_string();
  EXPECT_THAT(applied.inactive, ElementsAre(HasSubstr("Monitor default/a"), HasSubstr("Secret default/a")));
  EXPECT_TRUE(exists(config_map, "a"));
  EXPECT_FALSE(exists(GroupVersionKind(Secret::type), "a")) << "it depends on the monitor";
  const int before = reconciles;
  simulation.executor().sleep_for(1h);
  EXPECT_EQ(reconciles, before) << "a kind that is not served is no failure";

  install();
  ASSERT_TRUE(simulation.wait_until([&] { return exists(monitor, "a"); }, 5min));
  settle();
  EXPECT_TRUE(is_active);
  EXPECT_EQ(activation_causes, 1);
  EXPECT_THAT(applied.inactive, IsEmpty());
  EXPECT_TRUE(exists(GroupVersionKind(Secret::type), "a"));

  ASSERT_TRUE(simulation.user().remove(crds, monitors_crd));
  ASSERT_TRUE(simulation.wait_until([&] { return !is_active; }, 5min));
  settle();
  EXPECT_FALSE(applied.error);
  EXPECT_FALSE(exists(GroupVersionKind(Secret::type), "a")) << "a child after an inactive one is pruned";
  install();
  EXPECT_TRUE(simulation.wait_until([&] { return exists(monitor, "a"); }, 5min)) << "a second time";
}

TEST_F(Activation, AKindIsWatchedOnlyWhileAnObjectNeedsIt) {
  install();
  begin({.active_when = typed_condition<Note>(is_monitored)});
  create(note("a"));
  settle();
  simulation.executor().sleep_for(1h);
  EXPECT_THAT(requests, IsEmpty()) << "neither a list nor a watch nor an apply";
  EXPECT_FALSE(is_watched());
  EXPECT_FALSE(is_active);

  set_text("a", "monitored");
  settle();
  EXPECT_TRUE(is_active);
  EXPECT_TRUE(exists(monitor, "a"));
  simulation.executor().sleep_for(1min);
  EXPECT_TRUE(is_watched());
  const int before = reconciles;
  ASSERT_TRUE(simulation.user().remove(monitor, {"default", "a"}));
  settle();
  EXPECT_GT(reconciles, before) << "the kind is watched";
  EXPECT_TRUE(exists(monitor, "a")) << "and the child is restored";

  set_text("a", "x");
  settle();
  EXPECT_THAT(pruned, ElementsAre(HasSubstr("Monitor default/a"), HasSubstr("Secret default/a")));
  EXPECT_FALSE(exists(monitor, "a"));
  simulation.executor().sleep_for(2min);
  EXPECT_FALSE(is_watched());
  requests.clear();
  simulation.executor().sleep_for(1h);
  EXPECT_THAT(requests, IsEmpty()) << "the watch has ended";
  EXPECT_TRUE(instance->manager().is_ready());

  set_text("a", "monitored");
  settle();
  EXPECT_TRUE(exists(monitor, "a")) << "a second time";
  simulation.executor().sleep_for(1min);
  EXPECT_TRUE(is_watched());
}

TEST_F(Activation, TheWatchContinuesWhileAnotherObjectNeedsTheKind) {
  install();
  begin({.active_when = typed_condition<Note>(is_monitored)});
  create(note("a", "monitored"));
  create(note("b", "monitored"));
  settle();
  set_text("a", "x");
  settle();
  ASSERT_TRUE(simulation.user().remove(Note::type, {"default", "b"}));
  create(note("b", "monitored"));
  settle();
  simulation.executor().sleep_for(10min);
  EXPECT_TRUE(is_watched()) << "b needs it";
  EXPECT_FALSE(exists(monitor, "a"));
  EXPECT_TRUE(exists(monitor, "b"));
  ASSERT_TRUE(simulation.user().remove(Note::type, {"default", "b"}));
  simulation.executor().sleep_for(10min);
  EXPECT_FALSE(is_watched()) << "nobody needs it after the deletion of the last object";
}

TEST_F(Activation, AConditionThatChangesBackWithinAMinuteCausesNoSecondList) {
  install();
  begin({.active_when = typed_condition<Note>(is_monitored)});
  create(note("a", "monitored"));
  settle();
  const auto lists = [&] {
    return std::count_if(requests.begin(), requests.end(), [](const std::string& one) {
      return one.starts_with("GET") && one.find("/monitors?") != std::string::npos &&
             (one.find("watch=") == std::string::npos || one.find("sendInitialEvents=true") != std::string::npos);
    });
  };
  simulation.executor().sleep_for(1min);
  const auto before = lists();
  EXPECT_GE(before, 1);
  for (int round = 0; round < 5; ++round) {
    set_text("a", "x");
    simulation.executor().sleep_for(20s);
    EXPECT_FALSE(exists(monitor, "a"));
    set_text("a", "monitored");
    simulation.executor().sleep_for(20s);
    EXPECT_TRUE(exists(monitor, "a"));
  }
  EXPECT_EQ(lists(), before) << ::testing::PrintToString(requests);
}

TEST_F(Activation, AKindThatIsNeededBeforeItIsServedIsWatchedWhenItComes) {
  begin({.if_served = true, .active_when = typed_condition<Note>(is_monitored)});
  create(note("a", "monitored"));
  create(note("b"));
  settle();
  simulation.executor().sleep_for(10min);
  EXPECT_TRUE(instance->manager().is_ready());
  EXPECT_EQ(log->count("the cluster does not serve a kind"), 1U);
  const int before = reconciles;
  install();
  ASSERT_TRUE(simulation.wait_until([&] { return exists(monitor, "a"); }, 5min));
  settle();
  EXPECT_LE(reconciles, before + 3)
      << "only the object that needs the kind is reconciled: for the kind, and for each new child";
  EXPECT_FALSE(exists(monitor, "b"));
}

TEST_F(Activation, AKindThatNobodyNeedsIsNotAwaited) {
  begin({.if_served = true, .active_when = typed_condition<Note>(is_monitored)});
  create(note("a", "monitored"));
  settle();
  set_text("a", "x");
  settle();
  simulation.executor().sleep_for(2min);
  const std::uint64_t calls = instance->transport().calls();
  simulation.executor().sleep_for(10h);
  EXPECT_LE(instance->transport().calls() - calls, 10 * 150U) << "no discovery, only the watches of three kinds";
  install();
  simulation.executor().sleep_for(10min);
  EXPECT_FALSE(is_watched());
  EXPECT_FALSE(log->has("the cluster serves the kind now"));
}

TEST_F(Activation, ADirectApplyOfAnInactiveKindIsAnError) {
  install();
  std::optional<Error> error;
  run({.owns = {Owns{Monitor::type, {.active_when = typed_condition<Note>(is_monitored)}}},
       .reconcile = [&](const Note& n, Context& ctx) -> Outcome {
         const auto made = ctx.apply(Monitor{.metadata = owned_by(n)});
         error = made ? std::nullopt : std::optional(made.error());
         return done;
       }});
  create(note("a"));
  settle();
  ASSERT_TRUE(error);
  EXPECT_TRUE(error->is_terminal);
  EXPECT_THAT(error->to_string(), HasSubstr("the .active_when of this kind is false for"));
  set_text("a", "monitored");
  settle();
  EXPECT_FALSE(error) << error->to_string();
}

TEST_F(Activation, AConditionThatThrowsCountsAsTrue) {
  install();
  begin({.active_when = [](const Object&) -> bool { throw std::runtime_error("broken"); }});
  create(note("a"));
  settle();
  EXPECT_TRUE(exists(monitor, "a"));
  EXPECT_TRUE(log->has("function=owns.active_when"));
}

TEST_F(Activation, AKindCannotBeRequiredUnderACondition) {
  start([](Manager& manager) {
    manager.add(Controller<Note>{
        .owns = {Owns{Monitor::type, {.required = true, .active_when = typed_condition<Note>(is_monitored)}}},
        .reconcile = [](const Note&, Context&) -> Outcome { return done; }});
  });
  instance->join();
  ASSERT_FALSE(instance->started());
  EXPECT_THAT(instance->started().error().to_string(), HasSubstr("owns Monitor with both .required and .active_when"));
}

}  // namespace
}  // namespace pintle
