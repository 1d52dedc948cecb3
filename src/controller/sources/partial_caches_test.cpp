// SPDX-License-Identifier: Apache-2.0
// Reads of kinds that are watched with selectors: from the cache if it certainly contains the result, otherwise from
// the server.
#include "controller/test_support.hpp"

namespace pintle {
namespace {

using Names = std::vector<std::string>;

class PartialCaches : public OperatorTest {
 protected:
  void SetUp() override {
    for (const auto& [name, app, tier] : {std::tuple("a", "x", "1"), {"b", "x", "2"}, {"c", "y", "1"}}) {
      ASSERT_TRUE(simulation.user().create(
          ConfigMap{.metadata = {.name = name, .namespace_ = "default", .labels = {{"app", app}, {"tier", tier}}}}));
    }
  }
  // Runs `read` in one reconcile and returns the targets of its requests.
  Names requests_of(Controller<Note> controller, const std::function<void(Context&)>& read) {
    controller.reconcile = [&, read](const Note& n, Context& ctx) -> Outcome {
      if (n.metadata.name == "other") return done;
      instance->transport().set_faults({{.effect = http::Delay{}, .only = [&](const http::Request& request) {
                                           if (!http::is_watch(request)) targets.push_back(request.target);
                                           return false;
                                         }}});
      read(ctx);
      instance->transport().set_faults({});
      ++reconciles;
      return done;
    };
    run(std::move(controller));
    create(note("other"));
    create(note("n"));
    EXPECT_TRUE(simulation.wait_until([&] { return reconciles == 1; }));
    return targets;
  }
  static Controller<Note> with_selector(const char* selector) {
    return {.owns = {Owns{ConfigMap::type, {.label_selector = selector}}},
            .reconcile = [](const Note&, Context&) { return done; }};
  }
  static Names names(const Result<std::vector<Object>>& objects) {
    if (!objects) return {objects.error().to_string()};
    Names out;
    for (const Object& object : *objects) out.emplace_back(object.name());
    return out;
  }

  Names targets;
  int reconciles = 0;
};

TEST_F(PartialCaches, AListWithTheSameOrANarrowerSelectorSendsNoRequest) {
  Names same;
  Names narrower;
  Names other_words;
  const Names requests = requests_of(with_selector("app in (x, z)"), [&](Context& ctx) {
    same = names(ctx.list(config_map, {.namespace_ = "default", .label_selector = "app in (z, x)"}));
    narrower = names(ctx.list(config_map, {.label_selector = "tier=2,app=x"}));
    other_words = names(ctx.list(config_map, {.label_selector = "app=x", .field_selector = "metadata.name=a"}));
  });
  EXPECT_EQ(requests, Names{});
  EXPECT_EQ(same, (Names{"a", "b"}));
  EXPECT_EQ(narrower, Names{"b"});
  EXPECT_EQ(other_words, Names{"a"});
}

TEST_F(PartialCaches, AListThatMaySelectMoreReadsTheServer) {
  Names all;
  Names wider;
  Names other;
  const Names requests = requests_of(with_selector("app=x,tier"), [&](Context& ctx) {
    all = names(ctx.list(config_map, {.namespace_ = "default"}));
    wider = names(ctx.list(config_map, {.namespace_ = "default", .label_selector = "app in (x, y),tier"}));
    other = names(ctx.list(config_map, {.namespace_ = "default", .label_selector = "app=x,tier!=1"}));
  });
  EXPECT_EQ(requests.size(), 3U);
  EXPECT_EQ(all, (Names{"a", "b", "c"}));
  EXPECT_EQ(wider, (Names{"a", "b", "c"}));
  EXPECT_EQ(other, Names{"b"});
}

TEST_F(PartialCaches, AGetReadsTheCacheOnlyIfItHasTheObject) {
  bool has_held = false;
  bool has_other = false;
  Result<Object> missing;
  const Names requests = requests_of(with_selector("app=x"), [&](Context& ctx) {
    has_held = ctx.get(config_map, {"default", "a"}).has_value();
    has_other = ctx.get(config_map, {"default", "c"}).has_value();
    missing = ctx.get(config_map, {"default", "d"});
  });
  EXPECT_EQ(requests, (Names{"/api/v1/namespaces/default/configmaps/c", "/api/v1/namespaces/default/configmaps/d"}));
  EXPECT_TRUE(has_held);
  EXPECT_TRUE(has_other);
  EXPECT_EQ(missing.error().code, ErrorCode::not_found);
}

// The kind of the controller itself is no exception.
TEST_F(PartialCaches, ObjectsOutsideTheControllersOwnSelectorAreReadFromTheServer) {
  bool has_other = false;
  Controller<Note> controller = with_selector("app=x");
  controller.field_selector = "metadata.name=n";
  const Names requests = requests_of(std::move(controller), [&](Context& ctx) {
    has_other = ctx.get(GroupVersionKind(Note::type), {"default", "other"}).has_value();
  });
  EXPECT_TRUE(has_other);
  EXPECT_EQ(requests.size(), 1U);
}

// A child with the labels of the selector is in the cache, and an apply without changes is not sent.
TEST_F(PartialCaches, AnUnchangedChildInTheCacheIsNotAppliedAgain) {
  const auto apply = [](Context& ctx) {
    const ConfigMap child{.metadata = {.name = "child", .namespace_ = "default", .labels = {{"app", "x"}}}};
    EXPECT_TRUE(ctx.apply(child));
  };
  const Names requests = requests_of(with_selector("app=x"), [&](Context& ctx) {
    apply(ctx);
    apply(ctx);
  });
  EXPECT_EQ(requests.size(), 1U);
}

}  // namespace
}  // namespace pintle
