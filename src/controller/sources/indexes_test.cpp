// SPDX-License-Identifier: Apache-2.0
// Lists by an index, through the context of a reconcile.
#include "controller/test_support.hpp"

namespace pintle {
namespace {

using Names = std::vector<std::string>;

std::vector<std::string> colour_of(const Object& object) { return {std::string(object["/data/colour"].text())}; }

class ControllerIndexes : public OperatorTest {
 protected:
  static Names names(const Result<std::vector<Object>>& objects) {
    if (!objects) return {objects.error().to_string()};
    Names out;
    for (const Object& object : *objects) out.emplace_back(object.name());
    return out;
  }
  void config_map_of(const std::string& name, const std::string& colour) {
    ASSERT_TRUE(simulation.user().create(ConfigMap{
        .metadata = {.name = name, .namespace_ = "default", .labels = {{"app", "x"}}}, .data = {{"colour", colour}}}));
  }
  // Runs `read` in the reconcile of one Note.
  void reconcile(Controller<Note> controller, const std::function<void(Context&)>& read) {
    controller.reconcile = [read](const Note&, Context& ctx) -> Outcome {
      read(ctx);
      return done;
    };
    run(std::move(controller));
    create(note("n"));
    ASSERT_TRUE(simulation.run_until_idle());
  }
  static Controller<Note> with_colours() {
    return {.owns = {ConfigMap::type},
            .indexes = {Index{.kind = ConfigMap::type, .name = "colour", .keys = colour_of}},
            .reconcile = [](const Note&, Context&) { return done; }};
  }
};

TEST_F(ControllerIndexes, ListTheObjectsOfAValue) {
  for (const auto& [name, colour] : {std::pair("b", "red"), {"a", "red"}, {"c", "blue"}}) config_map_of(name, colour);
  Names red, other_namespace, unknown;
  std::size_t typed = 0;
  reconcile(with_colours(), [&](Context& ctx) {
    red = names(ctx.list(config_map, {.index = {"colour", "red"}}));
    other_namespace = names(ctx.list(config_map, {.namespace_ = "kube-system", .index = {"colour", "red"}}));
    typed = ctx.list<ConfigMap>({.label_selector = "app=x", .index = {"colour", "blue"}})->size();
    unknown = names(ctx.list(config_map, {.index = {"size", "red"}}));
  });
  EXPECT_EQ(red, (Names{"a", "b"}));
  EXPECT_EQ(other_namespace, Names{});
  EXPECT_EQ(typed, 1U);
  ASSERT_EQ(unknown.size(), 1U);
  EXPECT_NE(unknown[0].find("the cache of v1 ConfigMap has no index \"size\"; add Index{.kind = …, .name = \"size\""),
            std::string::npos)
      << unknown[0];
}

// An index shows the writes of the operator before the watch delivers them, like the objects themselves.
TEST_F(ControllerIndexes, ContainOwnWritesAtOnce) {
  config_map_of("a", "red");
  Names before, changed, created, removed;
  int runs = 0;
  reconcile(with_colours(), [&](Context& ctx) {
    if (++runs > 1) return;
    const auto list = [&](const char* colour) { return names(ctx.list(config_map, {.index = {"colour", colour}})); };
    before = list("red");
    const auto a = ctx.get(config_map, {"default", "a"});
    ASSERT_TRUE(ctx.patch(*a, json::Value{{"data", {{"colour", "blue"}}}}));
    changed = list("red");
    ASSERT_TRUE(
        ctx.create(ConfigMap{.metadata = {.name = "b", .namespace_ = "default"}, .data = {{"colour", "blue"}}}));
    created = list("blue");
    ASSERT_TRUE(ctx.remove(config_map, {"default", "a"}));
    removed = list("blue");
  });
  EXPECT_EQ(before, Names{"a"});
  EXPECT_EQ(changed, Names{});
  EXPECT_EQ(created, (Names{"a", "b"}));
  EXPECT_EQ(removed, Names{"b"});
}

TEST_F(ControllerIndexes, AnIndexOfAKindWithoutACacheIsAnErrorOfTheStart) {
  Controller<Note> controller = with_colours();
  controller.owns.clear();
  start([&](Manager& manager) { manager.add(controller); });
  ASSERT_TRUE(simulation.wait_until([&] { return !instance->started(); }));
  EXPECT_NE(
      instance->started().error().to_string().find(
          "index \"colour\" of v1 ConfigMap: the controller has no cache of this kind; add it to .owns or .watches"),
      std::string::npos)
      << instance->started().error().to_string();
}

TEST_F(ControllerIndexes, WrongDeclarationsAreNamed) {
  AnyController controller = erase_type(with_colours());
  controller.name = "note";
  const auto errors_of = [&](Index index) {
    controller.indexes = {{.kind = ConfigMap::type, .name = "colour", .keys = colour_of}, std::move(index)};
    std::string text;
    for (const Error& error : validate(controller)) text += error.to_string() + "\n";
    return text;
  };
  EXPECT_EQ(errors_of({.name = "colour", .keys = colour_of}), "") << "that of another kind";
  EXPECT_NE(errors_of({.kind = ConfigMap::type, .name = "colour", .keys = colour_of}).find("twice; remove one"),
            std::string::npos);
  EXPECT_NE(errors_of({.keys = colour_of}).find("without a name"), std::string::npos);
  EXPECT_NE(errors_of({.name = "x"}).find("without .keys"), std::string::npos);
  EXPECT_NE(errors_of({.name = "pintle:x", .keys = colour_of}).find("reserved"), std::string::npos);
}

// Lists by owner and by label need no declared index, also if the watch has a selector.
TEST_F(ControllerIndexes, OwnersAndLabelsOfAWatchWithASelector) {
  config_map_of("a", "red");
  Names owned, with_label, by_uid, other;
  Controller<Note> controller{.owns = {Owns{ConfigMap::type, {.label_selector = "app=x"}}},
                              .reconcile = [](const Note&, Context&) { return done; }};
  std::uint64_t requests = 0;
  reconcile(std::move(controller), [&](Context& ctx) {
    if (!owned.empty()) return;
    const Object self = *ctx.get(GroupVersionKind(Note::type), {"default", "n"});
    Metadata child = owned_by(self, "child");
    child.labels["app"] = "x";
    ASSERT_TRUE(ctx.apply(ConfigMap{.metadata = child}));
    const std::uint64_t before = instance->transport().calls();
    owned = names(ctx.list_owned(config_map));
    with_label = names(ctx.list_owned(config_map, {.label_selector = "app=x"}));
    by_uid = names(ctx.list(config_map, {.index = by_owner(self.uid())}));
    other = names(ctx.list(config_map, {.label_selector = "app=x", .index = by_controller("none")}));
    requests = instance->transport().calls() - before;
  });
  EXPECT_EQ(owned, Names{"n-child"});
  EXPECT_EQ(with_label, Names{"n-child"});
  EXPECT_EQ(by_uid, Names{"n-child"});
  EXPECT_EQ(other, Names{});
  EXPECT_EQ(requests, 0U);
}

TEST_F(ControllerIndexes, AFailedFunctionIsLoggedAndCounted) {
  config_map_of("a", "red");
  config_map_of("b", "bad");
  Controller<Note> controller = with_colours();
  controller.indexes[0].keys = [](const Object& object) {
    if (object["/data/colour"] == "bad") throw std::runtime_error("no such colour");
    return colour_of(object);
  };
  Names all;
  reconcile(std::move(controller), [&](Context& ctx) { all = names(ctx.list(config_map)); });
  EXPECT_EQ(all, (Names{"a", "b"})) << "the object stays in the cache";
  const std::string metrics = instance->manager().metrics().text();
  EXPECT_NE(metrics.find("pintle_index_errors_total{"), std::string::npos) << metrics;
  EXPECT_TRUE(log->has("no such colour"));
}

}  // namespace
}  // namespace pintle
