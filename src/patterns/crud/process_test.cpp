// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/crud/process.hpp>

#include "test_support.hpp"

namespace pintle::crud {
namespace {

using ::testing::ElementsAre;

using ProcessTest = CrudTest;

// An empty list of resources is an error (T2-01).
TEST_F(ProcessTest, AnEmptyListOfResourcesIsAnError) {
  run_in_reconcile([](const Object& object, Context& ctx) {
    const auto updated = process_update(object, ctx, {});
    ASSERT_FALSE(updated);
    EXPECT_TRUE(is_execution_failed(updated.error())) << updated.error().to_string();
    const auto deleted = process_delete(object, ctx, {});
    ASSERT_FALSE(deleted);
    EXPECT_TRUE(is_execution_failed(deleted.error())) << deleted.error().to_string();
  });
}

// Resources are called in the order of the list, also for a deletion (T2-02).
TEST_F(ProcessTest, ResourcesAreCalledInListOrderAlsoForDeletion) {
  run_in_reconcile([this](const Object& object, Context& ctx) {
    EXPECT_TRUE(process_update(object, ctx, plain(1)));
    EXPECT_TRUE(process_update(object, ctx, plain(2)));
    EXPECT_TRUE(process_delete(object, ctx, plain(1)));
    EXPECT_TRUE(process_delete(object, ctx, plain(2)));
  });
  EXPECT_THAT(calls, ElementsAre("r0.created", "r0.created", "r1.created", "r0.deleted", "r0.deleted", "r1.deleted"));
}

TEST_F(ProcessTest, TheOrderOfDeletionCanBeReversed) {
  run_in_reconcile([this](const Object& object, Context& ctx) {
    EXPECT_TRUE(process_delete(object, ctx, plain(3), DeleteOrder::reversed));
  });
  EXPECT_THAT(calls, ElementsAre("r2.deleted", "r1.deleted", "r0.deleted"));
}

// A cancelled reconcile ends after the running resource, and succeeds (T2-03). The original cancelled nothing unless
// other code had put the flag into the context before (T2-04).
TEST_F(ProcessTest, ACanceledReconcileEndsAfterTheResourceAndSucceeds) {
  on["r2.created"] = cancel_reconciliation;
  run_in_reconcile([this](const Object& object, Context& ctx) { EXPECT_TRUE(process_update(object, ctx, plain(5))); });
  EXPECT_THAT(calls, ElementsAre("r0.created", "r1.created", "r2.created"));
}

TEST_F(ProcessTest, AReconcileCanceledInAdvanceCallsNoResource) {
  run_in_reconcile([this](const Object& object, Context& ctx) {
    EXPECT_TRUE(cancel_reconciliation(ctx));
    EXPECT_TRUE(process_update(object, ctx, plain(2)));
    EXPECT_TRUE(process_delete(object, ctx, plain(2)));
    EXPECT_FALSE(process_update(object, ctx, {})) << "an empty list of resources is an error";
  });
  EXPECT_THAT(calls, ElementsAre());
}

// An error ends the reconcile, and its root stays recognizable (T2-05).
TEST_F(ProcessTest, AnErrorEndsItAndKeepsItsCode) {
  on["r1.created"] = failing(1, make_error(ErrorCode::forbidden, "not allowed"));
  run_in_reconcile([this](const Object& object, Context& ctx) {
    const auto done = process_update(object, ctx, plain(3));
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, ErrorCode::forbidden);
    EXPECT_EQ(done.error().to_string(), "resource r1: EnsureCreated: not allowed");
  });
  EXPECT_THAT(calls, ElementsAre("r0.created", "r1.created"));
}

TEST_F(ProcessTest, LogLinesContainTheResourceAndTheFunction) {
  on["r0.created"] = [](Context& ctx) -> Result<void> {
    crud::log(ctx).info("here");
    return {};
  };
  run_in_reconcile([this](const Object& object, Context& ctx) { EXPECT_TRUE(process_update(object, ctx, plain(1))); });
  EXPECT_TRUE(log->has("here controller=note key=default/a resource=r0 function=EnsureCreated"));
}

// A resource may call other resources, and a list may contain a resource twice.
TEST_F(ProcessTest, AResourceMayCallOthers) {
  const Resource inner = plain("inner");
  const Resource outer = PlainResource<Note>{
      .name = "outer",
      .ensure_created = [inner](const Note&, Context& ctx) { return inner.ensure_created({}, ctx); },
      .ensure_deleted = [](const Note&, Context&) -> Result<void> { return {}; }};
  run_in_reconcile([&](const Object& object, Context& ctx) {
    EXPECT_TRUE(process_update(object, ctx, {outer, inner, outer}));
  });
  EXPECT_THAT(calls, ElementsAre("inner.created", "inner.created", "inner.created"));
}

TEST_F(ProcessTest, AnUndecodableObjectFailsTerminally) {
  const Resource typed =
      PlainResource<Note>{.name = "typed",
                          .ensure_created = [](const Note&, Context&) -> Result<void> { return {}; },
                          .ensure_deleted = [](const Note&, Context&) -> Result<void> { return {}; }};
  run_in_reconcile([&](const Object& object, Context& ctx) {
    json::Value broken = object.to_value();
    broken.at("spec").as_object()["text"] = 7;
    const auto done = process_update(Object(broken), ctx, {typed});
    ASSERT_FALSE(done);
    EXPECT_TRUE(done.error().is_terminal);
    EXPECT_NE(done.error().to_string().find("resource typed: "), std::string::npos) << done.error().to_string();
  });
}

}  // namespace
}  // namespace pintle::crud
