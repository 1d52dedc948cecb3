// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/crud/crud_resource.hpp>

#include "test_support.hpp"

namespace pintle::crud {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// A CrudResource without one of its operations must not compile.
template <class T>
concept MayLeaveOutOperations = requires { CrudResource<T, int>{.name = "half"}; };
static_assert(!MayLeaveOutOperations<Object>);

using CrudResourceTest = CrudTest;

// A reconcile runs the steps in order (T2-06).
TEST_F(CrudResourceTest, StepsRunInOrder) {
  run_in_reconcile([this](const Object& object, Context& ctx) {
    EXPECT_TRUE(recording("r").ensure_created(object, ctx));
    EXPECT_TRUE(recording("d").ensure_deleted(object, ctx));
  });
  EXPECT_THAT(calls_of("r"), ElementsAre("current", "desired", "update_patch", "create", "delete", "update"));
  EXPECT_THAT(calls_of("d"), ElementsAre("current", "desired", "delete_patch", "create", "delete", "update"));
}

// Only the parts of the patch that are set are applied, each with its value (T2-07).
TEST_F(CrudResourceTest, OnlySetPartsOfAPatchAreApplied) {
  run_in_reconcile([this](const Object& object, Context& ctx) {
    patch = {.delete_change = "this one"};
    EXPECT_TRUE(recording("part").ensure_created(object, ctx));
    patch = {.create_change = json::Value(nullptr)};
    EXPECT_TRUE(recording("null").ensure_created(object, ctx));
    patch = {};
    EXPECT_TRUE(recording("none").ensure_created(object, ctx));
  });
  EXPECT_THAT(calls_of("part"), ElementsAre("current", "desired", "update_patch", "delete"));
  EXPECT_THAT(calls_of("null"), ElementsAre("current", "desired", "update_patch", "create"));
  EXPECT_THAT(calls_of("none"), ElementsAre("current", "desired", "update_patch"));
  EXPECT_THAT(applied, ElementsAre(State("this one"), State(nullptr)));
}

// A cancelled reconcile runs no further step and no further resource (T2-08).
TEST_F(CrudResourceTest, ACanceledReconcileEndsAllResources) {
  on["r2.desired"] = cancel_reconciliation;
  run_in_reconcile(
      [this](const Object& object, Context& ctx) { EXPECT_TRUE(process_update(object, ctx, recording(5))); });
  EXPECT_THAT(calls_of("r1"), SizeIs(6));
  EXPECT_THAT(calls_of("r2"), ElementsAre("current", "desired"));
  EXPECT_EQ(calls.back(), "r2.desired");
}

// The original skipped every CrudResource after one that was cancelled (T2-09).
TEST_F(CrudResourceTest, ACanceledResourceEndsOnlyItself) {
  on["r0.delete"] = cancel_resource;
  on["r2.desired"] = cancel_resource;
  run_in_reconcile(
      [this](const Object& object, Context& ctx) { EXPECT_TRUE(process_update(object, ctx, recording(5))); });
  EXPECT_THAT(calls_of("r0"), ElementsAre("current", "desired", "update_patch", "create", "delete"));
  EXPECT_THAT(calls_of("r1"), SizeIs(6));
  EXPECT_THAT(calls_of("r2"), ElementsAre("current", "desired"));
  EXPECT_THAT(calls_of("r3"), SizeIs(6));
  EXPECT_THAT(calls_of("r4"), SizeIs(6));
}

// A resource that is cancelled in its last step is complete (T2-10).
TEST_F(CrudResourceTest, CancelingInTheLastStepCompletesTheResource) {
  on["r0.update"] = cancel_resource;
  run_in_reconcile(
      [this](const Object& object, Context& ctx) { EXPECT_TRUE(process_update(object, ctx, recording(2))); });
  EXPECT_THAT(calls_of("r0"), SizeIs(6));
  EXPECT_THAT(calls_of("r1"), SizeIs(6));
}
TEST_F(CrudResourceTest, CancelingTheReconcileInTheLastStepEndsTheOthers) {
  on["r0.update"] = cancel_reconciliation;
  run_in_reconcile(
      [this](const Object& object, Context& ctx) { EXPECT_TRUE(process_update(object, ctx, recording(2))); });
  EXPECT_THAT(calls_of("r0"), SizeIs(6));
  EXPECT_THAT(calls_of("r1"), IsEmpty());
}

TEST_F(CrudResourceTest, AnErrorEndsItAndNamesTheStep) {
  on["r.create"] = failing(1);
  run_in_reconcile([this](const Object& object, Context& ctx) {
    const auto done = recording("r").ensure_created(object, ctx);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().to_string(), "resource r: ApplyCreatePatch: not now");
  });
  EXPECT_THAT(calls, ElementsAre("r.current", "r.desired", "r.update_patch", "r.create"));
}

TEST_F(CrudResourceTest, AHookThatSkipsARequiredStepIsAnError) {
  const Around skip = [](const Operation&, const Call&, Context&) -> Result<void> { return {}; };
  run_in_reconcile([&](const Object& object, Context& ctx) {
    const auto done = recording("r").around(skip).ensure_created(object, ctx);
    ASSERT_FALSE(done);
    EXPECT_TRUE(is_execution_failed(done.error()));
    EXPECT_NE(done.error().to_string().find("GetCurrentState returned success without calling it"), std::string::npos);
  });
  EXPECT_THAT(calls, IsEmpty());
}

// A hook that skips the apply steps is a dry run.
TEST_F(CrudResourceTest, AHookMaySkipTheApplySteps) {
  const Around dry_run = [](const Operation& operation, const Call& call, Context&) -> Result<void> {
    return operation.name.starts_with("Apply") ? Result<void>() : call();
  };
  run_in_reconcile([&](const Object& object, Context& ctx) {
    EXPECT_TRUE(recording("r").around(dry_run).ensure_created(object, ctx));
  });
  EXPECT_THAT(calls, ElementsAre("r.current", "r.desired", "r.update_patch"));
}

TEST_F(CrudResourceTest, EmptyFunctionsAndNamesAreReportedByName) {
  const CrudResource<Object, int> half{.name = "",
                                       .get_current_state = [](const Object&, Context&) -> Result<int> { return 1; },
                                       .get_desired_state = nullptr,
                                       .new_update_patch = nullptr,
                                       .new_delete_patch = nullptr,
                                       .apply_create_change = nullptr,
                                       .apply_delete_change = nullptr,
                                       .apply_update_change = nullptr};
  const Resource resource = half;
  ASSERT_THAT(resource.validate(), SizeIs(7));
  for (const Error& error : resource.validate()) EXPECT_TRUE(is_invalid_config(error)) << error.to_string();
  EXPECT_EQ(resource.validate()[0].message, "invalid config: a resource has an empty .name: set it");
  EXPECT_EQ(resource.validate()[1].message,
            "invalid config: .get_desired_state of the resource \"\" is an empty function");
  run_in_reconcile([&](const Object& object, Context& ctx) {
    const auto done = resource.ensure_created(object, ctx);
    ASSERT_FALSE(done) << "the error is returned, and no exception thrown";
    EXPECT_TRUE(is_invalid_config(done.error()));
  });
}

}  // namespace
}  // namespace pintle::crud
