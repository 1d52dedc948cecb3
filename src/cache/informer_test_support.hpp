// SPDX-License-Identifier: Apache-2.0
// Test support for the informer: one informer in a simulation, and the changes that its handler received.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include <pintle/api/everyday.hpp>
#include <pintle/cache/dispatcher.hpp>
#include <pintle/cache/informer.hpp>
#include <pintle/client/client.hpp>
#include <pintle/http/handler.hpp>
#include <pintle/sim/in_process_transport.hpp>
#include <pintle/testing/simulation.hpp>

namespace pintle {

class InformerTest : public ::testing::Test {
 protected:
  // Applies the changes that a handler receives, and checks that they are consistent.
  class View {
   public:
    void take(const Change& change) {
      const std::string name(change.object().name());
      last_cause = change.cause;
      if (change.old && !change.current) {
        EXPECT_EQ(known_.erase(name), 1U) << "a missing object was deleted: " << name;
        ++deletes[name];
      } else if (!change.old) {
        EXPECT_TRUE(known_.emplace(name, change.current).second) << "added twice: " << name;
        added.insert(name);
      } else {
        EXPECT_TRUE(known_.contains(name)) << "changed before it was added: " << name;
        known_[name] = change.current;
      }
    }
    [[nodiscard]] std::map<std::string, std::string> versions() const {
      std::map<std::string, std::string> all;
      for (const auto& [name, object] : known_) all[name] = object.resource_version();
      return all;
    }

    std::map<std::string, int> deletes;
    std::set<std::string> added;
    ChangeCause last_cause{};

   private:
    std::map<std::string, Object> known_;
  };

  void begin(std::uint64_t seed, InformerOptions options = {}, http::Handler* between = nullptr) {
    simulation = std::make_unique<testkit::Simulation>(testkit::SimulationOptions{.seed = seed});
    transport = between == nullptr ? simulation->connect()
                                   : std::make_shared<http::InProcessTransport>(simulation->executor(), *between);
    client = std::make_unique<Client>(
        ClientOptions{.transport = transport, .cluster = {.endpoint = std::make_shared<http::Endpoint>()}});
    dispatcher = std::make_unique<Dispatcher>(simulation->executor());
    options.resource = {.kind = ConfigMap::type, .plural = "configmaps"};
    informer = std::make_unique<Informer>(*client, *dispatcher, Log(), std::move(options));
    informer->add_handler([this](const Change& change) { view.take(change); });
  }
  void end() {
    informer->stop();
    dispatcher->stop();
    transport->stop();
    informer.reset();
    dispatcher.reset();
    client.reset();
    transport.reset();
    simulation.reset();
  }
  void create(const std::string& name) {
    (void)simulation->user().create(ConfigMap{.metadata = {.name = name, .namespace_ = "default"}});
  }
  [[nodiscard]] std::map<std::string, std::string> stored() const {
    std::map<std::string, std::string> all;
    for (const Object& object : simulation->server().objects("configmaps"))
      all[std::string(object.name())] = object.resource_version();
    return all;
  }

  std::unique_ptr<testkit::Simulation> simulation;
  std::shared_ptr<http::InProcessTransport> transport;
  std::unique_ptr<Client> client;
  std::unique_ptr<Dispatcher> dispatcher;
  std::unique_ptr<Informer> informer;
  View view;
};

}  // namespace pintle
