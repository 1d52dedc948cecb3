// SPDX-License-Identifier: Apache-2.0
// ResourceQuotas (server-facts, admission inside a real server).
#include <algorithm>
#include <atomic>
#include <chrono>

#include <pintle/base/random.hpp>

#include "apiserver/admission/quota/quotas.hpp"
#include "apiserver/test_server.hpp"
#include "apiserver/test_widgets.hpp"

namespace pintle {
namespace {

const std::string quotas = "/api/v1/namespaces/default/resourcequotas";
const std::string quota_secrets = "/api/v1/namespaces/default/secrets";
const std::string quota_pods = "/api/v1/namespaces/default/pods";

std::string quota_body(const std::string& name, const std::string& hard, const std::string& more = "") {
  return R"({"metadata":{"name":")" + name + R"("},"spec":{"hard":)" + hard + more + "}}";
}

class QuotasTest : public ServerTest {
 protected:
  explicit QuotasTest(ApiServerOptions options = {}) : ServerTest(std::move(options)) {}

  void limit(const std::string& hard, const std::string& more = "", const std::string& name = "q") {
    EXPECT_EQ(post(quotas, quota_body(name, hard, more)).status, 201);
  }
  TestReply make_pod(const std::string& name, const std::string& resources = "", const std::string& spec = "") {
    return post(quota_pods, R"({"metadata":{"name":")" + name + R"("},"spec":{)" + spec +
                                R"("containers":[{"name":"c","image":"i")" +
                                (resources.empty() ? "" : R"(,"resources":)" + resources) + "}]}}");
  }
  std::string used(const std::string& name = "q") { return get(quotas + "/" + name).at("/status/used"); }
};

TEST_F(QuotasTest, AQuotaOfNoSecretsRefusesEachSecret) {
  limit(R"({"secrets":"0"})");
  const auto refused = post(quota_secrets, config_map("a"));
  EXPECT_EQ(refused.status, 403);
  EXPECT_EQ(refused.at("/reason"), "Forbidden");
  EXPECT_EQ(refused.at("/message"),
            "secrets \"a\" is forbidden: exceeded quota: q, requested: secrets=1, used: secrets=0, limited: secrets=0");
  EXPECT_EQ(names("secrets"), "");
}

TEST_F(QuotasTest, TheStatusContainsTheUsageAfterEachWrite) {
  post(quota_secrets, config_map("before"));
  limit(R"({"secrets":"3","count/configmaps":"5"})");
  run_until_idle();
  EXPECT_EQ(get(quotas + "/q").at("/status/hard"), R"({"secrets":"3","count/configmaps":"5"})");
  EXPECT_EQ(used(), R"({"count/configmaps":"0","secrets":"1"})");
  post(quota_secrets, config_map("a"));
  EXPECT_EQ(used(), R"({"count/configmaps":"0","secrets":"2"})");
  post(config_maps, config_map("m"));
  EXPECT_EQ(used(), R"({"count/configmaps":"1","secrets":"2"})");
  remove(quota_secrets + "/a");
  run_until_idle();
  EXPECT_EQ(used(), R"({"count/configmaps":"1","secrets":"1"})");
  merge(quotas + "/q", R"({"spec":{"hard":{"count/configmaps":null}}})");
  run_until_idle();
  EXPECT_EQ(get(quotas + "/q").at("/status"), R"({"hard":{"secrets":"3"},"used":{"secrets":"1"}})");
}

TEST_F(QuotasTest, ADeletionMakesRoom) {
  limit(R"({"secrets":"1"})");
  EXPECT_EQ(post(quota_secrets, config_map("a")).status, 201);
  EXPECT_EQ(post(quota_secrets, config_map("b")).status, 403);
  run_until_idle();
  remove(quota_secrets + "/a");
  run_until_idle();
  EXPECT_EQ(post(quota_secrets, config_map("b")).status, 201);
}

TEST_F(QuotasTest, AWriteThatIsNotStoredIsNotCounted) {
  limit(R"({"secrets":"2"})");
  EXPECT_EQ(post(quota_secrets + "?dryRun=All", config_map("a")).status, 201);
  EXPECT_EQ(post(quota_secrets, config_map("a")).status, 201);
  EXPECT_EQ(post(quota_secrets, config_map("a")).status, 409);
  EXPECT_EQ(used(), R"({"secrets":"1"})");
  EXPECT_EQ(post(quota_secrets, config_map("b")).status, 201);
  EXPECT_EQ(post(quota_secrets + "?dryRun=All", config_map("c")).status, 403);
}

TEST_F(QuotasTest, CustomObjectsAreCounted) {
  post(definitions, widget_definition("a.dev"));
  run_until_idle();
  limit(R"({"count/widgets.a.dev":"1"})");
  const std::string widgets = "/apis/a.dev/v1/namespaces/default/widgets";
  EXPECT_EQ(post(widgets, widget("a.dev", config_map("v"))).status, 201);
  const auto refused = apply(widgets + "/w?fieldManager=m", widget("a.dev", config_map("w")));
  EXPECT_EQ(refused.status, 403);
  EXPECT_EQ(refused.at("/message"),
            "widgets.a.dev \"w\" is forbidden: exceeded quota: q, requested: count/widgets.a.dev=1, used: "
            "count/widgets.a.dev=1, limited: count/widgets.a.dev=1");
}

TEST_F(QuotasTest, PodsUseTheirRequestsAndLimits) {
  limit(R"({"pods":"3","requests.cpu":"1","limits.memory":"1Gi"})");
  EXPECT_EQ(make_pod("none").at("/message"),
            "pods \"none\" is forbidden: failed quota: q: must specify limits.memory for: c; requests.cpu for: c");
  EXPECT_EQ(make_pod("a", R"({"requests":{"cpu":"600m"},"limits":{"memory":"512Mi"}})").status, 201);
  EXPECT_EQ(used(), R"({"limits.memory":"512Mi","pods":"1","requests.cpu":"600m"})");
  const auto refused = make_pod("b", R"({"requests":{"cpu":"500m"},"limits":{"memory":"768Mi"}})");
  EXPECT_EQ(refused.status, 403);
  EXPECT_EQ(refused.at("/message"),
            "pods \"b\" is forbidden: exceeded quota: q, requested: limits.memory=768Mi,requests.cpu=500m, used: "
            "limits.memory=512Mi,requests.cpu=600m, limited: limits.memory=1Gi,requests.cpu=1");
  EXPECT_EQ(make_pod("b", R"({"requests":{"cpu":"400m"},"limits":{"memory":"512Mi"}})").status, 201);
}

TEST_F(QuotasTest, APodThatHasEndedOnlyCountsAsAnObject) {
  limit(R"({"pods":"1","count/pods":"2"})");
  make_pod("a");
  EXPECT_EQ(make_pod("b").status, 403);
  merge(quota_pods + "/a/status", R"({"status":{"phase":"Succeeded"}})");
  run_until_idle();
  EXPECT_EQ(used(), R"({"count/pods":"1","pods":"0"})");
  EXPECT_EQ(make_pod("b").status, 201);
  EXPECT_EQ(make_pod("c").status, 403);
}

TEST_F(QuotasTest, AResizeIsCharged) {
  limit(R"({"requests.cpu":"1"})");
  make_pod("a", R"({"requests":{"cpu":"500m"}})");
  const auto resize = [&](const std::string& cpu) {
    return call("PATCH", quota_pods + "/a/resize",
                R"({"spec":{"containers":[{"name":"c","resources":{"requests":{"cpu":")" + cpu + R"("}}}]}})",
                "application/strategic-merge-patch+json");
  };
  EXPECT_EQ(resize("2").at("/message"),
            "pods \"a\" is forbidden: exceeded quota: q, requested: requests.cpu=1500m, used: requests.cpu=500m, "
            "limited: requests.cpu=1");
  EXPECT_EQ(resize("1").status, 200);
  EXPECT_EQ(used(), R"({"requests.cpu":"1"})");
  EXPECT_EQ(resize("250m").status, 200);
  EXPECT_EQ(used(), R"({"requests.cpu":"250m"})");
}

TEST_F(QuotasTest, ScopesSelectPods) {
  limit(R"({"pods":"0"})", R"(,"scopes":["BestEffort","NotTerminating"])");
  EXPECT_EQ(make_pod("a").status, 403);
  EXPECT_EQ(make_pod("b", R"({"limits":{"cpu":"1"}})").status, 201);
  EXPECT_EQ(make_pod("c", "", R"("activeDeadlineSeconds":5,)").status, 201);
  EXPECT_EQ(post(quota_secrets, config_map("s")).status, 201);
  remove(quotas + "/q");

  post("/apis/scheduling.k8s.io/v1/priorityclasses", R"({"metadata":{"name":"high"},"value":77})");
  limit(R"({"pods":"0"})",
        R"(,"scopeSelector":{"matchExpressions":[{"scopeName":"PriorityClass","operator":"In","values":["high"]}]})");
  EXPECT_EQ(make_pod("d", "", R"("priorityClassName":"high",)").status, 403);
  EXPECT_EQ(make_pod("d").status, 201);
}

TEST_F(QuotasTest, ServicesUsePortsOfNodesAndLoadBalancers) {
  limit(R"({"services":"2","services.nodeports":"1","services.loadbalancers":"1"})");
  const std::string services_path = "/api/v1/namespaces/default/services";
  const auto service = [](const std::string& name, const std::string& type) {
    return R"({"metadata":{"name":")" + name + R"("},"spec":{"type":")" + type + R"(","ports":[{"port":80}]}})";
  };
  EXPECT_EQ(post(services_path, service("a", "LoadBalancer")).status, 201);
  EXPECT_EQ(used(), R"({"services":"1","services.loadbalancers":"1","services.nodeports":"1"})");
  EXPECT_EQ(post(services_path, service("b", "ClusterIP")).status, 201);
  const auto refused = merge(services_path + "/b", R"({"spec":{"type":"NodePort"}})");
  EXPECT_EQ(refused.at("/message"),
            "services \"b\" is forbidden: exceeded quota: q, requested: services.nodeports=1, used: "
            "services.nodeports=1, limited: services.nodeports=1");
  EXPECT_EQ(merge(services_path + "/a", R"({"spec":{"type":"ClusterIP"}})").status, 200);
  EXPECT_EQ(used(), R"({"services":"2","services.loadbalancers":"0","services.nodeports":"0"})");
}

TEST_F(QuotasTest, ClaimsUseStorage) {
  limit(R"({"requests.storage":"3Gi","fast.storageclass.storage.k8s.io/persistentvolumeclaims":"1"})");
  const auto claim = [&](const std::string& name, const std::string& storage, const std::string& spec = "") {
    return post("/api/v1/namespaces/default/persistentvolumeclaims",
                R"({"metadata":{"name":")" + name + R"("},"spec":{)" + spec +
                    R"("accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":")" + storage + R"("}}}})");
  };
  EXPECT_EQ(claim("a", "2Gi", R"("storageClassName":"fast",)").status, 201);
  EXPECT_EQ(claim("b", "2Gi").status, 403);
  EXPECT_EQ(claim("b", "1Gi", R"("storageClassName":"fast",)").status, 403);
  EXPECT_EQ(claim("b", "1Gi").status, 201);
}

TEST_F(QuotasTest, EachQuotaOfANamespaceLimits) {
  limit(R"({"secrets":"5"})", "", "a");
  limit(R"({"secrets":"1"})", "", "b");
  EXPECT_EQ(post(quota_secrets, config_map("x")).status, 201);
  EXPECT_EQ(post(quota_secrets, config_map("y")).status, 403);
  EXPECT_EQ(used("a"), R"({"secrets":"1"})");
  post("/api/v1/namespaces", config_map("far"));
  EXPECT_EQ(post("/api/v1/namespaces/far/secrets", config_map("y")).status, 201);
}

class QuotasOfControllers : public QuotasTest {
 protected:
  QuotasOfControllers() : QuotasTest({.controllers = true}) {}
};

TEST_F(QuotasOfControllers, LimitTheirPodsUntilThereIsRoom) {
  limit(R"({"pods":"2","requests.cpu":"1"})");
  post("/api/v1/namespaces/default/limitranges",
       R"({"metadata":{"name":"l"},"spec":{"limits":[{"type":"Container","defaultRequest":{"cpu":"100m"}}]}})");
  const std::string sets = "/apis/apps/v1/namespaces/default/replicasets";
  post(sets, R"({"metadata":{"name":"r"},"spec":{"replicas":3,"selector":{"matchLabels":{"a":"b"}},"template":
      {"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}})");
  run_until_idle();
  EXPECT_EQ(server_.objects("pods").size(), 2U);
  EXPECT_EQ(used(), R"({"pods":"2","requests.cpu":"200m"})") << "with the defaults of the LimitRange";
  const auto set = get(sets + "/r");
  EXPECT_EQ(set.at("/status/conditions/0/type"), "ReplicaFailure");
  EXPECT_EQ(set.at("/status/conditions/0/reason"), "FailedCreate");
  EXPECT_NE(set.at("/status/conditions/0/message").find("exceeded quota: q, requested: pods=1, used: pods=2"),
            std::string::npos);
  merge(quotas + "/q", R"({"spec":{"hard":{"pods":"5"}}})");
  run_until_idle();
  EXPECT_EQ(server_.objects("pods").size(), 3U);
  EXPECT_EQ(get(sets + "/r").at("/status/conditions"), "");
}

// Otherwise the usage would be below that of the stored objects as soon as the write is stored.
TEST(QuotaCharges, NothingIsCountedUntilTheyAreFinished) {
  SimulatedExecutor executor({.seed = 1});
  apiserver::Storage storage(executor, 16);
  const apiserver::BuiltinCatalog builtin;
  const apiserver::Registry registry(executor, builtin);
  apiserver::Quotas charged(executor, storage, registry);
  const json::Value quota{{"metadata", {{"name", "q"}, {"namespace", "default"}, {"uid", "u"}}},
                          {"spec", {{"hard", {{"secrets", "1"}}}}}};
  ASSERT_TRUE(storage.put("resourcequotas", "default/q", Object(), quota).value());
  const json::Value secret{{"metadata", {{"name", "s"}, {"namespace", "default"}}}};
  const auto resource = registry.catalog()->of_collection("secrets");
  const auto used = [&] { return storage.get("resourcequotas", "default/q")["/status/used/secrets"].print(); };
  {
    auto charge =
        charged.charge({.resource = *resource, .namespace_ = "default", .name = "s", .object = secret}).value();
    EXPECT_EQ(used(), R"("1")");
    EXPECT_FALSE(charged.recount("default"));
    EXPECT_EQ(used(), R"("1")");
    EXPECT_TRUE(charged.recount("other"));
    ASSERT_TRUE(storage.put("secrets", "default/s", Object(), secret).value());
    charge.keep();
  }
  EXPECT_TRUE(charged.recount("default"));
  EXPECT_EQ(used(), R"("1")");
}

// Each commit takes 10 seconds.
class SlowJournal final : public apiserver::Journal {
 public:
  explicit SlowJournal(Executor& executor) : executor_(executor) {}
  Result<void> commit(const std::vector<apiserver::Record>& /*records*/, apiserver::Version /*version*/) override {
    executor_.sleep_for(std::chrono::seconds(10));
    return {};
  }

 private:
  Executor& executor_;
};

json::Value quota_of(const char* limited) {
  return {{"metadata", {{"name", "q"}, {"namespace", "default"}, {"uid", "u"}}},
          {"spec", {{"hard", {{limited, "1"}}}}}};
}

TEST(QuotaCharges, ALimitThatAnotherWriteRemovesDoesNotApply) {
  SimulatedExecutor executor({.seed = 1});
  apiserver::Storage storage(executor, 16, 0, {.journal = std::make_unique<SlowJournal>(executor)});
  const apiserver::BuiltinCatalog builtin;
  const apiserver::Registry registry(executor, builtin);
  apiserver::Quotas charged(executor, storage, registry);
  const Object first = storage.put("resourcequotas", "default/q", Object(), quota_of("secrets")).value().value();
  Thread editor = executor.spawn({.name = "editor"}, [&] {
    EXPECT_TRUE(storage.put("resourcequotas", "default/q", first, quota_of("configmaps")).value());
  });
  executor.sleep_for(std::chrono::seconds(1));
  const json::Value secret{{"metadata", {{"name", "s"}, {"namespace", "default"}}}};
  const auto resource = registry.catalog()->of_collection("secrets");

  const auto charge = charged.charge({.resource = *resource, .namespace_ = "default", .name = "s", .object = secret});

  EXPECT_TRUE(charge.has_value());
  const Object quota = storage.get("resourcequotas", "default/q");
  EXPECT_EQ(quota["/spec/hard"].print(), R"({"configmaps":"1"})") << "the charge waited for the commit";
  EXPECT_FALSE(quota["/status"].exists());
  editor.join();
}

TEST(QuotaCharges, OfALimitThatIsGoneAreNotGivenBack) {
  SimulatedExecutor executor({.seed = 1});
  apiserver::Storage storage(executor, 16);
  const apiserver::BuiltinCatalog builtin;
  const apiserver::Registry registry(executor, builtin);
  apiserver::Quotas charged(executor, storage, registry);
  ASSERT_TRUE(storage.put("resourcequotas", "default/q", Object(), quota_of("secrets")).value());
  const json::Value secret{{"metadata", {{"name", "s"}, {"namespace", "default"}}}};
  const auto resource = registry.catalog()->of_collection("secrets");
  {
    const auto charge =
        charged.charge({.resource = *resource, .namespace_ = "default", .name = "s", .object = secret}).value();
    const Object quota = storage.get("resourcequotas", "default/q");
    EXPECT_EQ(quota["/status/used"].print(), R"({"secrets":"1"})");
    ASSERT_TRUE(storage.put("resourcequotas", "default/q", quota, quota_of("configmaps")).value());
  }
  EXPECT_EQ(storage.get("resourcequotas", "default/q")["/status/used"].print(), R"({"configmaps":"0"})");
}

// Creates and deletes Secrets in several threads, and calls `observe` after each creation.
template <class Observe>
void create_concurrently(Executor& executor, ApiServer& server, std::uint64_t seed, Observe observe) {
  const auto send = [&](const std::string& method, const std::string& target, const std::string& body) {
    http::Response response = server.handle({.method = method, .target = target, .body = body});
    if (response.deferred) response = response.deferred();
    return response.status;
  };
  ASSERT_EQ(send("POST", quotas, quota_body("q", R"({"secrets":"5"})")), 201);
  std::vector<Thread> users;
  for (int user = 0; user < 4; ++user) {
    users.push_back(executor.spawn({.name = "user"},
                                   [&, user, random = Random(seed + 31U * static_cast<unsigned>(user))]() mutable {
                                     for (int i = 0; i < 12; ++i) {
                                       const std::string name = "s" + std::to_string(user) + "-" + std::to_string(i);
                                       const bool made = send("POST", quota_secrets, config_map(name)) == 201;
                                       observe();
                                       if (made && random.below(2) == 0) send("DELETE", quota_secrets + "/" + name, "");
                                       if (random.below(3) == 0)
                                         executor.sleep_for(std::chrono::milliseconds(random.below(4)));
                                     }
                                   }));
  }
  for (Thread& user : users) user.join();
}

TEST(QuotasOfASimulation, AreNotExceededByConcurrentWrites) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SimulatedExecutor executor({.seed = seed});
    ApiServer server(executor);
    std::size_t most = 0;
    create_concurrently(executor, server, seed, [&] { most = std::max(most, server.objects("secrets").size()); });
    while (!server.is_idle()) executor.sleep_for(std::chrono::milliseconds(10));
    EXPECT_LE(most, 5U) << seed;
    const Object quota = server.objects("resourcequotas").at(0);
    EXPECT_EQ(quota["/status/used/secrets"].text(), std::to_string(server.objects("secrets").size())) << seed;
  }
}

TEST(QuotasConcurrency, AreNotExceeded) {
  const auto executor = make_real_executor(1);
  ApiServer server(*executor);
  std::atomic<std::size_t> most = 0;
  create_concurrently(*executor, server, 1, [&] {
    const std::size_t count = server.objects("secrets").size();
    for (std::size_t before = most; before < count && !most.compare_exchange_weak(before, count);) {}
  });
  EXPECT_LE(most, 5U);
}

}  // namespace
}  // namespace pintle
