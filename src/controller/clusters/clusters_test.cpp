// SPDX-License-Identifier: Apache-2.0
#include <pintle/controller/clusters.hpp>

#include <algorithm>

#include <gmock/gmock.h>

#include <pintle/http/certificates.hpp>
#include <pintle/object/bytes.hpp>
#include <pintle/sim/simulated_programs.hpp>

#include "controller/test_support.hpp"
#include "secret_clusters.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

Secret access(const std::string& name, const std::string& kubeconfig) {
  return {.metadata = {.name = name, .namespace_ = "default"}, .data = {{"kubeconfig", kubeconfig}}};
}

// A kind that is watched in addition to Note.
struct Setting {
  static constexpr Type type{"test.pintle.dev/v1", "Setting"};
  static constexpr Scope scope = Scope::cluster;
  struct Spec {
    std::string value{};
    static constexpr auto fields() { return pintle::fields(field("value", &Spec::value, "What holds.")); }
  };
  Metadata metadata{};
  Spec spec{};
};

// The home cluster and a second cluster "b".
class ClustersTest : public OperatorTest {
 protected:
  [[nodiscard]] ManagerOptions with_b() const { return {.clusters = {{.name = "b", .address = b.address()}}}; }
  [[nodiscard]] bool becomes_true(const std::function<bool()>& condition) { return simulation.wait_until(condition); }
  [[nodiscard]] std::size_t config_maps_of_b() { return b.server().objects("configmaps").size(); }

  testkit::SimulatedCluster& b = simulation.add_cluster("b");
};

TEST_F(ClustersTest, AControllerWorksInTheClusterThatItNames) {
  run({.cluster = "b",
       .owns = {ConfigMap::type},
       .reconcile = [](const Note& note, Context& ctx) -> Outcome {
         ctx.event(EventType::normal, "Seen", "here");
         return ctx.apply(ConfigMap{.metadata = owned_by(note), .data = {{"text", note.spec.text}}});
       }},
      with_b());
  EXPECT_TRUE(simulation.server().objects("customresourcedefinitions.apiextensions.k8s.io").empty());
  ASSERT_TRUE(b.user().create(note("a")));
  ASSERT_TRUE(becomes_true([&] { return config_maps_of_b() == 1; }));
  ASSERT_TRUE(b.user().remove(ConfigMap::type, {"default", "a"}));
  EXPECT_TRUE(becomes_true([&] { return config_maps_of_b() == 1; })) << "a child there causes a reconcile";
  EXPECT_TRUE(becomes_true([&] { return b.server().objects("events").size() == 1; }));
  EXPECT_TRUE(simulation.server().objects("configmaps").empty());
}

// Trap 47. The informers, the workers and the leader election have clients of their own. The requests of the informers
// start on the I/O thread, which a plugin must not block.
TEST_F(ClustersTest, AllClientsOfAClusterShareOnePlugin) {
  SimulatedExecutor& executor = simulation.executor();
  const auto programs = std::make_shared<SimulatedPrograms>(executor);
  programs->add("login", [&](const ProgramCall&) {
    return SimulatedPrograms::Run{
        .result = {.output = R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{)"
                             R"("token":"t","expirationTimestamp":")" +
                             format_time(executor.wall_now() + 10min) + "\"}}"},
        .takes = 5s};
  });
  Cluster address = b.address();
  address.exec = std::make_shared<const ExecPlugin>(ExecPlugin{.command = "login"});
  run({.cluster = "b",
       .owns = {ConfigMap::type},
       .reconcile = [](const Note& note, Context& ctx) -> Outcome {
         return ctx.apply(ConfigMap{.metadata = owned_by(note), .data = {{"text", note.spec.text}}});
       }},
      {.clusters = {{.name = "b", .address = address}},
       .leader_election = LeaderElectionOptions{},
       .programs = programs});
  ASSERT_TRUE(b.user().create(note("a")));
  ASSERT_TRUE(becomes_true([&] { return config_maps_of_b() == 1; }));
  EXPECT_EQ(programs->calls().size(), 1U);

  executor.sleep_for(30min);
  ASSERT_TRUE(b.user().create(note("b")));

  EXPECT_TRUE(becomes_true([&] { return config_maps_of_b() == 2; }));
  EXPECT_GE(programs->calls().size(), 3U);
  EXPECT_LE(programs->calls().size(), 5U);
  EXPECT_EQ(programs->max_running(), 1U);
}

