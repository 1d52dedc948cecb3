// SPDX-License-Identifier: Apache-2.0
// TestEnvironment in all modes. The suite EnvironmentModesConcurrency also runs against `pintle dev --tls`, in
// tests/e2e/environment_test.py.
#include <pintle/testing/test_environment.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest-spi.h>
#include <unistd.h>

#include <pintle/api/everyday.hpp>
#include <pintle/controller/ready_status.hpp>
#include <pintle/http/certificates.hpp>
#include <pintle/http/server.hpp>
#include <pintle/object/owner.hpp>
#include <pintle/webhook/admission.hpp>

namespace pintle::testkit {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr std::int64_t unlucky_slots = 13;

struct Shelf {
  static constexpr Type type{"shop.pintle.dev/v1", "Shelf"};
  struct Spec {
    std::int64_t slots = 1;
    static constexpr auto fields() { return pintle::fields(field("slots", &Spec::slots).minimum(0)); }
  };
  Metadata metadata{};
  Spec spec{};
  ReadyStatus status{};
};

Outcome fill(const Shelf& shelf, Context& ctx) {
  if (shelf.spec.slots == unlucky_slots) return failed(make_error(ErrorCode::invalid, "13 slots bring no luck"));
  const ConfigMap map{.metadata = owned_by(shelf), .data = {{"slots", std::to_string(shelf.spec.slots)}}};
  if (auto applied = ctx.apply(map); !applied) return failed(std::move(applied.error()));
  report_ready(ctx.status());
  return done;
}

void add_shelves(Manager& manager) {
  manager.add(Controller<Shelf>{.owns = {ConfigMap::type},
                                .reconcile = fill,
                                .finalize = [](const Shelf&, Context&) { return done; },
                                .finalizer = "shop.pintle.dev/shelf"});
}

int shelf_main() {
  Manager manager({.name = "shelf-program"});
  add_shelves(manager);
  return run_until_signal(manager);
}

// A server with TLS on a socket, and its kubeconfig.
class TlsCluster {
 public:
  TlsCluster() {
    const auto identity = http::make_self_signed_key_pair("test", "127.0.0.1", executor_->wall_now()).value();
    listener_.emplace(*executor_, server_,
                      http::ServerOptions{.certificate = identity.server.certificate,
                                          .key = identity.server.key,
                                          .error_response = &ApiServer::error_response});
    EXPECT_TRUE(listener_->start());
    const json::Value config{
        {"current-context", "wrong"},
        {"contexts", json::array{{{"name", "test"}, {"context", {{"cluster", "test"}, {"user", "test"}}}},
                                 {{"name", "wrong"}, {"context", {{"cluster", "missing"}, {"user", "test"}}}}}},
        {"clusters",
         json::array{json::object{
             {"name", "test"},
             {"cluster",
              {{"server", listener_->url()}, {"certificate-authority-data", Bytes(identity.authority).to_base64()}}}}}},
        {"users", json::array{json::object{{"name", "test"}, {"user", {{"token", "any"}}}}}}};
    std::ofstream(kubeconfig) << json::print(config);
  }
  ~TlsCluster() {
    server_.stop();
    listener_->stop();
    std::filesystem::remove(kubeconfig);
  }
  TlsCluster(const TlsCluster&) = delete;
  TlsCluster& operator=(const TlsCluster&) = delete;

  [[nodiscard]] std::vector<std::string> names(const char* resource) const {
    std::vector<std::string> all;
    for (const Object& one : server_.objects(resource)) all.emplace_back(one.name());
    return all;
  }

  const std::string kubeconfig = ::testing::TempDir() + "pintle-environment-" + std::to_string(::getpid());

 private:
  const std::unique_ptr<Executor> executor_ = make_real_executor();
  ApiServer server_{*executor_};
  std::optional<http::Server> listener_;
};

class EnvironmentModes : public ::testing::TestWithParam<EnvironmentMode> {
 protected:
  EnvironmentModes() {
    const bool needs_cluster = GetParam() == EnvironmentMode::cluster;
    if (needs_cluster && std::getenv(test_kubeconfig_variable) == nullptr) cluster_.emplace();
  }
  TestEnvironmentOptions options() {
    TestEnvironmentOptions made{.manager = {.name = "shelf-operator"}, .add_controllers = add_shelves};
    made.mode = GetParam();
    made.observation = 200ms;
    if (cluster_) {
      made.kubeconfig = cluster_->kubeconfig;
      made.context = "test";
    }
    return made;
  }
  static std::string failure_of(const std::function<void()>& act) {
    try {
      act();
    } catch (const TestFailure& failure) {
      return failure.what();
    }
    return "no failure";
  }

