// SPDX-License-Identifier: Apache-2.0
// The checks finalizers, ready and hot-keys.
#include <pintle/base/executor.hpp>

#include "test_support.hpp"

namespace pintle::doctor {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const ObjectKey hello{"default", "hello"};

class BrokenObjects : public DoctorTest {
 protected:
  // The lines of one check.
  std::vector<Line> problems_of(const std::string& check) {
    std::vector<Line> lines = problems();
    std::erase_if(lines, [&](const Line& line) { return line.check != check; });
    return lines;
  }
  void create_greetings(int count, const std::string& finalizers = "[]") {
    for (int i = 0; i < count; ++i) {
      create("{apiVersion: demo.pintle.dev/v1, kind: Greeting, metadata: {name: g" + std::to_string(i) +
             ", namespace: default, finalizers: " + finalizers + "}, spec: {who: you}}");
    }
  }
};
using BrokenFinalizer = BrokenObjects;
using BrokenNamespace = BrokenObjects;
using UnreadyKind = BrokenObjects;
using HotKey = BrokenObjects;

TEST_F(BrokenFinalizer, ThatIsNeverRemoved) {
  remove_webhook();
  create_greetings(1, "[example.com/clean-up]");
  remove(greeting_kind, {"default", "g0"});
  EXPECT_THAT(problems_of("finalizers"), IsEmpty()) << "the deletion has just begun";

  simulation_.executor().sleep_for(12min);
  EXPECT_THAT(problems_of("finalizers"),
              ElementsAre(AllOf(IsLine(failed, "finalizers", "demo.pintle.dev/v1 Greeting default/g0",
                                       "was deleted 12m ago and waits for finalizers: example.com/clean-up",
                                       "kubectl patch greetings.demo.pintle.dev -n default g0 --type json"),
                                Field(&Line::action, HasSubstr("the program that owns them (user)")))));
  options_.stuck_after = 1h;
  EXPECT_THAT(problems_of("finalizers"), IsEmpty());
}

// A program that reconciles a built-in kind prints no CRD.
TEST_F(BrokenFinalizer, OfABuiltInKindThatTheProgramReconciles) {
  crds_.clear();
  roles_ = R"(
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: greeter}
rules:
- {apiGroups: [apps], resources: [replicasets], verbs: [get, list, patch, watch]}
- {apiGroups: [""], resources: [configmaps], verbs: [create, delete, get, list, patch, watch]}
- {apiGroups: [""], resources: [services], verbs: [get, list, watch]}
)";
  for (const char* kind :
       {"{apiVersion: v1, kind: ConfigMap,", "{apiVersion: v1, kind: Service, spec: {ports: [{port: 1}]},"}) {
    create(std::string(kind) + " metadata: {name: child, namespace: default, finalizers: [example.com/clean-up]}}");
  }
  create(R"({apiVersion: apps/v1, kind: ReplicaSet, metadata: {name: set, namespace: default,
    finalizers: [example.com/clean-up]}, spec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}},
    spec: {containers: [{name: a, image: a}]}}}})");
  remove({"apps/v1", "ReplicaSet"}, {"default", "set"});
  remove({"v1", "ConfigMap"}, {"default", "child"});
  remove({"v1", "Service"}, {"default", "child"});
  simulation_.executor().sleep_for(12min);
  EXPECT_THAT(problems_of("finalizers"),
              ElementsAre(IsLine(failed, "finalizers", "apps/v1 ReplicaSet default/set",
                                 "waits for finalizers: example.com/clean-up",
                                 "kubectl patch replicasets.apps -n default set --type json")));
}

TEST_F(UnreadyKind, OfAProgramWithoutKindsIsNotChecked) {
  crds_.clear();
  roles_ = R"({apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: greeter},
    rules: [{apiGroups: [""], resources: [nodes], verbs: [get, list, watch]}]})";
  for (const char* check : {"finalizers", "ready", "hot-keys"}) {
    EXPECT_THAT(problems_of(check),
                ElementsAre(IsLine(skip, check, "objects", "greeter --leader-elect prints neither CRDs nor a role",
                                   "without the program")))
        << check;
  }
}

TEST_F(BrokenFinalizer, OfManyObjectsIsReportedInFewLines) {
  remove_webhook();
  create_greetings(8, "[example.com/clean-up]");
  for (int i = 0; i < 8; ++i) remove(greeting_kind, {"default", "g" + std::to_string(i)});
  simulation_.executor().sleep_for(12min);
  const auto lines = problems_of("finalizers");
  EXPECT_EQ(lines.size(), 6U);
  EXPECT_THAT(lines, Contains(IsLine(failed, "finalizers", "Greeting", "3 more objects", "kubectl get greetings")));
}

