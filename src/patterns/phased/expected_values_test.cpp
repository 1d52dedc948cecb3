// SPDX-License-Identifier: Apache-2.0
// A ListPhase whose expected objects have values that the server stores in another form, or refuses.
#include <gmock/gmock.h>

#include <pintle/api/everyday.hpp>
#include <pintle/json/pointer.hpp>
#include <pintle/patterns/phased.hpp>

#include "../operator_test_support.hpp"

namespace pintle::phased {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// Expects objects from JSON texts, with the name and the owner reference of a child of the bucket.
class Texts final : public ListPhase<Bucket> {
 public:
  std::string name() const override { return "Texts"; }
  Outcome read(const Bucket& bucket, Context& context, ObjectLists& lists) override {
    for (const std::string& text : texts) {
      const json::Value whole = encode_for_apply(ConfigMap{.metadata = owned_by(bucket, "1")});
      json::Value object = *json::parse(text);
      for (const auto& [member, value] : json::find(whole, "/metadata")->as_object()) {
        if (!json::set(object, "/metadata/" + std::string(member), value)) return fail(ErrorCode::invalid, text);
      }
      lists.expected.push_back(std::move(object));
    }
    for (const GroupVersionKind& kind : kinds) {
      if (Outcome found = lists.find(context, kind, {}); !found.is_done()) return found;
    }
    return done;
  }

  std::vector<std::string> texts{};
  std::vector<GroupVersionKind> kinds{};
};

class ExpectedValuesTest : public BucketOperatorTest {
 protected:
  void run_over_one(const GroupVersionKind& kind, const std::string& text) {
    texts->texts = {text};
    texts->kinds = {kind};
    auto controller = StdK8sReconciler<K8sReconciler<Bucket>>{
        .reconciler = std::make_shared<K8sReconciler<Bucket>>(),
        .phases = {texts}}.controller();
    controller.owns = {kind};
    controller.resync_period = 1min;
    run(std::move(controller));
    create("a");
    simulation.executor().sleep_for(10s);
  }
  [[nodiscard]] Object child() { return simulation.user().get(texts->kinds[0], {"default", "a-1"}).value_or(Object()); }
  // Expects at most one request without an effect, and no Event about it, in an hour of reconciles.
  void expect_no_updates() {
    const std::string version(child().resource_version());
    ASSERT_FALSE(version.empty());
    const auto patches = std::make_shared<int>(0);  // the rule stays in force
    set_faults({{.effect = http::Delay{1ms}, .only = [patches](const http::Request& request) {
                   return request.method != "GET" && request.target.find("/events") == std::string::npos &&
                          ++*patches > 0;
                 }}});
    const std::size_t reconciles_before = outcomes.size();
    simulation.executor().sleep_for(1h);
    EXPECT_GE(outcomes.size(), reconciles_before + 50);
    EXPECT_LE(*patches, 1);
    EXPECT_EQ(child().resource_version(), version);
    EXPECT_THAT(events(), Not(Contains(HasSubstr("UpdateCompleted"))));
    EXPECT_EQ(reconciles("error"), 0);
  }

  std::shared_ptr<Texts> texts = std::make_shared<Texts>();
};

constexpr const char* text_of_deployment = R"({"apiVersion":"apps/v1","kind":"Deployment","spec":{
    "selector":{"matchLabels":{"app":"a"}},"template":{"metadata":{"labels":{"app":"a"},"annotations":{}},
    "spec":{"containers":[{"name":"c","image":"i","resources":{"limits":{"cpu":"1000m"}}}]}}}})";

TEST_F(ExpectedValuesTest, ANormalizedQuantityIsSentOnce) {
  run_over_one({"apps/v1", "Deployment"}, text_of_deployment);
  EXPECT_EQ(child()["/spec/template/spec/containers/0/resources/limits/cpu"], "1") << child().print();
  expect_no_updates();

  ASSERT_TRUE(simulation.user().patch(texts->kinds[0], {"default", "a-1"},
                                      json::Value{{"metadata", {{"labels", {{phase_label, "other"}}}}}}));
  simulation.executor().sleep_for(2min);
  EXPECT_EQ(child().label(phase_label), "Texts") << "another difference is corrected";
  EXPECT_THAT(events(), Contains(HasSubstr("UpdateCompleted")));
}

TEST_F(ExpectedValuesTest, TextsOfASecretAreData) {
  run_over_one({"v1", "Secret"}, R"({"apiVersion":"v1","kind":"Secret","stringData":{"a":"1","b":"2"}})");
  EXPECT_EQ(child()["/data/a"], "MQ==");
  expect_no_updates();

  texts->texts = {R"({"apiVersion":"v1","kind":"Secret","data":{"c":"Mw=="},"stringData":{"a":"4"}})"};
  simulation.executor().sleep_for(2min);
  EXPECT_EQ(child()["/data"].to_value(), *json::parse(R"({"a":"NA==","c":"Mw=="})"))
      << "a text that is no longer expected is removed";
}

// The garbage collector would not delete it, and the phase would not find it again.
TEST_F(ExpectedValuesTest, AnObjectWithoutANamespaceIsNotCreatedForAnOwnerWithOne) {
  run_over_one({"rbac.authorization.k8s.io/v1", "ClusterRole"},
               R"({"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole","rules":[]})");
  for (const Object& one : simulation.server().objects("clusterroles")) EXPECT_NE(one.name(), "a-1");
  ASSERT_FALSE(outcomes.empty());
  ASSERT_NE(outcomes[0].as_failed(), nullptr);
  EXPECT_THAT(outcomes[0].as_failed()->to_string(), HasSubstr("a ClusterRole has no namespace"));
  EXPECT_TRUE(outcomes[0].as_failed()->is_terminal);
}

}  // namespace
}  // namespace pintle::phased
