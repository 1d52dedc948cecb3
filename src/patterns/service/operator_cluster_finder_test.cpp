// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/service/operator_cluster_finder.hpp>

#include <algorithm>

#include <gmock/gmock.h>

#include <pintle/api/everyday.hpp>
#include <pintle/object/bytes.hpp>
#include <pintle/testing/access_granter.hpp>
#include <pintle/testing/call_recorder.hpp>
#include <pintle/testing/recording_log_sink.hpp>

namespace pintle::service {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using testkit::GrantDecision;

// An operator whose home is the platform cluster, and the onboarding cluster.
class RequestedClusterTest : public ::testing::Test {
 protected:
  void SetUp() override {
    granter.emplace(simulation, platform, testkit::AccessGranterOptions{.clusters = {{"onboarding", &onboarding}}});
    const auto started = granter->start();
    ASSERT_TRUE(started) << started.error().to_string();
  }

  [[nodiscard]] static RequestedClusterOptions options() {
    return {.controller_name = "Greeting", .namespace_ = "default", .token = {.role_refs = {{.name = "admin"}}}};
  }
  [[nodiscard]] Result<Cluster> find(RequestedClusterOptions with = options(), std::stop_token stop = {}) {
    transport = simulation.connect(std::move(errors));
    Client home({.transport = transport, .cluster = platform.address()});
    OperatorClusterFinder cluster(std::move(with));
    const Instant before = simulation.executor().now();
    auto found = cluster.find({.home = home,
                               .executor = simulation.executor(),
                               .log = Log(log, simulation.executor()),
                               .stop = std::move(stop)});
    took = simulation.executor().now() - before;
    return found;
  }
  [[nodiscard]] std::size_t count(const std::string& plural) {
    return platform.server().objects(plural + ".clusters.openmcp.cloud").size();
  }

  testkit::Simulation simulation{{}};
  testkit::SimulatedCluster& platform = simulation.add_cluster("platform");
  testkit::SimulatedCluster& onboarding = simulation.add_cluster("onboarding");
  std::shared_ptr<testkit::RecordingLogSink> log = std::make_shared<testkit::RecordingLogSink>();
  std::optional<testkit::AccessGranter> granter;
  http::FaultPlan errors;
  std::shared_ptr<http::InProcessTransport> transport;
  Duration took{};
  const ObjectKey request{"default", "greeting--onboarding"};
};

TEST_F(RequestedClusterTest, IsRequestedAndReadEveryTenSecondsUntilGranted) {
  granter->set_delay(25s);
  const auto found = find();
  ASSERT_TRUE(found) << found.error().to_string();
  EXPECT_EQ(found->endpoint->host, "onboarding");
  EXPECT_EQ(took, 60s) << "each request is granted after 25 seconds, and found at the third poll";
  const auto access = platform.user().get<AccessRequest>(request);
  ASSERT_TRUE(access);
  EXPECT_EQ(access->spec.token, options().token);
  EXPECT_EQ(access->metadata.labels.at("openmcp.cloud/managed-by"), "Greeting");
  EXPECT_EQ(platform.user().get<ClusterRequest>(request)->spec.purpose, "onboarding");
}

TEST_F(RequestedClusterTest, TheNextProcessUsesTheExistingRequests) {
  ASSERT_TRUE(find());
  const std::uint64_t writes = platform.server().writes();
  ASSERT_TRUE(find());
  EXPECT_EQ(took, 0s);
  EXPECT_EQ(platform.server().writes(), writes);
  RequestedClusterOptions more = options();
  more.token.role_refs.push_back({.name = "view"});
  ASSERT_TRUE(find(more));
  EXPECT_EQ(platform.user().get<AccessRequest>(request)->spec.token, more.token);
  EXPECT_EQ(count("accessrequests"), 1U);
  EXPECT_EQ(count("clusterrequests"), 1U);
}

TEST_F(RequestedClusterTest, StopsAtADenial) {
  granter->decide(AccessRequest::type, request, GrantDecision::deny);
  const auto found = find();
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::forbidden);
  EXPECT_THAT(found.error().to_string(), HasSubstr("AccessRequest default/greeting--onboarding was denied"));
  EXPECT_LT(took, 1min);
}