TEST_F(BrokenNamespace, ThatIsTerminatingBecauseOfAnObject) {
  create("{apiVersion: v1, kind: Namespace, metadata: {name: old}}");
  create("{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: old, finalizers: [example.com/keep]}}");
  remove(namespace_type, {.name = "old"});
  simulation_.executor().sleep_for(30min);
  EXPECT_THAT(problems_of("finalizers"),
              ElementsAre(AllOf(IsLine(failed, "finalizers", "Namespace old",
                                       "example.com/keep in 1 resource instances", "kubectl get -n old"),
                                Field(&Line::detail, Not(HasSubstr("successfully"))))));
}

TEST_F(UnreadyKind, WhoseObjectsAllFail) {
  patch(greeting_kind, hello, R"({status: {conditions: [{type: Ready, status: "False", reason: Failed,
    message: "the door is closed", lastTransitionTime: "2026-01-01T00:00:00Z"}]}})",
        "status");
  EXPECT_THAT(
      problems(),
      ElementsAre(AllOf(IsLine(failed, "ready", "demo.pintle.dev/v1 Greeting", "1 of 1 objects are not ready",
                               "kubectl describe greetings.demo.pintle.dev -n default hello"),
                        Field(&Line::detail, HasSubstr("Failed (1), for example default/hello: the door is closed")),
                        Field(&Line::action, HasSubstr("--plan Greeting/default/hello")))));
}

TEST_F(UnreadyKind, WithTooManyObjectsIsCheckedInPart) {
  remove_webhook();
  create_greetings(4);
  options_.max_objects = 3;
  EXPECT_THAT(problems_of("ready"), ElementsAre(IsLine(skip, "ready", "Greeting", "only the first 3 objects",
                                                       "kubectl get greetings.demo.pintle.dev --all-namespaces")));
}

TEST_F(UnreadyKind, OfWhichSomeObjectsAreUnknown) {
  remove_webhook();
  create_greetings(2);
  for (const char* name : {"g0", "g1"}) {
    patch(greeting_kind, {"default", name}, R"({status: {conditions: [{type: Ready, status: Unknown, reason: Waiting,
      message: "", lastTransitionTime: "2026-01-01T00:00:00Z"}]}})",
          "status");
  }
  EXPECT_THAT(
      problems_of("ready"),
      ElementsAre(IsLine(warn, "ready", "Greeting", "2 of 3 objects are not ready; most frequent reason: Waiting (2)",
                         "kubectl describe")));
}

// Writes a Greeting at this interval while the checks run.
class Writer {
 public:
  Writer(testkit::Simulation& simulation, Duration interval)
      : thread_(simulation.executor().spawn({.name = "writer"}, [this, &simulation, interval] {
          int number = 0;
          while (simulation.executor().sleep_for(interval, stop_.get_token())) {
            (void)simulation.user().patch(greeting_kind, hello,
                                          json::Value{{"spec", {{"who", std::to_string(++number)}}}},
                                          WriteOptions{.field_manager = "noisy"});
          }
        })) {}
  ~Writer() { stop_.request_stop(); }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

 private:
  std::stop_source stop_;
  Thread thread_;
};

TEST_F(HotKey, ThatAProgramWritesInALoop) {
  remove_webhook();
  const Writer writer(simulation_, 200ms);
  EXPECT_THAT(problems_of("hot-keys"),
              ElementsAre(AllOf(IsLine(warn, "hot-keys", "Greeting default/hello", "times in 3s",
                                       "kubectl get greetings.demo.pintle.dev -n default hello -o yaml"),
                                Field(&Line::detail, HasSubstr("the last writer is noisy")))));
}

TEST_F(HotKey, IsNoneThatChangesOnceASecond) {
  remove_webhook();
  const Writer writer(simulation_, 1100ms);
  EXPECT_THAT(problems_of("hot-keys"), IsEmpty());
}

TEST_F(HotKey, IsNotSearchedWithoutATime) {
  options_.watch_for = 0s;
  EXPECT_THAT(problems(), ElementsAre(IsLine(skip, "hot-keys", "objects", "--watch-for is 0", "set --watch-for")));
}

}  // namespace
}  // namespace pintle::doctor
