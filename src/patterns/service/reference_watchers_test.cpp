// SPDX-License-Identifier: Apache-2.0
// Secrets and ConfigMaps that enqueue API objects when they change.
#include <pintle/patterns/service/api_reconciler.hpp>

#include <gmock/gmock.h>

#include "api_reconciler_test_support.hpp"

namespace pintle::service {
namespace {

using ::testing::ElementsAre;

class SecretWatcherTest : public ApiReconcilerTest {
 protected:
  // Refers to the Secret whose name is the region of the config.
  [[nodiscard]] BucketReconciler watching() {
    BucketReconciler watching = provider();
    watching.secrets = SecretWatcher<BucketConfig>{
        .namespace_ = "provider", .is_referenced_secret = [this](const Object& secret, const BucketConfig* config) {
          without_config += config == nullptr ? 1 : 0;
          return config != nullptr && secret.name() == config->spec.region;
        }};
    return watching;
  }
  void create_secret(const std::string& name, const std::string& at = "provider") {
    (void)platform.user().create(
        json::Value{{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", {{"name", at}}}});
    ASSERT_TRUE(platform.user().create(Secret{.metadata = {.name = name, .namespace_ = at}}));
    ASSERT_TRUE(simulation.run_until_idle());
  }
  [[nodiscard]] static MapFunction named_as_the_bucket() {
    return typed_map<Bucket>([](const Bucket& bucket) {
      return std::vector<ObjectKey>{{"provider", bucket.metadata.name}};
    });
  }
  void run_with_two_buckets() {
    run_with_config(watching(), {.region = "keys"});
    serve("a");
    serve("b");
    creates = 0;
  }

  int without_config = 0;
};

// A Secret that the config refers to enqueues every object (T3-19).
TEST_F(SecretWatcherTest, AReferencedSecretReconcilesEveryObject) {
  run_with_two_buckets();
  create_secret("keys");
  EXPECT_EQ(creates, 2);
  ASSERT_TRUE(platform.user().remove(Secret::type, {"provider", "keys"}));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(creates, 4);
}

// A Secret that is not referred to, or is in another namespace, enqueues nothing (T3-19).
TEST_F(SecretWatcherTest, AnUnreferencedSecretReconcilesNoObject) {
  run_with_two_buckets();
  create_secret("other");
  create_secret("keys", "elsewhere");
  EXPECT_EQ(creates, 0);
}

// If there are no objects, none is enqueued (T3-19).
TEST_F(SecretWatcherTest, WithoutObjectsNoReconcileRuns) {
  run_with_config(watching(), {.region = "keys"});
  create_secret("keys");
  EXPECT_EQ(creates, 0);
  EXPECT_EQ(reconciles("success"), 0);
}

// The function is also called if there is no config (T3-19).
TEST_F(SecretWatcherTest, TheFunctionIsCalledWithoutAConfig) {
  run(watching());
  serve();
  create_secret("keys");
  EXPECT_EQ(without_config, 1);
  EXPECT_EQ(creates, 0);
}

TEST_F(SecretWatcherTest, AnExistingSecretReconcilesAnObjectOnceAtTheStart) {
  run_with_two_buckets();
  create_secret("keys");
  instance->stop();
  creates = 0;
  run(watching());
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(creates, 2);
}

TEST_F(SecretWatcherTest, WithoutANamespaceNoSecretIsWatched) {
  BucketReconciler nowhere = watching();
  nowhere.secrets.namespace_.clear();
  EXPECT_EQ(make_controller(nowhere.spec()).watches.size(), 1U);
  EXPECT_EQ(make_controller(watching().spec()).watches.size(), 2U);
}

TEST_F(SecretWatcherTest, ASecretReconcilesOnlyTheObjectThatReferencesIt) {
  BucketReconciler by_object = provider();
  by_object.secrets = SecretWatcher<BucketConfig>{.namespace_ = "provider", .references = named_as_the_bucket()};
  run_with_config(by_object);
  serve("a");
  serve("b");
  std::vector<std::string> woken;
  on_create = [&](const Bucket& bucket, ObjectClusters&, Context& ctx) {
    woken.push_back(bucket.metadata.name);
    return ready(ctx);
  };
  create_secret("b");
  create_secret("a", "elsewhere");
  EXPECT_THAT(woken, ElementsAre("b"));
}

class ConfigMapWatcherTest : public SecretWatcherTest {
 protected:
  void create_config_map(const std::string& name) {
    (void)platform.user().create(
        json::Value{{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", {{"name", "provider"}}}});
    ASSERT_TRUE(platform.user().create(ConfigMap{.metadata = {.name = name, .namespace_ = "provider"}}));
    ASSERT_TRUE(simulation.run_until_idle());
  }
};

TEST_F(ConfigMapWatcherTest, AReferencedConfigMapReconcilesEveryObject) {
  BucketReconciler watching_maps = provider();
  watching_maps.config_maps = ConfigMapWatcher<BucketConfig>{
      .namespace_ = "provider", .is_referenced_config_map = [](const Object& config_map, const BucketConfig* config) {
        return config != nullptr && config_map.name() == config->spec.region;
      }};
  run_with_config(watching_maps, {.region = "settings"});
  serve("a");
  serve("b");
  creates = 0;
  create_config_map("settings");
  EXPECT_EQ(creates, 2);
  create_config_map("other");
  create_secret("settings");
  EXPECT_EQ(creates, 2);
  ASSERT_TRUE(platform.user().patch(ConfigMap::type, {"provider", "settings"}, json::Value{{"data", {{"x", "y"}}}}));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(creates, 4);
}

TEST_F(ConfigMapWatcherTest, ConfigAndObjectsCanReferenceConfigMaps) {
  BucketReconciler both = provider();
  both.config_maps = ConfigMapWatcher<BucketConfig>{
      .namespace_ = "provider",
      .is_referenced_config_map = [](const Object& config_map,
                                     const BucketConfig*) { return config_map.name() == "settings"; },
      .references = named_as_the_bucket()};
  run_with_config(both);
  serve("a");
  serve("b");
  creates = 0;
  create_config_map("a");
  EXPECT_EQ(creates, 1);
  create_config_map("settings");
  EXPECT_EQ(creates, 3);
  create_config_map("other");
  EXPECT_EQ(creates, 3);
}

}  // namespace
}  // namespace pintle::service