// The platform has not decided on the current generation of the request yet.
TEST_F(RequestedClusterTest, WaitsAfterADenialOfAnEarlierGeneration) {
  granter->decide(AccessRequest::type, request, GrantDecision::deny);
  ASSERT_FALSE(find());
  granter->decide(AccessRequest::type, request, GrantDecision::leave_pending);
  RequestedClusterOptions more = options();
  more.token.role_refs.push_back({.name = "view"});
  const auto pending = find(more);
  ASSERT_FALSE(pending);
  EXPECT_EQ(pending.error().code, ErrorCode::timeout) << pending.error().to_string();
  granter->decide(AccessRequest::type, request, GrantDecision::grant);
  const auto found = find(more);
  ASSERT_TRUE(found) << found.error().to_string();
  EXPECT_EQ(found->endpoint->host, "onboarding");
}

TEST_F(RequestedClusterTest, TimesOutAfterFiveMinutesAndNamesTheRequest) {
  granter->decide(ClusterRequest::type, request, GrantDecision::leave_pending);
  const auto found = find();
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::timeout);
  EXPECT_THAT(found.error().to_string(),
              HasSubstr("timed out waiting for ClusterRequest default/greeting--onboarding"));
  EXPECT_EQ(took, 5min);
  EXPECT_LE(transport->calls(), 40U) << "a poll each ten seconds, and discovery";
  EXPECT_EQ(count("accessrequests"), 0U);
}

TEST_F(RequestedClusterTest, UsesTheIntervalAndTheTimeout) {
  granter->decide(ClusterRequest::type, request, GrantDecision::leave_pending);
  RequestedClusterOptions patient = options();
  patient.interval = 1min;
  patient.timeout = 150s;
  ASSERT_FALSE(find(patient));
  EXPECT_EQ(took, 150s);
  EXPECT_EQ(log->count("waiting for access"), 3U) << "at once, after one minute and after two";
}

// The server is unavailable in between, and responses to creates are lost.
TEST_F(RequestedClusterTest, SurvivesATemporaryOutageOfThePlatform) {
  int refused = 0;
  errors = {{.effect = http::ErrorResponse{.status = 503, .reason = "ServiceUnavailable"},
             .only = [&](const http::Request&) { return ++refused % 3 != 0; },
             .times = 12}};
  const auto found = find();
  ASSERT_TRUE(found) << found.error().to_string();
  EXPECT_EQ(count("clusterrequests"), 1U);
}

TEST_F(RequestedClusterTest, ARequestOfAnotherControllerIsNotUsed) {
  ASSERT_TRUE(platform.user().create(
      ClusterRequest{.metadata = {.name = request.name, .namespace_ = "default"}, .spec = {.purpose = "onboarding"}}));
  const auto found = find();
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::not_owned);
  EXPECT_EQ(count("accessrequests"), 0U);
}

TEST(OperatorClusterFinder, AManagerStartsOnceItHasTheOnboardingCluster) {
  testkit::Simulation simulation{{}};
  testkit::SimulatedCluster& onboarding = simulation.add_cluster("onboarding");
  testkit::AccessGranter granter(simulation, {.clusters = {{"onboarding", &onboarding}}, .delay = 15s});
  ASSERT_TRUE(granter.start());
  std::vector<ObjectKey> seen;
  ManagerOptions options{.name = "op"};
  options.clusters = {{.name = "onboarding",
                       .finder = std::make_shared<OperatorClusterFinder>(
                           RequestedClusterOptions{.controller_name = "greeting", .namespace_ = "default"})}};
  testkit::Instance instance(simulation, std::move(options), [&](Manager& manager) {
    manager.add(Controller<Object>{.watch = {"v1", "ConfigMap"},
                                   .cluster = "onboarding",
                                   .reconcile = [&](const Object& object, Context&) -> Outcome {
                                     seen.push_back(object.key());
                                     return done;
                                   }});
  });
  instance.start();
  simulation.executor().sleep_for(30s);
  EXPECT_FALSE(instance.manager().is_ready());
  ASSERT_TRUE(simulation.wait_until([&] { return instance.manager().is_ready(); }));
  ASSERT_TRUE(onboarding.user().create(ConfigMap{.metadata = {.name = "c", .namespace_ = "default"}}));
  simulation.executor().sleep_for(1s);
  EXPECT_EQ(seen, (std::vector<ObjectKey>{{"default", "c"}}));
}