TEST_F(ClustersTest, AnObjectInAnotherClusterCausesReconciles) {
  std::vector<std::string> causes;
  std::vector<std::string> read;
  run({.watches = {{.kind = ConfigMap::type,
                    .map = [](const Object& map) -> std::vector<ObjectKey> { return {map.key()}; },
                    .cluster = "b"}},
       .reconcile = [&](const Note& note, Context& ctx) -> Outcome {
         for (const ReconcileCause& cause : ctx.causes()) causes.push_back(cause.to_string());
         auto elsewhere = ctx.cluster("b");
         if (!elsewhere) return failed(elsewhere.error());
         const auto map = elsewhere->get<ConfigMap>(note.metadata.key());
         read.push_back(map ? map->data.at("text") : std::string(to_string(map.error().code)));
         return done;
       }},
      with_b());
  create(note("a"));
  ASSERT_TRUE(becomes_true([&] { return read.size() == 1; }));
  EXPECT_EQ(read.back(), "not_found");
  const auto calls = instance->transport().calls();
  ASSERT_TRUE(b.user().create(ConfigMap{.metadata = {.name = "a", .namespace_ = "default"}, .data = {{"text", "hi"}}}));
  ASSERT_TRUE(becomes_true([&] { return read.size() == 2; }));
  EXPECT_EQ(read.back(), "hi");
  EXPECT_EQ(instance->transport().calls(), calls) << "a watched object there is read from the cache";
  EXPECT_THAT(causes.back(), HasSubstr("mapped in cluster b v1 ConfigMap default/a added"));
}

TEST_F(ClustersTest, AReconcileReadsItsWritesInAnotherCluster) {
  std::vector<std::size_t> seen;
  run({.watches = {{.kind = ConfigMap::type,
                    .map = [](const Object&) -> std::vector<ObjectKey> { return {}; },
                    .cluster = "b"}},
       .reconcile = [&](const Note& note, Context& ctx) -> Outcome {
         auto elsewhere = ctx.cluster("b");
         if (!elsewhere) return failed(elsewhere.error());
         const auto applied = elsewhere->apply(ConfigMap{
             .metadata = {.name = note.metadata.name, .namespace_ = "default"}, .data = {{"text", note.spec.text}}});
         if (!applied) return failed(applied.error());
         seen.push_back(elsewhere->list<ConfigMap>()->size());
         return done;
       }},
      with_b());
  create(note("a"));
  ASSERT_TRUE(becomes_true([&] { return seen.size() == 1; }));
  EXPECT_EQ(seen.back(), 1U);
  EXPECT_EQ(config_maps_of_b(), 1U);
}

TEST_F(ClustersTest, ACrdIsInstalledInTheClusterOfItsWatch) {
  run({.cluster = "b",
       .watches = {{.kind = Setting::type,
                    .map_with_cache = [](const Object&, const CacheReader& copies) { return copies.keys(); },
                    .cluster = std::string(home_cluster),
                    .crd = crd_of<Setting>()}},
       .reconcile = [](const Note&, Context&) -> Outcome { return done; }},
      with_b());
  const auto definitions = simulation.server().objects("customresourcedefinitions.apiextensions.k8s.io");
  ASSERT_EQ(definitions.size(), 1U);
  EXPECT_EQ(definitions[0].name(), "settings.test.pintle.dev");
  EXPECT_EQ(b.server().objects("customresourcedefinitions.apiextensions.k8s.io").size(), 1U) << "that of Note";
  EXPECT_THAT(instance->manager().print_crds().value(), HasSubstr("settings.test.pintle.dev"));
}

