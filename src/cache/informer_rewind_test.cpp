// SPDX-License-Identifier: Apache-2.0
// Informers whose server was restored from a backup.
#include <chrono>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <type_traits>
#include <utility>

#include <gtest/gtest.h>

#include "informer_test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

// The server is restored from a backup while the informer watches, so it assigns some versions a second time.
TEST_F(InformerTest, FollowsARewindOfTheServer) {
  for (const ListMode list_mode : {ListMode::paged, ListMode::streaming}) {
    for (const std::uint64_t since : {0U, 2U, 20U}) {
      SCOPED_TRACE(since);
      view = View();
      begin(since + 1, {.reflector = {.list_mode = list_mode}});
      for (const char* name : {"a", "b", "c"}) create(name);
      const std::uint64_t backup = simulation->server().resource_version();
      informer->start();
      ASSERT_TRUE(informer->wait_for_sync(simulation->executor().now() + 1min));
      for (const char* name : {"x", "y"}) create(name);
      ASSERT_TRUE(simulation->user().remove(ConfigMap::type, {"default", "a"}));
      simulation->executor().sleep_for(1min);
      const std::uint64_t calls = transport->calls();
      ASSERT_TRUE(simulation->server().rewind(backup));
      for (std::uint64_t i = 0; i < since; ++i) create("after" + std::to_string(i));
      simulation->executor().sleep_for(10min);
      EXPECT_EQ(view.versions(), stored());
      EXPECT_EQ(informer->store().size(), stored().size());
      simulation->executor().sleep_for(50min);
      EXPECT_LE(transport->calls() - calls, 30U);
      end();
    }
  }
}

// No watch ends. The version of the next event shows the rewind: it is lower than that of the cache, or the same.
TEST_F(InformerTest, FollowsARewindThatKeepsTheWatches) {
  for (const auto& [list_mode, undone] : {std::pair(ListMode::paged, 1U), std::pair(ListMode::paged, 2U),
                                          std::pair(ListMode::streaming, 1U), std::pair(ListMode::streaming, 2U)}) {
    for (const std::uint64_t since : {1U, 2U, 20U}) {
      SCOPED_TRACE(std::to_string(undone) + " undone, since then " + std::to_string(since));
      view = View();
      begin(since + 1, {.reflector = {.list_mode = list_mode}});
      for (const char* name : {"a", "b", "c"}) create(name);
      informer->start();
      ASSERT_TRUE(informer->wait_for_sync(simulation->executor().now() + 1min));
      for (const char* name : {"x", "y"}) create(name);
      simulation->executor().sleep_for(1min);
      simulation->server().set_faults(
          {.rules = {{.effect = Rewind{.versions = undone, .keep_watches = true}, .times = 1}}});
      const std::uint64_t calls = transport->calls();
      for (std::uint64_t i = 0; i < since; ++i) create("after" + std::to_string(i));
      simulation->executor().sleep_for(10min);
      EXPECT_EQ(view.versions(), stored());
      EXPECT_LE(transport->calls() - calls, 30U);
      end();
    }
  }
}

// After the restore the object has the same uid and the same version as before, but other content.
TEST_F(InformerTest, DeliversOtherContentWithTheSameVersion) {
  begin(1);
  create("a");
  const std::uint64_t backup = simulation->server().resource_version();
  const auto change = [&](const char* to) {
    ASSERT_TRUE(simulation->user().patch(ConfigMap::type, {"default", "a"}, json::Value{{"data", {{"k", to}}}}));
  };
  change("one");
  std::string current;
  informer->add_handler([&](const Change& one) { current = one.current["/data/k"].text(); });
  informer->start();
  ASSERT_TRUE(informer->wait_for_sync(simulation->executor().now() + 1min));
  simulation->executor().sleep_for(1min);
  const auto before = stored();
  ASSERT_TRUE(simulation->server().rewind(backup));
  change("two");
  ASSERT_EQ(stored(), before);
  simulation->executor().sleep_for(10min);
  EXPECT_EQ(current, "two");
  end();
}

// The response contains a version that the cache has passed without seeing that state, so the server has another
// history.
TEST_F(InformerTest, AContradictingResponseCausesAnEarlyList) {
  begin(1);
  create("a");
  const std::uint64_t backup = simulation->server().resource_version();
  informer->start();
  ASSERT_TRUE(informer->wait_for_sync(simulation->executor().now() + 1min));
  for (int i = 0; i < 9; ++i) create("undone" + std::to_string(i));
  simulation->executor().sleep_for(5min);
  ASSERT_TRUE(simulation->server().rewind(backup));
  create("b");
  ASSERT_TRUE(client->patch(ConfigMap::type, {"default", "a"}, json::Value{{"data", {{"k", "v"}}}}));
  simulation->executor().sleep_for(20s);
  EXPECT_EQ(view.versions(), stored());
  EXPECT_EQ(informer->store().get({"default", "a"})["/data/k"], "v");
  end();
}