TEST(OperatorClusterFinder, AStoppedManagerDoesNotWaitForIt) {
  testkit::Simulation simulation{{}};
  testkit::AccessGranter granter(simulation, {.decision = GrantDecision::leave_pending});
  ASSERT_TRUE(granter.start());
  ManagerOptions options{.name = "op"};
  options.clusters = {{.name = "onboarding",
                       .finder = std::make_shared<OperatorClusterFinder>(
                           RequestedClusterOptions{.controller_name = "greeting", .namespace_ = "default"})}};
  testkit::Instance instance(simulation, std::move(options), [](Manager& manager) {
    manager.add(Controller<Object>{.watch = {"v1", "ConfigMap"},
                                   .reconcile = [](const Object&, Context&) -> Outcome { return done; }});
  });
  instance.start();
  simulation.executor().sleep_for(30s);
  const Instant before = simulation.executor().now();
  instance.manager().request_stop();
  instance.join();
  EXPECT_LT(simulation.executor().now() - before, 1s);
  ASSERT_FALSE(instance.started());
  EXPECT_EQ(instance.started().error().code, ErrorCode::cancelled);
  EXPECT_THAT(instance.started().error().to_string(), HasSubstr("connect to cluster onboarding"));
}

// ---- while the manager runs ----

// An operator whose home is the platform cluster. It records the objects that it receives from the onboarding cluster.
class FollowedClusterTest : public ::testing::Test {
 protected:
  void SetUp() override {
    granter.emplace(simulation, testkit::AccessGranterOptions{.clusters = {{"onboarding", &onboarding}}});
    ASSERT_TRUE(granter->start());
    ManagerOptions options{.name = "op", .log_sink = log};
    options.clusters = {{.name = "onboarding",
                         .finder = std::make_shared<OperatorClusterFinder>(
                             RequestedClusterOptions{.controller_name = "greeting", .namespace_ = "default"})}};
    instance = std::make_unique<testkit::Instance>(simulation, std::move(options), [&](Manager& manager) {
      manager.add(Controller<ConfigMap>{.cluster = "onboarding",
                                        .reconcile = [&](const ConfigMap& map, Context& context) -> Outcome {
                                          seen.push_back(map.metadata.name);
                                          return context.client().get<ConfigMap>(map.metadata.key());
                                        }});
    });
    instance->transport().set_faults({{.effect = http::Delay{}, .only = [this](const http::Request& request) {
                                         note(request);
                                         return false;
                                       }}});
    instance->start();
    ASSERT_TRUE(simulation.wait_until([&] { return instance->manager().is_ready(); }));
    advance_time(5min);
  }
  void TearDown() override {
    instance.reset();
    granter.reset();
  }
  void note(const http::Request& request) {
    if (request.endpoint != nullptr && request.endpoint->host == "localhost") {
      if (request.target.find("watch=") == std::string::npos) (void)home.call(request.method + " " + request.target);
      return;
    }
    token = std::string(request.headers.get("Authorization").value_or("none"));
  }
  void advance_time(Duration time) { simulation.executor().sleep_for(time); }
  [[nodiscard]] Duration time_until(const std::function<bool()>& condition, Duration limit = 1min) {
    const Instant before = simulation.executor().now();
    EXPECT_TRUE(simulation.wait_until(condition, limit));
    return simulation.executor().now() - before;
  }
  // Creates an object in the cluster, waits until the operator has read it, and returns the token with which the
  // operator read it.
  [[nodiscard]] std::string token_of_next_request(testkit::SimulatedCluster& cluster) {
    const std::string name = "c" + std::to_string(seen.size());
    const std::size_t before = seen.size();
    EXPECT_TRUE(cluster.user().create(ConfigMap{.metadata = {.name = name, .namespace_ = "default"}}));
    EXPECT_TRUE(simulation.wait_until([&] { return seen.size() > before; }));
    advance_time(100ms);
    return token;
  }
  void write_kubeconfig(const std::string& kubeconfig) {
    const auto written =
        simulation.user().patch(GroupVersionKind("v1", "Secret"), secret,
                                json::Value{{"data", {{"kubeconfig", Bytes(kubeconfig).to_base64()}}}});
    ASSERT_TRUE(written) << written.error().to_string();
  }
  template <class T>
  [[nodiscard]] std::string uid() {
    const auto there = simulation.user().get<T>(request);
    return there ? there->metadata.uid : "";
  }
  template <class T>
  [[nodiscard]] bool is_granted_anew(const std::string& before) {
    const auto there = simulation.user().get<T>(request);
    return there && there->metadata.uid != before && there->status.phase == request_granted;
  }

