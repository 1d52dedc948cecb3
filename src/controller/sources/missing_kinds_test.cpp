// SPDX-License-Identifier: Apache-2.0
// An operator whose owned or watched kinds are not served or not permitted.
#include <set>

#include <gmock/gmock.h>

#include <pintle/manager/manager_cache.hpp>

#include "controller/test_support.hpp"
#include "first_lists.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

// A kind of another operator, whose CRD may be missing.
struct Widget {
  static constexpr Type type{"other.example.com/v1", "Widget"};
  struct Spec {
    std::string text{};
    static constexpr auto fields() { return pintle::fields(field("text", &Spec::text, "Any text.")); }
  };
  Metadata metadata{};
  Spec spec{};
};

const GroupVersionKind widget_kind{Widget::type};
const GroupVersionKind definitions("apiextensions.k8s.io/v1", "CustomResourceDefinition");

class MissingKinds : public OperatorTest {
 protected:
  // Starts an operator that owns widgets, and records the notes that it reconciles.
  void start_with(OwnsOptions options, ManagerOptions manager = {}) {
    start(
        [&](Manager& of) {
          of.add(Controller<Note>{.owns = {Owns{Widget::type, options}},
                                  .reconcile = [this](const Note& n, Context& ctx) -> Outcome {
                                    const auto widgets = ctx.list<Widget>();
                                    if (!widgets) return failed(widgets.error());
                                    seen[n.metadata.name] = widgets->size();
                                    return done;
                                  }});
        },
        std::move(manager));
  }
  void install() {
    ASSERT_TRUE(simulation.user().create(crd_of<Widget>()));
    simulation.user().invalidate_discovery(Widget::type);
    simulation.executor().sleep_for(1s);
  }
  void create_widget(const std::string& name, const std::string& owner) {
    const auto note = simulation.user().get<Note>({"default", owner});
    ASSERT_TRUE(note) << note.error().to_string();
    const auto made = simulation.user().create(Widget{.metadata = owned_by(*note, name)});
    ASSERT_TRUE(made) << made.error().to_string();
  }
  void expect_ready() {
    ASSERT_TRUE(simulation.wait_until([&] { return instance->manager().is_ready(); })) << log->lines().back();
  }

  std::map<std::string, std::size_t> seen;
};

TEST_F(MissingKinds, AnOwnedKindIsAwaitedAndWatchedWhenItComes) {
  start_with({});
  expect_ready();
  create(note("a"));
  simulation.executor().sleep_for(1h);
  EXPECT_EQ(seen, (std::map<std::string, std::size_t>{{"a", 0}})) << "no object of a missing kind exists";
  const std::uint64_t calls = instance->transport().calls();
  simulation.executor().sleep_for(10h);
  EXPECT_LE(instance->transport().calls() - calls, 10 * (80 + 40U)) << "discovery, and the watches of the notes";
  EXPECT_EQ(log->count("the cluster does not serve a kind"), 1U);
  EXPECT_TRUE(log->has("kind=other.example.com/v1 Widget"));

  install();
  simulation.executor().sleep_for(2min);
  EXPECT_TRUE(log->has("the cluster serves the kind now"));
  create_widget("w", "a");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(seen["a"], 1U) << "a new child causes a reconcile";
}

TEST_F(MissingKinds, ADeletedKindEndsAndComesBack) {
  install();
  start_with({});
  expect_ready();
  create(note("a"));
  create_widget("w", "a");
  ASSERT_TRUE(simulation.run_until_idle());
  ASSERT_EQ(seen["a"], 1U);
  for (int round = 0; round < 3; ++round) {
    SCOPED_TRACE(round);
    ASSERT_TRUE(simulation.user().remove(definitions, {.name = "widgets.other.example.com"}));
    ASSERT_TRUE(simulation.wait_until([&] { return seen["a"] == 0; }, 5min)) << "the deletion causes a reconcile";
    const std::uint64_t calls = instance->transport().calls();
    simulation.executor().sleep_for(1h);
    EXPECT_LE(instance->transport().calls() - calls, 120U);
    install();
    create_widget("w", "a");
    EXPECT_TRUE(simulation.wait_until([&] { return seen["a"] == 1; }, 5min));
  }
  EXPECT_EQ(log->count("the cluster does not serve a kind"), 3U) << "once each time";
}

