// SPDX-License-Identifier: Apache-2.0
// Changes of a status draft: by a struct, by single members, and invalid ones.
#include <pintle/controller/status_writer.hpp>

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "status_writer_test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

TEST_F(StatusWriterTest, AStructChangesOnlyItsOwnMembers) {
  user_patches({{"phase", "Old"},
                {"theirs", "a"},
                {"ready", 3},
                {"crew", {{"sailors", 2}, {"cook", "Joe"}, {"cat", "Tom"}}},
                {"cabins", {{"1", "x"}, {"2", "y"}}},
                {"ports", json::array{"A"}}});
  StatusDraft draft = this->draft();
  auto status = draft.as<Ship::Status>();
  ASSERT_TRUE(status);
  EXPECT_EQ(status->crew->cook, "Joe");
  status->phase = "New";
  status->ready = 0;
  status->crew->cook.reset();
  status->cabins.erase("1");
  status->cabins["3"] = "z";
  status->ports.emplace_back("B");
  draft.set(*status);
  ASSERT_TRUE(flush(draft));
  EXPECT_EQ(stored()["/status"].print(), R"({"phase":"New","theirs":"a","ready":0,"crew":{"sailors":2,"cat":"Tom"},)"
                                         R"("cabins":{"2":"y","3":"z"},"ports":["A","B"]})");
}

// 0 and "" are values, and are written too.
TEST_F(StatusWriterTest, AStructWritesItsDefaultsIfTheStatusIsMissing) {
  StatusDraft draft = this->draft();
  draft.set(Ship::Status{});
  ASSERT_TRUE(flush(draft));
  EXPECT_EQ(stored()["/status/ready"], 0);
  EXPECT_EQ(stored()["/status/phase"], "");
  StatusDraft again = this->draft();
  again.set(Ship::Status{});
  ASSERT_TRUE(flush(again));
  EXPECT_EQ(spy.patches.size(), 1U);
}

TEST_F(StatusWriterTest, AStructKeepsForeignAndEarlierConditions) {
  StatusDraft first = draft();
  first.set_condition({.type = "Ready", .status = no, .reason = "A"});
  first.set_condition({.type = "Theirs", .status = no, .reason = "A"});
  ASSERT_TRUE(flush(first));

  StatusDraft second = draft();
  Ship::Status status = *second.as<Ship::Status>();
  second.set_condition({.type = "Ready", .status = yes, .reason = "B"});
  set_condition(status.conditions, {.type = "Other", .status = yes, .reason = "C"}, simulation.executor().wall_now());
  second.set(status);
  ASSERT_TRUE(flush(second));
  EXPECT_TRUE(is_condition_true(stored(), "Ready"));
  EXPECT_TRUE(is_condition_true(stored(), "Other"));
  EXPECT_TRUE(find_condition(stored(), "Theirs"));

  StatusDraft third = draft();
  third.set(Ship::Status{.phase = "Fresh"});
  third.remove_condition("Other");
  ASSERT_TRUE(flush(third));
  EXPECT_EQ(stored()["/status/conditions"].size(), 2U) << "only remove_condition removes";
}

TEST_F(StatusWriterTest, AStructKeepsForeignChangesOfUnchangedMembers) {
  user_patches({{"phase", "Old"}, {"ready", 1}});
  StatusDraft draft = this->draft();
  Ship::Status status = *draft.as<Ship::Status>();
  status.phase = "New";
  draft.set(status);
  user_patches({{"ready", 5}});
  ASSERT_TRUE(flush(draft));
  EXPECT_EQ(stored()["/status/ready"], 5);
  EXPECT_EQ(stored()["/status/phase"], "New");
}

TEST_F(StatusWriterTest, ErrorsAreReturnedAndTheRestIsWritten) {
  const auto error_of = [&](const std::function<void(StatusDraft&)>& write) {
    StatusDraft status = draft();
    write(status);
    status.set("/phase", "Written " + std::to_string(spy.patches.size()));
    const auto written = flush(status);
    EXPECT_TRUE(stored()["/status/phase"].text().starts_with("Written"));
    return written ? std::string() : written.error().to_string();
  };
  using D = StatusDraft;
  EXPECT_EQ(error_of([](D&) {}), "");
  EXPECT_NE(error_of([](D& s) {
              s.set_condition({.type = "Ready", .reason = "two words"});
            }).find("condition \"Ready\": reason"),
            std::string::npos);
  EXPECT_NE(error_of([](D& s) { s.set("phase", 1); }).find("is not a JSON pointer"), std::string::npos);
  EXPECT_NE(error_of([](D& s) { s.set("", 1); }), "");
  EXPECT_NE(error_of([](D& s) { s.set("/phase/deep", 1); }), "") << "the parent is a text";
  EXPECT_NE(error_of([](D& s) { s.set("/conditions/0/status", "True"); }).find("use set_condition()"),
            std::string::npos);
  EXPECT_NE(error_of([](D& s) {
              Ship::Status status;
              status.conditions.push_back({.type = "Ready", .status = yes, .reason = ""});
              s.set(status);
            }).find("reason must not be empty"),
            std::string::npos);
  EXPECT_EQ(spy.patches.size(), 7U);
}

