// SPDX-License-Identifier: Apache-2.0
#include <pintle/controller/children.hpp>

#include <sstream>

#include "test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

json::Value child_map(const std::string& name) {
  return encode_for_apply(ConfigMap{.metadata = {.name = name, .namespace_ = "default"}});
}
std::string id(const std::string& name) { return "v1 ConfigMap default/" + name; }

std::vector<std::string> order_of(const ChildSet& set) {
  std::vector<std::string> names;
  const auto ordered = set.in_order();
  if (!ordered) return {ordered.error().message};
  for (const ChildSet::Child* child : *ordered) names.emplace_back(Object(child->intent).name());
  return names;
}

using Names = std::vector<std::string>;

TEST(ChildSet, IsSortedByDependencies) {
  ChildSet set;
  const std::string a = set.add(child_map("a"), {.after = {id("c")}});
  const std::string b = set.add(child_map("b"));
  const std::string c = set.add(child_map("c"), {.after = {b}});
  set.add(child_map("d"), {.after = {a, c}});
  EXPECT_EQ(a, id("a"));
  EXPECT_EQ(order_of(set), (Names{"b", "c", "a", "d"}));
}

TEST(ChildSet, WithoutDependenciesKeepsItsOrder) {
  ChildSet set;
  for (const char* name : {"z", "a", "m"}) set.add(child_map(name));
  EXPECT_EQ(order_of(set), (Names{"z", "a", "m"}));
}

TEST(ChildSet, NamesACycle) {
  ChildSet set;
  set.add(child_map("free"));
  set.add(child_map("tail"), {.after = {id("a")}});
  set.add(child_map("a"), {.after = {id("b")}});
  set.add(child_map("b"), {.after = {id("a")}});
  EXPECT_EQ(order_of(set), Names{"the dependencies of the children form a cycle: " + id("a") + " after " + id("b") +
                                 " after " + id("a")});
  ChildSet self;
  self.add(child_map("a"), {.after = {id("a")}});
  EXPECT_EQ(order_of(self), Names{"the dependencies of the children form a cycle: " + id("a") + " after " + id("a")});
}

TEST(ChildSet, RefusesInvalidSets) {
  ChildSet twice;
  twice.add(child_map("a"));
  twice.add(child_map("a"));
  EXPECT_EQ(order_of(twice), Names{"two children of the set have the id " + id("a")});
  ChildSet unknown;
  unknown.add(child_map("a"), {.after = {"x"}});
  EXPECT_EQ(order_of(unknown), Names{id("a") + " has \"x\" in `after`, which is not a child of this set"});
  ChildSet nameless;
  nameless.add(child_map(""));
  EXPECT_NE(order_of(nameless).front().find("metadata.name"), std::string::npos);
}

TEST(ConditionIsTrue, ChecksTheConditionOfTheCurrentGeneration) {
  const auto ready = [](const char* status) {
    return condition_is_true("Available")(
        *Object::parse(R"({"metadata":{"generation":2},"status":)" + std::string(status) + "}"));
  };
  EXPECT_TRUE(ready(R"({"conditions":[{"type":"Other","status":"False"},{"type":"Available","status":"True"}]})"));
  EXPECT_FALSE(ready(R"({"conditions":[{"type":"Available","status":"False"}]})"));
  EXPECT_FALSE(ready(R"({"conditions":[{"type":"Other","status":"True"}]})"));
  EXPECT_FALSE(ready("{}"));
  EXPECT_FALSE(ready(R"({"observedGeneration":1,"conditions":[{"type":"Available","status":"True"}]})"));
  EXPECT_TRUE(ready(R"({"observedGeneration":2,"conditions":[{"type":"Available","status":"True"}]})"));
  EXPECT_FALSE(ready(R"({"conditions":[{"type":"Available","status":"True","observedGeneration":1}]})"));
}

// The text of a note is the list of its children: "a b>a" means a, and b after a. A child is ready once it has data.
class ChildrenTest : public OperatorTest {
 protected:
  static bool has_data(const Object& object) { return object["/data/ready"].exists(); }

