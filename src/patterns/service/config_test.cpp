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

// T3-23 K: a part that is missing does not compile.
template <class C>
concept ConfigMayLeaveOutPlatformCluster = requires { ConfigReconciler<C>{.provider_name = "p"}; };
template <class C>
concept ConfigMayLeaveOutProviderName = requires { ConfigReconciler<C>{.platform_cluster = "p"}; };
template <class C>
concept ConfigMayLeaveOutTheRest = requires { ConfigReconciler<C>{.platform_cluster = "p", .provider_name = "p"}; };
static_assert(!ConfigMayLeaveOutPlatformCluster<BucketConfig>);
static_assert(!ConfigMayLeaveOutProviderName<BucketConfig>);
static_assert(ConfigMayLeaveOutTheRest<BucketConfig>);

// T3-21 K
TEST(ServiceConfigSource, ReadsWhatTheClusterHasOrElseTheProgramOrNothing) {
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
  EXPECT_TRUE(watched.crd) << "and brings its definition";
}

class ServiceConfigTest : public ServiceTest {
 protected:
  // Runs it with a config and the buckets a and b, and forgets what that caused.
  void run_with_two_buckets() {
    run(provider());
    create_config();
    create_bucket("a");
    create_bucket("b");
    ASSERT_TRUE(simulation.settle());
    ASSERT_EQ(creates, 2);
    forget();
  }
  void forget() {
    creates = 0;
    regions.clear();
  }
  // From here on a server answers 500 when it is asked for these, and the watch that was open has ended.
  void break_reads(const std::string& resource) {
    instance->transport().set_faults(
        {{.effect = http::AnswerError{}, .only = http::requests("GET", "/apis/test.pintle.dev/v1/" + resource)}});
    pass_time(10min);
    ASSERT_GT(instance->transport().faults_done(), 0U);
  }
};

// T3-21 K
TEST_F(ServiceConfigTest, AConfigThatIsThereIsCopied) {
  run_with_two_buckets();
  patch_config({{"region", "north"}});
  ASSERT_TRUE(simulation.settle());
  EXPECT_THAT(regions, ElementsAre("north", "north"));
}

// T3-21 K
TEST_F(ServiceConfigTest, AConfigThatIsBeingDeletedIsNone) {
  run_with_two_buckets();
  ASSERT_TRUE(platform.user().patch(BucketConfig::type, {"", "buckets"},
                                    json::Value{{"metadata", {{"finalizers", json::array{"test.pintle.dev/x"}}}}}));
  ASSERT_TRUE(simulation.settle());
  forget();
  ASSERT_TRUE(platform.user().remove(BucketConfig::type, {"", "buckets"}));
  ASSERT_TRUE(simulation.settle());
  EXPECT_EQ(creates, 0);
  EXPECT_EQ(shown("a"), "Progressing ReconcileError: No ProviderConfig found");
  EXPECT_EQ(shown("b"), "Progressing ReconcileError: No ProviderConfig found");
}

// T3-21 K
TEST_F(ServiceConfigTest, AConfigThatGoesIsNoneAndNoError) {
  run_with_two_buckets();
  ASSERT_TRUE(platform.user().remove(BucketConfig::type, {"", "buckets"}));
  ASSERT_TRUE(simulation.settle());
  EXPECT_EQ(shown("a"), "Progressing ReconcileError: No ProviderConfig found");
  EXPECT_EQ(passes("error"), 0);
  create_config();
  ASSERT_TRUE(simulation.settle());
  EXPECT_EQ(creates, 2) << "it wakes them when it comes back";
}

// T3-21 F: one read that failed took the config away from every object.
TEST_F(ServiceConfigTest, AConfigThatCannotBeReadAtTheMomentStays) {
  run_with_two_buckets();
  break_reads("bucketconfigs");
  change_bucket("a", {{"spec", {{"size", "2Gi"}}}});
  pass_time(1min);
  EXPECT_EQ(creates, 1);
  EXPECT_EQ(shown("a"), "Ready ReconcileSuccess: Domain Service is ready");
  EXPECT_TRUE(log->has("bucketconfigs")) << "that it cannot be read is logged";
  patch_config({{"region", "north"}});
  instance->transport().set_faults({});
  ASSERT_TRUE(simulation.wait_until([&] { return regions.back() == "north"; })) << "and it is read again";
}

// T3-22 K
TEST_F(ServiceConfigTest, ADifferentConfigIsNothingToUs) {
  run_with_two_buckets();
  create_config("of-somebody-else", {.region = "south"});
  ASSERT_TRUE(simulation.settle());
  EXPECT_EQ(creates, 0);
  patch_config({{"region", "north"}});
  ASSERT_TRUE(simulation.settle());
  EXPECT_THAT(regions, ElementsAre("north", "north"));
}