  testkit::Simulation simulation{{.on_missing_permission = [](const std::string& what) { ADD_FAILURE() << what; }}};
  testkit::SimulatedCluster& onboarding = simulation.add_cluster("onboarding");
  testkit::SimulatedCluster& elsewhere = simulation.add_cluster("elsewhere");
  std::shared_ptr<testkit::RecordingLogSink> log = std::make_shared<testkit::RecordingLogSink>();
  std::optional<testkit::AccessGranter> granter;
  testkit::CallRecorder home{simulation.executor()};  // requests of the operator to its home cluster
  std::string token;                                  // of its last request to another cluster
  std::vector<std::string> seen;
  std::unique_ptr<testkit::Instance> instance;
  const ObjectKey request{"default", "greeting--onboarding"};
  const ObjectKey secret{"default", "greeting--onboarding-kubeconfig"};
};

// If the kubeconfig were read only once, the operator would use an expired token until a restart.
TEST_F(FollowedClusterTest, ARotatedKubeconfigIsUsedAtOnce) {
  EXPECT_EQ(token_of_next_request(onboarding), "none");
  granter->rotate(request);
  advance_time(500ms);
  EXPECT_EQ(token_of_next_request(onboarding), "Bearer token-1");
  advance_time(1h);
  granter->rotate(request);
  EXPECT_LT(time_until([&] { return log->has("the credentials of the cluster have changed"); }), 500ms);
  EXPECT_EQ(token_of_next_request(onboarding), "Bearer token-2");
}

TEST_F(FollowedClusterTest, ARecreatedSecretIsUsedAtOnce) {
  granter->rotate(request);
  advance_time(1s);
  ASSERT_TRUE(simulation.user().remove(GroupVersionKind("v1", "Secret"), secret));
  advance_time(1min);
  EXPECT_EQ(token_of_next_request(onboarding), "Bearer token-1") << "the last one applies";
  granter->rotate(request);
  advance_time(500ms);
  EXPECT_EQ(token_of_next_request(onboarding), "Bearer token-2");
}

TEST_F(FollowedClusterTest, ADeletedAccessRequestIsCreatedAgain) {
  const std::string before = uid<AccessRequest>();
  granter->defer_deletions(true);
  ASSERT_TRUE(simulation.user().remove(AccessRequest::type, request));
  advance_time(1min);
  EXPECT_EQ(uid<AccessRequest>(), before) << "it still exists";
  EXPECT_EQ(token_of_next_request(onboarding), "none");
  granter->defer_deletions(false);
  EXPECT_LT(time_until([&] { return is_granted_anew<AccessRequest>(before); }), 500ms);
  granter->rotate(request);
  advance_time(1s);
  EXPECT_EQ(token_of_next_request(onboarding), "Bearer token-1");
}