  std::optional<TlsCluster> cluster_;
};

// Two of the modes have threads of their own.
using EnvironmentModesConcurrency = EnvironmentModes;
INSTANTIATE_TEST_SUITE_P(All, EnvironmentModesConcurrency,
                         ::testing::Values(EnvironmentMode::simulated, EnvironmentMode::real_time,
                                           EnvironmentMode::cluster),
                         [](const auto& mode) { return std::string(to_string(mode.param)); });

TEST_P(EnvironmentModesConcurrency, RunTheSameTest) {
  TestEnvironment environment(options());
  const Shelf shelf = environment.given(Shelf{.metadata = {.name = "a"}, .spec = {.slots = 3}});
  EXPECT_EQ(shelf.metadata.namespace_, environment.namespace_());
  EXPECT_TRUE(environment.is_ready(shelf));
  EXPECT_TRUE(environment.eventually<ConfigMap>("a", all_of(has_data("slots", "3"), is_controlled_by(shelf))));

  environment.change<Shelf>(shelf, {{"spec", {{"slots", 4}}}});
  EXPECT_TRUE(environment.eventually<ConfigMap>("a", [](const ConfigMap& map) { return map.data.at("slots") == "4"; }));
  EXPECT_TRUE(environment.is_ready(shelf));
  EXPECT_TRUE(environment.always<ConfigMap>(shelf, negated(has_data("slots", "3"))));
  EXPECT_TRUE(environment.never<ConfigMap>("b"));

  environment.remove<ConfigMap>("a");
  EXPECT_TRUE(environment.eventually("the ConfigMap exists again", [&] {
    return environment.user().get<ConfigMap>({environment.namespace_(), "a"}).has_value();
  }));
  environment.remove<Shelf>("a");
  EXPECT_TRUE(environment.gone<Shelf>("a"));
  EXPECT_TRUE(environment.gone<ConfigMap>("a"));
}

TEST_P(EnvironmentModesConcurrency, AcceptMainOfAnOperator) {
  TestEnvironmentOptions made = options();
  made.program = shelf_main;
  TestEnvironment environment(std::move(made));
  environment.given(Shelf{.metadata = {.name = "a"}});
  EXPECT_TRUE(environment.eventually<ConfigMap>("a"));
  const Object map = environment.get(ConfigMap::type, "a");
  EXPECT_EQ(map["/metadata/managedFields/0/manager"].text(), "shelf-program/shelf");
}

TEST_P(EnvironmentModesConcurrency, StartTheOperatorAgain) {
  TestEnvironment environment(options());
  environment.stop_operator();
  environment.given(Shelf{.metadata = {.name = "a"}});
  EXPECT_TRUE(environment.never<ConfigMap>("a", is_ready(), 50ms));
  environment.start_operator();
  EXPECT_TRUE(environment.eventually<ConfigMap>("a"));
  environment.start_operator();
  environment.given(Shelf{.metadata = {.name = "b"}});
  EXPECT_TRUE(environment.eventually<ConfigMap>("b"));
}

TEST_P(EnvironmentModesConcurrency, CreateObjectsFromYaml) {
  TestEnvironment environment(options());
  const std::string file = ::testing::TempDir() + "pintle-shelves-" + std::to_string(::getpid());
  const std::string text =
      "apiVersion: shop.pintle.dev/v1\nkind: Shelf\nmetadata: {name: a}\nspec: {slots: 2}\n---\n"
      "apiVersion: v1\nkind: Secret\nmetadata: {name: b}\nstringData: {x: v}\n";
  std::ofstream(file) << text;
  EXPECT_EQ(environment.given_file(file).size(), 2U);
  EXPECT_THAT(failure_of([&] { environment.given_file(file); }), AllOf(HasSubstr(file), HasSubstr("already exists")));
  std::filesystem::remove(file);
  EXPECT_TRUE(environment.eventually<ConfigMap>("a", has_data("slots", "2")));
  EXPECT_TRUE(environment.eventually<Secret>("b", has_data("x", "v")));
  EXPECT_EQ(environment.list<Secret>().size(), 1U);
  EXPECT_THAT(failure_of([&] { environment.given_file(file); }), HasSubstr(file));
  EXPECT_THAT(failure_of([&] { environment.given_yaml("a: ["); }), HasSubstr("given_yaml()"));
}

TEST_P(EnvironmentModesConcurrency, ARefusedObjectFailsTheTestWithTheReason) {
  TestEnvironment environment(options());
  EXPECT_THAT(failure_of([&] { environment.given(Shelf{.metadata = {.name = "a"}, .spec = {.slots = -1}}); }),
              AllOf(HasSubstr("given(): "), HasSubstr("spec.slots")));
  EXPECT_THAT(
      failure_of([&] { environment.given_yaml("{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, dta: {}}"); }),
      HasSubstr("dta"));
  EXPECT_THAT(failure_of([&] { environment.given_yaml("{apiVersion: x.dev/v1, kind: Shelv, metadata: {name: a}}"); }),
              HasSubstr("the server does not have"));
  EXPECT_THAT(failure_of([&] { environment.given(json::Value{{"kind", "Shelf"}}); }), HasSubstr("no apiVersion"));
  EXPECT_THAT(failure_of([&] { environment.remove<Shelf>("a"); }), HasSubstr("does not exist"));
  EXPECT_THAT(failure_of([&] { environment.change<Shelf>("a", {{"spec", nullptr}}); }), HasSubstr("not found"));
}

TEST_P(EnvironmentModesConcurrency, RestrictATestToItsNamespace) {
  TestEnvironment environment(options());
  const Shelf elsewhere{.metadata = {.name = "a", .namespace_ = "default"}};
  EXPECT_THAT(failure_of([&] { environment.given(elsewhere); }),
              AllOf(HasSubstr("default/a is not in the namespace of the environment"), HasSubstr(".all_namespaces")));
  ASSERT_TRUE(environment.user().create(elsewhere));
  EXPECT_TRUE(environment.never<ConfigMap>({"default", "a"}));
  ASSERT_TRUE(environment.user().remove(Shelf::type, {"default", "a"}));
}

TEST_P(EnvironmentModesConcurrency, WatchAllNamespacesOnRequest) {
  TestEnvironmentOptions made = options();
  made.all_namespaces = true;
  TestEnvironment environment(std::move(made));
  const std::string name = environment.unique_name("shelf");
  environment.given(Shelf{.metadata = {.name = name, .namespace_ = "default"}});
  EXPECT_TRUE(environment.eventually<ConfigMap>({"default", name}));
  environment.given(Shelf{.metadata = {.name = name}});
  EXPECT_TRUE(environment.eventually<ConfigMap>(name));
}

TEST_P(EnvironmentModesConcurrency, AFailureShowsTheObjectAndTheErrorsOfTheOperator) {
  TestEnvironment environment(options());
  environment.given(Shelf{.metadata = {.name = "a"}, .spec = {.slots = unlucky_slots}});
  const CheckResult missing = environment.eventually<ConfigMap>("a", has_data("slots", "13"), 300ms);
  EXPECT_FALSE(missing);
  EXPECT_THAT(missing.message,
              AllOf(HasSubstr("v1 ConfigMap " + environment.namespace_() + "/a, after 300ms, does not exist"),
                    HasSubstr("13 slots bring no luck")));
  const CheckResult other = environment.eventually<Shelf>("a", has_field("/spec/slots", 14), 300ms);
  EXPECT_THAT(other.message, AllOf(HasSubstr("does not match: /spec/slots is 13 instead of 14"),
                                   HasSubstr("  slots: 13\n"), Not(HasSubstr("managedFields"))));
  const CheckResult remains = environment.gone<Shelf>("a", 300ms);
  EXPECT_THAT(remains.message, AllOf(HasSubstr("is not gone after 300ms"), HasSubstr("  slots: 13\n")));
  const CheckResult condition = environment.eventually(
      "a condition", [] { return false; }, 300ms);
  EXPECT_THAT(condition.message, HasSubstr("not within 300ms: a condition: "));
  EXPECT_THAT(environment.eventually<Shelf>("b", is_ready(), 50ms).message,
              HasSubstr("the Shelf objects in this namespace are a"));
  EXPECT_THAT(environment.eventually({"x.dev/v1", "Shelv"}, "b", is_ready(), 50ms).message,
              HasSubstr("cannot be read: "));
}

TEST_P(EnvironmentModesConcurrency, ObservationsEndAtTheFirstDifference) {
  TestEnvironment environment(options());
  const Shelf shelf = environment.given(Shelf{.metadata = {.name = "a"}, .spec = {.slots = 3}});
  ASSERT_TRUE(environment.is_ready(shelf));
  EXPECT_THAT(environment.always<Shelf>("a", has_field("/spec/slots", 4)).message,
              HasSubstr("does not match: /spec/slots is 3 instead of 4"));
  EXPECT_THAT(environment.always<ConfigMap>("b", has_data("slots", "3")).message, HasSubstr("does not exist"));
  EXPECT_THAT(environment.never<ConfigMap>("a", has_data("slots", "3")).message,
              HasSubstr("matches: data \"slots\" is \"3\""));
  EXPECT_TRUE(environment.never<ConfigMap>("a", has_data("slots", "4")));
  EXPECT_FALSE(environment.never({"x.dev/v1", "Shelv"}, "b", is_ready())) << "the kind does not exist";
}

TEST_P(EnvironmentModesConcurrency, AnOperatorThatCannotStartFailsTheTest) {
  TestEnvironmentOptions made = options();
  made.add_controllers = [](Manager& manager) {
    add_shelves(manager);
    manager.add_error(make_error(ErrorCode::invalid, "this declaration is wrong"));
  };
  EXPECT_THAT(failure_of([&] { const TestEnvironment environment(std::move(made)); }),
              AllOf(HasSubstr("the operator is not ready"), HasSubstr("this declaration is wrong")));
  EXPECT_THAT(failure_of([&] {
                TestEnvironmentOptions none = options();
                none.add_controllers = nullptr;
                const TestEnvironment environment(std::move(none));
              }),
              HasSubstr("the environment has no operator"));
}

TEST_P(EnvironmentModesConcurrency, AnOperatorThatEndsFailsItsChecksAtOnce) {
  TestEnvironmentOptions made = options();
  made.add_controllers = [](Manager& manager) {
    add_shelves(manager);
    manager.add(Runnable{.name = "short", .body = [](const RunnableContext&) -> Result<void> {
                           return fail(ErrorCode::unavailable, "the disk is full");
                         }});
  };
  // The operator may end while it starts.
  const std::string at_start = failure_of([&] {
    TestEnvironment environment(std::move(made));
    const CheckResult missing = environment.eventually<ConfigMap>("a");
    const CheckResult cleaned = environment.clean_up();
    throw TestFailure(missing.message + (cleaned ? "" : "\nnot removed: " + cleaned.message));
  });
  EXPECT_THAT(at_start,
              AllOf(HasSubstr("the operator has ended"), HasSubstr("the disk is full"), Not(HasSubstr("not removed"))));
}

TEST_P(EnvironmentModesConcurrency, InstallTheKindsThatTheTestNeeds) {
  TestEnvironmentOptions made = options();
  made.add_controllers = nullptr;
  made.start = false;
  TestEnvironment environment(std::move(made));
  environment.install<Shelf>();
  environment.install<Shelf>();
  environment.given(Shelf{.metadata = {.name = "a"}});
  environment.set_status<Shelf>("a", {{"phase", "Filled"}});
  EXPECT_TRUE(environment.eventually<Shelf>("a", has_field("/status/phase", "Filled")));
  EXPECT_EQ(environment.get<Shelf>("a").status.phase, "Filled");
}

TEST_P(EnvironmentModesConcurrency, PrintTheManifestsOfTheUnchangedOperator) {
  TestEnvironment environment(options());
  const auto crds = environment.output({"--print-crds"});
  ASSERT_TRUE(crds) << crds.error().to_string();
  EXPECT_THAT(*crds, HasSubstr("name: shelfs.shop.pintle.dev\n"));
  const auto roles = environment.output({"--print-rbac"});
  ASSERT_TRUE(roles) << roles.error().to_string();
  EXPECT_THAT(*roles, Not(HasSubstr(environment.namespace_())));
  const CheckResult golden = environment.golden({"--print-crds"}, "/missing/crds.yaml");
  EXPECT_FALSE(golden);
  EXPECT_THAT(golden.message, HasSubstr("/missing/crds.yaml"));
  EXPECT_FALSE(environment.golden({"--nonsense"}, "/missing/crds.yaml"));
}

TEST_P(EnvironmentModesConcurrency, ElectALeaderInTheNamespaceOfTheTest) {
  TestEnvironmentOptions made = options();
  made.manager.leader_election = LeaderElectionOptions{};
  TestEnvironment environment(std::move(made));
  environment.given(Shelf{.metadata = {.name = "a"}});
  EXPECT_TRUE(environment.eventually<ConfigMap>("a"));
  EXPECT_TRUE(environment.eventually({"coordination.k8s.io/v1", "Lease"}, "shelf-operator",
                                     [](const Object& lease) { return lease["/spec/holderIdentity"].is_string(); }));
}

// In a cluster, they would need an address of this machine.
TEST_P(EnvironmentModesConcurrency, CallWebhooksWithoutSockets) {
  TestEnvironmentOptions made = options();
  made.manager.webhooks.listen = "0.0.0.0:9443";
  made.add_controllers = [](Manager& manager) {
    add_shelves(manager);
    manager.add(Admission<Shelf>{.validate = [](const Shelf& shelf, const AdmissionContext&) {
      return shelf.spec.slots > 100 ? denied("a shelf has at most 100 slots") : admitted();
    }});
  };
  if (cluster_ || std::getenv(test_kubeconfig_variable) != nullptr) return;
  TestEnvironment environment(std::move(made));
  EXPECT_THAT(failure_of([&] { environment.given(Shelf{.metadata = {.name = "a"}, .spec = {.slots = 101}}); }),
              HasSubstr("a shelf has at most 100 slots"));
  environment.given(Shelf{.metadata = {.name = "a"}, .spec = {.slots = 100}});
  EXPECT_TRUE(environment.eventually<ConfigMap>("a", has_data("slots", "100")));
}

TEST(TestEnvironment, ResultsConvertToAssertionResults) {
  TestEnvironment environment({.add_controllers = add_shelves, .limit = 1s});
  EXPECT_NONFATAL_FAILURE(EXPECT_TRUE(environment.eventually<Shelf>("a")), "does not exist");
  EXPECT_FALSE(bool(environment.eventually<Shelf>("a")));
}

TEST(TestEnvironment, VirtualTimePassesAtOnceAndTheSeedGivesTheNames) {
  std::vector<std::string> names;
  for (const std::uint64_t seed : {7, 7, 8}) {
    SimulationOptions simulation;
    simulation.seed = seed;
    TestEnvironment environment({.add_controllers = add_shelves, .simulation = simulation});
    const Instant begin = environment.executor().now();
    environment.given(Shelf{.metadata = {.name = "a"}});
    EXPECT_TRUE(environment.always<Shelf>("a", has_field("/spec/slots", 1), 1h));
    EXPECT_GE(environment.executor().now() - begin, Duration(1h));
    names.push_back(environment.namespace_() + environment.unique_name("x"));
    EXPECT_NE(environment.simulation(), nullptr);
    EXPECT_NE(environment.unique_name("x"), environment.unique_name("x"));
  }
  EXPECT_EQ(names[0], names[1]);
  EXPECT_NE(names[0], names[2]);
}

TEST(TestEnvironment, PermissionsAreCheckedInASimulation) {
  std::vector<std::string> missing;
  SimulationOptions simulation;
  simulation.on_missing_permission = [&](const std::string& what) { missing.push_back(what); };
  const auto add = [](Manager& manager) {
    manager.add(Controller<ConfigMap>{.reconcile = [](const ConfigMap& map, Context& ctx) -> Outcome {
      if (map.metadata.name != "a") return done;
      return ctx.apply(Secret{.metadata = owned_by(map)});
    }});
  };
  {
    TestEnvironment environment({.add_controllers = add, .simulation = simulation});
    environment.given(ConfigMap{.metadata = {.name = "a"}});
    EXPECT_TRUE(environment.eventually<Secret>("a"));
  }
  EXPECT_THAT(missing, Not(IsEmpty()));
}

class ClusterEnvironment : public ::testing::Test {
 protected:
  ~ClusterEnvironment() override {
    ::unsetenv(test_kubeconfig_variable);
    ::unsetenv(test_context_variable);
  }
  void set_variables() {
    ::setenv(test_kubeconfig_variable, cluster_.kubeconfig.c_str(), 1);
    ::setenv(test_context_variable, "test", 1);
  }
  [[nodiscard]] TestEnvironmentOptions options() const {
    return {.add_controllers = add_shelves, .kubeconfig = cluster_.kubeconfig, .context = "test"};
  }