  Outcome reconcile(const Note& n, Context& ctx) {
    ChildSet children;
    std::istringstream words(n.spec.text);
    for (std::string word; words >> word;) {
      const std::size_t arrow = word.find('>');
      ChildOptions options{.ready = has_data, .adopt = adopts};
      if (arrow != std::string::npos) options.after = {id_of(word.substr(arrow + 1))};
      if (word.starts_with("S")) {
        children.add(Secret{.metadata = {.name = "s", .namespace_ = "default"}}, {.adopt = adopts});
      } else {
        children.add(ConfigMap{.metadata = {.name = word.substr(0, arrow), .namespace_ = "default"}}, options);
      }
    }
    last = ctx.apply(children);
    drifted.insert(drifted.end(), last.drifted.begin(), last.drifted.end());
    // This is the last statement, because a test that waits for the reconcile may then destroy this fixture.
    ++reconciles;
    return last;
  }
  static std::string id_of(const std::string& name) { return "v1 ConfigMap default/" + name; }
  void run_children(std::vector<Owns> owns = {ConfigMap::type}) {
    run({.owns = std::move(owns), .reconcile = [this](const Note& n, Context& ctx) { return reconcile(n, ctx); }});
  }
  void begin(const std::string& text) {
    run_children();
    create(note("n", text));
    ASSERT_TRUE(simulation.run_until_idle());
  }
  void becomes(const std::string& text) {
    set_text("n", text);
    ASSERT_TRUE(simulation.run_until_idle());
  }
  void make_ready(const std::string& name) {
    ASSERT_TRUE(simulation.user().patch(ConfigMap::type, {"default", name}, json::Value{{"data", {{"ready", "yes"}}}}));
    ASSERT_TRUE(simulation.run_until_idle());
  }
  [[nodiscard]] std::string there(const char* resource = "configmaps") {
    std::string names;
    for (const Object& object : simulation.server().objects(resource)) names += std::string(object.name()) + " ";
    return names;
  }
  [[nodiscard]] Object parent() { return simulation.server().objects("notes.test.pintle.dev").at(0); }

  int reconciles = 0;
  bool adopts = false;
  AppliedChildren last;
  Names drifted;
};

TEST_F(ChildrenTest, EachWaitsForItsDependencies) {
  begin("c>b b>a a");
  EXPECT_EQ(there(), "a ");
  EXPECT_EQ(last.not_ready, Names{id_of("a")});
  EXPECT_EQ(last.blocked, (Names{id_of("b"), id_of("c")}));
  EXPECT_FALSE(last.all_ready());
  make_ready("a");
  EXPECT_EQ(there(), "a b ");
  make_ready("b");
  make_ready("c");
  EXPECT_EQ(there(), "a b c ");
  EXPECT_TRUE(last.all_ready());
  EXPECT_EQ(last.objects.at(id_of("c")).name(), "c");
}

TEST_F(ChildrenTest, WaitingForReadinessCausesNoReconciles) {
  begin("b>a a");
  const int before = reconciles;
  simulation.executor().sleep_for(1h);
  EXPECT_EQ(reconciles, before);
}

TEST_F(ChildrenTest, UnwatchedChildrenCauseARequeue) {
  run_children({});
  create(note("n", "b>a a"));
  ASSERT_TRUE(simulation.wait_until([&] { return reconciles > 3; }));
  EXPECT_TRUE(last.outcome().is_requeue());
  make_ready("a");
  ASSERT_TRUE(simulation.wait_until([&] { return there() == "a b "; }));
}

// The change that makes a child ready may not cause a reconcile.
TEST_F(ChildrenTest, ChildrenWhosePredicateMayRejectChangesCauseARequeue) {
  run_children({Owns{ConfigMap::type, {.predicate = labels_changed()}}});
  create(note("n", "b>a a"));
  ASSERT_TRUE(simulation.wait_until([&] { return reconciles > 10; }));
  EXPECT_TRUE(last.outcome().is_requeue());
  make_ready("a");
  ASSERT_TRUE(simulation.wait_until([&] { return there() == "a b "; }));
}

TEST_F(ChildrenTest, ChildrenThatAreOnlyMappedCauseARequeue) {
  run({.watches = {{.kind = config_map, .map = [](const Object&) { return std::vector<ObjectKey>(); }}},
       .reconcile = [this](const Note& n, Context& ctx) { return reconcile(n, ctx); }});
  create(note("n", "b>a a"));
  ASSERT_TRUE(simulation.wait_until([&] { return reconciles > 10; }));
  EXPECT_TRUE(last.outcome().is_requeue());
  make_ready("a");
  ASSERT_TRUE(simulation.wait_until([&] { return there() == "a b "; }));
}

