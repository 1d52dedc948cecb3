// SPDX-License-Identifier: Apache-2.0
// The code about TestEnvironment in docs/testing.md.
#include <gtest/gtest.h>

#include <pintle/pintle.hpp>
// [includes]
#include <pintle/testing/test_environment.hpp>
// [/includes]

namespace test_environment_page {

struct Shelf {
  static constexpr pintle::Type type{"shop.example.com/v1", "Shelf"};
  struct Spec {
    std::int64_t slots = 1;
    static constexpr auto fields() { return pintle::fields(pintle::field("slots", &Spec::slots).minimum(0)); }
  };
  pintle::Metadata metadata{};
  Spec spec{};
};

void add_controllers(pintle::Manager& manager) {
  const auto reconcile = [](const Shelf& shelf, pintle::Context& ctx) -> pintle::Outcome {
    return ctx.apply(
        pintle::ConfigMap{.metadata = pintle::owned_by(shelf), .data = {{"slots", std::to_string(shelf.spec.slots)}}});
  };
  manager.add(pintle::Controller<Shelf>{.owns = {pintle::ConfigMap::type}, .reconcile = reconcile});
}

// [test]
namespace testkit = pintle::testkit;

TEST(Shelf, HasAConfigMapThatFollowsIt) {
  testkit::TestEnvironment environment({.add_controllers = add_controllers});

  const Shelf shelf = environment.given(Shelf{.metadata = {.name = "a"}, .spec = {.slots = 3}});
  EXPECT_TRUE(environment.eventually<pintle::ConfigMap>(
      "a", testkit::all_of(testkit::has_data("slots", "3"), testkit::is_controlled_by(shelf))));

  environment.change<Shelf>("a", {{"spec", {{"slots", 4}}}});
  EXPECT_TRUE(environment.eventually<pintle::ConfigMap>("a", testkit::has_data("slots", "4")));
  EXPECT_TRUE(environment.never<pintle::ConfigMap>("b"));

  environment.remove<Shelf>("a");
  EXPECT_TRUE(environment.gone<pintle::ConfigMap>("a"));
}
// [/test]

// [matchers]
TEST(Shelf, MatchersAreFunctions) {
  testkit::TestEnvironment environment({.add_controllers = add_controllers});
  environment.given_yaml("{apiVersion: shop.example.com/v1, kind: Shelf, metadata: {name: a}, spec: {slots: 5}}");

  const auto is_small = [](const Shelf& shelf) { return shelf.spec.slots < 10; };
  EXPECT_TRUE(environment.always<Shelf>("a", is_small));
  EXPECT_TRUE(environment.eventually<Shelf>("a", testkit::contains_yaml("spec: {slots: 5}")));
  EXPECT_TRUE(environment.eventually("there is one ConfigMap",
                                     [&] { return environment.list<pintle::ConfigMap>().size() == 1; }));
}
// [/matchers]

// [golden]
TEST(Shelf, ManifestsAreThoseInTheRepository) {
  const testkit::TestEnvironment environment({.manager = {.name = "shelf"}, .add_controllers = add_controllers});
  EXPECT_TRUE(environment.golden({"--print-crds"}, "tests/data/shelf/crds.yaml"));
  EXPECT_TRUE(environment.golden({"--print-rbac", "--leader-elect"}, "tests/data/shelf/rbac.yaml"));
  EXPECT_TRUE(environment.golden({"--print-deploy", "--leader-elect"}, "tests/data/shelf/deploy.yaml"));
}
// [/golden]

}  // namespace test_environment_page
