// SPDX-License-Identifier: Apache-2.0
#include <pintle/controller/finalizers.hpp>

#include "finalizers_test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;
using Policy = FinalizerPolicy;

// The name is checked at the declaration.
TEST(FinalizerName, IsAQualifiedNameWithADomain) {
  const auto message = [](std::string_view name, Policy policy = Policy::add_then_stop) {
    const auto checked = validate_finalizer(name, policy);
    return checked ? std::string() : checked.error().message;
  };
  EXPECT_EQ(message("example.com/cleanup"), "");
  EXPECT_EQ(message("cleanup"), "the finalizer \"cleanup\" must have a domain, such as \"example.com/cleanup\"");
  EXPECT_NE(message("foregroundDeletion"), "") << "the finalizers of the cluster are reserved";
  EXPECT_NE(message(""), "");
  EXPECT_NE(message("Example.com/cleanup"), "");
  EXPECT_NE(message("example.com/a/b"), "");
  EXPECT_EQ(message("example.com/" + std::string(63, 'x')), "");
  EXPECT_NE(message("example.com/" + std::string(64, 'x')).find("at most 63"), std::string::npos);
  EXPECT_EQ(message("example.com/" + std::string(59, 'x'), Policy::wip_then_real), "");
  EXPECT_NE(message("example.com/" + std::string(60, 'x'), Policy::wip_then_real).find("-wip"), std::string::npos);
  EXPECT_EQ(validate_finalizer("x", Policy::add_then_stop).error().code, ErrorCode::invalid);
}

TEST_F(FinalizersTest, IsAppendedToForeignFinalizers) {
  const auto added = finalizers.add(create({"b.dev/b", "a.dev/a"}), {});
  ASSERT_TRUE(added) << added.error().to_string();
  EXPECT_TRUE(added->written);
  EXPECT_EQ(names(added->object), (std::vector<std::string>{"b.dev/b", "a.dev/a", ours}));
  EXPECT_EQ(added->object, stored());
}

TEST_F(FinalizersTest, IsTheFirstOfAnObjectWithoutAny) {
  const auto added = finalizers.add(create(), {});
  ASSERT_TRUE(added) << added.error().to_string();
  EXPECT_EQ(names(), (std::vector<std::string>{ours}));
  EXPECT_TRUE(finalizers.is_present(added->object));
}

TEST_F(FinalizersTest, AnExistingOneCostsNoRequest) {
  const Object object = create({ours});
  const auto added = finalizers.add(object, {});
  ASSERT_TRUE(added);
  EXPECT_FALSE(added->written);
  EXPECT_TRUE(added->object.is_same_document(object));
  EXPECT_TRUE(witness.patches.empty());
}

// Finalizers that others added since the object was read stay (trap 76).
TEST_F(FinalizersTest, AChangedObjectIsReadAgainBeforeAdding) {
  const Object old = create();
  user_sets({"b.dev/b"});
  const auto added = finalizers.add(old, {});
  ASSERT_TRUE(added) << added.error().to_string();
  EXPECT_EQ(names(), (std::vector<std::string>{"b.dev/b", ours}));
  EXPECT_EQ(witness.patches.size(), 2U);
}

TEST_F(FinalizersTest, AddingFindsOneInTheNewestObject) {
  const Object old = create();
  user_sets({ours});
  const auto added = finalizers.add(old, {});
  ASSERT_TRUE(added);
  EXPECT_FALSE(added->written);
  EXPECT_EQ(names(), (std::vector<std::string>{ours}));
}

// The server refuses a new finalizer on an object that is being deleted (trap 77, TX-19).
TEST_F(FinalizersTest, IsNeverAddedToAnObjectThatIsBeingDeleted) {
  create({"b.dev/b"});
  user_deletes();
  const auto added = finalizers.add(stored(), {});
  ASSERT_TRUE(added);
  EXPECT_FALSE(added->written);
  EXPECT_FALSE(finalizers.is_present(added->object));
  EXPECT_TRUE(witness.patches.empty());
}

// Nor is a finalizer added if the deletion arrives after the object was read (trap 77, TX-19).
TEST_F(FinalizersTest, IsNotAddedIfADeletionArrivedSinceTheRead) {
  const Object old = create({"b.dev/b"});
  user_deletes();
  for (const bool wip : {false, true}) {
    const auto added = wip ? finalizers.add_wip(old, {}) : finalizers.add(old, {});
    ASSERT_TRUE(added);
    EXPECT_FALSE(added->written);
    EXPECT_TRUE(added->object.is_deleting());
  }
  EXPECT_EQ(names(), (std::vector<std::string>{"b.dev/b"}));
  EXPECT_EQ(witness.illegal, 0);
}

