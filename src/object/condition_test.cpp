// SPDX-License-Identifier: Apache-2.0
#include <pintle/object/condition.hpp>

#include <gtest/gtest.h>

#include <pintle/object/codec.hpp>
#include <pintle/object/schema/schema.hpp>

namespace pintle {
namespace {

using namespace std::chrono_literals;

constexpr WallTime noon{1'767'268'800s};  // 2026-01-01T12:00:00Z
constexpr auto yes = ConditionStatus::true_;
constexpr auto no = ConditionStatus::false_;

// A condition of a new type is appended, with the current time in whole seconds (R10).
TEST(StatusCondition, ANewTypeIsAppendedWithTheCurrentTime) {
  std::vector<StatusCondition> list{{.type = "Other", .reason = "R"}};
  EXPECT_TRUE(set_condition(list, {.type = "Ready", .status = yes, .reason = "R"}, noon + 1ms));
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list[1].type, "Ready");
  EXPECT_EQ(list[1].last_transition_time, noon) << "in whole seconds";
}

// `lastTransitionTime` changes only with the status; all other members always take the new value (R10).
TEST(StatusCondition, TheTimeIsThatOfTheLastChangeOfTheStatus) {
  std::vector<StatusCondition> list;
  set_condition(list, {.type = "Ready", .status = no, .reason = "R"}, noon);
  EXPECT_TRUE(set_condition(
      list, {.type = "Ready", .status = no, .reason = "S", .message = "m", .observed_generation = 2}, noon + 1h));
  EXPECT_EQ(list[0], (StatusCondition{.type = "Ready",
                                      .status = no,
                                      .reason = "S",
                                      .message = "m",
                                      .last_transition_time = noon,
                                      .observed_generation = 2}));
  EXPECT_TRUE(set_condition(list, {.type = "Ready", .status = yes, .reason = "S"}, noon + 2h));
  EXPECT_EQ(list[0].last_transition_time, noon + 2h);
  EXPECT_EQ(list[0].message, "");
  EXPECT_EQ(list[0].observed_generation, 0);
}

// A change takes the given time, or the current time if none is given (R10).
TEST(StatusCondition, AGivenTimeIsTheTransitionTime) {
  std::vector<StatusCondition> list;
  set_condition(list, {.type = "Ready", .status = no, .reason = "R", .last_transition_time = noon - 1h}, noon);
  EXPECT_EQ(list[0].last_transition_time, noon - 1h);
  EXPECT_FALSE(set_condition(list, {.type = "Ready", .status = no, .reason = "R", .last_transition_time = noon}, noon));
  EXPECT_EQ(list[0].last_transition_time, noon - 1h);
}

// The return value states whether anything changed (R10).
TEST(StatusCondition, AnEqualConditionChangesNothing) {
  std::vector<StatusCondition> list;
  EXPECT_TRUE(set_condition(list, {.type = "Ready", .status = yes, .reason = "R"}, noon));
  EXPECT_FALSE(set_condition(list, {.type = "Ready", .status = yes, .reason = "R"}, noon + 1h));
  EXPECT_TRUE(set_condition(list, {.type = "Ready", .status = yes, .reason = "R", .observed_generation = 1}, noon));
}

TEST(StatusCondition, IsFoundAndRemovedByItsType) {
  std::vector<StatusCondition> list{{.type = "A", .status = yes}, {.type = "B", .status = no}};
  EXPECT_EQ(find_condition(list, "B"), &list[1]);
  EXPECT_EQ(find_condition(list, "C"), nullptr);
  EXPECT_TRUE(is_condition_true(list, "A"));
  EXPECT_FALSE(is_condition_true(list, "B"));
  EXPECT_FALSE(is_condition_true(list, "C"));
  EXPECT_TRUE(remove_condition(list, "A"));
  EXPECT_FALSE(remove_condition(list, "A"));
  EXPECT_EQ(list.size(), 1U);
}

TEST(StatusCondition, IsReadFromAnyObject) {
  const auto object = Object::parse(R"({"status":{"conditions":[{"type":"Odd","status":7},
    {"type":"Ready","status":"True","reason":"R","lastTransitionTime":"2026-01-01T12:00:00Z","unknown":1}]}})");
  ASSERT_TRUE(object);
  const auto ready = find_condition(*object, "Ready");
  ASSERT_TRUE(ready);
  EXPECT_EQ(ready->last_transition_time, noon);
  EXPECT_TRUE(is_condition_true(*object, "Ready"));
  EXPECT_FALSE(find_condition(*object, "Odd"));
  EXPECT_FALSE(find_condition(*object, "Missing"));
  EXPECT_FALSE(is_condition_true(Object(), "Ready"));
}

TEST(StatusCondition, InvalidConditionsAreReported) {
  const auto error = [](StatusCondition condition) {
    const auto checked = validate_condition(condition);
    return checked ? std::string() : checked.error().message;
  };
  EXPECT_EQ(error({.type = "Ready", .reason = "R"}), "");
  EXPECT_EQ(error({.type = "example.com/Ready", .reason = "a_b,c:d9", .message = std::string(32768, 'm')}), "");
  EXPECT_EQ(error({.type = "Ready"}), "condition \"Ready\": reason must not be empty");
  for (const char* reason : {"two words", "9lives", "_x", "x,", "x:", "ä", "a-b"}) {
    EXPECT_NE(error({.type = "Ready", .reason = reason}).find("must consist of letters"), std::string::npos) << reason;
  }
  EXPECT_NE(error({.type = "", .reason = "R"}), "");
  EXPECT_NE(error({.type = "not ready", .reason = "R"}).find("type"), std::string::npos);
  EXPECT_EQ(error({.type = "Ready", .reason = std::string(1024, 'r')}), "");
  EXPECT_NE(error({.type = "Ready", .reason = std::string(1025, 'r')}).find("at most 1024"), std::string::npos);
  std::string many;
  for (int i = 0; i < 32768; ++i) many += "ä";
  EXPECT_EQ(error({.type = "Ready", .reason = "R", .message = many}), "") << "counted in characters";
  EXPECT_NE(error({.type = "Ready", .reason = "R", .message = many + "!"}).find("at most 32768"), std::string::npos);
}

// Tools for meta/v1 conditions expect this form.
TEST(StatusCondition, IsWrittenAsMetaV1) {
  const StatusCondition condition{.type = "Ready",
                                  .status = no,
                                  .reason = "R",
                                  .message = "m",
                                  .last_transition_time = noon,
                                  .observed_generation = 3};
  EXPECT_EQ(json::print(internal::Operations<StatusCondition>::write(&condition)),
            R"({"type":"Ready","status":"False","reason":"R","message":"m","lastTransitionTime":)"
            R"("2026-01-01T12:00:00Z","observedGeneration":3})");
  const json::object schema = internal::Operations<StatusCondition>::schema();
  const json::object list = internal::Operations<std::vector<StatusCondition>>::schema();
  EXPECT_EQ(list.at("x-kubernetes-list-type"), "map");
  EXPECT_EQ(json::print(list.at("x-kubernetes-list-map-keys")), R"(["type"])");
  EXPECT_EQ(json::print(schema.at("required")), R"(["type","status","reason","message","lastTransitionTime"])");
}

}  // namespace
}  // namespace pintle
