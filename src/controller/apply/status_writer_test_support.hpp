// SPDX-License-Identifier: Apache-2.0
// Test support for StatusWriter and StatusDraft: a kind with a status, and a writer whose requests are recorded.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <pintle/controller/status_writer.hpp>
#include <pintle/json/pointer.hpp>
#include <pintle/object/schema/crd.hpp>

#include "controller/test_support.hpp"

namespace pintle {

inline constexpr auto yes = ConditionStatus::true_;
inline constexpr auto no = ConditionStatus::false_;

struct Ship {
  static constexpr Type type{"test.pintle.dev/v1", "Ship"};
  struct Spec {
    std::int64_t masts = 1;
    static constexpr auto fields() { return pintle::fields(field("masts", &Spec::masts, "How many.")); }
  };
  struct Crew {
    std::int64_t sailors = 0;
    std::optional<std::string> cook{};
    static constexpr auto fields() {
      return pintle::fields(field("sailors", &Crew::sailors, "How many."), field("cook", &Crew::cook, "Who."));
    }
  };
  struct Status {
    std::string phase{};
    std::int64_t ready = 0;
    std::optional<Crew> crew{};
    std::map<std::string, std::string> cabins{};
    std::vector<std::string> ports{};
    std::vector<StatusCondition> conditions{};
    static constexpr auto fields() {
      return pintle::fields(field("phase", &Status::phase, "Where it is."), field("ready", &Status::ready, "Masts up."),
                            field("crew", &Status::crew, "On board."),
                            field("cabins", &Status::cabins, "Who is where."), field("ports", &Status::ports, "Seen."),
                            field("conditions", &Status::conditions, "What is so."));
    }
  };
  Metadata metadata{};
  Spec spec{};
  Status status{};
};

inline Object ship_with_status(const std::string& status) {
  return *Object::parse(R"({"apiVersion":"test.pintle.dev/v1","kind":"Ship","metadata":{"name":"a"},"status":)" +
                        status + "}");
}

class StatusWriterTest : public ::testing::Test {
 protected:
  explicit StatusWriterTest(std::uint64_t seed = 1)
      : simulation({.seed = seed}),
        spy(simulation.server()),
        transport(std::make_shared<http::InProcessTransport>(simulation.executor(), spy)),
        client({.transport = transport, .cluster = {.endpoint = std::make_shared<http::Endpoint>()}}) {
    json::Value crd = crd_of<Ship>();
    // Other clients write members that the struct does not have.
    const bool set = json::set(crd, "/spec/versions/0/schema/openAPIV3Schema/properties/status",
                               json::object{{"type", "object"}, {"x-kubernetes-preserve-unknown-fields", true}})
                         .has_value();
    EXPECT_TRUE(set);
    EXPECT_TRUE(simulation.user().create(crd));
    EXPECT_TRUE(simulation.wait_until([&] {
      simulation.user().invalidate_discovery(Ship::type);
      return simulation.user().resource(Ship::type).has_value();
    }));
    const auto made = simulation.user().create(Ship{.metadata = {.name = "a", .namespace_ = "default"}});
    EXPECT_TRUE(made) << made.error().to_string();
  }
  ~StatusWriterTest() override { transport->stop(); }

  class Spy final : public http::Handler {
   public:
    explicit Spy(http::Handler& server) : server_(server) {}
    http::Response handle(const http::Request& request) override {
      if (request.method == "PATCH") {
        if (before_patch) before_patch();
        patches.push_back(request.body);
        targets.push_back(request.target);
      }
      if (request.method == "GET" && request.target.find("/ships/") != std::string::npos) ++gets;
      return server_.handle(request);
    }
    std::function<void()> before_patch;
    std::vector<std::string> patches;
    std::vector<std::string> targets;
    int gets = 0;

   private:
    http::Handler& server_;
  };

  const ObjectKey key{"default", "a"};
  Object stored() { return simulation.user().get(Ship::type, key).value_or(Object()); }
  StatusDraft draft() { return draft(stored()); }
  StatusDraft draft(const Object& object) { return {object, simulation.executor()}; }
  Result<Object> flush(StatusDraft& draft) { return writer.flush(draft, {}); }
  // A write by another client, which the spy does not record.
  void user_patches(const json::Value& status) {
    const auto patched = simulation.server().handle(
        {.method = "PATCH",
         .target = "/apis/test.pintle.dev/v1/namespaces/default/ships/a/status?fieldManager=somebody",
         .headers = {{"Content-Type", "application/merge-patch+json"}},
         .body = json::print(json::object{{"status", status}})});
    EXPECT_EQ(patched.status, 200) << patched.body;
  }
  void change_spec() {
    ASSERT_TRUE(simulation.user().patch(Ship::type, key, json::Value{{"spec", {{"masts", ++masts}}}}));
  }

  int masts = 1;
  testkit::Simulation simulation;
  Spy spy;
  std::shared_ptr<http::InProcessTransport> transport;
  Client client;
  StatusWriter writer{client, "manager"};
};

}  // namespace pintle