// The labels and annotations are those of KEP-3659.
TEST_F(ChildrenTest, MembersAndParentAreMarkedAsAnApplySet) {
  begin("a S");
  const Object made = simulation.server().objects("configmaps").at(0);
  const std::string_view set = made.label("applyset.kubernetes.io/part-of");
  EXPECT_TRUE(set.starts_with("applyset-") && set.ends_with("-v1"));
  EXPECT_EQ(made["/metadata/ownerReferences/0/uid"], parent().uid());
  EXPECT_EQ(made["/metadata/ownerReferences/0/controller"], true);
  EXPECT_EQ(parent().label("applyset.kubernetes.io/id"), set);
  EXPECT_EQ(parent().annotation("applyset.kubernetes.io/tooling"), "test-operator.note/v1");
  EXPECT_EQ(parent().annotation("applyset.kubernetes.io/contains-group-kinds"), "ConfigMap,Secret");
}

TEST_F(ChildrenTest, UndeclaredMembersArePruned) {
  begin("a b S");
  becomes("a");
  EXPECT_EQ(there(), "a ");
  EXPECT_EQ(there("secrets"), "");
  EXPECT_EQ(parent().annotation("applyset.kubernetes.io/contains-group-kinds"), "ConfigMap");
  becomes("");
  EXPECT_EQ(there(), "");
  EXPECT_EQ(parent().annotation("applyset.kubernetes.io/contains-group-kinds"), "");
}

// Another client removes the label of a member while no operator runs, and the next set does not contain that member.
TEST_F(ChildrenTest, AMemberWithoutItsLabelIsPruned) {
  begin("a b");
  instance.reset();
  ASSERT_TRUE(
      simulation.user().patch(ConfigMap::type, {"default", "b"}, json::Value{{"metadata", {{"labels", nullptr}}}}));
  set_text("n", "a");
  run_children();
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(there(), "a ");
}

TEST_F(ChildrenTest, AMemberOfAnUnwatchedKindWithoutItsLabelIsPruned) {
  run_children({});
  create(note("n", "a S"));
  ASSERT_TRUE(simulation.run_until_idle());
  ASSERT_TRUE(
      simulation.user().patch(Secret::type, {"default", "s"}, json::Value{{"metadata", {{"labels", nullptr}}}}));
  becomes("a");
  EXPECT_EQ(there("secrets"), "");
}

// A client replaces the parent by a manifest without its labels and annotations.
TEST_F(ChildrenTest, MembersOfOwnedKindsArePrunedAfterTheParentLostItsAnnotations) {
  for (const std::string rest : {"a", ""}) {
    instance.reset();
    run_children({ConfigMap::type, Secret::type});
    create(note("n" + rest, "a S"));
    ASSERT_TRUE(simulation.run_until_idle());
    const json::Value replaced{{"metadata", {{"labels", nullptr}, {"annotations", nullptr}}},
                               {"spec", {{"text", rest}}}};
    ASSERT_TRUE(simulation.user().patch(Note::type, {"default", "n" + rest}, replaced));
    ASSERT_TRUE(simulation.run_until_idle());
    EXPECT_EQ(there("secrets"), "");
    EXPECT_EQ(there(), rest.empty() ? "" : "a ");
    ASSERT_TRUE(simulation.user().remove(Note::type, {"default", "n" + rest}));
    ASSERT_TRUE(simulation.run_until_idle());
  }
}

TEST_F(ChildrenTest, AChildThatIsBeingDeletedIsNotReady) {
  begin("b>a a");
  make_ready("a");
  make_ready("b");
  ASSERT_TRUE(last.all_ready());
  const json::Value held{{"metadata", {{"finalizers", json::array{"test.pintle.dev/hold"}}}}};
  ASSERT_TRUE(simulation.user().patch(ConfigMap::type, {"default", "a"}, held));
  ASSERT_TRUE(simulation.user().remove(ConfigMap::type, {"default", "a"}));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(last.not_ready, Names{id_of("a")});
  EXPECT_EQ(last.blocked, Names{id_of("b")});
}

