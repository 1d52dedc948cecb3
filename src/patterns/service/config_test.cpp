// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/service/config.hpp>

#include <gmock/gmock.h>

#include "test_support.hpp"

namespace pintle::service {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

struct Namespaced {
  static constexpr Type type{"test.pintle.dev/v1", "Namespaced"};
  Metadata metadata{};
  Status status{};
  [[nodiscard]] Duration poll_interval() const { return {}; }
};
struct Unpolled {
  static constexpr Type type{"test.pintle.dev/v1", "Unpolled"};
  static constexpr Scope scope = Scope::cluster;
  Metadata metadata{};
  Status status{};
};
static_assert(Config<BucketConfig> && !Config<Namespaced> && !Config<Unpolled>);

// A ConfigReconciler without one of its parts must not compile (T3-23).
template <class C>
concept ConfigMayLeaveOutPlatformCluster = requires { ConfigReconciler<C>{.provider_name = "p"}; };
template <class C>
concept ConfigMayLeaveOutProviderName = requires { ConfigReconciler<C>{.platform_cluster = "p"}; };
template <class C>
concept ConfigMayLeaveOutTheRest = requires { ConfigReconciler<C>{.platform_cluster = "p", .provider_name = "p"}; };
static_assert(!ConfigMayLeaveOutPlatformCluster<BucketConfig>);
static_assert(!ConfigMayLeaveOutProviderName<BucketConfig>);
static_assert(ConfigMayLeaveOutTheRest<BucketConfig>);

// The config is that of the cluster, otherwise that of the program, otherwise none (T3-21).
TEST(ServiceConfigSource, ReadsTheClusterThenTheProgramThenNothing) {
  ConfigReconciler<BucketConfig> configs{.platform_cluster = "platform", .provider_name = "buckets"};
  EXPECT_EQ(*configs.read({}), std::nullopt);
  configs.provider_config = BucketConfig{.spec = {.region = "built-in"}};
  EXPECT_EQ((*configs.read({}))->spec.region, "built-in");
  const Object there(encode(BucketConfig{.metadata = {.name = "buckets"}, .spec = {.region = "north"}}));
  EXPECT_EQ((*configs.read(there))->spec.region, "north");
  EXPECT_EQ(configs.read(Object(json::Value{{"kind", "Other"}})).error().code, ErrorCode::invalid);
}

TEST(ServiceConfigSource, WatchesTheKindInThePlatformCluster) {
  const Watches watched =
      ConfigReconciler<BucketConfig>{.platform_cluster = "platform", .provider_name = "buckets"}.source().watches();
  EXPECT_EQ(watched.kind.value(), GroupVersionKind(BucketConfig::type));
  EXPECT_EQ(watched.cluster, "platform");
  EXPECT_TRUE(watched.crd) << "the controller provides its CRD";
}

class ServiceConfigTest : public ServiceTest {
 protected:
  // Starts the operator with a config and the buckets a and b, and clears the records of their reconciles.
  void run_with_two_buckets() {
    run(provider());
    create_config();
    create_bucket("a");
    create_bucket("b");
    ASSERT_TRUE(simulation.run_until_idle());
    ASSERT_EQ(creates, 2);
    forget();
  }
  void forget() {
    creates = 0;
    regions.clear();
  }
  // From now on the server responds with 500 to reads of this resource, and the open watch has ended.
  void break_reads(const std::string& resource) {
    instance->transport().set_faults(
        {{.effect = http::ErrorResponse{}, .only = http::requests("GET", "/apis/test.pintle.dev/v1/" + resource)}});
    advance_time(10min);
    ASSERT_GT(instance->transport().injected_faults(), 0U);
  }
};

// An existing config is used (T3-21).
TEST_F(ServiceConfigTest, AnExistingConfigIsUsed) {
  run_with_two_buckets();
  patch_config({{"region", "north"}});
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(regions, ElementsAre("north", "north"));
}

// A config that is being deleted is not used (T3-21).
TEST_F(ServiceConfigTest, ADeletingConfigCountsAsMissing) {
  run_with_two_buckets();
  ASSERT_TRUE(platform.user().patch(BucketConfig::type, {"", "buckets"},
                                    json::Value{{"metadata", {{"finalizers", json::array{"test.pintle.dev/x"}}}}}));
  ASSERT_TRUE(simulation.run_until_idle());
  forget();
  ASSERT_TRUE(platform.user().remove(BucketConfig::type, {"", "buckets"}));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(creates, 0);
  EXPECT_EQ(shown("a"), "Progressing ReconcileError: No ProviderConfig found");
  EXPECT_EQ(shown("b"), "Progressing ReconcileError: No ProviderConfig found");
}

// A config that is deleted is treated as missing, which is not an error (T3-21).
TEST_F(ServiceConfigTest, ADeletedConfigCountsAsMissing) {
  run_with_two_buckets();
  ASSERT_TRUE(platform.user().remove(BucketConfig::type, {"", "buckets"}));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(shown("a"), "Progressing ReconcileError: No ProviderConfig found");
  EXPECT_EQ(reconciles("error"), 0);
  create_config();
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(creates, 2) << "the new config causes their reconciles";
}

// In the original, one failed read removed the config for all objects (T3-21).
TEST_F(ServiceConfigTest, AFailedReadKeepsTheConfig) {
  run_with_two_buckets();
  break_reads("bucketconfigs");
  change_bucket("a", {{"spec", {{"size", "2Gi"}}}});
  advance_time(1min);
  EXPECT_EQ(creates, 1);
  EXPECT_EQ(shown("a"), "Ready ReconcileSuccess: Domain Service is ready");
  EXPECT_TRUE(log->has("bucketconfigs")) << "the failed read is logged";
  patch_config({{"region", "north"}});
  instance->transport().set_faults({});
  ASSERT_TRUE(simulation.wait_until([&] { return regions.back() == "north"; })) << "the config is read again";
}

// A config with another name is ignored (T3-22).
TEST_F(ServiceConfigTest, AConfigWithAnotherNameIsIgnored) {
  run_with_two_buckets();
  create_config("of-somebody-else", {.region = "south"});
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(creates, 0);
  patch_config({{"region", "north"}});
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(regions, ElementsAre("north", "north"));
}

// In the original, the sender waited without end for a receiver that had stopped (T3-22). Here, most objects that the
// change has enqueued still wait for the only worker.
TEST_F(ServiceConfigTest, AStopDoesNotWaitForTheFanOut) {
  run_with_two_buckets();
  for (int i = 0; i < 30; ++i) create_bucket("more-" + std::to_string(i));
  ASSERT_TRUE(simulation.run_until_idle());
  forget();
  int ended_by_stop = 0;
  on_create = [&](const Bucket&, ObjectClusters&, Context& ctx) -> Outcome {
    if (!ctx.executor().sleep_for(1min, ctx.stop_token())) ++ended_by_stop;
    return done;
  };
  patch_config({{"region", "north"}});
  ASSERT_TRUE(simulation.wait_until([&] { return creates == 3; })) << "the change has reached the first reconcile";
  const Instant before = simulation.executor().now();
  instance->stop();
  EXPECT_LT(simulation.executor().now() - before, 1s);
  EXPECT_EQ(ended_by_stop, 1) << "the running reconcile";
  EXPECT_EQ(creates, 3) << "no other reconcile began";
}

// A change of the config enqueues every object (T3-20).
TEST_F(ServiceConfigTest, AChangeReconcilesEveryObject) {
  run_with_two_buckets();
  std::vector<std::string> woken;
  std::vector<std::string> causes;
  on_create = [&](const Bucket& bucket, ObjectClusters&, Context& ctx) {
    woken.push_back(bucket.metadata.name);
    causes.push_back(to_string(ctx.causes()));
    return ready(ctx);
  };
  patch_config({{"region", "north"}});
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(woken, UnorderedElementsAre("a", "b"));
  EXPECT_THAT(causes, ::testing::Each(::testing::HasSubstr("mapped in cluster platform")));
}

// In the original, objects that could not be listed at that time were not enqueued by the change (T3-20).
TEST_F(ServiceConfigTest, AChangeReconcilesEveryObjectDuringAFailedList) {
  run_with_two_buckets();
  break_reads("buckets");
  create_bucket("c");
  const std::uint64_t reads = instance->transport().injected_faults();
  patch_config({{"region", "north"}});
  advance_time(1h);
  EXPECT_THAT(regions, ElementsAre("north", "north")) << "each once, from the cache";
  EXPECT_LE(instance->transport().injected_faults() - reads, 300U) << "the list is retried, but not in a loop";
  instance->transport().set_faults({});
  // The informer retries after its back-off, which can be one minute.
  EXPECT_TRUE(simulation.wait_until([&] { return regions.size() == 3; })) << "c, once it can be seen";
  EXPECT_THAT(regions, ElementsAre("north", "north", "north"));
}

// The config changes between the steps of a reconcile, and during a step (T3-26).
TEST_F(ServiceConfigTest, AReconcileKeepsTheConfigItBeganWith) {
  BucketReconciler slow = provider();
  slow.additional_data = {[](const Bucket&, const BucketConfig& config, Context& ctx) -> Result<void> {
    ctx.slot<std::string>() = config.spec.region;
    return {};
  }};
  access->on_reconcile = [](Context& ctx) { ctx.executor().sleep_for(1min); };
  std::vector<std::string> seen;
  slow.reconciler.create_or_update = [&](const Bucket&, const BucketConfig& config, ObjectClusters&,
                                         Context& ctx) -> Outcome {
    const std::string before = config.spec.region;
    ctx.executor().sleep_for(1min);
    seen.push_back(ctx.slot<std::string>() + " " + before + " " + config.spec.region);
    return ready(ctx);
  };
  run(slow);
  create_config("buckets", {.region = "1", .poll_seconds = 3600});
  create_bucket();
  advance_time(30s);
  patch_config({{"region", "2"}, {"pollSeconds", 0}});
  advance_time(1min);
  patch_config({{"region", "3"}});
  advance_time(10min);
  EXPECT_THAT(seen, ElementsAre("1 1 1", "3 3 3"));
  advance_time(2h);
  EXPECT_EQ(seen.size(), 2U) << "the poll interval is that of the last reconcile";
}

TEST_F(ServiceConfigTest, AConfigOfTheProgramIsUsedWhileNoneExists) {
  BucketReconciler with_one = provider();
  with_one.config.provider_config = BucketConfig{.spec = {.region = "built-in"}};
  run(with_one);
  create_bucket();
  ASSERT_TRUE(simulation.run_until_idle());
  create_config("buckets", {.region = "north"});
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(regions, ElementsAre("built-in", "north"));
}

TEST_F(ServiceConfigTest, AnUndecodableConfigIsReportedAndNotRetried) {
  run_with_two_buckets();
  // Removes the schema that the operator has installed.
  ASSERT_TRUE(platform.user().patch(
      {"apiextensions.k8s.io/v1", "CustomResourceDefinition"}, {"", "bucketconfigs.test.pintle.dev"},
      json::Patch().replace("/spec/versions/0/schema/openAPIV3Schema",
                            {{"type", "object"}, {"x-kubernetes-preserve-unknown-fields", true}})));
  ASSERT_TRUE(simulation.run_until_idle());  // the server applies a new schema with a delay
  patch_config({{"pollSeconds", "often"}});
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(creates, 0);
  EXPECT_THAT(shown(), ::testing::HasSubstr("Progressing ReconcileError: ProviderConfig cannot be read: "));
  EXPECT_THAT(shown(), ::testing::HasSubstr("spec.pollSeconds: expected an integer"));
  const double errors = reconciles("error");
  EXPECT_EQ(errors, 2);
  advance_time(1h);
  EXPECT_EQ(reconciles("error"), errors);
}

}  // namespace
}  // namespace pintle::service
