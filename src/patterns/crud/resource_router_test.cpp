// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/crud/resource_router.hpp>

#include "test_support.hpp"

namespace pintle::crud {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

using ResourceRouterTest = CrudTest;
using ResourceSetTest = CrudTest;

bool handles_v1(const Object& object) { return object.label("version") == "v1"; }

Object labelled(const char* version) {
  return Object(json::Value(json::object{
      {"apiVersion", "test.pintle.dev/v1"},
      {"kind", "Note"},
      {"metadata",
       json::object{{"name", "a"}, {"namespace", "default"}, {"labels", json::object{{"version", version}}}}}}));
}

// An object needs exactly one set that handles it (T2-11).
TEST_F(ResourceRouterTest, ExactlyOneSetMustHandleAnObject) {
  const ResourceSet of_v1({.handles = handles_v1, .resources = {plain("v1")}});
  const ResourceSet of_all({.handles = handles_all, .resources = {plain("all")}});
  const ResourceRouter one({.resource_sets = {of_v1}});
  const ResourceRouter two({.resource_sets = {of_v1, of_all}});

  const auto found = one.resource_set(labelled("v1"));
  ASSERT_TRUE(found);
  EXPECT_EQ((*found)->resources().front().name(), "v1");
  const auto none = one.resource_set(labelled("v2"));
  ASSERT_FALSE(none);
  EXPECT_TRUE(is_no_resource_set(none.error()));
  EXPECT_EQ(none.error().message, "no resource set handles Note default/a");
  const auto both = two.resource_set(labelled("v1"));
  ASSERT_FALSE(both);
  EXPECT_TRUE(is_execution_failed(both.error())) << both.error().to_string();
  EXPECT_TRUE(two.validate().empty());
}

// A router without sets is a validation error (T2-11).
TEST_F(ResourceRouterTest, AnEmptyListIsAValidationError) {
  const ResourceRouter router{ResourceRouterOptions{}};
  ASSERT_THAT(router.validate(), SizeIs(1));
  EXPECT_TRUE(is_invalid_config(router.validate()[0]));
  EXPECT_TRUE(is_no_resource_set(router.resource_set(labelled("v1")).error()));
}

// A set without `handles` must not compile (T2-12).
template <class T>
concept MayLeaveOutHandles = requires(std::vector<T> resources) { ResourceSetOptions{.resources = resources}; };
static_assert(!MayLeaveOutHandles<Resource>);

// Empty parts of a set are validation errors (T2-12).
TEST_F(ResourceSetTest, EmptyPartsAreValidationErrors) {
  const ResourceSet set({.handles = nullptr});
  ASSERT_THAT(set.validate(), SizeIs(2));
  EXPECT_EQ(set.validate()[0].message, "invalid config: .handles of a resource set is an empty function");
  EXPECT_EQ(set.validate()[1].message, "invalid config: .resources of a resource set is empty");
  for (const Error& error : set.validate()) EXPECT_TRUE(is_invalid_config(error));
}

// A framework with an incomplete set does not start (T2-12).
TEST_F(ResourceSetTest, AFrameworkWithAnIncompleteSetDoesNotStart) {
  const std::pair<ResourceSet, const char*> incomplete[] = {
      {ResourceSet({.handles = nullptr, .resources = plain(1)}), ".handles of a resource set is an empty function"},
      {ResourceSet({.handles = handles_all}), ".resources of a resource set is empty"}};
  for (const auto& [set, what] : incomplete) {
    framework.emplace(
        Framework::watching<Note>({.name = "notes", .resource_router = ResourceRouter({.resource_sets = {set}})}));
    start([this](Manager& manager) { framework->boot(manager); });
    instance->join();
    ASSERT_FALSE(instance->started()) << what;
    EXPECT_NE(instance->started().error().to_string().find(what), std::string::npos);
    EXPECT_TRUE(is_invalid_config(instance->started().error()));
  }
}

// Without init_ctx, no flag is set when the resources run (T2-12).
TEST_F(ResourceSetTest, WithoutInitCtxNoFlagIsSet) {
  std::vector<bool> seen;
  on["r0.created"] = [&](Context& ctx) -> Result<void> {
    const ReconcileFlags& flags = reconcile_flags(ctx);
    seen = {flags.reconciliation_canceled.is_set(), flags.resource_canceled.is_set(), flags.finalizer_kept.is_set(),
            flags.update_allowed.is_set(),          flags.update_necessary.is_set(),  flags.deletion_allowed.is_set()};
    return {};
  };
  run({.name = "notes", .resource_router = router(plain(2))});
  create(note("a"));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(seen, ElementsAre(false, false, false, false, false, false));
  EXPECT_THAT(calls, ElementsAre("r0.created", "r1.created"));
}

// init_ctx also receives a value that is not an object and has no key (T2-13).
TEST_F(ResourceSetTest, InitCtxReceivesAnyObjectAndItsErrorsNameIt) {
  std::vector<std::string> prepared;
  const ResourceSet set({.handles = handles_all,
                         .init_ctx = [&](const Object& object, Context& ctx) -> Result<void> {
                           prepared.push_back(object.key().to_string());
                           ctx.log().info("prepared " + std::to_string(prepared.size()));
                           if (prepared.size() == 4) return fail(ErrorCode::unavailable, "no more");
                           return {};
                         },
                         .resources = plain(1)});
  run_in_reconcile([&](const Object& object, Context& ctx) {
    EXPECT_TRUE(set.init_ctx(object, ctx));
    EXPECT_TRUE(set.init_ctx(Object(), ctx));
    EXPECT_TRUE(set.init_ctx(Object(json::Value("text")), ctx));
    const auto failed = set.init_ctx(object, ctx);
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().to_string(), "init_ctx: no more");
  });
  EXPECT_THAT(prepared, ElementsAre("default/a", "", "", "default/a"));
  for (const char* number : {"1", "2", "3", "4"}) {
    EXPECT_TRUE(log->has("prepared " + std::string(number) + " controller=note key=default/a"))
        << "each log line of a reconcile contains its object";
  }
}

