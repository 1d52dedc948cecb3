#include <pintle/patterns/service/requested_cluster.hpp>

#include <algorithm>

#include <gmock/gmock.h>

#include <pintle/api/everyday.hpp>
#include <pintle/testing/access_granter.hpp>
#include <pintle/testing/kept_log.hpp>

namespace pintle::service {
namespace {

using namespace std::chrono_literals;
using testing::GrantDecision;
using ::testing::HasSubstr;

// An operator at home in the platform cluster, with the onboarding cluster beside it.
class RequestedClusterTest : public ::testing::Test {
 protected:
  void SetUp() override {
    granter.emplace(simulation, platform, testing::AccessGranterOptions{.clusters = {{"onboarding", &onboarding}}});
    const auto started = granter->start();
    ASSERT_TRUE(started) << started.error().to_string();
  }

  [[nodiscard]] static RequestedClusterOptions options() {
    return {.controller_name = "Greeting", .namespace_ = "default", .token = {.role_refs = {{.name = "admin"}}}};
  }
  [[nodiscard]] Result<Cluster> find(RequestedClusterOptions with = options(), std::stop_token stop = {}) {
    transport = simulation.connect(std::move(faults));
    Client home({.transport = transport, .cluster = platform.address()});
    RequestedCluster cluster(std::move(with));
    const Instant before = simulation.runtime().now();
    auto found = cluster.find({.home = home,
                               .runtime = simulation.runtime(),
                               .log = Log(log, simulation.runtime()),
                               .stop = std::move(stop)});
    took = simulation.runtime().now() - before;
    return found;
  }
  [[nodiscard]] std::size_t count(const std::string& plural) {
    return platform.server().objects(plural + ".clusters.openmcp.cloud").size();
  }

  testing::Simulation simulation{{}};
  testing::SimulatedCluster& platform = simulation.add_cluster("platform");
  testing::SimulatedCluster& onboarding = simulation.add_cluster("onboarding");
  std::shared_ptr<testing::KeptLog> log = std::make_shared<testing::KeptLog>();
  std::optional<testing::AccessGranter> granter;
  http::FaultPlan faults;
  std::shared_ptr<http::MemoryTransport> transport;
  Duration took{};
  const ObjectKey request{"default", "greeting--onboarding"};
};

TEST_F(RequestedClusterTest, AsksForItAndLooksEveryTenSecondsUntilItIsGranted) {
  granter->set_delay(25s);
  const auto found = find();
  ASSERT_TRUE(found) << found.error().to_string();
  EXPECT_EQ(found->endpoint->host, "onboarding");
  EXPECT_EQ(took, 60s) << "each request is granted after 25 seconds, and seen at the third look";
  const auto access = platform.user().get<AccessRequest>(request);
  ASSERT_TRUE(access);
  EXPECT_EQ(access->spec.token, options().token);
  EXPECT_EQ(access->metadata.labels.at("openmcp.cloud/managed-by"), "Greeting");
  EXPECT_EQ(platform.user().get<ClusterRequest>(request)->spec.purpose, "onboarding");
}

TEST_F(RequestedClusterTest, TheNextProcessUsesWhatIsThere) {
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

TEST_F(RequestedClusterTest, EndsAfterFiveMinutesAndNamesWhatIsAwaited) {
  granter->decide(ClusterRequest::type, request, GrantDecision::hold);
  const auto found = find();
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::timeout);
  EXPECT_THAT(found.error().to_string(), HasSubstr("ClusterRequest default/greeting--onboarding was not granted"));
  EXPECT_EQ(took, 5min);
  EXPECT_LE(transport->calls(), 40U) << "a look each ten seconds, and what the client learns of the server";
  EXPECT_EQ(count("accessrequests"), 0U);
}

TEST_F(RequestedClusterTest, LooksAsOftenAndAsLongAsItIsTold) {
  granter->decide(ClusterRequest::type, request, GrantDecision::hold);
  RequestedClusterOptions patient = options();
  patient.interval = 1min;
  patient.timeout = 150s;
  ASSERT_FALSE(find(patient));
  EXPECT_EQ(took, 150s);
  EXPECT_EQ(std::count_if(log->lines.begin(), log->lines.end(),
                          [](const std::string& line) { return line.find("waiting for access") != std::string::npos; }),
            3)
      << "at once, after one minute and after two";
}

// The server is away in between, and answers of creations are lost.
TEST_F(RequestedClusterTest, OutlastsAPlatformThatIsAwayForAWhile) {
  int refused = 0;
  faults = {{.effect = http::AnswerError{.status = 503, .reason = "ServiceUnavailable"},
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
  EXPECT_EQ(found.error().code, ErrorCode::not_ours);
  EXPECT_EQ(count("accessrequests"), 0U);
}

TEST(RequestedCluster, AManagerInThePlatformClusterStartsOnceItHasTheOnboardingCluster) {
  testing::Simulation simulation{{}};
  testing::SimulatedCluster& onboarding = simulation.add_cluster("onboarding");
  testing::AccessGranter granter(simulation, {.clusters = {{"onboarding", &onboarding}}, .delay = 15s});
  ASSERT_TRUE(granter.start());
  std::vector<ObjectKey> seen;
  ManagerOptions options{.name = "op"};
  options.clusters = {{.name = "onboarding",
                       .finder = std::make_shared<RequestedCluster>(
                           RequestedClusterOptions{.controller_name = "greeting", .namespace_ = "default"})}};
  testing::Instance instance(simulation, std::move(options), [&](Manager& manager) {
    manager.add(Controller<Object>{.watch = {"v1", "ConfigMap"},
                                   .cluster = "onboarding",
                                   .reconcile = [&](const Object& object, Context&) -> Outcome {
                                     seen.push_back(object.key());
                                     return settled;
                                   }});
  });
  instance.start();
  simulation.runtime().sleep_for(30s);
  EXPECT_FALSE(instance.manager().is_ready());
  ASSERT_TRUE(simulation.wait_until([&] { return instance.manager().is_ready(); }));
  ASSERT_TRUE(onboarding.user().create(ConfigMap{.metadata = {.name = "c", .namespace_ = "default"}}));
  simulation.runtime().sleep_for(1s);
  EXPECT_EQ(seen, (std::vector<ObjectKey>{{"default", "c"}}));
}

TEST(RequestedCluster, AManagerThatIsAskedToStopDoesNotWaitForIt) {
  testing::Simulation simulation{{}};
  testing::AccessGranter granter(simulation, {.decision = GrantDecision::hold});
  ASSERT_TRUE(granter.start());
  ManagerOptions options{.name = "op"};
  options.clusters = {{.name = "onboarding",
                       .finder = std::make_shared<RequestedCluster>(
                           RequestedClusterOptions{.controller_name = "greeting", .namespace_ = "default"})}};
  testing::Instance instance(simulation, std::move(options), [](Manager& manager) {
    manager.add(Controller<Object>{.watch = {"v1", "ConfigMap"},
                                   .reconcile = [](const Object&, Context&) -> Outcome { return settled; }});
  });
  instance.start();
  simulation.runtime().sleep_for(30s);
  const Instant before = simulation.runtime().now();
  instance.manager().request_stop();
  instance.join();
  EXPECT_LT(simulation.runtime().now() - before, 1s);
  ASSERT_FALSE(instance.started());
  EXPECT_EQ(instance.started().error().code, ErrorCode::cancelled);
  EXPECT_THAT(instance.started().error().to_string(), HasSubstr("connect to cluster onboarding"));
}

}  // namespace
}  // namespace pintle::service
