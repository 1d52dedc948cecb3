// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/watcher/opinionated_watcher.hpp>

#include <gmock/gmock.h>

#include "opinionated_test_support.hpp"

namespace pintle::watcher {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class OpinionatedWatcherTest : public OpinionatedTest {
 protected:
  std::shared_ptr<OpinionatedWatcher> opinionated(OpinionatedWatcherOptions options = {}) {
    const auto record = [this](const std::string& what) { calls.push_back(what); };
    return std::make_shared<OpinionatedWatcher>(
        GroupVersionKind(Note::type),
        OpinionatedFunctions{.added =
                                 [this, record](const Object& object, Context&) {
                                   record("add " + text_of(object));
                                   return add.next();
                                 },
                             .updated =
                                 [this, record](const Object& old, const Object& current, Context&) {
                                   record("update " + text_of(old) + ">" + text_of(current));
                                   return update.next();
                                 },
                             .deleted =
                                 [this, record](const Object& object, Context&) {
                                   record("delete " + text_of(object));
                                   return remove_outcomes.next();
                                 },
                             .synced =
                                 [record](const Object& object, Context&) {
                                   record("sync " + text_of(object));
                                   return done;
                                 }},
        std::move(options));
  }
  // Returns an earlier and a later state of one object.
  std::pair<Object, Object> states(const std::vector<std::string>& finalizers, const json::Value& change) {
    Object before = make(finalizers);
    patch("x", change);
    return {before, stored("x")};
  }