// Otherwise the requests and warnings would be as many as the namespaces.
TEST_F(MissingKinds, AKindIsDiscoveredOnceForAllNamespaces) {
  constexpr std::size_t many = 30;
  constexpr std::uint64_t hourly = 80;
  const auto namespace_of = [](std::size_t number) { return "n" + std::to_string(number); };
  const auto make_namespaces = [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      ASSERT_TRUE(simulation.user().create(
          json::Value{{"apiVersion", "v1"},
                      {"kind", "Namespace"},
                      {"metadata", {{"name", namespace_of(i)}, {"labels", {{"team", "one"}}}}}}));
    }
  };
  make_namespaces(0, many);
  start_with({}, {.namespace_selector = "team=one"});
  expect_ready();
  std::uint64_t discoveries = 0;
  instance->transport().set_faults({{.effect = http::Delay{}, .only = [&](const http::Request& request) {
                                       discoveries += request.target.ends_with("/apis/other.example.com/v1");
                                       return false;
                                     }}});
  simulation.executor().sleep_for(1h);
  EXPECT_GE(discoveries, 40U);
  EXPECT_LE(discoveries, hourly);
  for (std::size_t i = many; i < 2 * many; ++i) {
    make_namespaces(i, i + 1);
    simulation.executor().sleep_for(2min);
  }
  EXPECT_LE(discoveries, 2 * hourly) << "a namespace that is new does not cause a request";
  EXPECT_EQ(log->count("the cluster does not serve a kind"), 1U);

  install();
  for (const std::size_t i : {std::size_t{0}, 2 * many - 1}) {
    create({.metadata = {.name = namespace_of(i), .namespace_ = namespace_of(i)}});
    const auto owner = simulation.user().get<Note>({namespace_of(i), namespace_of(i)});
    ASSERT_TRUE(owner) << owner.error().to_string();
    ASSERT_TRUE(simulation.user().create(Widget{.metadata = owned_by(*owner, "w")}));
  }
  EXPECT_TRUE(simulation.wait_until([&] { return seen["n0"] == 2 && seen["n59"] == 2; }, 2min)) << "in all namespaces";
  EXPECT_EQ(log->count("the cluster serves the kind now"), 1U);

  ASSERT_TRUE(simulation.run_until_idle());
  discoveries = 0;
  seen.clear();
  ASSERT_TRUE(simulation.user().remove(definitions, {.name = "widgets.other.example.com"}));
  EXPECT_TRUE(simulation.wait_until([&] { return seen.size() == 2; }, 5min))
      << "the deletion causes a reconcile in all namespaces";
  simulation.executor().sleep_for(55min);
  EXPECT_LE(discoveries, hourly);
  EXPECT_EQ(log->count("the cluster does not serve a kind"), 2U);
}

// A proxy or a server that is starting may respond with 404 although the kind is served.
TEST_F(MissingKinds, A404OfAServedKindDeletesNothing) {
  install();
  start_with({});
  expect_ready();
  create(note("a"));
  create_widget("w", "a");
  ASSERT_TRUE(simulation.run_until_idle());
  seen.clear();
  simulation.server().compact();
  instance->transport().set_faults(
      {{.effect = http::TruncateBody{.after = 1s, .how = http::TruncateBody::How::end}, .only = http::is_watch},
       {.effect = http::ErrorResponse{.status = 404, .reason = "NotFound"},
        .only = [](const http::Request& request) { return request.target.find("/widgets?") != std::string::npos; }}});
  simulation.executor().sleep_for(1h);
  EXPECT_EQ(log->count("the cluster does not serve a kind"), 0U);
  EXPECT_TRUE(seen.empty()) << "no deletion was delivered";
}

TEST_F(MissingKinds, ARequiredKindMakesTheStartFail) {
  start_with({.required = true});
  instance->join();
  ASSERT_FALSE(instance->started());
  EXPECT_EQ(instance->started().error().code, ErrorCode::unsupported);
  EXPECT_THAT(instance->started().error().to_string(), HasSubstr("Widget"));
}