// The cache of another kind cannot detect the set-back: its watch stays open, and none of its objects changes.
TEST_F(InformerTest, ARewindMakesAllInformersOfTheClientList) {
  begin(1);
  auto secrets = std::make_unique<Informer>(*client, *dispatcher, Log(),
                                            InformerOptions{.resource = {.kind = Secret::type, .plural = "secrets"}});
  create("a");
  const std::uint64_t backup = simulation->server().resource_version();
  ASSERT_TRUE(simulation->user().create(Secret{.metadata = {.name = "undone", .namespace_ = "default"}}));
  for (Informer* one : {informer.get(), secrets.get()}) {
    one->start();
    ASSERT_TRUE(one->wait_for_sync(simulation->executor().now() + 1min));
  }
  EXPECT_EQ(secrets->store().size(), 1U);
  for (int i = 0; i < 9; ++i) create("undone" + std::to_string(i));
  simulation->executor().sleep_for(5min);
  ASSERT_TRUE(simulation->server().rewind(backup));
  ASSERT_TRUE(client->patch(ConfigMap::type, {"default", "a"}, json::Value{{"data", {{"k", "v"}}}}));
  simulation->executor().sleep_for(20s);
  EXPECT_EQ(view.versions(), stored());
  EXPECT_EQ(secrets->store().size(), 0U);
  secrets.reset();
  end();
}

// The versions show the rewind. The list after it contains what the cache contains, but own versions and all that
// depends on the former history are still dropped (trap 75).
TEST_F(InformerTest, ARewindIsReportedEvenIfNoObjectDiffers) {
  for (const bool is_rewound : {true, false}) {
    SCOPED_TRACE(is_rewound);
    view = View();
    begin(1);
    int rewinds = 0;
    informer->on_rewind([&] { ++rewinds; });
    create("a");
    const Object before = simulation->server().objects("configmaps").at(0);
    informer->start();
    ASSERT_TRUE(informer->wait_for_sync(simulation->executor().now() + 1min));
    const std::uint64_t backup = simulation->server().resource_version();
    const auto written = client->replace(before.to_value());
    ASSERT_TRUE(written) << written.error().to_string();
    json::Value changed = written->to_value();
    changed.as_object()["data"] = json::object{{"k", "v"}};
    const auto own = client->replace(changed);
    ASSERT_TRUE(own) << own.error().to_string();
    EXPECT_TRUE(informer->has_only_own_writes(*written, *own));
    ASSERT_TRUE(simulation->user().remove(ConfigMap::type, {"default", "a"}));
    for (int i = 0; i < 9; ++i) create("undone" + std::to_string(i));
    for (int i = 0; i < 9; ++i) {
      ASSERT_TRUE(simulation->user().remove(ConfigMap::type, {"default", "undone" + std::to_string(i)}));
    }
    simulation->executor().sleep_for(1min);
    ASSERT_EQ(informer->store().size(), 0U);
    transport->set_faults({{.effect = http::Delay{10s}, .only = http::is_list_or_get}});
    if (is_rewound) {
      ASSERT_TRUE(simulation->server().rewind(backup));
    }
    create("b");
    simulation->executor().sleep_for(1s);
    for (const auto& [name, version] : stored()) {
      ASSERT_TRUE(simulation->user().remove(ConfigMap::type, {"default", name}));
    }
    simulation->executor().sleep_for(10min);
    EXPECT_EQ(view.versions(), stored());
    EXPECT_EQ(rewinds, is_rewound ? 1 : 0);
    EXPECT_EQ(informer->has_only_own_writes(*written, *own), !is_rewound);
    end();
  }
}

// The events after the backup do not mention an object that this client deleted and that the backup contains (trap 75).
TEST_F(InformerTest, ShowsADeletedObjectThatABackupBroughtBack) {
  begin(1);
  create("a");
  transport->set_faults({{.effect = http::TruncateBody{.after = 1s, .how = http::TruncateBody::How::silence},
                          .only = http::is_watch,
                          .times = 1}});
  informer->start();
  ASSERT_TRUE(informer->wait_for_sync(simulation->executor().now() + 1min));
  simulation->executor().sleep_for(10s);
  const std::uint64_t backup = simulation->server().resource_version();
  ASSERT_TRUE(client->remove(ConfigMap::type, {"default", "a"}));
  EXPECT_EQ(informer->store().size(), 0U);
  ASSERT_TRUE(simulation->server().rewind(backup));
  for (const char* name : {"b", "c"}) create(name);
  simulation->executor().sleep_for(10min);
  EXPECT_EQ(informer->store().size(), 3U);
  EXPECT_EQ(view.versions(), stored());
  end();
}

}  // namespace
}  // namespace pintle