TEST_F(FinalizersTest, AnotherObjectOfTheSameNameIsNotTouched) {
  const Object old = create({ours});
  Object without = *simulation.user().patch(ConfigMap::type, key, json::Value{{"metadata", {{"finalizers", nullptr}}}});
  user_deletes();
  create({"b.dev/b", ours});
  const auto added = finalizers.add(without, {});
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().code, ErrorCode::not_found);
  const auto removed = finalizers.remove(old, {});
  ASSERT_TRUE(removed) << removed.error().to_string();
  EXPECT_FALSE(*removed);
  EXPECT_EQ(names(), (std::vector<std::string>{"b.dev/b", ours}));
}

// At the former index of the finalizer there may now be another one (trap 76).
TEST_F(FinalizersTest, RemovingFindsOursAtAnyIndex) {
  const Object old = create({ours, "b.dev/b", "c.dev/c"});
  user_sets({"b.dev/b", "d.dev/d", ours});
  const auto removed = finalizers.remove(old, {});
  ASSERT_TRUE(removed) << removed.error().to_string();
  EXPECT_TRUE(*removed);
  EXPECT_EQ(names(), (std::vector<std::string>{"b.dev/b", "d.dev/d"}));
}

TEST_F(FinalizersTest, RemovingTakesOneRequestWhenOnlyOtherThingsChanged) {
  const Object old = create({"b.dev/b", ours});
  user_touches();
  ASSERT_TRUE(finalizers.remove(old, {}).value_or(false));
  EXPECT_EQ(witness.patches.size(), 1U);
  EXPECT_EQ(witness.gets, 0);
}

TEST_F(FinalizersTest, RemovingRemovesAllOfOursAtOnce) {
  const Object object = create({ours, "b.dev/b", finalizers.wip_name(), "c.dev/c"});
  ASSERT_TRUE(finalizers.remove(object, {}).value_or(false));
  EXPECT_EQ(names(), (std::vector<std::string>{"b.dev/b", "c.dev/c"}));
  EXPECT_EQ(witness.patches.size(), 1U);
}

// Another client may have removed the last finalizer first (trap 77).
TEST_F(FinalizersTest, RemovingFromAMissingObjectIsSuccess) {
  const Object old = create({ours});
  user_sets({});
  user_deletes();
  const auto removed = finalizers.remove(old, {});
  ASSERT_TRUE(removed) << removed.error().to_string();
  EXPECT_FALSE(*removed);
}

TEST_F(FinalizersTest, RemovingTheLastOneDeletesTheObject) {
  create({ours});
  user_deletes();
  ASSERT_TRUE(finalizers.remove(stored(), {}).value_or(false));
  EXPECT_FALSE(stored());
}

TEST_F(FinalizersTest, RetriesOfConflictsAreLimited) {
  const Object object = create();
  witness.before_each_patch = [&] { user_touches(); };
  const auto added = finalizers.add(object, {});
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().code, ErrorCode::conflict);
  EXPECT_EQ(witness.patches.size(), 5U);
  EXPECT_NE(added.error().to_string().find("add finalizer test.pintle.dev/cleanup"), std::string::npos);
}

TEST_F(FinalizersTest, TheWorkInProgressFinalizerIsReplacedInPlace) {
  const Object object = create();
  const auto wip = finalizers.add_wip(object, {});
  ASSERT_TRUE(wip) << wip.error().to_string();
  EXPECT_EQ(names(), (std::vector<std::string>{"test.pintle.dev/cleanup-wip"}));
  EXPECT_TRUE(finalizers.is_present(wip->object));
  EXPECT_FALSE(finalizers.is_complete(wip->object));
  user_sets({"test.pintle.dev/cleanup-wip", "b.dev/b"});
  const auto real = finalizers.add(wip->object, {});
  ASSERT_TRUE(real) << real.error().to_string();
  EXPECT_EQ(names(), (std::vector<std::string>{ours, "b.dev/b"}));
  EXPECT_TRUE(finalizers.is_complete(real->object));
}

TEST_F(FinalizersTest, WritesWithTheGivenFieldManager) {
  ASSERT_TRUE(finalizers.add(create(), {}));
  const std::string text = simulation.server().objects("configmaps").at(0)["/metadata/managedFields"].print();
  EXPECT_NE(text.find(R"("manager":"manager")"), std::string::npos) << text;
}

}  // namespace
}  // namespace pintle
