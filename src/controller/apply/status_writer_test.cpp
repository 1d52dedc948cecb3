// SPDX-License-Identifier: Apache-2.0
// Writes of a status that other clients write too.
#include <pintle/controller/status_writer.hpp>

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/testing/seeds.hpp>

#include "status_writer_test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

TEST_F(StatusWriterTest, WritesAllChangesInOneRequest) {
  StatusDraft status = draft();
  EXPECT_TRUE(status.empty());
  status.set("/phase", "Sailing");
  status.set("/crew/sailors", 7);
  status.set_condition({.type = "Ready", .status = yes, .reason = "Complete", .message = "all is well"});
  EXPECT_FALSE(status.empty());
  const auto written = flush(status);
  ASSERT_TRUE(written) << written.error().to_string();
  EXPECT_EQ(*written, stored());
  EXPECT_EQ(spy.patches.size(), 1U);
  EXPECT_EQ(stored()["/status/phase"], "Sailing");
  EXPECT_EQ(stored()["/status/crew/sailors"], 7);
  const auto ready = find_condition(stored(), "Ready");
  ASSERT_TRUE(ready);
  EXPECT_EQ(ready->message, "all is well");
  EXPECT_EQ(ready->observed_generation, 1);
  EXPECT_EQ(ready->last_transition_time, std::chrono::floor<std::chrono::seconds>(simulation.executor().wall_now()));
  EXPECT_NE(spy.targets[0].find("/ships/a/status?fieldManager=manager"), std::string::npos) << spy.targets[0];
}

TEST_F(StatusWriterTest, SendsNothingWhenNothingChanged) {
  user_patches({{"phase", "Sailing"}});
  StatusDraft untouched = draft();
  EXPECT_TRUE(flush(untouched));
  StatusDraft same = draft();
  same.set("/phase", "Sailing");
  same.remove("/crew");
  same.remove_condition("Ready");
  EXPECT_TRUE(flush(same));
  EXPECT_TRUE(spy.patches.empty());
}

TEST_F(StatusWriterTest, ASecondFlushSendsLaterChangesOnly) {
  StatusDraft status = draft();
  status.set("/phase", "Leaving");
  ASSERT_TRUE(flush(status));
  ASSERT_TRUE(flush(status));
  EXPECT_EQ(spy.patches.size(), 1U);
  status.set("/phase", "Sailing");
  ASSERT_TRUE(flush(status));
  EXPECT_EQ(spy.patches.size(), 2U);
  EXPECT_EQ(spy.gets, 0) << "no conflict with an own write";
  EXPECT_EQ(stored()["/status/phase"], "Sailing");
}

TEST_F(StatusWriterTest, ALaterFlushDoesNotOverwriteForeignChanges) {
  StatusDraft status = draft();
  status.set("/phase", "Leaving");
  ASSERT_TRUE(flush(status));
  EXPECT_TRUE(status.empty());
  user_patches({{"phase", "Theirs"}});
  status.set("/ready", 1);
  ASSERT_TRUE(flush(status));
  EXPECT_EQ(stored()["/status/phase"], "Theirs");
  EXPECT_EQ(stored()["/status/ready"], 1);
}

// The status of another writer survives (TX-13).
TEST_F(StatusWriterTest, ForeignChangesSinceTheReadStay) {
  user_patches({{"phase", "Old"}, {"theirs", "a"}});
  StatusDraft status = draft();
  status.set("/phase", "New");
  status.set_condition({.type = "Ready", .status = yes, .reason = "R"});
  user_patches({{"theirs", "b"},
                {"more", 1},
                {"conditions", json::array{json::object{{"type", "Theirs"},
                                                        {"status", "True"},
                                                        {"reason", "T"},
                                                        {"message", ""},
                                                        {"extra", "kept"},
                                                        {"lastTransitionTime", "2020-01-01T00:00:00Z"}}}}});
  ASSERT_TRUE(flush(status));
  EXPECT_EQ(stored()["/status/phase"], "New");
  EXPECT_EQ(stored()["/status/theirs"], "b");
  EXPECT_EQ(stored()["/status/more"], 1);
  EXPECT_EQ(stored()["/status/conditions/0/type"], "Theirs");
  EXPECT_EQ(stored()["/status/conditions/0/extra"], "kept");
  EXPECT_EQ(stored()["/status/conditions/1/type"], "Ready");
  EXPECT_EQ(spy.gets, 1) << "read again once";
}

