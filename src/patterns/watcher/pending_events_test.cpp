// SPDX-License-Identifier: Apache-2.0
#include "pending_events.hpp"

#include <gmock/gmock.h>

#include <pintle/sim/simulated_executor.hpp>

namespace pintle::watcher {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Action = ReconcileAction;

// For example "a1", the first version of the object with the uid a.
Object state(const std::string& what) {
  return what.empty()
             ? Object()
             : Object(json::Value{
                   {"metadata", {{"name", "x"}, {"uid", what.substr(0, 1)}, {"resourceVersion", what.substr(1)}}}});
}
std::string text(const Object& object) { return std::string(object.uid()) + std::string(object.resource_version()); }

class PendingEventsTest : public ::testing::Test {
 protected:
  void put(const std::string& old, const std::string& current) {
    for (Delivery& delivery : deliveries_of({.old = state(old), .current = state(current)})) {
      pending_events.put(key, std::move(delivery));
    }
  }
  std::vector<std::string> take_all(std::string_view uid = "") {
    std::vector<std::string> all;
    while (const auto delivery = pending_events.take(key, uid, pending_events.mark())) {
      all.push_back(std::string(to_string(delivery->action)) + " " + (delivery->old ? text(delivery->old) + ">" : "") +
                    text(delivery->object));
    }
    EXPECT_LE(all.size(), 2U) << "the bound";
    return all;
  }
  void keep(HandlerId handler, Action action, const std::string& old, const std::string& object, Duration in) {
    pending_events.keep(key, {.handler = handler,
                              .delivery = {.action = action, .old = state(old), .object = state(object)},
                              .due = after(now(), in)});
  }
  Instant now() { return executor.now(); }