// The garbage collector of that cluster would delete the object at once, because the owner does not exist there.
TEST_F(ClustersTest, AnOwnerInAnotherClusterIsRefused) {
  std::string error;
  run({.reconcile = [&](const Note& note, Context& ctx) -> Outcome {
        const auto applied = ctx.cluster("b")->apply(ConfigMap{.metadata = owned_by(note)});
        error = applied ? "" : applied.error().to_string();
        return done;
      }},
      with_b());
  create(note("a"));
  ASSERT_TRUE(becomes_true([&] { return !error.empty(); }));
  EXPECT_THAT(error, HasSubstr("its owner Note default/a is not in cluster b"));
  EXPECT_EQ(config_maps_of_b(), 0U);
}

TEST_F(ClustersTest, AnUnknownClusterIsReportedWithTheKnownOnes) {
  std::string error;
  run({.reconcile = [&](const Note&, Context& ctx) -> Outcome {
        error = ctx.cluster("c").error().message;
        EXPECT_TRUE(ctx.cluster(home_cluster));
        return done;
      }},
      with_b());
  create(note("a"));
  ASSERT_TRUE(becomes_true([&] { return !error.empty(); }));
  EXPECT_EQ(error, "cluster \"c\" is not in ManagerOptions::clusters; known clusters: b, home");
}

TEST_F(ClustersTest, ErrorsOfTheDeclarationAreReportedAtStart) {
  start(
      [](Manager& manager) {
        manager.add(Controller<Note>{.cluster = "d", .reconcile = [](const Note&, Context&) { return Outcome(done); }});
      },
      {.clusters = {{.name = "b", .address = b.address()},
                    {.name = "b", .address = b.address()},
                    {.name = "No label", .address = b.address()},
                    {.name = "home", .address = b.address()},
                    {.name = "c"}}});
  instance->join();
  ASSERT_FALSE(instance->started());
  const std::string message = instance->started().error().message;
  for (const char* part :
       {"two clusters have the name \"b\"", "the name of cluster \"No label\" ", "two clusters have the name \"home\"",
        "cluster c has no kubeconfig; set --c-kubeconfig", "controller note uses cluster \"d\""}) {
    EXPECT_THAT(message, HasSubstr(part));
  }
}

TEST_F(ClustersTest, ALeaderWorksInAllClusters) {
  ManagerOptions options = with_b();
  options.leader_election = LeaderElectionOptions{};
  run({.cluster = "b",
       .reconcile = [](const Note& note, Context& ctx) -> Outcome {
         return ctx.apply(ConfigMap{.metadata = owned_by(note)});
       }},
      std::move(options));
  ASSERT_TRUE(b.user().create(note("a")));
  EXPECT_TRUE(becomes_true([&] { return config_maps_of_b() == 1; }));
  EXPECT_EQ(simulation.server().objects("leases.coordination.k8s.io").size(), 1U);
}

// The client stays the same while the Secret is unchanged, and is removed with it (T3-25).
TEST_F(ClustersTest, TheClientOfASecretIsKeptUntilTheSecretChanges) {
  testkit::SimulatedCluster& c = simulation.add_cluster("c");
  std::vector<const Client*> clients;
  std::vector<std::string> errors;
  run({.reconcile = [&](const Note& note, Context& ctx) -> Outcome {
    auto reached = ctx.cluster_of({"default", "access"});
    if (!reached) {
      errors.push_back(reached.error().to_string());
      return done;
    }
    clients.push_back(&reached->client());
    return reached->apply(
        ConfigMap{.metadata = {.name = note.metadata.name, .namespace_ = "default"}, .data = {{"x", note.spec.text}}});
  }});
  const auto reconcile_with = [&](const std::string& text) {
    const std::size_t before = clients.size() + errors.size();
    set_text("a", text);
    return becomes_true([&] { return clients.size() + errors.size() == before + 1; });
  };
  create(note("a"));
  ASSERT_TRUE(becomes_true([&] { return errors.size() == 1; }));
  EXPECT_THAT(errors[0], HasSubstr("not found"));
  ASSERT_TRUE(simulation.user().create(access("access", b.kubeconfig())));
  ASSERT_TRUE(reconcile_with("1"));
  ASSERT_TRUE(reconcile_with("2"));
  ASSERT_EQ(clients.size(), 2U);
  EXPECT_EQ(clients[0], clients[1]);
  EXPECT_EQ(config_maps_of_b(), 1U);
  ASSERT_TRUE(simulation.user().patch(Secret::type, {"default", "access"},
                                      json::Value{{"data", {{"kubeconfig", Bytes(c.kubeconfig()).to_base64()}}}}));
  ASSERT_TRUE(reconcile_with("3"));
  ASSERT_TRUE(becomes_true([&] { return c.server().objects("configmaps").size() == 1; }));
  EXPECT_NE(clients[2], clients[1]);
  ASSERT_TRUE(simulation.user().patch(Secret::type, {"default", "access"}, json::Value{{"data", nullptr}}));
  ASSERT_TRUE(reconcile_with("4"));
  EXPECT_THAT(errors.back(), HasSubstr("secret default/access has no data key \"kubeconfig\""));
}