// An object that was never in a set is not pruned, although the reconciled object controls it: it comes from
// `ctx.apply()` or `ctx.create()`.
TEST_F(ChildrenTest, AChildThatIsInNoSetIsNeverPruned) {
  run({.owns = {ConfigMap::type}, .reconcile = [this](const Note& n, Context& ctx) -> Outcome {
         const auto alone = ctx.apply(ConfigMap{.metadata = owned_by(n, "alone")});
         return alone ? reconcile(n, ctx) : Outcome(alone);
       }});
  create(note("n", "a b"));
  ASSERT_TRUE(simulation.run_until_idle());
  becomes("a");
  EXPECT_EQ(there(), "a n-alone ");
}

TEST_F(ChildrenTest, TheLabelOfAMemberIsRestored) {
  begin("a");
  ASSERT_TRUE(
      simulation.user().patch(ConfigMap::type, {"default", "a"}, json::Value{{"metadata", {{"labels", nullptr}}}}));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(simulation.server().objects("configmaps").at(0).label("applyset.kubernetes.io/part-of"),
            parent().label("applyset.kubernetes.io/id"));
  EXPECT_EQ(drifted, Names{id_of("a")});
}

TEST_F(ChildrenTest, NothingIsPrunedBeforeAllMembersAreApplied) {
  begin("old");
  becomes("new2>new new");
  EXPECT_EQ(there(), "new old ");
  make_ready("new");
  EXPECT_EQ(there(), "new new2 ");
}

TEST_F(ChildrenTest, ObjectsWithoutOurOwnerReferenceAreNeverPruned) {
  begin("a mine");
  const std::string set(parent().label("applyset.kubernetes.io/id"));
  // A foreign object has the label of the set, and a member has lost its owner reference.
  ASSERT_TRUE(simulation.user().create(ConfigMap{.metadata = {
                                                     .name = "foreign",
                                                     .namespace_ = "default",
                                                     .labels = {{"applyset.kubernetes.io/part-of", set}},
                                                 }}));
  set_text("n", "a");
  ASSERT_TRUE(simulation.user().patch(ConfigMap::type, {"default", "a"},
                                      json::Value{{"metadata", {{"ownerReferences", json::array()}}}}));
  ASSERT_TRUE(simulation.run_until_idle());
  becomes("");
  EXPECT_NE(there().find("foreign "), std::string::npos);
  EXPECT_EQ(there().find("mine "), std::string::npos);
}

TEST_F(ChildrenTest, AMemberWithAFinalizerIsDeletedOnce) {
  begin("a");
  ASSERT_TRUE(
      simulation.user().patch(ConfigMap::type, {"default", "a"},
                              json::Value{{"metadata", {{"finalizers", json::array{"demo.pintle.dev/hold"}}}}}));
  becomes("b");
  EXPECT_EQ(there(), "a b ");
  const int before = reconciles;
  make_ready("b");
  ASSERT_GT(reconciles, before);
  EXPECT_TRUE(last.pruned.empty());
  ASSERT_TRUE(
      simulation.user().patch(ConfigMap::type, {"default", "a"}, json::Value{{"metadata", {{"finalizers", nullptr}}}}));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(there(), "b ");
}

TEST_F(ChildrenTest, UnwatchedKindsAreListedOnlyWhenTheSetChanges) {
  run_children({});
  create(note("n", "S"));
  ASSERT_TRUE(simulation.run_until_idle());
  std::vector<std::string> lists;
  instance->transport().set_faults({{.effect = http::Delay{}, .only = [&](const http::Request& request) {
                                       const auto target = http::parse_target(request.target);
                                       if (target.path.ends_with("/secrets")) lists.push_back(request.target);
                                       return false;
                                     }}});
  const int before = reconciles;
  ASSERT_TRUE(simulation.user().patch(Note::type, {"default", "n"},
                                      json::Value{{"metadata", {{"labels", {{"some", "label"}}}}}}));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_GT(reconciles, before);
  EXPECT_TRUE(lists.empty());
  becomes("");
  EXPECT_EQ(lists.size(), 1U);
  EXPECT_EQ(there("secrets"), "");
}

TEST_F(ChildrenTest, NothingIsSentWhenNothingWouldChange) {
  begin("a S");
  make_ready("a");
  const std::uint64_t version = simulation.server().resource_version();
  ASSERT_TRUE(simulation.user().patch(Note::type, {"default", "n"},
                                      json::Value{{"metadata", {{"labels", {{"some", "label"}}}}}}));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(simulation.server().resource_version(), version + 1) << "the change of the user";
}