  TlsCluster cluster_;
};

using ClusterEnvironmentConcurrency = ClusterEnvironment;

TEST_F(ClusterEnvironmentConcurrency, TheVariablesSelectTheClusterOfAllTests) {
  set_variables();
  TestEnvironment environment({.add_controllers = add_shelves});
  EXPECT_EQ(environment.mode(), EnvironmentMode::cluster);
  environment.given(Shelf{.metadata = {.name = "a"}});
  EXPECT_TRUE(environment.eventually<ConfigMap>("a"));
  EXPECT_THAT(cluster_.names("configmaps"), ElementsAre("a"));
}

TEST_F(ClusterEnvironmentConcurrency, NothingOfATestRemainsButTheCrds) {
  const std::vector<std::string> before = cluster_.names("namespaces");
  {
    TestEnvironment environment(options());
    environment.given(Shelf{.metadata = {.name = "a"}});
    environment.given_yaml("{apiVersion: v1, kind: Namespace, metadata: {name: other}}");
    EXPECT_TRUE(environment.eventually<ConfigMap>("a"));
    EXPECT_EQ(cluster_.names("namespaces").size(), before.size() + 2);
    EXPECT_TRUE(environment.clean_up());
    EXPECT_EQ(cluster_.names("namespaces"), before);
  }
  EXPECT_THAT(cluster_.names("shelfs.shop.pintle.dev"), IsEmpty()) << "the operator has finalized them";
  EXPECT_THAT(cluster_.names("customresourcedefinitions.apiextensions.k8s.io"), ElementsAre("shelfs.shop.pintle.dev"));
}

TEST_F(ClusterEnvironmentConcurrency, TheDestructorCleansUp) {
  const std::vector<std::string> before = cluster_.names("namespaces");
  {
    TestEnvironment environment(options());
    environment.given(Shelf{.metadata = {.name = "a"}});
  }
  EXPECT_EQ(cluster_.names("namespaces"), before);
}

TEST_F(ClusterEnvironmentConcurrency, AnObjectThatRemainsIsNamed) {
  TestEnvironmentOptions made = options();
  made.limit = 1s;
  TestEnvironment environment(std::move(made));
  environment.given_yaml("{apiVersion: v1, kind: ConfigMap, metadata: {name: a, finalizers: [shop.pintle.dev/x]}}");
  const CheckResult cleaned = environment.clean_up();
  EXPECT_FALSE(cleaned);
  EXPECT_THAT(cleaned.message, HasSubstr("v1 Namespace " + environment.namespace_() + " still exists after 1s"));
}

TEST_F(ClusterEnvironmentConcurrency, SeveralEnvironmentsUseOneCluster) {
  TestEnvironment first(options());
  TestEnvironment second(options());
  EXPECT_NE(first.namespace_(), second.namespace_());
  first.given(Shelf{.metadata = {.name = "a"}, .spec = {.slots = 1}});
  second.given(Shelf{.metadata = {.name = "a"}, .spec = {.slots = 2}});
  EXPECT_TRUE(first.eventually<ConfigMap>("a", has_data("slots", "1")));
  EXPECT_TRUE(second.eventually<ConfigMap>("a", has_data("slots", "2")));
  first.stop_operator();
  first.given(Shelf{.metadata = {.name = "b"}});
  EXPECT_TRUE(first.never<ConfigMap>("b")) << "the operator of the other environment does not see it";
  first.start_operator();
}

TEST_F(ClusterEnvironmentConcurrency, AClusterThatCannotBeUsedFailsTheTest) {
  const auto failure_of = [](TestEnvironmentOptions made) -> std::string {
    try {
      const TestEnvironment environment(std::move(made));
    } catch (const TestFailure& failure) {
      return failure.what();
    }
    return "no failure";
  };
  TestEnvironmentOptions made = options();
  made.context = "nowhere";
  EXPECT_THAT(failure_of(made), AllOf(HasSubstr("the cluster of the environment: "), HasSubstr("nowhere")));
  made = {.add_controllers = add_shelves, .mode = EnvironmentMode::cluster};
  EXPECT_THAT(failure_of(made), HasSubstr("set .kubeconfig or PINTLE_TEST_KUBECONFIG"));
}

}  // namespace
}  // namespace pintle::testkit