// Three writers of one list, each with its own condition, with writes in random order: no condition and no field is
// lost (TX-13, R10).
TEST(StatusOfTwoWriters, KeepsBoth) {
  for (const std::uint64_t seed : testkit::seeds({.usual = 25, .sanitized = 5, .long_run = 500})) {
    SCOPED_TRACE(seed);
    testkit::Simulation simulation({.seed = seed});
    Client& user = simulation.user();
    ASSERT_TRUE(user.create(crd_of<Ship>()));
    ASSERT_TRUE(simulation.wait_until([&] {
      user.invalidate_discovery(Ship::type);
      return user.resource(Ship::type).has_value();
    }));
    ASSERT_TRUE(user.create(Ship{.metadata = {.name = "a", .namespace_ = "default"}}));
    constexpr int rounds = 10;
    const auto write = [&](const std::string& name) {
      StatusWriter writer(user, name);
      Random random(seed * 31 + name.size());
      Object seen;
      for (int round = 1; round <= rounds;) {
        // In some rounds the writer starts from an older object.
        if (!seen || random.below(3) != 0) seen = *user.get(Ship::type, {"default", "a"});
        simulation.executor().sleep_for(std::chrono::milliseconds(random.below(4)));
        StatusDraft draft(seen, simulation.executor());
        draft.set("/cabins/" + name, std::to_string(round));
        draft.set_condition({.type = name, .status = round % 2 == 0 ? yes : no, .reason = "R" + std::to_string(round)});
        const auto written = writer.flush(draft, {});
        if (written) {
          ++round;
        } else {
          EXPECT_EQ(written.error().code, ErrorCode::conflict) << written.error().to_string();
        }
      }
    };
    {
      std::vector<Thread> threads;
      for (const char* name : {"One", "Second", "Another"}) {
        threads.push_back(simulation.executor().spawn({.name = name}, [&, name] { write(name); }));
      }
    }
    const Object ship = *user.get(Ship::type, {"default", "a"});
    for (const char* name : {"One", "Second", "Another"}) {
      EXPECT_EQ(ship["/status/cabins"].member(name), std::to_string(rounds));
      const auto condition = find_condition(ship, name);
      ASSERT_TRUE(condition) << ship.print();
      EXPECT_EQ(condition->reason, "R" + std::to_string(rounds));
    }
    EXPECT_EQ(ship["/status/conditions"].size(), 3U);
    if (::testing::Test::HasFailure()) return;
  }
}

// The transition time depends on the object of the server, not on the one that was read (R10).
TEST_F(StatusWriterTest, TheTransitionTimeFollowsFromTheNewestObject) {
  const Object old = stored();
  StatusDraft first = draft(old);
  first.set_condition({.type = "Ready", .status = yes, .reason = "A"});
  ASSERT_TRUE(flush(first));
  const auto began = find_condition(stored(), "Ready")->last_transition_time;
  simulation.executor().sleep_for(1h);
  StatusDraft second = draft(old);
  second.set_condition({.type = "Ready", .status = yes, .reason = "B"});
  ASSERT_TRUE(flush(second));
  EXPECT_EQ(find_condition(stored(), "Ready")->last_transition_time, began);
  EXPECT_EQ(find_condition(stored(), "Ready")->reason, "B");
  StatusDraft third = draft();
  third.set_condition({.type = "Ready", .status = no, .reason = "C"});
  ASSERT_TRUE(flush(third));
  EXPECT_GE(find_condition(stored(), "Ready")->last_transition_time, began + 1h);
}

TEST_F(StatusWriterTest, ObservedGenerationIsThatOfTheReconciledObject) {
  StatusDraft status = draft();
  change_spec();
  status.set_condition({.type = "Ready", .status = yes, .reason = "R", .observed_generation = 99});
  ASSERT_TRUE(flush(status));
  EXPECT_EQ(stored().generation(), 2);
  EXPECT_EQ(find_condition(stored(), "Ready")->observed_generation, 1);
  StatusDraft next = draft();
  next.set_condition({.type = "Ready", .status = yes, .reason = "R"});
  ASSERT_TRUE(flush(next));
  EXPECT_EQ(find_condition(stored(), "Ready")->observed_generation, 2);
  change_spec();
  next.set_observed_object(stored());
  next.set_condition({.type = "Ready", .status = yes, .reason = "R"});
  ASSERT_TRUE(flush(next));
  EXPECT_EQ(find_condition(stored(), "Ready")->observed_generation, 3);
}

// A condition type with its own statuses and with an optional member.
struct Watch {
  enum class State { on, off };
  friend constexpr auto enum_names(State) {
    return names_of<State>({{State::on, "On Watch"}, {State::off, "Off Watch"}});
  }
  std::string type{};
  State status = State::off;
  std::optional<std::string> officer{};
  WallTime last_transition_time{};
  static constexpr std::string_view list_map_key = "type";
  static constexpr auto fields() {
    return pintle::fields(field("type", &Watch::type), field("status", &Watch::status),
                          field("officer", &Watch::officer), field("lastTransitionTime", &Watch::last_transition_time));
  }
};