class SecretClustersTest : public ::testing::Test {
 protected:
  [[nodiscard]] Object secret(const std::string& name, const std::string& version, const std::string& uid = "u") const {
    return Object(json::Value{
        {"apiVersion", "v1"},
        {"kind", "Secret"},
        {"metadata", {{"name", name}, {"namespace", "default"}, {"uid", uid}, {"resourceVersion", version}}},
        {"data", {{"kubeconfig", Bytes(reached_.kubeconfig()).to_base64()}}}});
  }

  [[nodiscard]] Result<std::shared_ptr<Client>> client_of(const Object& of, std::string_view server = {},
                                                          std::string_view holder = {}) {
    return clusters.client_of(
        {.at = "home", .secret = of, .data_key = "kubeconfig", .server = server, .holder = holder});
  }
  // Uses that many Secrets, one after another.
  void use(std::size_t many, bool held = false) {
    for (std::size_t i = 0; i < many; ++i) {
      const std::string name = "s" + std::to_string(i);
      ASSERT_TRUE(client_of(secret(name, "1"), {}, held ? name : ""));
    }
  }

  static constexpr std::size_t max = 300;
  testkit::Simulation simulation{{}};
  testkit::SimulatedCluster& reached_ = simulation.add_cluster("x");
  std::shared_ptr<http::InProcessTransport> transport_ = simulation.connect();
  std::shared_ptr<RecordingLogSink> log = std::make_shared<RecordingLogSink>();
  std::size_t made = 0;
  SecretClusters clusters{simulation.executor(), max,
                          [this](const Cluster& cluster) {
                            ++made;
                            return std::make_shared<Client>(ClientOptions{.transport = transport_, .cluster = cluster});
                          },
                          Log(log, simulation.executor())};
};

TEST_F(SecretClustersTest, MakesOneClientForEachVersionOfASecretWithinTheLimit) {
  for (int round = 0; round < 10; ++round) use(max);
  EXPECT_EQ(made, max);
  EXPECT_EQ(clusters.size(), max);
  EXPECT_FALSE(log->has("max_secret_clusters"));
  ASSERT_TRUE(client_of(secret("s0", "2")));
  ASSERT_TRUE(client_of(secret("s0", "2", "another object of that name")));
  ASSERT_TRUE(client_of(secret("s0", "2", "another object of that name")));
  EXPECT_EQ(made, max + 2);
  EXPECT_EQ(clusters.size(), max);
}

TEST_F(SecretClustersTest, TheLeastRecentlyUsedOneIsEvictedAndLoggedOnce) {
  const Object first = secret("s0", "1");
  use(max);
  const auto kept = client_of(first);
  ASSERT_TRUE(client_of(secret("one-more", "1")));
  ASSERT_TRUE(client_of(secret("and-another", "1")));
  EXPECT_EQ(clusters.size(), max);
  EXPECT_EQ(*client_of(first), *kept) << "the client was reused";
  EXPECT_EQ(made, max + 2);
  EXPECT_EQ(log->count("raise ManagerOptions::max_secret_clusters"), 1U);
}

TEST_F(SecretClustersTest, HeldClientsAreKeptBeyondTheLimit) {
  for (int round = 0; round < 10; ++round) use(2 * max, true);
  EXPECT_EQ(made, 2 * max);
  EXPECT_FALSE(log->has("max_secret_clusters"));
  clusters.release("home", "s0");
  clusters.release("elsewhere", "s1");
  EXPECT_EQ(clusters.size(), 2 * max - 1);
}