  const ObjectKey key{"", "x"};
  SimulatedExecutor executor;
  MetricsRegistry registry;
  Gauge pending = registry.gauge("pending", "");
  PendingEvents pending_events{executor, pending};
};

TEST(DeliveriesOf, AChangeOfTheUidIsADeletionAndACreation) {
  const auto deliveries = deliveries_of({.old = state("a1"), .current = state("b2")});
  ASSERT_EQ(deliveries.size(), 2U);
  EXPECT_EQ(deliveries[0].action, Action::deleted);
  EXPECT_EQ(deliveries[1].action, Action::created);
  EXPECT_EQ(deliveries_of({.old = state("a1"), .current = state("a1")})[0].action, Action::resynced);
}

TEST_F(PendingEventsTest, EventsOfAnObjectAreMerged) {
  using Event = std::pair<std::string, std::string>;
  const struct {
    std::vector<Event> events;
    std::vector<std::string> left;
  } cases[] = {
      {{{"", "a1"}}, {"created a1"}},
      {{{"", "a1"}, {"a1", "a2"}}, {"created a2"}},
      {{{"a1", "a2"}, {"a2", "a3"}}, {"updated a1>a3"}},
      {{{"a1", "a1"}, {"a1", "a2"}}, {"updated a1>a2"}},
      {{{"a1", "a2"}, {"a2", "a2"}}, {"updated a1>a2"}},
      {{{"", "a1"}, {"a1", ""}}, {"deleted a1"}},
      {{{"a1", "a2"}, {"a2", ""}}, {"deleted a2"}},
      {{{"a1", "a1"}, {"a1", ""}}, {"deleted a1"}},
      {{{"a1", ""}, {"", "b1"}}, {"deleted a1", "created b1"}},
      {{{"a1", ""}, {"", "b1"}, {"b1", "b2"}}, {"deleted a1", "created b2"}},
      {{{"a1", ""}, {"", "b1"}, {"b1", ""}}, {"deleted a1"}},
      {{{"a1", ""}, {"", "b1"}, {"b1", ""}, {"", "c1"}}, {"deleted a1", "created c1"}},
      {{{"a1", "b1"}}, {"deleted a1", "created b1"}},
  };
  for (const auto& [events, left] : cases) {
    for (const auto& [old, current] : events) put(old, current);
    EXPECT_EQ(take_all(), left) << events.size() << " events, " << left.front();
  }
}

TEST_F(PendingEventsTest, AReconcileTakesNoEventsOfAnotherUid) {
  put("a1", "a2");
  EXPECT_THAT(take_all("b"), IsEmpty());
  EXPECT_EQ(pending_events.close(key, "b", pending_events.mark()), std::nullopt);
  EXPECT_EQ(pending_events.close(key, "a", pending_events.mark()), Instant::min());
  pending_events.drop_events(key, "b");
  EXPECT_EQ(pending_events.size(), 1U);
  pending_events.drop_events(key, "a");
  EXPECT_EQ(pending_events.size(), 0U);
}

TEST_F(PendingEventsTest, EventsAfterTheMarkAreForTheNextReconcile) {
  put("a1", "a2");
  const auto mark = pending_events.mark();
  EXPECT_EQ(pending_events.close(key, "a", mark), Instant::min()) << "an event remains after the reconcile";
  put("a2", "a3");
  EXPECT_EQ(text(pending_events.take(key, "a", mark)->object), "a3") << "merged into the pending event";
  put("a3", "a4");
  EXPECT_FALSE(pending_events.take(key, "a", mark));
  EXPECT_EQ(pending_events.close(key, "a", mark), std::nullopt) << "the change has already queued the key";
  EXPECT_EQ(text(pending_events.take(key, "a", pending_events.mark())->object), "a4");
}

// Nothing is delivered any more for an object that is gone, so its resync must not cause a reconcile.
TEST_F(PendingEventsTest, AGoneObjectHasNoResync) {
  keep(1, Action::created, "", "a1", 1h);
  EXPECT_EQ(pending_events.take_resync(key, now(), 30s), false);
  pending_events.put_gone(key, state("a1"));
  EXPECT_TRUE(pending_events.take(key, "a", pending_events.mark()));
  EXPECT_EQ(pending_events.close(key, "a", pending_events.mark()), now() + 1h);
}

TEST_F(PendingEventsTest, ADeletionIsDeliveredOnceAndFirst) {
  put("", "b1");
  pending_events.put_gone(key, state("a2"));
  EXPECT_THAT(take_all("a"), ElementsAre("deleted a2"));
  pending_events.put_gone(key, state("a2"));
  EXPECT_THAT(take_all("a"), IsEmpty());
  EXPECT_THAT(take_all("b"), ElementsAre("created b1"));
}

TEST_F(PendingEventsTest, OneRetryIsKeptForEachHandlerAndAction) {
  keep(1, Action::created, "", "a1", 5s);
  keep(1, Action::updated, "a1", "a2", 5s);
  keep(1, Action::updated, "a2", "a3", 9s);
  keep(1, Action::resynced, "a3", "a3", 9s);
  keep(2, Action::created, "", "a1", 5s);
  EXPECT_EQ(pending.value(), 3);
  const auto retries = pending_events.take_retries(key, 1);
  ASSERT_EQ(retries.size(), 2U);
  EXPECT_EQ(text(retries[1].delivery.old) + ">" + text(retries[1].delivery.object), "a1>a3")
      << "the merged update begins with the first old state";
  EXPECT_EQ(pending.value(), 1);
}

TEST_F(PendingEventsTest, DueRetriesFromBeforeTheMarkAreTakenInOrder) {
  keep(1, Action::created, "", "a1", 5s);
  keep(2, Action::created, "", "a1", 2s);
  const auto mark = pending_events.mark();
  keep(3, Action::created, "", "a1", 0s);
  EXPECT_FALSE(pending_events.take_due(key, "a", now(), mark));
  EXPECT_EQ(pending_events.close(key, "a", pending_events.mark()), now());
  EXPECT_EQ(pending_events.take_due(key, "a", now() + 9s, mark)->handler, 2U);
  EXPECT_EQ(pending_events.take_due(key, "a", now() + 9s, mark)->handler, 1U);
  EXPECT_FALSE(pending_events.take_due(key, "a", now() + 9s, mark));
  EXPECT_EQ(pending_events.take_due(key, "a", now(), pending_events.mark())->handler, 3U);
  EXPECT_EQ(pending_events.close(key, "a", pending_events.mark()), std::nullopt);
  EXPECT_EQ(pending_events.size(), 0U);
}

TEST_F(PendingEventsTest, AbandonedRetriesStayAndAreNeverDue) {
  keep(1, Action::created, "", "a1", Duration::max());
  EXPECT_EQ(pending.value(), 0);
  EXPECT_FALSE(pending_events.take_due(key, "a", now() + 24h, pending_events.mark()));
  EXPECT_EQ(pending_events.close(key, "a", pending_events.mark()), std::nullopt);
  EXPECT_EQ(pending_events.size(), 1U);
  pending_events.forget(1);
  EXPECT_EQ(pending_events.size(), 0U);
}

TEST_F(PendingEventsTest, AResyncIsDueIndependentlyOfRetries) {
  EXPECT_EQ(pending_events.take_resync(key, now(), 30s), std::nullopt) << "no event is pending";
  keep(1, Action::created, "", "a1", 1h);
  EXPECT_EQ(pending_events.take_resync(key, now(), 30s), false);
  EXPECT_EQ(pending_events.close(key, "a", pending_events.mark()), now() + 30s);
  EXPECT_EQ(pending_events.take_resync(key, now() + 29s, 30s), false);
  EXPECT_EQ(pending_events.take_resync(key, now() + 30s, 30s), true);
  EXPECT_EQ(pending_events.close(key, "a", pending_events.mark()), now() + 60s);
  EXPECT_EQ(pending_events.take_resync(key, now() + 70s, 0s), true);
  EXPECT_EQ(pending_events.close(key, "a", pending_events.mark()), now() + 1h) << "no further resync";
}

// The original kept a list and a lock for every object that it had ever received (T4-15).
TEST_F(PendingEventsTest, AHundredThousandDeletedObjectsLeaveNothing) {
  constexpr int count = 100'000;
  const auto key_of = [](int i) { return ObjectKey{"default", std::to_string(i)}; };
  const Object object = state("a1");
  for (int i = 0; i < count; ++i) {
    pending_events.put(key_of(i), {.action = Action::created, .object = object});
    ASSERT_TRUE(pending_events.take(key_of(i), "a", pending_events.mark()));
    pending_events.keep(key_of(i),
                        {.handler = 1, .delivery = {.action = Action::created, .object = object}, .due = now()});
    EXPECT_TRUE(pending_events.close(key_of(i), "a", pending_events.mark()));
  }
  EXPECT_EQ(pending_events.size(), static_cast<std::size_t>(count));
  EXPECT_EQ(pending.value(), count);
  for (int i = 0; i < count; ++i) {
    pending_events.put_gone(key_of(i), object);
    ASSERT_TRUE(pending_events.take(key_of(i), "a", pending_events.mark()));
    EXPECT_EQ(pending_events.take_retries(key_of(i), 1).size(), 1U);
    EXPECT_FALSE(pending_events.close(key_of(i), "a", pending_events.mark()));
  }
  EXPECT_EQ(pending_events.size(), 0U);
  EXPECT_EQ(pending.value(), 0);
}

}  // namespace
}  // namespace pintle::watcher