TEST_F(MissingKinds, AForbiddenKindDoesNotPreventTheStartUnlessItIsRequired) {
  install();
  for (const bool required : {false, true}) {
    SCOPED_TRACE(required);
    simulation.server().set_faults({.rules = {{.effect = http::ErrorResponse{.status = 403, .reason = "Forbidden"},
                                               .only = RequestMatcher{.resource = "widgets.other.example.com"}}}});
    start_with({.required = required}, {.sync_timeout = 1min});
    instance->join();
    EXPECT_EQ(static_cast<bool>(instance->started()), !required);
    if (required) continue;
    EXPECT_TRUE(
        log->has(R"(rule=required in a ClusterRole: {apiGroups: ["other.example.com"], resources: ["widgets"])"));
    const std::uint64_t calls = instance->transport().calls();
    simulation.executor().sleep_for(1h);
    EXPECT_LE(instance->transport().calls() - calls, 300U);
    create(note("a"));
    simulation.executor().sleep_for(1min);
    EXPECT_FALSE(seen.contains("a")) << "a read goes to the server, which forbids it";
    simulation.server().set_faults({});
    EXPECT_TRUE(simulation.wait_until([&] { return seen.contains("a"); }, 30min));
  }
}

TEST_F(MissingKinds, AKindCannotBeRequiredAndOptional) {
  start_with({.required = true, .if_served = true});
  instance->join();
  ASSERT_FALSE(instance->started());
  EXPECT_THAT(instance->started().error().to_string(), HasSubstr("owns Widget with both .required and .if_served"));
}

// A CRD may be installed while many namespaces are watched.
TEST_F(MissingKinds, TheFirstListsOfAKindThatComesAreBounded) {
  constexpr std::size_t many = 30;
  for (std::size_t i = 0; i < many; ++i) {
    ASSERT_TRUE(simulation.user().create(
        json::Value{{"apiVersion", "v1"},
                    {"kind", "Namespace"},
                    {"metadata", {{"name", "n" + std::to_string(i)}, {"labels", {{"team", "one"}}}}}}));
  }
  start_with({}, {.namespace_selector = "team=one", .list_mode = ListMode::paged});
  expect_ready();
  std::size_t lists = 0;
  instance->transport().set_faults({{.effect = http::Delay{},
                                     .only =
                                         [&](const http::Request& request) {
                                           lists += request.target.find("/widgets?limit=") != std::string::npos;
                                           return false;
                                         }},
                                    {.effect = http::Delay{20s}, .only = [](const http::Request& request) {
                                       return request.target.find("/widgets?limit=") != std::string::npos;
                                     }}});
  install();
  ASSERT_TRUE(simulation.wait_until([&] { return lists > 0; }, 2min));
  simulation.executor().sleep_for(10s);
  EXPECT_EQ(lists, FirstLists::max_running);
  EXPECT_EQ(instance->manager().cache()->list(widget_kind).error().code, ErrorCode::unavailable)
      << "a cache whose list waits is not empty";
  simulation.executor().sleep_for(2min);
  EXPECT_EQ(lists, many) << "each list that ends makes room for another one";
}

// A list that fails makes room too.
TEST_F(MissingKinds, AForbiddenKindThatComesDoesNotKeepOthersWaiting) {
  constexpr std::size_t many = 20;
  for (std::size_t i = 0; i < many; ++i) {
    ASSERT_TRUE(simulation.user().create(
        json::Value{{"apiVersion", "v1"},
                    {"kind", "Namespace"},
                    {"metadata", {{"name", "n" + std::to_string(i)}, {"labels", {{"team", "one"}}}}}}));
  }
  start_with({}, {.namespace_selector = "team=one", .list_mode = ListMode::paged});
  expect_ready();
  std::set<std::string> targets;
  instance->transport().set_faults(
      {{.effect = http::ErrorResponse{.status = 403, .reason = "Forbidden"}, .only = [&](const http::Request& request) {
          const bool is_list = request.target.find("/widgets?limit=") != std::string::npos;
          if (is_list) targets.insert(request.target);
          return is_list;
        }}});
  install();
  EXPECT_TRUE(simulation.wait_until([&] { return targets.size() == many; }, 2min)) << targets.size();
}

}  // namespace
}  // namespace pintle
