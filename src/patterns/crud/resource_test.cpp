// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/crud/resource.hpp>

#include "test_support.hpp"

namespace pintle::crud {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using ResourceTest = CrudTest;

// A PlainResource without one of its functions must not compile.
template <class T>
concept MayLeaveOutEnsureDeleted = requires(std::function<Result<void>(const T&, Context&)> f) {
  PlainResource<T>{.name = "half", .ensure_created = f};
};
static_assert(!MayLeaveOutEnsureDeleted<Object>);

Around noting(std::vector<std::string>& notes, const std::string& name) {
  return [&notes, name](const Operation& operation, const Call& call, Context&) -> Result<void> {
    notes.push_back(name + " before " + std::string(operation.resource) + " " + std::string(operation.name));
    auto done = call();
    notes.push_back(name + " after");
    return done;
  };
}

TEST_F(ResourceTest, TheLastHookIsTheOutermost) {
  std::vector<std::string> notes;
  const Resource wrapped = plain("r").around(noting(notes, "inner")).around(noting(notes, "outer"));
  run_in_reconcile([&](const Object& object, Context& ctx) { EXPECT_TRUE(wrapped.ensure_deleted(object, ctx)); });
  EXPECT_THAT(
      notes, ElementsAre("outer before r EnsureDeleted", "inner before r EnsureDeleted", "inner after", "outer after"));
}

TEST_F(ResourceTest, WrappingDoesNotChangeTheResource) {
  std::vector<std::string> notes;
  const std::vector<Resource> bare = plain(1);
  const std::vector<Resource> wrapped = wrap(bare, noting(notes, "hook"));
  run_in_reconcile([&](const Object& object, Context& ctx) {
    EXPECT_TRUE(process_update(object, ctx, bare));
    EXPECT_TRUE(process_update(object, ctx, {wrapped[0].underlying()}));
    EXPECT_THAT(notes, IsEmpty());
    EXPECT_TRUE(process_update(object, ctx, wrapped));
  });
  EXPECT_THAT(notes, ElementsAre("hook before r0 EnsureCreated", "hook after"));
}

// A resource that is wrapped too often is an error (T2-33).
TEST_F(ResourceTest, WrappingBeyondTheLimitIsAnError) {
  const Around hook = [](const Operation&, const Call& call, Context&) { return call(); };
  Resource resource = plain("r");
  for (std::size_t i = 0; i < Resource::max_hooks; ++i) resource = resource.around(hook);
  EXPECT_THAT(resource.validate(), IsEmpty());
  resource = resource.around(hook);
  ASSERT_EQ(resource.validate().size(), 1U);
  EXPECT_TRUE(is_loop_detected(resource.validate()[0])) << resource.validate()[0].to_string();
  EXPECT_FALSE(is_invalid_config(resource.validate()[0]));
  run_in_reconcile([&](const Object& object, Context& ctx) {
    const auto done = resource.ensure_created(object, ctx);
    ASSERT_FALSE(done);
    EXPECT_TRUE(is_loop_detected(done.error()));
    EXPECT_TRUE(resource.underlying().ensure_created(object, ctx));
  });
}

TEST_F(ResourceTest, EmptyPartsAreReportedByName) {
  const Resource resource = PlainResource<Note>{.name = "", .ensure_created = nullptr, .ensure_deleted = nullptr};
  ASSERT_EQ(resource.validate().size(), 3U);
  for (const Error& error : resource.validate()) EXPECT_TRUE(is_invalid_config(error));
  EXPECT_EQ(resource.validate()[1].message,
            "invalid config: .ensure_created of the resource \"\" is an empty function");
  EXPECT_EQ(resource.underlying().validate().size(), 3U);
  const Resource badly_wrapped = plain("r").around(nullptr);
  ASSERT_EQ(badly_wrapped.validate().size(), 1U);
  EXPECT_TRUE(is_invalid_config(badly_wrapped.validate()[0]));
  EXPECT_THAT(badly_wrapped.underlying().validate(), IsEmpty());
}

}  // namespace
}  // namespace pintle::crud