TEST_F(FollowedClusterTest, ADeletedClusterRequestIsCreatedAgainWithItsAccess) {
  const std::string cluster = uid<ClusterRequest>();
  const std::string access = uid<AccessRequest>();
  ASSERT_TRUE(simulation.user().remove(ClusterRequest::type, request));
  EXPECT_LT(time_until([&] { return is_granted_anew<AccessRequest>(access); }), 1s);
  EXPECT_TRUE(is_granted_anew<ClusterRequest>(cluster));
  EXPECT_EQ(token_of_next_request(onboarding), "none");
}

TEST_F(FollowedClusterTest, ARevokedGrantKeepsTheLastKubeconfig) {
  granter->decide(AccessRequest::type, request, GrantDecision::deny);
  advance_time(3h);
  EXPECT_TRUE(log->has("AccessRequest default/greeting--onboarding was denied"));
  EXPECT_TRUE(home.since(6min).at_most(80, 1h)) << "three requests for each poll";
  EXPECT_EQ(token_of_next_request(onboarding), "none");
  granter->rotate(request);
  granter->decide(AccessRequest::type, request, GrantDecision::grant);
  advance_time(500ms);
  EXPECT_EQ(token_of_next_request(onboarding), "Bearer token-1");
}

TEST_F(FollowedClusterTest, AnInvalidKubeconfigIsReadSeldomAndAtOnceAfterItsRepair) {
  write_kubeconfig("nothing");
  advance_time(3h);
  EXPECT_TRUE(log->has("cannot determine the address of the cluster"));
  EXPECT_TRUE(home.since(6min).at_most(80, 1h));
  EXPECT_EQ(token_of_next_request(onboarding), "none");
  granter->rotate(request);
  advance_time(500ms);
  EXPECT_EQ(token_of_next_request(onboarding), "Bearer token-1");
}

TEST_F(FollowedClusterTest, AnotherServerIsListedAndWatched) {
  ASSERT_TRUE(onboarding.user().create(ConfigMap{.metadata = {.name = "old", .namespace_ = "default"}}));
  ASSERT_TRUE(elsewhere.user().create(ConfigMap{.metadata = {.name = "new", .namespace_ = "default"}}));
  advance_time(1s);
  ASSERT_EQ(seen, (std::vector<std::string>{"old"}));
  write_kubeconfig(elsewhere.kubeconfig());
  EXPECT_LT(time_until([&] { return seen.size() == 2; }), 500ms);
  EXPECT_EQ(seen.back(), "new");
  EXPECT_TRUE(log->has("the cluster has moved to another server"));
  ASSERT_TRUE(onboarding.user().create(ConfigMap{.metadata = {.name = "too-late", .namespace_ = "default"}}));
  advance_time(10s);
  EXPECT_EQ(seen.size(), 2U);
  (void)token_of_next_request(elsewhere);
}

TEST_F(FollowedClusterTest, AnIdleHourAndOtherSecretsCostNoRequest) {
  home.clear();
  ASSERT_TRUE(simulation.user().create(Secret{.metadata = {.name = "other", .namespace_ = "default"}}));
  advance_time(1h);
  EXPECT_EQ(home.size(), 0U);
}

// Another client repeatedly deletes the request.
TEST_F(FollowedClusterTest, ARequestThatIsAlwaysDeletedIsCreatedAFewTimesAnHour) {
  const std::size_t before = home.size();
  for (int i = 0; i < 3 * 3600; ++i) {
    if (!uid<AccessRequest>().empty()) (void)simulation.user().remove(AccessRequest::type, request);
    advance_time(1s);
  }
  testkit::RecordedCalls creations;
  for (const testkit::RecordedCall& one : home.all()) {
    if (one.what.starts_with("POST") && one.what.find("accessrequests") != std::string::npos) creations.push_back(one);
  }
  EXPECT_GT(home.size(), before);
  EXPECT_GE(creations.size(), 5U);
  EXPECT_TRUE(creations.at_most(30, 1h));
}

}  // namespace
}  // namespace pintle::service
