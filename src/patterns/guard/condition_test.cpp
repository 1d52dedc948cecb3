// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/guard/condition.hpp>

#include <gtest/gtest.h>

#include <pintle/object/schema/schema.hpp>

namespace pintle::guard {
namespace {

using namespace std::chrono_literals;
using enum ConditionStatus;

const WallTime now{1'000'000s};

// set_condition() returns whether anything changed (T0-14).
TEST(GuardConditions, SetConditionReturnsWhetherAnythingChanged) {
  // A null list does not compile.
  static_assert(!std::is_invocable_v<decltype(set_condition), std::nullptr_t, Condition, WallTime>);
  static_assert(!std::is_invocable_v<decltype(set_condition), std::vector<Condition>*, Condition, WallTime>);
  std::vector<Condition> list;
  const Condition created{.type = "A", .status = ConditionStatus::created, .reason = "x"};
  EXPECT_TRUE(set_condition(list, created, now));
  EXPECT_EQ(list.front().last_transition_time, now) << "the default";
  EXPECT_FALSE(set_condition(list, created, now + 1h));
  EXPECT_TRUE(set_condition(
      list, {.type = "A", .status = ConditionStatus::created, .observed_generation = 2, .reason = "x"}, now));
  EXPECT_EQ(list.front().observed_generation, 2);
  EXPECT_TRUE(set_condition(list, {.type = "B", .reason = "x"}, now));
  EXPECT_EQ(list.size(), 2U);
}

TEST(GuardConditions, TheTransitionTimeChangesWithTheStatus) {
  std::vector<Condition> list;
  set_condition(list, {.type = "A", .status = waiting, .reason = "x"}, now);
  EXPECT_TRUE(set_condition(list, {.type = "A", .status = waiting, .reason = "y"}, now + 1h));
  EXPECT_EQ(list.front().last_transition_time, now);
  EXPECT_EQ(list.front().reason, "y");
  set_condition(list, {.type = "A", .status = completed, .reason = "y"}, now + 1h);
  EXPECT_EQ(list.front().last_transition_time, now + 1h);
  set_condition(list, {.type = "A", .status = waiting, .last_transition_time = now + 2h, .reason = "y"}, now + 3h);
  EXPECT_EQ(list.front().last_transition_time, now + 2h) << "the given time";
}

// In an empty list, "all" is true and "any" is false (T0-15).
TEST(GuardConditions, AllIsTrueAndAnyIsFalseForAnEmptyList) {
  std::vector<Condition> none;
  EXPECT_TRUE(are_all_conditions_with_status(none, healthy));
  EXPECT_FALSE(is_any_condition_with_status(none, healthy));
  EXPECT_FALSE(remove_condition(none, "A"));
}

TEST(GuardConditions, AreFoundByTypeAndByStatus) {
  std::vector<Condition> list{{.type = "A", .status = healthy}, {.type = "B", .status = not_healthy}};
  EXPECT_EQ(find_condition(list, "B"), &list[1]);
  EXPECT_EQ(find_condition(list, "C"), nullptr);
  EXPECT_EQ(find_status_condition(list, not_healthy), &list[1]);
  EXPECT_EQ(find_status_condition(list, locked), nullptr);
  EXPECT_TRUE(is_status_condition_present_and_equal(list, "A", healthy));
  EXPECT_FALSE(is_status_condition_present_and_equal(list, "B", healthy));
  EXPECT_FALSE(is_status_condition_present_and_equal(list, "C", healthy));
  EXPECT_TRUE(is_any_condition_with_status(list, not_healthy));
  EXPECT_FALSE(are_all_conditions_with_status(list, healthy));
  EXPECT_TRUE(remove_condition(list, "B"));
  EXPECT_TRUE(are_all_conditions_with_status(list, healthy));
}

TEST(GuardConditions, HaveElevenStatuses) {
  const json::object schema = internal::Operations<ConditionStatus>::schema();
  EXPECT_EQ(schema.at("enum").as_array().size(), 11U);
  EXPECT_EQ(to_string(not_healthy), "Not Healthy");
  EXPECT_EQ(to_string(in_progress), "In Progress");
  const json::object condition = internal::Operations<Condition>::schema();
  const json::Value& reason = condition.at("properties").at("reason");
  EXPECT_EQ(reason.at("minLength").to_number<int>(), 1);
  EXPECT_EQ(reason.at("maxLength").to_number<int>(), 1024);
}

TEST(GuardConditions, ToReasonReturnsAValidReason) {
  EXPECT_EQ(to_reason("why", waiting), "why");
  EXPECT_EQ(to_reason("", not_healthy), "Not Healthy");
  EXPECT_EQ(to_reason("a\xff", waiting), "a\uFFFD");
  std::string long_text;
  for (int i = 0; i < 2000; ++i) long_text += "ä";
  EXPECT_EQ(to_reason(long_text, waiting), long_text.substr(0, 2 * max_reason_length)) << "in characters";
}

TEST(GuardConditions, TypesAreQualifiedNames) {
  EXPECT_TRUE(validate_condition_type("Tunneling"));
  EXPECT_TRUE(validate_condition_type("example.com/Tunneling"));
  const auto empty = validate_condition_type("");
  ASSERT_FALSE(empty);
  EXPECT_EQ(empty.error().code, ErrorCode::invalid);
  EXPECT_FALSE(validate_condition_type("not a name"));
  EXPECT_FALSE(validate_condition_type(std::string(300, 'a') + "/" + std::string(60, 'b')));
}

TEST(GuardConditions, AreReadFromAnyObject) {
  const auto object = Object::parse(R"({"status": {"conditions": [
      {"type": "A", "status": "Locked", "reason": "r", "lastTransitionTime": "2026-01-02T03:04:05Z",
       "lock": {"holder": "h", "since": "2026-01-02T03:04:05Z"}},
      {"type": "B", "status": "True"}]}})");
  ASSERT_TRUE(object);
  const auto locked_one = condition_of(*object, "A");
  ASSERT_TRUE(locked_one);
  EXPECT_EQ(locked_one->lock->holder, "h");
  EXPECT_FALSE(condition_of(*object, "B")) << "an unknown status";
  EXPECT_FALSE(condition_of(*object, "C"));
}

}  // namespace
}  // namespace pintle::guard
