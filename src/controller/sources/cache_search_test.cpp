// SPDX-License-Identifier: Apache-2.0
#include "cache_search.hpp"

#include <string>

#include <gtest/gtest.h>

#include <pintle/api/everyday.hpp>
#include <pintle/testing/simulation.hpp>

namespace pintle {
namespace {

using namespace std::chrono_literals;

// All objects of an operator have a label in common, so a search by this label would read all of them.
TEST(CacheSearch, UsesTheLabelWithTheFewestObjects) {
  testkit::Simulation simulation({.seed = 1});
  for (int i = 0; i < 50; ++i) {
    const std::string number = std::to_string(i);
    ASSERT_TRUE(simulation.user().create(
        ConfigMap{.metadata = {.name = "m" + number,
                               .namespace_ = "default",
                               .labels = {{"managed-by", "op"}, {"instance", number}, {"tier", i < 5 ? "a" : "b"}}}}));
  }
  const auto transport = simulation.connect();
  Client client({.transport = transport, .cluster = {.endpoint = std::make_shared<http::Endpoint>()}});
  Dispatcher dispatcher(simulation.executor());
  Informer informer(client, dispatcher, Log(), {.resource = {.kind = ConfigMap::type, .plural = "configmaps"}});
  informer.start();
  ASSERT_TRUE(informer.wait_for_sync(simulation.executor().now() + 1min));

  for (const auto& [selector, read] : {std::pair("managed-by=op,instance=7", 1U),
                                       {"instance=7,managed-by=op", 1U},
                                       {"managed-by=op,tier=a", 5U},
                                       {"managed-by=op,instance=none", 0U},
                                       {"managed-by=op,tier!=a", 50U}}) {
    SCOPED_TRACE(selector);
    const std::uint64_t before = informer.store().examined();
    const auto found = search_cache(informer, {.label_selector = selector});
    ASSERT_TRUE(found) << found.error().to_string();
    EXPECT_EQ(informer.store().examined() - before, read);
    EXPECT_EQ(found->size(), read == 50 ? 45U : read);
  }
  informer.stop();
  dispatcher.stop();
  transport->stop();
}

}  // namespace
}  // namespace pintle
