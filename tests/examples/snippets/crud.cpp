// SPDX-License-Identifier: Apache-2.0
// The code of docs/patterns/crud.md that is in no example.
#include <gtest/gtest.h>

#include <pintle/patterns/crud.hpp>
#include <pintle/pintle.hpp>
#include <pintle/testing/in_reconcile.hpp>

namespace {

namespace crud = pintle::crud;

// [dry_run]
const crud::Around dry_run = [](const crud::Operation& operation, const crud::Call& call, pintle::Context&) {
  return operation.name.starts_with("Apply") ? pintle::Result<void>() : call();
};
// [/dry_run]

TEST(CrudPage, ADryRunReadsAndComparesButAppliesNothing) {
  using pintle::Context;
  using pintle::Object;
  int read = 0;
  int applied = 0;
  const auto state = [&](const Object&, Context&) -> pintle::Result<int> { return ++read; };
  const auto change = [](const Object&, const int& current, const int& desired,
                         Context&) -> pintle::Result<crud::Patch<int>> {
    return crud::Patch<int>{.update_change = desired - current};
  };
  const auto apply = [&](const Object&, const int&, Context&) -> pintle::Result<void> {
    ++applied;
    return {};
  };
  const crud::Resource resource = crud::CrudResource<Object, int>{.name = "counter",
                                                                  .get_current_state = state,
                                                                  .get_desired_state = state,
                                                                  .new_update_patch = change,
                                                                  .new_delete_patch = change,
                                                                  .apply_create_change = apply,
                                                                  .apply_delete_change = apply,
                                                                  .apply_update_change = apply};
  pintle::testkit::Simulation simulation({.seed = 1});
  const pintle::ConfigMap map{.metadata = {.name = "a", .namespace_ = "default"}};
  ASSERT_TRUE(simulation.user().create(map));
  const auto ensure = [&](const crud::Resource& with) {
    return pintle::testkit::in_reconcile(
        simulation, Object(pintle::encode(map)),
        [&](const Object& object, Context& ctx) { return with.ensure_created(object, ctx); });
  };

  EXPECT_TRUE(ensure(resource.around(dry_run)));
  EXPECT_EQ(read, 2);
  EXPECT_EQ(applied, 0);
  EXPECT_TRUE(ensure(resource));
  EXPECT_EQ(applied, 1);
}

}  // namespace