// The original omitted deletion_allowed (T2-14).
TEST_F(ResourceSetTest, EveryFlagCanBeUsedInAReconcile) {
  std::vector<bool> seen;
  const ResourceSet set({.handles = handles_all,
                         .init_ctx = [](const Object&, Context& ctx) -> Result<void> {
                           reconcile_flags(ctx).deletion_allowed.set();
                           reconcile_flags(ctx).update_allowed.set();
                           return {};
                         },
                         .resources = plain(3)});
  on["r0.created"] = [](Context& ctx) -> Result<void> {
    reconcile_flags(ctx).update_necessary.set();
    return {};
  };
  on["r1.created"] = [&](Context& ctx) -> Result<void> {
    const ReconcileFlags& flags = reconcile_flags(ctx);
    seen = {flags.deletion_allowed.is_set(), flags.update_allowed.is_set(), flags.update_necessary.is_set(),
            flags.reconciliation_canceled.is_set(), flags.resource_canceled.is_set()};
    return cancel_reconciliation(ctx);
  };
  run_in_reconcile([&](const Object& object, Context& ctx) {
    EXPECT_TRUE(set.init_ctx(object, ctx));
    EXPECT_TRUE(process_update(object, ctx, set.resources()));
  });
  EXPECT_THAT(seen, ElementsAre(true, true, true, false, false));
  EXPECT_THAT(calls, ElementsAre("r0.created", "r1.created"));
}

TEST_F(ResourceSetTest, DefaultResourceFuncAlwaysReturnsItsList) {
  const auto func = default_resource_set_resource_func(plain(2));
  run_in_reconcile([&](const Object&, Context& ctx) {
    const auto resources = func({}, ctx);
    ASSERT_TRUE(resources);
    ASSERT_THAT(*resources, SizeIs(2));
    EXPECT_EQ(resources->at(1).name(), "r1");
  });
}

}  // namespace
}  // namespace pintle::crud
