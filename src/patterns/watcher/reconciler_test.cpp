// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/watcher/reconciler.hpp>

#include "test_support.hpp"

namespace pintle::watcher {
namespace {

class ReconcilerTest : public WatcherTest {};

TEST(ReconcileResult, ConvertsFromAnOutcomeOrAResult) {
  EXPECT_FALSE(ReconcileResult(done).requeue_after);
  EXPECT_EQ(ReconcileResult(requeue_after(5s)).requeue_after, 5s);
  EXPECT_EQ(ReconcileResult(failed(outage())).error->message, "not now");
  EXPECT_TRUE(ReconcileResult(requeue).error) << "the retry policy defines the delay";
  const Result<Object> refused = fail(outage("refused"));
  EXPECT_EQ(ReconcileResult(refused).error->message, "refused");
}

// A TypedReconciler passes the struct, the action and the state (T4-24).
TEST_F(ReconcilerTest, ATypedReconcilerReceivesStructActionAndState) {
  TypedReconcileRequest<Note> seen;
  TypedReconciler<Note> typed_map([&](const TypedReconcileRequest<Note>& request, Context&) -> ReconcileResult {
    seen = request;
    return requeue_after(3s);
  });
  in_a_reconcile([&](const Object& object, Context& context) {
    const auto result =
        typed_map.reconcile({.action = ReconcileAction::updated, .object = object, .state = {{"k", 7}}}, context);
    EXPECT_EQ(result.requeue_after, 3s);
  });
  EXPECT_EQ(seen.action, ReconcileAction::updated);
  EXPECT_EQ(seen.object.metadata.name, "in-reconcile");
  EXPECT_EQ(seen.object.spec.text, "1");
  EXPECT_EQ(std::any_cast<int>(seen.state.at("k")), 7);
}

// A TypedReconciler rejects an object of another kind (T4-24).
TEST_F(ReconcilerTest, ATypedReconcilerRefusesAnotherKind) {
  bool called = false;
  TypedReconciler<ConfigMap> typed_map([&](const TypedReconcileRequest<ConfigMap>&, Context&) -> ReconcileResult {
    called = true;
    return done;
  });
  in_a_reconcile([&](const Object& object, Context& context) {
    const auto result = typed_map.reconcile({.action = ReconcileAction::created, .object = object}, context);
    ASSERT_TRUE(result.error);
    EXPECT_EQ(result.error->reason, "CannotCast");
    EXPECT_EQ(result.error->message, "cannot cast test.pintle.dev:Note (default/in-reconcile) into type");
    const CannotCastError fields(object);
    EXPECT_EQ(fields.namespace_, "default");
    EXPECT_EQ(fields.name, "in-reconcile");
    EXPECT_EQ(fields.group, "test.pintle.dev");
    EXPECT_EQ(fields.kind, "Note");
  });
  EXPECT_FALSE(called);
}

// A TypedReconciler without a function succeeds for any kind (T4-24).
TEST_F(ReconcilerTest, ATypedReconcilerWithoutAFunctionSucceedsForAnyKind) {
  TypedReconciler<ConfigMap> typed_map(nullptr);
  in_a_reconcile([&](const Object& object, Context& context) {
    const auto result = typed_map.reconcile({.action = ReconcileAction::created, .object = object}, context);
    EXPECT_FALSE(result.error);
    EXPECT_FALSE(result.requeue_after);
  });
}

// A SimpleReconciler and a SimpleWatcher without functions succeed (T4-25).
TEST_F(ReconcilerTest, SimpleHandlersWithoutFunctionsSucceed) {
  SimpleReconciler simple(nullptr);
  SimpleWatcher watcher({});
  in_a_reconcile([&](const Object& object, Context& context) {
    EXPECT_FALSE(simple.reconcile({.action = ReconcileAction::created, .object = object}, context).error);
    EXPECT_TRUE(watcher.added(object, context).is_done());
    EXPECT_TRUE(watcher.updated(object, object, context).is_done());
    EXPECT_TRUE(watcher.deleted(object, context).is_done());
  });
}

}  // namespace
}  // namespace pintle::watcher
