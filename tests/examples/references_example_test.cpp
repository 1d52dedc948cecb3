// SPDX-License-Identifier: Apache-2.0
// The references example, unchanged, in a simulated cluster.
#include <gtest/gtest.h>

#include <pintle/testing/simulation.hpp>

#define main references_main
#include "../../examples/06-references/main.cpp"
#undef main

namespace pintle::testkit {
namespace {

class ReferencesExample : public ::testing::Test {
 protected:
  ReferencesExample() { start(); }
  void start() {
    operator_ = std::make_unique<Instance>(
        simulation_, ManagerOptions{.name = "references-operator", .log_level = LogLevel::off},
        [this](Manager& manager) {
          Controller<Bundle> counted = bundles();
          counted.reconcile = [this, join = bundles().reconcile](const Bundle& bundle, Context& ctx) {
            woken_ += bundle.metadata.name + " ";
            return join(bundle, ctx);
          };
          manager.add(std::move(counted));
        });
    operator_->start();
    EXPECT_TRUE(simulation_.wait_until([&] { return operator_->manager().is_ready(); }));
  }
  void run_until_idle() { ASSERT_TRUE(simulation_.run_until_idle()); }
  void put_secret(const std::string& name, const std::string& certificate) {
    Client& user = simulation_.user();
    ASSERT_TRUE(user.remove(Secret::type, {"default", name}));
    ASSERT_TRUE(user.create(
        Secret{.metadata = {.name = name, .namespace_ = "default"}, .data = {{"ca.crt", certificate + "\n"}}}));
    run_until_idle();
  }
  void change_secret(const std::string& name, const std::string& certificate) {
    const json::Value patch{{"stringData", json::object{{"ca.crt", certificate + "\n"}}}};
    ASSERT_TRUE(simulation_.user().patch(Secret::type, {"default", name}, patch));
    run_until_idle();
  }
  void put_bundle(const std::string& name, std::vector<std::string> secrets) {
    ASSERT_TRUE(simulation_.user().create(
        Bundle{.metadata = {.name = name, .namespace_ = "default"}, .spec = {.secrets = std::move(secrets)}}));
    run_until_idle();
  }
  [[nodiscard]] std::string text_of(const std::string& name) {
    for (const Object& object : simulation_.server().objects("configmaps")) {
      if (object.name() == name) return std::string(object["/data/ca.crt"].text());
    }
    return "none";
  }
  // The names of the bundles that were reconciled since the last call.
  [[nodiscard]] std::string woken() { return std::exchange(woken_, ""); }

  std::string woken_;  // declared before the simulation, whose threads write it
  Simulation simulation_{{.seed = 1}};
  std::unique_ptr<Instance> operator_;
};

TEST_F(ReferencesExample, AChangeReconcilesOnlyReferringObjects) {
  for (const char* name : {"x", "y", "z"}) put_secret(name, name);
  put_bundle("a", {"x", "y"});
  put_bundle("b", {"y"});
  EXPECT_EQ(text_of("a"), "x\ny\n");
  EXPECT_EQ(text_of("b"), "y\n");
  (void)woken();

  change_secret("x", "x2");
  EXPECT_EQ(text_of("a"), "x2\ny\n");
  EXPECT_EQ(woken().find('b'), std::string::npos);
  change_secret("y", "y2");
  EXPECT_EQ(text_of("a"), "x2\ny2\n");
  EXPECT_EQ(text_of("b"), "y2\n");
  (void)woken();
  change_secret("z", "z2");
  EXPECT_EQ(woken(), "");
}

TEST_F(ReferencesExample, ARemovedReferenceCausesNoReconcile) {
  put_secret("x", "x");
  put_secret("y", "y");
  put_bundle("a", {"x", "y"});
  ASSERT_TRUE(
      simulation_.user().patch(Bundle::type, {"default", "a"}, json::Value{{"spec", {{"secrets", json::array{"y"}}}}}));
  run_until_idle();
  EXPECT_EQ(text_of("a"), "y\n");
  (void)woken();
  change_secret("x", "x2");
  EXPECT_EQ(woken(), "");
}

TEST_F(ReferencesExample, AMissingSecretIsAwaited) {
  put_bundle("a", {"x"});
  EXPECT_EQ(text_of("a"), "none");
  EXPECT_EQ(simulation_.server().objects("events").size(), 1U);
  put_secret("x", "x");
  EXPECT_EQ(text_of("a"), "x\n");
  ASSERT_TRUE(simulation_.user().remove(Secret::type, {"default", "x"}));
  run_until_idle();
  EXPECT_EQ(text_of("a"), "x\n") << "the earlier file stays";
  put_secret("x", "x2");
  EXPECT_EQ(text_of("a"), "x2\n");
}

TEST_F(ReferencesExample, ChangesDuringADowntimeAreFoundAtTheStart) {
  put_secret("x", "x");
  put_secret("y", "y");
  put_bundle("a", {"x"});
  put_bundle("b", {"y"});
  operator_->crash();
  change_secret("x", "x2");
  ASSERT_TRUE(simulation_.user().remove(ConfigMap::type, {"default", "b"}));
  ASSERT_TRUE(simulation_.user().patch(Bundle::type, {"default", "b"},
                                       json::Value{{"spec", {{"secrets", json::array{"y", "x"}}}}}));
  start();
  run_until_idle();
  EXPECT_EQ(text_of("a"), "x2\n");
  EXPECT_EQ(text_of("b"), "y\nx2\n");
  change_secret("x", "x3");
  EXPECT_EQ(text_of("a"), "x3\n");
  EXPECT_EQ(text_of("b"), "y\nx3\n") << "the index contains the new reference";
}

TEST_F(ReferencesExample, ADeletedConfigMapIsCreatedAgain) {
  put_secret("x", "x");
  put_bundle("a", {"x"});
  ASSERT_TRUE(simulation_.user().remove(ConfigMap::type, {"default", "a"}));
  run_until_idle();
  EXPECT_EQ(text_of("a"), "x\n");
}

}  // namespace
}  // namespace pintle::testkit