TEST_F(SecretClustersTest, AHolderKeepsOnlyTheClientOfItsLastSecret) {
  ASSERT_TRUE(client_of(secret("a", "1"), {}, "h"));
  ASSERT_TRUE(client_of(secret("a", "1"), {}, "another"));
  ASSERT_TRUE(client_of(secret("b", "1"), {}, "h"));
  clusters.release("home", "another");
  EXPECT_EQ(clusters.size(), 1U) << "the client of \"a\" has no holder";
  clusters.release("home", "h");
  EXPECT_EQ(clusters.size(), 0U);
  // A client whose holder changed to another Secret counts towards the limit again.
  for (std::size_t i = 0; i <= max + 1; ++i) ASSERT_TRUE(client_of(secret("s" + std::to_string(i), "1"), {}, "h"));
  EXPECT_EQ(clusters.size(), max + 1);
}

TEST_F(SecretClustersTest, AServerMayBeReachedAtAnotherUrl) {
  const Object there = secret("a", "1");
  const auto usual = client_of(there);
  const auto other = client_of(there, "http://127.0.0.1:6443/x/");
  ASSERT_TRUE(other) << other.error().to_string();
  EXPECT_EQ((*other)->cluster().endpoint->url(), "http://127.0.0.1:6443/x");
  EXPECT_EQ(*client_of(there, "http://127.0.0.1:6443/x/"), *other) << "the client was reused";
  EXPECT_NE(*client_of(there), *other) << "the client is used only for that URL";
  EXPECT_EQ(clusters.size(), 1U);
  const auto wrong = client_of(there, "ftp://x");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, ErrorCode::invalid);
  EXPECT_THAT(wrong.error().message,
              HasSubstr("the server URL \"ftp://x\" for context x of secret default/a must begin"));
}

TEST_F(SecretClustersTest, CredentialsForHttpsAreNotSentOverHttp) {
  json::Value there = secret("a", "1").to_value();
  const Bytes secure(R"({"current-context": "c", "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
    "clusters": [{"name": "c", "cluster": {"server": "https://x"}}], "users": [{"name": "u", "user": {"token": "t"}}]})");
  there.as_object()["data"] = {{"kubeconfig", secure.to_base64()}};
  const auto refused = client_of(Object(there), "http://x");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("must begin with https://"));
  EXPECT_TRUE(client_of(Object(there), "https://127.0.0.1:6443"));
}

TEST_F(SecretClustersTest, AnExpiredClientCertificateIsAnErrorWithTheSecretAndTheDate) {
  const WallTime now = simulation.executor().wall_now();
  const auto identity = http::make_authority({.common_name = "a", .not_before = now - 48h, .not_after = now + 1h});
  ASSERT_TRUE(identity);
  json::Value there = secret("a", "1").to_value();
  const Bytes kubeconfig(
      R"({"current-context": "c", "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
    "clusters": [{"name": "c", "cluster": {"server": "https://x"}}],
    "users": [{"name": "u", "user": {"client-certificate-data": ")" +
      Bytes(identity->certificate).to_base64() + R"(", "client-key-data": ")" + Bytes(identity->key).to_base64() +
      R"("}}]})");
  there.as_object()["data"] = {{"kubeconfig", kubeconfig.to_base64()}};
  ASSERT_TRUE(client_of(Object(there)));
  clusters.clear();

  simulation.executor().sleep_for(2h);

  const auto refused = client_of(Object(there));
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message,
              HasSubstr("secret default/a: user \"u\": client-certificate-data expired at " + format_time(now + 1h)));
}

TEST_F(SecretClustersTest, AClusterIsDroppedWithItsSecret) {
  ASSERT_TRUE(client_of(secret("a", "1")));
  clusters.forget("b", {"default", "a"});
  EXPECT_EQ(clusters.size(), 1U) << "that Secret is on another cluster";
  clusters.forget("home", {"default", "a"});
  EXPECT_EQ(clusters.size(), 0U);
}

}  // namespace
}  // namespace pintle