TEST_F(ChildrenTest, AnAppliedSetOfWatchedKindsCostsNoRequest) {
  begin("a b");
  const std::uint64_t calls = instance->transport().calls();
  const int before = reconciles;
  ASSERT_TRUE(simulation.user().patch(Note::type, {"default", "n"},
                                      json::Value{{"metadata", {{"labels", {{"some", "label"}}}}}}));
  ASSERT_TRUE(simulation.wait_until([&] { return reconciles > before; }));
  EXPECT_EQ(instance->transport().calls(), calls);
}

TEST_F(ChildrenTest, DriftIsUndoneAndReported) {
  begin("a");
  EXPECT_TRUE(drifted.empty());
  ASSERT_TRUE(simulation.user().patch(
      ConfigMap::type, {"default", "a"},
      json::Value{{"metadata", {{"labels", json::object{{"applyset.kubernetes.io/part-of", "x"}}}}}}));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(simulation.server().objects("configmaps").at(0).label("applyset.kubernetes.io/part-of"),
            parent().label("applyset.kubernetes.io/id"));
  EXPECT_EQ(drifted, Names{id_of("a")});
  ASSERT_TRUE(simulation.user().remove(ConfigMap::type, {"default", "a"}));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(there(), "a ");
  EXPECT_EQ(drifted.size(), 2U);
  EXPECT_TRUE(log->has("another client changed or deleted a child"));
}

TEST_F(ChildrenTest, AForeignObjectIsRefusedUnlessItIsAdopted) {
  ASSERT_TRUE(simulation.user().create(ConfigMap{.metadata = {.name = "a", .namespace_ = "default"}}));
  run_children();
  create(note("n", "a b>a c"));
  ASSERT_TRUE(simulation.wait_until([&] { return reconciles > 2; }));
  ASSERT_TRUE(last.error);
  EXPECT_EQ(last.error->code, ErrorCode::not_owned);
  EXPECT_EQ(last.blocked, Names{id_of("b")});
  EXPECT_EQ(there(), "a c ") << "independent children are applied";
  adopts = true;
  ASSERT_TRUE(simulation.wait_until([&] { return !last.error; }));
  EXPECT_EQ(simulation.server().objects("configmaps").at(0)["/metadata/ownerReferences/0/name"], "n");
}

TEST_F(ChildrenTest, AnInvalidSetFailsTerminallyBeforeAnythingIsSent) {
  begin("x a>b b>a");
  EXPECT_EQ(there(), "");
  ASSERT_TRUE(last.error);
  EXPECT_TRUE(last.error->is_terminal);
  EXPECT_EQ(reconciles, 1);
  EXPECT_FALSE(parent().labels().exists());
}

TEST_F(ChildrenTest, TheSetOfAnotherToolIsNotChanged) {
  begin("a");
  ASSERT_TRUE(simulation.user().patch(
      Note::type, {"default", "n"},
      json::Value{{"metadata", {{"annotations", json::object{{"applyset.kubernetes.io/tooling", "kubectl/v1.30"}}}}}}));
  set_text("n", "");
  ASSERT_TRUE(simulation.wait_until([&] { return last.error.has_value(); }));
  EXPECT_EQ(last.error->code, ErrorCode::not_owned);
  EXPECT_NE(last.error->message.find("kubectl/v1.30"), std::string::npos);
  EXPECT_NE(last.error->message.find("remove the annotation applyset.kubernetes.io/tooling"), std::string::npos);
  EXPECT_EQ(there(), "a ");
}

TEST_F(ChildrenTest, AnIdOfAnotherObjectIsRefused) {
  run_children();
  Note copy = note("n", "a");
  copy.metadata.labels = {{"applyset.kubernetes.io/id", "applyset-x-v1"}};
  create(copy);
  ASSERT_TRUE(simulation.wait_until([&] { return last.error.has_value(); }));
  EXPECT_EQ(last.error->code, ErrorCode::not_owned);
  EXPECT_EQ(there(), "");
}