TEST_F(StatusWriterTest, ANullRemovesAMember) {
  user_patches({{"phase", "Old"}, {"crew", {{"sailors", 1}}}});
  StatusDraft status = draft();
  status.set("/phase", nullptr);
  status.set("/crew", {{"sailors", 2}, {"cook", nullptr}});
  ASSERT_TRUE(flush(status));
  EXPECT_EQ(stored()["/status"].print(), R"({"crew":{"sailors":2}})");
}

TEST_F(StatusWriterTest, ValueIsTheStatusWithTheDraftedChanges) {
  StatusDraft status = draft();
  EXPECT_TRUE(status.value().is_null());
  status.set("/phase", "A");
  status.set("/phase", "B");
  status.set_condition({.type = "Ready", .status = yes, .reason = "A"});
  status.remove_condition("Ready");
  EXPECT_EQ(json::print(status.value()), R"({"phase":"B"})");
  EXPECT_EQ(status.as<Ship::Status>()->phase, "B");
  status.set("/phase", 7);
  EXPECT_EQ(status.as<Ship::Status>().error().message, "status.phase: expected a string, got an integer");
}

TEST(StatusJoin, AFailureTakesPrecedenceAndTwoAreCombined) {
  const Result<Object> fine = Object();
  const Result<Object> bad = make_error(ErrorCode::unavailable, "no status");
  const Result<Object> stopped = make_error(ErrorCode::cancelled, "stop");
  EXPECT_TRUE(join(done, fine).is_done());
  EXPECT_NE(join(requeue_after(1s), fine).as_requeue_after(), nullptr);
  EXPECT_EQ(join(done, bad).as_failed()->message, "no status");
  EXPECT_EQ(join(requeue_after(1s), bad).as_failed()->code, ErrorCode::unavailable);
  EXPECT_EQ(join(done, stopped).as_failed()->code, ErrorCode::cancelled);
  const Error first = make_error(ErrorCode::invalid, "first").terminal();
  const Outcome both = join(failed(first), bad);
  EXPECT_EQ(both.as_failed()->message, "first; and no status");
  EXPECT_EQ(both.as_failed()->code, ErrorCode::invalid);
  EXPECT_FALSE(both.as_failed()->is_terminal) << "a retry may write the status";
  EXPECT_EQ(join(failed(first), stopped).as_failed()->message, "first");
}

TEST(StatusDraftTest, EditChangesTheMembersThatTheFunctionChanges) {
  const auto executor = make_real_executor();
  StatusDraft draft(ship_with_status(R"({"phase":"Docked","other":1})"), *executor);
  draft.edit<Ship::Status>([](Ship::Status& status) { status.phase += "!"; });
  EXPECT_EQ(draft.value().at("phase"), "Docked!");
  EXPECT_EQ(draft.value().at("other"), 1) << "a member that the struct does not have";
}

TEST(StatusDraftTest, EditOfAStatusThatCannotBeDecodedIsAnError) {
  const auto executor = make_real_executor();
  StatusDraft draft(ship_with_status(R"({"phase":7})"), *executor);
  bool was_called = false;
  draft.edit<Ship::Status>([&](Ship::Status&) { was_called = true; });
  EXPECT_FALSE(was_called);
  ASSERT_TRUE(draft.error());
  EXPECT_NE(draft.error()->to_string().find("phase"), std::string::npos);
}

TEST(StatusDraftTest, SetTakesEnumerationsAndLists) {
  const auto executor = make_real_executor();
  StatusDraft draft(ship_with_status("{}"), *executor);
  draft.set("/state", ConditionStatus::true_);
  draft.set("/names", std::vector<std::string>{"a", "b"});
  EXPECT_EQ(draft.value(), (json::Value{{"state", "True"}, {"names", {"a", "b"}}}));
}

}  // namespace
}  // namespace pintle