  Outcomes add;
  Outcomes update;
  Outcomes remove_outcomes;
};

const json::Value new_text{{"spec", {{"text", "2"}}}};
const json::Value new_label{{"metadata", {{"labels", {{"a", "b"}}}}}};
const Outcome refused = failed(outage("no luck"));

// A new object is added and gets the finalizer (T4-18).
TEST_F(OpinionatedWatcherTest, ANewObjectIsAddedAndGetsTheFinalizer) {
  const Object object = make({theirs});
  play([&](Context& context) { EXPECT_TRUE(opinionated()->added(object, context).is_done()); });
  EXPECT_THAT(calls, ElementsAre("add 1"));
  EXPECT_THAT(finalizers_of("x"), ElementsAre(theirs, ours));
}

// An object that has the finalizer at the start is synced (T4-18).
TEST_F(OpinionatedWatcherTest, AKnownObjectIsSyncedAtStart) {
  const Object object = make({ours});
  play([&](Context& context) { EXPECT_TRUE(opinionated()->added(object, context).is_done()); });
  EXPECT_THAT(calls, ElementsAre("sync 1"));
  EXPECT_EQ(patches, 0);
}

// If `added` fails, the error is returned, and the object is not changed (T4-18).
TEST_F(OpinionatedWatcherTest, AFailedAddIsReturnedAndDoesNotChangeTheObject) {
  const Object object = make();
  add = {refused};
  play([&](Context& context) { EXPECT_EQ(opinionated()->added(object, context).as_failed()->message, "no luck"); });
  EXPECT_EQ(patches, 0);
}

// If the finalizer cannot be added, the error contains the cause (T4-18).
TEST_F(OpinionatedWatcherTest, AFailureToAddTheFinalizerIsReturnedWithItsCause) {
  const Object object = make();
  play([&](Context& context) {
    refuse_patches(1);
    const Outcome outcome = opinionated()->added(object, context);
    ASSERT_NE(outcome.as_failed(), nullptr);
    EXPECT_THAT(outcome.as_failed()->to_string(), HasSubstr("error adding finalizer"));
    EXPECT_EQ(outcome.as_failed()->code, ErrorCode::forbidden);
  });
  EXPECT_THAT(finalizers_of("x"), IsEmpty());
}

// An object that is being deleted is cleaned up, and then the finalizer is removed (T4-18).
TEST_F(OpinionatedWatcherTest, ADeletingObjectIsCleanedUpAndReleased) {
  const Object object = make_deleting({ours, theirs});
  play([&](Context& context) { EXPECT_TRUE(opinionated()->added(object, context).is_done()); });
  EXPECT_THAT(calls, ElementsAre("delete 1"));
  EXPECT_THAT(finalizers_of("x"), ElementsAre(theirs));
}

// Nothing is done for an object that is being deleted without our finalizer (T4-18).
TEST_F(OpinionatedWatcherTest, ADeletingObjectWithoutOurFinalizerIsIgnored) {
  const Object object = make_deleting({theirs});
  play([&](Context& context) {
    EXPECT_TRUE(opinionated()->added(object, context).is_done());
    EXPECT_TRUE(opinionated()->updated(object, object, context).is_done());
    EXPECT_TRUE(opinionated()->deleted(object, context).is_done());
  });
  EXPECT_THAT(calls, IsEmpty());
  EXPECT_EQ(patches, 0);
}

// If `deleted` fails, the finalizer stays (T4-18, T4-19).
TEST_F(OpinionatedWatcherTest, AFailedDeleteKeepsTheFinalizer) {
  const Object object = make_deleting({ours});
  remove_outcomes = {refused};
  play([&](Context& context) {
    EXPECT_EQ(opinionated()->added(object, context).as_failed()->message, "no luck");
    EXPECT_EQ(opinionated()->updated(object, object, context).as_failed()->message, "no luck");
  });
  EXPECT_EQ(patches, 0);
}

// A null object is an error that names the argument (T4-18, T4-19).
TEST_F(OpinionatedWatcherTest, NullObjectsAreReportedByName) {
  const Object object = make();
  play([&](Context& context) {
    const auto message = [](const Outcome& outcome) { return outcome.as_failed()->message; };
    EXPECT_EQ(message(opinionated()->added({}, context)), "object cannot be nil");
    EXPECT_EQ(message(opinionated()->updated({}, object, context)), "old cannot be nil");
    EXPECT_EQ(message(opinionated()->updated(object, {}, context)), "new cannot be nil");
  });
}

// An update with a new generation is delivered, and its error is returned (T4-19).
TEST_F(OpinionatedWatcherTest, AnUpdateOfTheGenerationIsDeliveredAndItsErrorReturned) {
  const auto [old, current] = states({ours}, new_text);
  update = {refused, done};
  play([&](Context& context) {
    EXPECT_EQ(opinionated()->updated(old, current, context).as_failed()->message, "no luck");
    EXPECT_TRUE(opinionated()->updated(old, current, context).is_done());
  });
  EXPECT_THAT(calls, ElementsAre("update 1>2", "update 1>2"));
  EXPECT_EQ(patches, 0);
}

// An update with the same generation is not delivered (T4-19).
TEST_F(OpinionatedWatcherTest, AnUpdateOfTheSameGenerationIsIgnored) {
  const auto [old, current] = states({ours}, new_label);
  play([&](Context& context) { EXPECT_TRUE(opinionated()->updated(old, current, context).is_done()); });
  EXPECT_THAT(calls, IsEmpty());
}

// An update of an object without generations is delivered (T4-19).
TEST_F(OpinionatedWatcherTest, AnUpdateOfAnObjectWithoutGenerationIsDelivered) {
  const auto without = [](const char* text) {
    return Object(json::Value{{"apiVersion", "v1"},
                              {"kind", "ConfigMap"},
                              {"metadata", {{"name", "x"}, {"finalizers", json::array{ours}}}},
                              {"spec", {{"text", text}}}});
  };
  play([&](Context& context) { EXPECT_TRUE(opinionated()->updated(without("1"), without("2"), context).is_done()); });
  EXPECT_THAT(calls, ElementsAre("update 1>2"));
}

// The update that adds our finalizer is not delivered (T4-19).
TEST_F(OpinionatedWatcherTest, TheUpdateThatAddsOurFinalizerIsIgnored) {
  const Object old = make();
  set_finalizers({ours});
  set_text("x", "2");
  play([&](Context& context) { EXPECT_TRUE(opinionated()->updated(old, stored("x"), context).is_done()); });
  EXPECT_THAT(calls, IsEmpty());
}

// In the original, an object whose add had failed was never handled again while its generation was the same (T4-19).
TEST_F(OpinionatedWatcherTest, AnUpdateWithoutTheFinalizerIsAnAddAlsoOfTheSameGeneration) {
  const auto [old, current] = states({}, new_label);
  play([&](Context& context) { EXPECT_TRUE(opinionated()->updated(old, current, context).is_done()); });
  EXPECT_THAT(calls, ElementsAre("add 1"));
  EXPECT_THAT(finalizers_of("x"), ElementsAre(ours));
}

// The original called both add and update (T4-19).
TEST_F(OpinionatedWatcherTest, AnUpdateWithoutTheFinalizerIsAddedAndNotUpdated) {
  const auto [old, current] = states({}, new_text);
  play([&](Context& context) { EXPECT_TRUE(opinionated()->updated(old, current, context).is_done()); });
  EXPECT_THAT(calls, ElementsAre("add 2"));
}

// The original wrote the whole list, and removed the entry at the former index of its finalizer (T4-20).
TEST_F(OpinionatedWatcherTest, ForeignFinalizersStayDespiteConcurrentChanges) {
  const Object old = make({"a.dev/a"});
  set_finalizers({"a.dev/a", "b.dev/b"});
  play([&](Context& context) {
    EXPECT_TRUE(opinionated()->added(old, context).is_done());
    EXPECT_THAT(finalizers_of("x"), ElementsAre("a.dev/a", "b.dev/b", ours));
    EXPECT_EQ(patches, 2) << "the first was refused";
    remove("x");
    const Object deleting = stored("x");
    set_finalizers({"b.dev/b", ours});
    EXPECT_TRUE(opinionated()->added(deleting, context).is_done());
    EXPECT_THAT(finalizers_of("x"), ElementsAre("b.dev/b"));
  });
}

// A conflict is retried with the newest state, a limited number of times (T4-20).
TEST_F(OpinionatedWatcherTest, AConflictIsRetriedAFewTimes) {
  const Object object = make();
  play([&](Context& context) {
    refuse_patches(3, http::conflict_response());
    EXPECT_TRUE(opinionated()->added(object, context).is_done());
    EXPECT_EQ(patches, 4);
    EXPECT_THAT(calls, ElementsAre("add 1"));
  });
  EXPECT_THAT(finalizers_of("x"), ElementsAre(ours));
}

// If the conflict persists, it is returned (T4-20).
TEST_F(OpinionatedWatcherTest, APersistentConflictIsReturned) {
  const Object object = make();
  const Object deleting = [&] {
    Note other = note("y");
    other.metadata.finalizers = {ours};
    create(other);
    remove("y");
    return stored("y");
  }();
  play([&](Context& context) {
    refuse_patches(1000, http::conflict_response());
    const Outcome added = opinionated()->added(object, context);
    ASSERT_NE(added.as_failed(), nullptr);
    EXPECT_EQ(added.as_failed()->code, ErrorCode::conflict);
    EXPECT_EQ(patches, 5);
    patches = 0;
    const Outcome released = opinionated()->added(deleting, context);
    ASSERT_NE(released.as_failed(), nullptr);
    EXPECT_EQ(released.as_failed()->code, ErrorCode::conflict);
    EXPECT_EQ(patches, 5);
  });
  EXPECT_THAT(finalizers_of("x"), IsEmpty());
  EXPECT_THAT(finalizers_of("y"), ElementsAre(ours));
}

// The attempts of one write and the retries of the handler are limited together (T4-20).
TEST_F(OpinionatedWatcherTest, APersistentConflictIsRetriedALimitedNumberOfTimesAnHour) {
  controller->add_watcher(opinionated(), "Note");
  run();
  instance->transport().set_faults({{.effect = http::conflict_response(), .only = [this](const http::Request& request) {
                                       const bool is_ours = request.method == "PATCH" &&
                                                            request.target.find("/notes/x") != std::string::npos;
                                       patches += is_ours ? 1 : 0;
                                       return is_ours;
                                     }}});
  create(note("x"));
  advance_time(1h);
  EXPECT_THAT(calls, ElementsAre("add 1")) << "only the write is retried";
  EXPECT_GE(patches, 2 * 5);
  EXPECT_LE(patches, 7 * 5) << "seven calls of five attempts";
  instance->transport().set_faults({});
  set_text("x", "2");
  advance_time(1min);
  EXPECT_THAT(finalizers_of("x"), ElementsAre(ours));
}

// The finalizer is named after its kind, or by the supplier. The original let a name of more than 63 characters fail at
// the server (T4-21).
TEST(OpinionatedFinalizer, IsNamedByItsKindOrTheSupplierWithin63Characters) {
  const GroupVersionKind kind = Note::type;
  EXPECT_EQ(OpinionatedWatcher(kind).finalizer(), ours);
  EXPECT_EQ(default_finalizer_supplier({"v1", "ConfigMap"}), "operator.v1.ConfigMap");
  const auto named = [&](std::string name, FinalizerPolicy policy = FinalizerPolicy::add_after_success) {
    return OpinionatedWatcher(kind, {},
                              {.finalizer = [name](const GroupVersionKind&) { return name; }, .policy = policy})
        .check();
  };
  EXPECT_TRUE(OpinionatedWatcher(kind).check());
  EXPECT_TRUE(named("example.com/cleanup"));
  EXPECT_TRUE(named(std::string(63, 'x')));
  EXPECT_EQ(named(std::string(64, 'x')).error().message,
            "finalizer length cannot exceed 63 chars: " + std::string(64, 'x'));
  EXPECT_FALSE(named(std::string(60, 'x'), FinalizerPolicy::wip_then_real)) << "too long with \"-wip\"";
  EXPECT_FALSE(named("two words"));
  EXPECT_EQ(named("").error().message, "finalizer cannot be empty");
  EXPECT_FALSE(named("example.com/cleanup", FinalizerPolicy::add_then_stop));
  EXPECT_FALSE(OpinionatedWatcher({"v1", "ConfigMap"}).check()) << "servers require a domain";
  EXPECT_EQ(OpinionatedWatcher(GroupVersionKind()).check().error().message, "schema cannot be nil");
}

TEST_F(OpinionatedWatcherTest, AnInvalidFinalizerIsReportedAtStart) {
  controller->add_watcher(opinionated({.finalizer = [](const GroupVersionKind&) { return std::string(64, 'x'); }}),
                          "Note");
  ASSERT_EQ(controller->validate().size(), 1U);
  EXPECT_THAT(controller->validate().front().message, HasSubstr("63 chars"));
}

TEST_F(OpinionatedWatcherTest, WrapsAWatcherAndSyncsAsAddIfEnabled) {
  const Object old = make({ours});
  set_text("x", "2");
  const Object current = stored("x");
  for (const bool sync_to_add : {false, true}) {
    OpinionatedWatcher wrapping{GroupVersionKind(Note::type)};
    wrapping.wrap(nullptr, true);
    wrapping.wrap(watcher(sync_to_add ? "to-add" : "not"), sync_to_add);
    play([&](Context& context) {
      EXPECT_TRUE(wrapping.added(current, context).is_done());
      EXPECT_TRUE(wrapping.updated(old, current, context).is_done());
    });
  }
  EXPECT_THAT(calls, ElementsAre("not update x=1>2", "to-add add x=2", "to-add update x=1>2"));
}

// ---- in a controller ----

TEST_F(OpinionatedWatcherTest, AnObjectIsAddedUpdatedAndDeleted) {
  controller->add_watcher(opinionated(), "Note");
  resync = 30s;
  run();
  create(note("x"));
  advance_time(40s);
  set_text("x", "2");
  advance_time(1s);
  remove("x");
  advance_time(1s);
  EXPECT_THAT(calls, ElementsAre("add 1", "update 1>2", "delete 2"));
  EXPECT_FALSE(stored("x"));
  EXPECT_EQ(controller->waiting(), 0U);
}

// No resync repeats the clean-up or the removal of the finalizer after the last retry of the policy.
TEST_F(OpinionatedWatcherTest, ADeletionContinuesAfterALongOutage) {
  controller->add_watcher(opinionated(), "Note");
  run();
  for (const bool only_the_removal_fails : {false, true}) {
    SCOPED_TRACE(only_the_removal_fails);
    calls.clear();
    create(note("x"));
    advance_time(1s);
    ASSERT_THAT(finalizers_of("x"), ElementsAre(ours));
    if (only_the_removal_fails) {
      refuse_patches(1'000);
    } else {
      remove_outcomes = {refused, refused, refused, refused, refused, refused, refused, refused, refused, done};
    }
    remove("x");
    advance_time(only_the_removal_fails ? 1h : 5min);
    ASSERT_TRUE(stored("x"));
    instance->transport().set_faults({});
    advance_time(20min);
    EXPECT_FALSE(stored("x"));
    EXPECT_LE(calls.size(), 15U);
  }
}

// In the original, an add that failed was never repeated (B4).
TEST_F(OpinionatedWatcherTest, AnAbandonedAddIsRepeatedByTheNextResync) {
  remake({.retry_policy = {}});
  controller->add_watcher(opinionated(), "Note");
  add = {refused, refused, done};
  resync = 30s;
  run();
  create(note("x"));
  advance_time(70s);
  EXPECT_THAT(calls, ElementsAre("add 1", "add 1", "add 1"));
  EXPECT_THAT(finalizers_of("x"), ElementsAre(ours));
}

TEST_F(OpinionatedWatcherTest, AFailedUpdateIsNotLostToOneOfTheSameGeneration) {
  controller->add_watcher(opinionated(), "Note");
  update = {refused, done};
  run();
  create(note("x"));
  advance_time(1s);
  set_text("x", "2");
  advance_time(1s);
  patch("x", new_label);
  advance_time(1min);
  EXPECT_THAT(calls, ElementsAre("add 1", "update 1>2", "update 1>2"));
}

TEST_F(OpinionatedWatcherTest, ChangesDuringADowntimeAreDelivered) {
  create(note("new"));
  Note known = note("known");
  known.metadata.finalizers = {ours};
  create(known);
  Note doomed = note("doomed", "3");
  doomed.metadata.finalizers = {ours};
  create(doomed);
  remove("doomed");
  controller->add_watcher(opinionated(), "Note");
  run();
  advance_time(1s);
  EXPECT_THAT(calls, ::testing::UnorderedElementsAre("add 1", "sync 1", "delete 3"));
  EXPECT_FALSE(stored("doomed"));
}

// The object cannot disappear while its first add is retried, so its deletion is not lost.
TEST_F(OpinionatedWatcherTest, WithWipThenRealADeleteDuringAddIsDelivered) {
  controller->add_watcher(opinionated({.policy = FinalizerPolicy::wip_then_real}), "Note");
  add = {refused};
  run();
  create(note("x"));
  advance_time(1s);
  EXPECT_THAT(finalizers_of("x"), ElementsAre(ours + "-wip"));
  remove("x");
  advance_time(1s);
  EXPECT_EQ(calls.back(), "delete 1");
  EXPECT_FALSE(stored("x"));
}

TEST_F(OpinionatedWatcherTest, WithWipThenRealASuccessAddsTheRealFinalizer) {
  controller->add_watcher(opinionated({.policy = FinalizerPolicy::wip_then_real}), "Note");
  add = {refused, done};
  run();
  create(note("x"));
  advance_time(1min);
  EXPECT_THAT(finalizers_of("x"), ElementsAre(ours));
  set_text("x", "2");
  advance_time(1s);
  EXPECT_THAT(calls, ElementsAre("add 1", "add 1", "update 1>2"));
}

TEST_F(OpinionatedWatcherTest, HandlersWithDifferentFinalizersDoNotDisturbEachOther) {
  controller->add_watcher(opinionated({.finalizer = [](const auto&) { return "test.pintle.dev/a"; }}), "Note");
  controller->add_watcher(opinionated({.finalizer = [](const auto&) { return "test.pintle.dev/b"; }}), "Note");
  add = {done, refused, done};
  remove_outcomes = {done, refused, done};
  run();
  create(note("x"));
  advance_time(1min);
  EXPECT_THAT(calls, ElementsAre("add 1", "add 1", "add 1")) << "the second handler is called again";
  calls.clear();
  remove("x");
  advance_time(1min);
  EXPECT_THAT(calls, ElementsAre("delete 1", "delete 1", "delete 1"));
  EXPECT_FALSE(stored("x"));
}

// Nothing delays the deletion of an object before its first success, and no further event would cause the clean-up.
TEST_F(OpinionatedWatcherTest, AnObjectGoneBeforeItsFinalizerIsCleanedUpAtOnce) {
  const Object object = make();
  remove("x");
  play([&](Context& context) { EXPECT_TRUE(opinionated()->added(object, context).is_done()); });
  EXPECT_THAT(calls, ElementsAre("add 1", "delete 1"));
}

// The finalizer of another owner delays the deletion, and ours cannot be added any more.
TEST_F(OpinionatedWatcherTest, AnObjectDeletingBeforeItsFinalizerIsCleanedUpAtOnce) {
  const Object object = make({theirs});
  remove("x");
  play([&](Context& context) { EXPECT_TRUE(opinionated()->added(object, context).is_done()); });
  EXPECT_THAT(calls, ElementsAre("add 1", "delete 1"));
  EXPECT_THAT(finalizers_of("x"), ElementsAre(theirs));
}

}  // namespace
}  // namespace pintle::watcher