TEST_F(ChildrenTest, AChildInAnotherNamespaceIsRefused) {
  std::optional<Error> refused;
  run({.reconcile = [&](const Note&, Context& ctx) -> Outcome {
    ChildSet children;
    children.add(ConfigMap{.metadata = {.name = "a", .namespace_ = "kube-system"}});
    refused = ctx.apply(children).error;
    return done;
  }});
  create(note("n"));
  ASSERT_TRUE(simulation.run_until_idle());
  ASSERT_TRUE(refused);
  EXPECT_NE(refused->message.find("set metadata.namespace to default"), std::string::npos);
}

TEST_F(ChildrenTest, AChildOfAKindWithoutNamespacesIsRefused) {
  std::vector<Error> refused;
  run({.reconcile = [&](const Note&, Context& ctx) -> Outcome {
    for (const char* metadata : {R"({"name":"a","namespace":"default"})", R"({"name":"a"})"}) {
      ChildSet children;
      children.add(json::Value{{"apiVersion", "rbac.authorization.k8s.io/v1"},
                               {"kind", "ClusterRole"},
                               {"metadata", *json::parse(metadata)}});
      if (const auto error = ctx.apply(children).error) refused.push_back(*error);
    }
    return done;
  }});
  create(note("n"));
  ASSERT_TRUE(simulation.run_until_idle());
  ASSERT_EQ(refused.size(), 2U);
  for (const Error& error : refused) {
    EXPECT_NE(error.message.find("a ClusterRole has no namespace, but its owner Note default/n has one"),
              std::string::npos)
        << error.message;
    EXPECT_TRUE(error.is_terminal);
  }
}

TEST_F(ChildrenTest, AFirstEmptySetWritesNothing) {
  begin("");
  EXPECT_FALSE(parent().labels().exists());
}

// One instance crashes at each call of a change of the set, and the next one prunes the remaining children.
TEST(ChildrenUnderFaults, CrashesAtAnyCallLeaveNoOrphans) {
  const auto live = [](testkit::Simulation& simulation, const std::string& text, http::FaultPlan faults) {
    testkit::Instance instance(simulation, {.name = "op", .log_level = LogLevel::off}, [](Manager& manager) {
      manager.add(Controller<Note>{.owns = {ConfigMap::type}, .reconcile = [](const Note& n, Context& ctx) -> Outcome {
                                     ChildSet children;
                                     std::istringstream words(n.spec.text);
                                     for (std::string word; words >> word;) {
                                       const Metadata metadata{.name = word, .namespace_ = "default"};
                                       if (word.starts_with("s")) {
                                         children.add(Secret{.metadata = metadata});
                                       } else {
                                         children.add(ConfigMap{.metadata = metadata});
                                       }
                                     }
                                     return ctx.apply(children);
                                   }});
    });
    instance.start();
    EXPECT_TRUE(simulation.wait_until([&] { return instance.manager().is_ready(); }));
    instance.transport().set_faults(std::move(faults));
    (void)simulation.user().create(note("n", "a b s1 s2"));
    EXPECT_TRUE(simulation.run_until_idle());
    EXPECT_TRUE(simulation.user().patch(Note::type, {"default", "n"}, json::Value{{"spec", {{"text", text}}}}));
    EXPECT_TRUE(simulation.run_until_idle());
    const std::uint64_t calls = instance.transport().calls();
    instance.crash();
    return calls;
  };
  const auto left = [](testkit::Simulation& simulation) {
    std::string names;
    for (const char* resource : {"configmaps", "secrets"}) {
      for (const Object& object : simulation.server().objects(resource)) names += std::string(object.name()) + " ";
    }
    return names;
  };
  std::uint64_t calls = 0;
  {
    testkit::Simulation simulation({.seed = 1});
    calls = live(simulation, "b c", {});
    EXPECT_EQ(left(simulation), "b c ");
  }
  for (std::uint64_t call = 1; call <= calls; ++call) {
    for (const bool after_commit : {false, true}) {
      SCOPED_TRACE(::testing::Message() << "call " << call << (after_commit ? ", after" : ""));
      testkit::Simulation simulation({.seed = call});
      (void)live(simulation, "b c", {{.effect = http::Crash{.after_commit = after_commit}, .first = call}});
      (void)live(simulation, "b c", {});
      ASSERT_EQ(left(simulation), "b c ");
    }
  }
}

}  // namespace
}  // namespace pintle
