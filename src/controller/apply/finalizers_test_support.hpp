// SPDX-License-Identifier: Apache-2.0
// Test support for finalizers: one config map, a server that records requests and responses, and another client that
// writes.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <pintle/controller/finalizers.hpp>

#include "controller/test_support.hpp"

namespace pintle {

inline constexpr const char* ours = "test.pintle.dev/cleanup";
inline constexpr FinalizerPolicy all_policies[] = {FinalizerPolicy::add_then_stop, FinalizerPolicy::add_then_continue,
                                                   FinalizerPolicy::add_after_success, FinalizerPolicy::wip_then_real};

// Forwards to the server, and records patches, reads and refused finalizers.
class Witness final : public http::Handler {
 public:
  explicit Witness(http::Handler& server) : server_(server) {}

  http::Response handle(const http::Request& request) override {
    if (before_patch && request.method == "PATCH") std::exchange(before_patch, nullptr)();
    if (before_each_patch && request.method == "PATCH") before_each_patch();
    http::Response response = server_.handle(request);
    if (request.method == "PATCH") patches.push_back(request.body);
    if (request.method == "GET" && request.target.find("configmaps/") != std::string::npos) ++gets;
    if (response.body.find("no new finalizers can be added") != std::string::npos) ++illegal;
    return response;
  }

  std::function<void()> before_patch;  // called for the next patch only
  std::function<void()> before_each_patch;
  std::vector<std::string> patches;
  int gets = 0;
  int illegal = 0;

 private:
  http::Handler& server_;
};

class FinalizersTest : public ::testing::Test {
 protected:
  explicit FinalizersTest(std::uint64_t seed = 1)
      : simulation({.seed = seed}),
        witness(simulation.server()),
        transport(std::make_shared<http::InProcessTransport>(simulation.executor(), witness)),
        client({.transport = transport, .cluster = {.endpoint = std::make_shared<http::Endpoint>()}}) {}
  ~FinalizersTest() override { transport->stop(); }

  Object create(const std::vector<std::string>& with = {}) {
    const auto made = simulation.user().create(encode(
        ConfigMap{.metadata = {.name = "a", .namespace_ = "default", .finalizers = with}, .data = {{"k", "v"}}}));
    EXPECT_TRUE(made) << made.error().to_string();
    return *made;
  }
  Object stored() { return simulation.user().get(ConfigMap::type, key).value_or(Object()); }
  static std::vector<std::string> names(const Object& object) {
    std::vector<std::string> names;
    for (const json::View name : object.finalizers().elements()) names.emplace_back(name.text());
    return names;
  }
  std::vector<std::string> names() { return names(stored()); }
  // A write by another client, which the witness does not record.
  Object user_patches(const json::Value& merge_patch) {
    const auto patched =
        simulation.server().handle({.method = "PATCH",
                                    .target = "/api/v1/namespaces/default/configmaps/a?fieldManager=somebody",
                                    .headers = {{"Content-Type", "application/merge-patch+json"}},
                                    .body = json::print(merge_patch)});
    EXPECT_EQ(patched.status, 200) << patched.body;
    return *Object::parse(patched.body);
  }
  Object user_sets(const std::vector<std::string>& wanted) {
    return user_patches({{"metadata", json::object{{"finalizers", json::array(wanted.begin(), wanted.end())}}}});
  }
  Object user_touches() { return user_patches({{"data", json::object{{"n", std::to_string(++touched)}}}}); }
  void user_deletes() {
    const auto deleted =
        simulation.server().handle({.method = "DELETE", .target = "/api/v1/namespaces/default/configmaps/a"});
    EXPECT_EQ(deleted.status, 200) << deleted.body;
  }

  const ObjectKey key{"default", "a"};
  int touched = 0;
  testkit::Simulation simulation;
  Witness witness;
  std::shared_ptr<http::InProcessTransport> transport;
  Client client;
  Finalizers finalizers{client, ours, "manager"};
};

}  // namespace pintle