// T3-22 F: the sender waited for a receiver that had stopped, for ever.
TEST_F(ServiceConfigTest, AStopDoesNotWaitForTheFanOut) {
  run_with_two_buckets();
  bool is_told_to_stop = false;
  on_create = [&](const Bucket&, RequestClusters&, Context& ctx) -> Outcome {
    is_told_to_stop = !ctx.runtime().sleep_for(24h, ctx.stop_token());
    return settled;
  };
  patch_config({{"region", "north"}});
  ASSERT_TRUE(simulation.wait_until([&] { return creates == 1; }));
  patch_config({{"region", "south"}});
  const Instant before = simulation.runtime().now();
  instance->stop();
  EXPECT_TRUE(is_told_to_stop);
  EXPECT_LT(simulation.runtime().now() - before, 1min);
}

// T3-20 K
TEST_F(ServiceConfigTest, AChangeWakesEveryObject) {
  run_with_two_buckets();
  std::vector<std::string> woken;
  std::vector<std::string> causes;
  on_create = [&](const Bucket& bucket, RequestClusters&, Context& ctx) {
    woken.push_back(bucket.metadata.name);
    causes.push_back(to_string(ctx.causes()));
    return ready(ctx);
  };
  patch_config({{"region", "north"}});
  ASSERT_TRUE(simulation.settle());
  EXPECT_THAT(woken, UnorderedElementsAre("a", "b"));
  EXPECT_THAT(causes, ::testing::Each(::testing::HasSubstr("mapped in cluster platform")));
}

// T3-20 F: objects that could not be listed at that moment never heard of the change.
TEST_F(ServiceConfigTest, AChangeWakesEveryObjectWhileTheyCannotBeListed) {
  run_with_two_buckets();
  break_reads("buckets");
  create_bucket("c");
  patch_config({{"region", "north"}});
  pass_time(1min);
  EXPECT_THAT(regions, ElementsAre("north", "north"));
  instance->transport().set_faults({});
  // The informer tries again when its back-off is over, which may be a minute.
  EXPECT_TRUE(simulation.wait_until([&] { return regions.size() == 3; })) << "c, once it can be seen";
  EXPECT_THAT(regions, ElementsAre("north", "north", "north"));
}

// T3-26 K
TEST_F(ServiceConfigTest, APassGoesOnWithTheConfigItBeganWith) {
  run_with_two_buckets();
  std::vector<std::string> seen;
  BucketReconciler slow = provider();
  slow.workers = 1;
  slow.reconciler = {
      .create_or_update = [&](const Bucket&, const BucketConfig& config, RequestClusters&, Context& ctx) -> Outcome {
        const std::string before = config.spec.region;
        ctx.runtime().sleep_for(1min);
        seen.push_back(before + " " + config.spec.region);
        return settled;
      },
      .remove = [](const Bucket&, const BucketConfig&, RequestClusters&, Context&) -> Outcome { return settled; }};
  instance->stop();
  remove_bucket("b");
  start(slow);
  pass_time(30s);
  patch_config({{"region", "north"}});
  pass_time(10min);
  EXPECT_THAT(seen, ElementsAre("x x", "north north"));
}

TEST_F(ServiceConfigTest, AConfigOfTheProgramCountsWhileThereIsNone) {
  BucketReconciler with_one = provider();
  with_one.config.provider_config = BucketConfig{.spec = {.region = "built-in"}};
  run(with_one);
  create_bucket();
  ASSERT_TRUE(simulation.settle());
  create_config("buckets", {.region = "north"});
  ASSERT_TRUE(simulation.settle());
  EXPECT_THAT(regions, ElementsAre("built-in", "north"));
}

TEST_F(ServiceConfigTest, AConfigThatDoesNotDecodeIsSaidAndNotTriedAgain) {
  run_with_two_buckets();
  // Past the schema that the operator installed.
  ASSERT_TRUE(platform.user().patch(
      {"apiextensions.k8s.io/v1", "CustomResourceDefinition"}, {"", "bucketconfigs.test.pintle.dev"},
      json::Patch().replace("/spec/versions/0/schema/openAPIV3Schema",
                            {{"type", "object"}, {"x-kubernetes-preserve-unknown-fields", true}})));
  ASSERT_TRUE(simulation.settle());  // a new schema takes the server a moment
  patch_config({{"pollSeconds", "often"}});
  ASSERT_TRUE(simulation.settle());
  EXPECT_EQ(creates, 0);
  EXPECT_THAT(shown(), ::testing::HasSubstr("Progressing ReconcileError: ProviderConfig cannot be read: "));
  EXPECT_THAT(shown(), ::testing::HasSubstr("spec.pollSeconds: expected an integer"));
  const double errors = passes("error");
  EXPECT_EQ(errors, 2);
  pass_time(1h);
  EXPECT_EQ(passes("error"), errors);
}

}  // namespace
}  // namespace pintle::service