TEST_F(StatusWriterTest, AConditionMayHaveCustomStatuses) {
  StatusDraft status = draft();
  status.set_condition(Watch{.type = "First", .status = Watch::State::on, .officer = "Joe"});
  ASSERT_TRUE(flush(status));
  const Object first = stored();
  EXPECT_EQ(first["/status/conditions/0/status"], "On Watch");
  EXPECT_EQ(first["/status/conditions/0/officer"], "Joe");
  EXPECT_EQ(first["/status/conditions/0/observedGeneration"], 1);
  simulation.executor().sleep_for(1h);
  status.set_condition(Watch{.type = "First", .status = Watch::State::on});
  status.set_condition(Watch{.type = "Second"});
  ASSERT_TRUE(flush(status));
  const Object second = stored();
  EXPECT_FALSE(second["/status/conditions/0/officer"].exists()) << "omitted fields are removed";
  EXPECT_EQ(second["/status/conditions/0/lastTransitionTime"], first["/status/conditions/0/lastTransitionTime"].text());
  EXPECT_FALSE(second["/status/conditions/1/officer"].exists());
  EXPECT_EQ(second["/status/conditions/1/status"], "Off Watch");
}

TEST_F(StatusWriterTest, AWriteOfTheSameReconcileIsNoConflict) {
  StatusDraft status = draft();
  status.set("/phase", "Sailing");
  const auto patched = simulation.user().patch(Ship::type, key, json::Value{{"metadata", {{"labels", {{"a", "b"}}}}}});
  ASSERT_TRUE(patched);
  status.rebase(*patched);
  ASSERT_TRUE(flush(status));
  EXPECT_EQ(spy.patches.size(), 1U);
  EXPECT_EQ(spy.gets, 0);
}

TEST_F(StatusWriterTest, RetriesOfConflictsAreLimited) {
  StatusDraft status = draft();
  status.set("/phase", "Sailing");
  int n = 0;
  spy.before_patch = [&] { user_patches({{"theirs", ++n}}); };
  const auto written = flush(status);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::conflict);
  EXPECT_EQ(spy.patches.size(), 5U);
}

TEST_F(StatusWriterTest, ChangesThatTheCheckRefusesAreNotWritten) {
  StatusDraft status = draft();
  status.set("/phase", "Sailing");
  user_patches({{"theirs", "a"}});
  std::string newest;
  const auto refused = writer.flush(status, {}, [&](const Object& object) -> Result<void> {
    newest = object["/status/theirs"].text();
    return fail(ErrorCode::conflict, "not on top of that");
  });
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "not on top of that");
  EXPECT_EQ(newest, "a");
  EXPECT_FALSE(stored()["/status/phase"].exists());
  const auto written = writer.flush(status, {}, [](const Object&) -> Result<void> { return fail({}); });
  EXPECT_TRUE(written) << "no change since the last read";
}

TEST_F(StatusWriterTest, ADraftReturnsTheNewestObject) {
  StatusDraft status = draft();
  EXPECT_EQ(status.object(), stored());
  status.set("/phase", "Sailing");
  ASSERT_TRUE(flush(status));
  EXPECT_EQ(status.object(), stored());
}

TEST_F(StatusWriterTest, AMissingObjectIsNoFailure) {
  StatusDraft status = draft();
  status.set("/phase", "Sunk");
  ASSERT_TRUE(simulation.user().remove(Ship::type, key));
  EXPECT_FALSE(status.is_gone());
  EXPECT_TRUE(flush(status));
  EXPECT_TRUE(status.is_gone());
  status.set("/phase", "Deeper");
  EXPECT_TRUE(flush(status));
  EXPECT_EQ(spy.patches.size(), 1U) << "it is not retried";
}

TEST_F(StatusWriterTest, AnotherObjectOfTheSameNameIsNotTouched) {
  StatusDraft status = draft();
  status.set("/phase", "Sunk");
  ASSERT_TRUE(simulation.user().remove(Ship::type, key));
  ASSERT_TRUE(simulation.user().create(Ship{.metadata = {.name = "a", .namespace_ = "default"}}));
  EXPECT_TRUE(flush(status));
  EXPECT_FALSE(stored()["/status/phase"] == "Sunk");
}

TEST_F(StatusWriterTest, AKindWithoutAStatusIsReported) {
  const auto map = simulation.user().create(encode(ConfigMap{.metadata = {.name = "m", .namespace_ = "default"}}));
  ASSERT_TRUE(map);
  StatusDraft status = draft(*map);
  status.set("/phase", "Sailing");
  const auto written = flush(status);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::unsupported);
  EXPECT_TRUE(written.error().is_terminal);
  EXPECT_NE(written.error().to_string().find("has no status subresource; declare a status for ConfigMap"),
            std::string::npos)
      << written.error().to_string();
}

}  // namespace
}  // namespace pintle
