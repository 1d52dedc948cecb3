// SPDX-License-Identifier: Apache-2.0
// Controllers whose objects come from a function (Controller::get_object).
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "controller/test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class GivenObjectsTest : public OperatorTest {
 protected:
  AnyController controller() {
    return {.name = "thing",
            .watch = {"example.com/v1", "Thing"},
            .get_object = [this](const ObjectKey&) { return thing; },
            .channels = {channel},
            .reconcile = [this](const Object& object, Context&) -> Outcome {
              calls.push_back("reconcile " + std::string(object.name()));
              return requeue_after(24h);
            }};
  }

  Object thing{json::Value{{"apiVersion", "example.com/v1"}, {"kind", "Thing"}, {"metadata", {{"name", "a"}}}}};
  std::shared_ptr<ChannelSource> channel = std::make_shared<ChannelSource>(simulation.executor());
  std::vector<std::string> calls;
};

// No write has added the finalizer, because no reconcile was done.
TEST_F(GivenObjectsTest, AnObjectWithoutFinalizerIsFinalizedWhenItIsGone) {
  AnyController finalizing = controller();
  finalizing.finalizer = "test.pintle.dev/cleanup";
  finalizing.finalizer_policy = FinalizerPolicy::add_after_success;
  finalizing.finalize = [this](const Object& object, Context&) -> Outcome {
    calls.push_back("finalize " + std::string(object.name()));
    return done;
  };
  start([&](Manager& manager) { manager.add(std::move(finalizing)); });
  ASSERT_TRUE(simulation.wait_until([&] { return instance->manager().is_ready(); }));
  channel->send({"", "a"});
  ASSERT_TRUE(simulation.run_until_idle());
  thing = {};
  channel->send({"", "a"});
  channel->send({"", "a"});
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(calls, ElementsAre("reconcile a", "finalize a"));
}

TEST_F(GivenObjectsTest, MembersForAWatchAreRefused) {
  const std::pair<const char*, std::function<void(AnyController&)>> members[] = {
      {".gone", [](AnyController& c) { c.gone = [](const Object&, Context&) -> Outcome { return done; }; }},
      {".predicate", [](AnyController& c) { c.predicate = generation_changed(); }},
      {".indexes",
       [](AnyController& c) {
         c.indexes = {{.name = "i", .keys = [](const Object&) { return std::vector<std::string>(); }}};
       }},
      {".on_change", [](AnyController& c) { c.on_change = [](const Change&) {}; }},
      {".on_watch_end", [](AnyController& c) { c.on_watch_end = [](const Error*) {}; }},
      {".label_selector", [](AnyController& c) { c.label_selector = "a=b"; }},
      {".field_selector", [](AnyController& c) { c.field_selector = "metadata.name=a"; }},
      {".namespaces", [](AnyController& c) { c.namespaces = {"default"}; }},
      {".namespace_selector", [](AnyController& c) { c.namespace_selector = "a=b"; }}};
  EXPECT_TRUE(validate(controller()).empty());
  for (const auto& [member, set] : members) {
    AnyController wrong = controller();
    set(wrong);
    const auto errors = validate(wrong);
    ASSERT_EQ(errors.size(), 1U) << member;
    EXPECT_THAT(errors[0].message, HasSubstr("controller thing has .get_object, so it cannot have "));
    EXPECT_THAT(errors[0].message, HasSubstr(member));
  }
}

}  // namespace
}  // namespace pintle
