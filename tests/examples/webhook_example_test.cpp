// SPDX-License-Identifier: Apache-2.0
// The webhook example, unchanged, in a simulated cluster. The server calls its webhooks at virtual time.
#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <pintle/testing/simulation.hpp>

#define main webhook_main
#include "../../examples/07-webhook/main.cpp"
#undef main

namespace pintle::testkit {
namespace {

using AddParts = std::function<void(Manager&)>;

void add_example(Manager& manager) {
  manager.add(Controller<v2::Proxy>{.owns = {ConfigMap::type}, .reconcile = write_address});
  manager.add(Admission<v2::Proxy>{.defaults = set_port, .validate = check_tls});
}

// An operator whose conversion changes only apiVersion, and that has no admission.
void add_nothing(Manager& manager) {
  AnyConversion conversion = v2::Proxy::versions::conversion();
  conversion.convert = [](const Object& object, std::string_view api_version) -> Result<json::Value> {
    json::Value same = object.to_value();
    same.as_object()["apiVersion"] = api_version;
    return same;
  };
  manager.add(std::move(conversion));
}

void add_denial_of_everything(Manager& manager) {
  manager.add(v2::Proxy::versions::conversion());
  manager.add(Admission<v2::Proxy>{.defaults = set_port, .validate = [](const v2::Proxy&, const AdmissionContext&) {
                                     return denied("nothing is allowed");
                                   }});
}

// A cluster with an object of an earlier release, whose CRD has only v1, and an operator that was started afterwards.
// The operator is in the namespace "default", whose objects are not sent to its webhooks.
class UpgradedCluster {
 public:
  explicit UpgradedCluster(const AddParts& add = add_example) {
    EXPECT_TRUE(simulation_.user().create(
        json::Value{{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", {{"name", "shop"}}}}));
    EXPECT_TRUE(simulation_.install<v1::Proxy>());
    EXPECT_TRUE(put("v1", "old", {{"upstream", "old:8080"}}));
    operator_.emplace(simulation_,
                      ManagerOptions{.name = "webhook-operator",
                                     .crds = CrdPolicy::adopt,
                                     .log_level = LogLevel::off,
                                     .webhooks = {.listen = "0.0.0.0:9443"}},
                      add);
    operator_->start();
    EXPECT_TRUE(simulation_.wait_until([&] { return operator_->manager().is_ready(); }));
    EXPECT_TRUE(operator_->started()) << operator_->started().error().to_string();
  }

  Result<Object> put(const std::string& version, const std::string& name, const json::Value& spec) {
    return simulation_.user().create(json::object{{"apiVersion", "demo.pintle.dev/" + version},
                                                  {"kind", "Proxy"},
                                                  {"metadata", json::object{{"name", name}, {"namespace", "shop"}}},
                                                  {"spec", spec}});
  }
  Result<Object> change(const std::string& version, const std::string& name, const json::Value& spec) {
    return simulation_.user().patch({"demo.pintle.dev/" + version, "Proxy"}, {"shop", name},
                                    json::Value{{"spec", spec}});
  }
  Result<Object> read(const std::string& version, const std::string& name) {
    return simulation_.user().get({"demo.pintle.dev/" + version, "Proxy"}, {"shop", name});
  }
  Simulation& simulation() { return simulation_; }

 private:
  Simulation simulation_{{.seed = 1, .on_missing_permission = [](const std::string& what) { ADD_FAILURE() << what; }}};
  std::optional<Instance> operator_;
};

// The spec of the object, or the part of the message behind the last colon.
std::string outcome_of(const Result<Object>& result) {
  if (result) return (*result)["/spec"].print();
  const std::string& message = result.error().message;
  const std::size_t colon = message.rfind(": ");
  return colon == std::string::npos ? message : message.substr(colon + 2);
}

using RequestOutcomes = std::vector<std::pair<std::string, std::string>>;

// The requests of a user, each with its outcome.
RequestOutcomes outcomes_with(const AddParts& add) {
  UpgradedCluster cluster(add);
  RequestOutcomes outcomes;
  const auto record = [&](const char* request, const Result<Object>& result) {
    outcomes.emplace_back(request, outcome_of(result));
  };
  record("read an old object in v1", cluster.read("v1", "old"));
  record("read an old object in v2", cluster.read("v2", "old"));
  record("create without port", cluster.put("v2", "a", {{"host", "a"}}));
  record("create without port, with TLS", cluster.put("v2", "b", {{"host", "b"}, {"tls", true}}));
  record("create without port in v1", cluster.put("v1", "c", {{"upstream", "c"}}));
  record("create without a valid port in v1", cluster.put("v1", "d", {{"upstream", "d:x"}}));
  record("create with a host that v1 cannot represent", cluster.put("v2", "f", {{"host", "::1"}}));
  record("read in v1", cluster.read("v1", "b"));
  record("change in v1", cluster.change("v1", "b", {{"upstream", "e:8443"}}));
  record("read in v2", cluster.read("v2", "b"));
  record("switch TLS off", cluster.change("v2", "b", {{"tls", false}}));
  return outcomes;
}

const RequestOutcomes expected_outcomes{
    {"read an old object in v1", R"({"upstream":"old:8080"})"},
    {"read an old object in v2", R"({"host":"old","port":8080,"tls":false})"},
    {"create without port", R"({"host":"a","port":80})"},
    {"create without port, with TLS", R"({"host":"b","tls":true,"port":443})"},
    {"create without port in v1", R"({"upstream":"c:80"})"},
    {"create without a valid port in v1", "'x' is not a port"},
    {"create with a host that v1 cannot represent", "spec.host in body should match '^[^:]+$'"},
    {"read in v1", R"({"upstream":"b:443"})"},
    {"change in v1", R"({"upstream":"e:8443"})"},
    {"read in v2", R"({"host":"e","port":8443,"tls":true})"},
    {"switch TLS off", "TLS cannot be switched off"},
};

// The requests that have the expected outcome.
std::vector<std::string> expected_requests(const RequestOutcomes& outcomes) {
  std::vector<std::string> requests;
  for (std::size_t i = 0; i < std::min(outcomes.size(), expected_outcomes.size()); ++i) {
    if (outcomes[i] == expected_outcomes[i]) requests.push_back(outcomes[i].first);
  }
  return requests;
}

TEST(WebhookExample, SetsDefaultsDeniesConvertsAndKeepsAField) {
  EXPECT_EQ(outcomes_with(add_example), expected_outcomes);
}

TEST(WebhookExample, AnOperatorThatDoesNothingOrDeniesEverythingFailsThisTest) {
  using Parts = std::vector<std::string>;
  EXPECT_EQ(expected_requests(outcomes_with(add_nothing)),
            (Parts{"read an old object in v1", "create with a host that v1 cannot represent"}));
  EXPECT_EQ(expected_requests(outcomes_with(add_denial_of_everything)),
            (Parts{"read an old object in v1", "read an old object in v2", "create without a valid port in v1",
                   "create with a host that v1 cannot represent"}));
}

TEST(WebhookExample, AnOldObjectIsMigratedByAWriteWithoutChanges) {
  UpgradedCluster cluster;
  const auto write = [&] { return cluster.simulation().user().replace(cluster.read("v2", "old")->to_value()); };

  const auto before = cluster.read("v2", "old");
  const auto first = write();
  const auto second = write();

  ASSERT_TRUE(before && first && second);
  EXPECT_EQ(outcome_of(first), outcome_of(before));
  EXPECT_NE(first->resource_version(), before->resource_version()) << "stored again, in v2";
  EXPECT_EQ(second->resource_version(), first->resource_version()) << "already stored in v2";
}

TEST(WebhookExample, TheConfigMapHasTheAddress) {
  UpgradedCluster cluster;
  ASSERT_TRUE(cluster.put("v2", "a", {{"host", "a"}, {"tls", true}}));
  ASSERT_TRUE(cluster.simulation().run_until_idle());

  const auto address = [&](const std::string& name) {
    const auto config_map = cluster.simulation().user().get(ConfigMap::type, {"shop", name});
    return config_map ? (*config_map)["/data/address"].print() : config_map.error().message;
  };
  EXPECT_EQ(address("old"), R"("http://old:8080")");
  EXPECT_EQ(address("a"), R"("https://a:443")");
}

// The documents show the example as a size.
TEST(WebhookExample, HasAtMost90Lines) {
  std::ifstream file("examples/07-webhook/main.cpp");
  ASSERT_TRUE(file) << "run this test in the root folder of the repository";
  EXPECT_LE(std::count(std::istreambuf_iterator<char>(file), {}, '\n'), 90);
}

}  // namespace
}  // namespace pintle::testkit
