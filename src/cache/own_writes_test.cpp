// SPDX-License-Identifier: Apache-2.0
#include "own_writes.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include <pintle/base/metrics.hpp>
#include <pintle/base/random.hpp>
#include <pintle/json/value.hpp>
#include <pintle/sim/simulated_executor.hpp>

namespace pintle {
namespace {

Object object(const std::string& name, const std::string& version, const std::string& uid = "u") {
  return Object(json::object{{"metadata", json::object{{"name", name}, {"uid", uid}, {"resourceVersion", version}}}});
}
Object deleting(const std::string& name, const std::string& version, json::array finalizers = {}) {
  json::Value value = object(name, version).to_value();
  json::object& metadata = value.as_object()["metadata"].as_object();
  metadata["deletionTimestamp"] = "2026-01-01T00:00:00Z";
  metadata["deletionGracePeriodSeconds"] = 0;
  metadata["finalizers"] = std::move(finalizers);
  return Object(value);
}

ObjectTable table_of(std::initializer_list<Object> objects) {
  ObjectTable table;
  for (const Object& one : objects) (void)table.put(one);
  return table;
}

class OwnWritesTest : public ::testing::Test {
 protected:
  // The reflector has listed these objects at version 10.
  void listed(std::initializer_list<Object> objects, const char* version = "10") {
    (void)writes.replace(table_of(objects), version);
  }
  [[nodiscard]] std::string shown(const std::string& name = "a") const {
    const Object found = store.get({"", name});
    return found ? std::string(found.resource_version()) : "none";
  }

  SimulatedExecutor executor;
  Store store{executor};
  OwnWrites writes{executor, store};
};

TEST_F(OwnWritesTest, CountsStatesFromBeforeTheGauge) {
  MetricsRegistry registry;
  const Gauge gauge = registry.gauge("provisional", "States.");
  writes.wrote(object("a", "11"), true);
  writes.count_in(gauge);
  EXPECT_EQ(gauge.value(), 1);
  listed({object("a", "12")}, "12");
  EXPECT_EQ(gauge.value(), 0);
}

TEST_F(OwnWritesTest, KeepsNothingDuringAPause) {
  listed({object("a", "5")});
  writes.set_paused(true);
  (void)writes.clear();
  EXPECT_TRUE(writes.wrote(object("b", "12"), true));
  writes.removed({"", "a"}, "u");
  writes.begin_pending_create();
  EXPECT_EQ(store.size(), 0U);
  EXPECT_EQ(writes.waiting(), 0U);
  EXPECT_FALSE(writes.pending_create());

  EXPECT_TRUE(writes.resume());
  writes.wrote(object("c", "13"), true);
  EXPECT_EQ(shown("c"), "13");
  writes.set_paused(true);
  EXPECT_FALSE(writes.resume()) << "no write during this pause";
}

TEST_F(OwnWritesTest, AWriteIsShownAtOnce) {
  listed({object("a", "5")});
  writes.wrote(object("a", "11"), true);
  writes.wrote(object("b", "12"), true);
  EXPECT_EQ(shown("a"), "11");
  EXPECT_EQ(shown("b"), "12");
  EXPECT_EQ(store.list().size(), 2U);
}

// A provisional state ends when the reflector reaches its version by an event, a bookmark or a list (trap 70).
TEST_F(OwnWritesTest, AnEventConfirmsAWriteAndReturnsTheFormerStateOfTheReflector) {
  listed({object("a", "5")});
  writes.wrote(object("a", "11"), true);
  EXPECT_EQ(writes.put(object("a", "11")).resource_version(), "5") << "handlers have not received 11";
  EXPECT_EQ(shown(), "11");
  EXPECT_EQ(writes.waiting(), 0U);
}

TEST_F(OwnWritesTest, AProvisionalStateEndsWhenTheReflectorPassesItsVersion) {
  listed({object("a", "5")});
  writes.wrote(object("a", "11"), true);
  writes.wrote(object("b", "12"), true);
  (void)writes.put(object("c", "11"));
  EXPECT_EQ(shown("a"), "5");
  EXPECT_EQ(shown("b"), "12") << "the reflector has not passed version 12 yet";
  writes.advance_to("15");
  EXPECT_EQ(shown("b"), "none");
  EXPECT_EQ(writes.waiting(), 0U);
}

TEST_F(OwnWritesTest, VersionsAreNumbersOfAnyLength) {
  listed({object("a", "5")}, "9");
  writes.wrote(object("a", "10"), true);
  (void)writes.put(object("a", "9"));
  EXPECT_EQ(shown(), "10");
  writes.wrote(object("a", "100000000000000000000000000"), true);
  (void)writes.put(object("a", "99999999999999999999999999"));
  EXPECT_EQ(shown(), "100000000000000000000000000");
}

// The response to a write may arrive after its event, and after later events (trap 71).
TEST_F(OwnWritesTest, AResponseOlderThanTheReflectorIsIgnored) {
  listed({object("a", "5")});
  (void)writes.put(object("a", "11"));
  (void)writes.put(object("a", "13"));
  writes.wrote(object("a", "11"), true);
  EXPECT_EQ(shown(), "13");
  (void)writes.erase(object("a", "14"));
  writes.wrote(object("a", "13"), true);
  EXPECT_EQ(shown(), "none");
  EXPECT_EQ(writes.waiting(), 0U);
}

// The reflector has received all states up to its version. A response with a lower version that it has not received
// therefore means that the server has another history.
TEST_F(OwnWritesTest, AnUnseenOlderResponseIsAContradiction) {
  listed({object("a", "5")}, "20");
  EXPECT_TRUE(writes.wrote(object("a", "5"), true)) << "a write without a change";
  EXPECT_TRUE(writes.wrote(object("a", "4"), true)) << "a late response";
  EXPECT_TRUE(writes.wrote(object("b", "12"), false)) << "outside the selector";
  EXPECT_FALSE(writes.wrote(object("a", "7"), true));
  EXPECT_FALSE(writes.wrote(object("b", "12"), true));
  EXPECT_EQ(shown("a"), "5") << "the next list contains it";
  EXPECT_TRUE(writes.wrote(object("a", "21"), true));
}

TEST_F(OwnWritesTest, AnOlderEventDoesNotHideTheResponse) {
  listed({object("a", "5")});
  writes.wrote(object("a", "13"), true);
  EXPECT_EQ(writes.put(object("a", "11")).resource_version(), "5");
  EXPECT_EQ(shown(), "13");
  EXPECT_EQ(writes.put(object("a", "13")).resource_version(), "11");
}

TEST_F(OwnWritesTest, ResponsesMayArriveInAnyOrder) {
  listed({object("a", "5")});
  writes.wrote(object("a", "13"), true);
  writes.wrote(object("a", "12"), true);
  EXPECT_EQ(shown(), "13");
  writes.wrote(object("a", "14"), true);
  EXPECT_EQ(shown(), "14");
  writes.advance_to("13");
  EXPECT_EQ(shown(), "14") << "the newest response is provisional until its version";
}

// A later deletion ends the provisional state of an object, so no reader waits for ever (trap 70).
TEST_F(OwnWritesTest, ALaterDeletionEndsTheProvisionalState) {
  listed({});
  writes.wrote(object("a", "11"), true);
  (void)writes.put(object("a", "11"));
  writes.wrote(object("a", "12"), true);
  EXPECT_TRUE(writes.erase(object("a", "13")));
  EXPECT_EQ(shown(), "none");
  EXPECT_EQ(writes.waiting(), 0U);
}

TEST_F(OwnWritesTest, TheDeletionOfAnOlderObjectDoesNotHideTheNewOne) {
  listed({object("a", "5", "old")});
  writes.wrote(object("a", "13", "new"), true);
  EXPECT_EQ(writes.erase(object("a", "12", "old")).uid(), "old");
  EXPECT_EQ(shown(), "13");
  EXPECT_FALSE(writes.put(object("a", "13", "new")));
}

// The response to a write that changes nothing has the version that the object already had (trap 72).
TEST_F(OwnWritesTest, AWriteWithoutAChangeAwaitsNoEvent) {
  listed({object("a", "5")});
  writes.wrote(object("a", "5"), true);
  EXPECT_EQ(writes.waiting(), 0U);
}

// The removed object is identified by its uid, not by its name (trap 73).
TEST_F(OwnWritesTest, ARemovedObjectStaysHiddenByItsUid) {
  listed({object("a", "5")});
  writes.removed({"", "a"}, "u");
  EXPECT_EQ(shown(), "none");
  EXPECT_EQ(writes.put(object("a", "11")).resource_version(), "5") << "an event that precedes the delete";
  EXPECT_EQ(shown(), "none");
  writes.advance_to("20");
  EXPECT_EQ(shown(), "none") << "the version of the delete is unknown";
  writes.wrote(object("a", "21"), true);
  EXPECT_EQ(shown(), "none") << "a late response about a deleted object";
  EXPECT_EQ(writes.erase(object("a", "22")).resource_version(), "11");
  EXPECT_EQ(writes.waiting(), 0U);
}

TEST_F(OwnWritesTest, ANewObjectWithTheNameOfARemovedOneIsShown) {
  listed({object("a", "5")});
  writes.removed({"", "a"}, "u");
  (void)writes.put(object("a", "12", "next"));
  EXPECT_EQ(shown(), "12");
  writes.removed({"", "a"}, "u");
  EXPECT_EQ(shown(), "12") << "a response about the previous object";
  writes.removed({"", "a"}, "next");
  writes.wrote(object("a", "14", "third"), true);
  EXPECT_EQ(shown(), "14");
  writes.wrote(object("a", "13", "next"), true);
  EXPECT_EQ(shown(), "14");
}

TEST_F(OwnWritesTest, AnObjectRemovedBeforeItsEventNeverAppears) {
  listed({});
  writes.wrote(object("a", "11"), true);
  writes.removed({"", "a"}, "u");
  EXPECT_EQ(shown(), "none");
  EXPECT_FALSE(writes.put(object("a", "11")));
  EXPECT_EQ(shown(), "none");
  EXPECT_TRUE(writes.erase(object("a", "12"))) << "handlers received its creation";
  EXPECT_EQ(writes.waiting(), 0U);
}

TEST_F(OwnWritesTest, ARemovalEndsIfTheReflectorNeverSeesTheObject) {
  listed({});
  writes.wrote(object("a", "11"), true);
  writes.removed({"", "a"}, "u");
  writes.advance_to("15");
  EXPECT_EQ(writes.waiting(), 0U);
}

TEST_F(OwnWritesTest, RemovingTheLastFinalizerHidesTheObject) {
  listed({deleting("a", "5", {"x/y"})});
  writes.wrote(deleting("a", "11", {"x/z"}), true);
  EXPECT_EQ(shown(), "11") << "a finalizer remains";
  writes.wrote(deleting("a", "12"), true);
  EXPECT_EQ(shown(), "none");
  (void)writes.put(deleting("a", "11", {"x/z"}));
  EXPECT_EQ(shown(), "none") << "an earlier event does not show it again";
  (void)writes.erase(deleting("a", "12"));
  EXPECT_EQ(writes.waiting(), 0U);
}

TEST_F(OwnWritesTest, AnObjectThatIsStillBeingDeletedIsShown) {
  listed({object("a", "5")});
  writes.removed({"", "a"}, "u");
  (void)writes.put(deleting("a", "11", {"x/y"}));
  EXPECT_EQ(shown(), "11");
}

TEST_F(OwnWritesTest, AnObjectThatLeavesTheSelectorIsHidden) {
  listed({object("a", "5")});
  writes.wrote(object("a", "12"), false);
  EXPECT_EQ(shown(), "none");
  (void)writes.put(object("a", "11"));
  EXPECT_EQ(shown(), "none");
  EXPECT_TRUE(writes.erase(object("a", "12")));
  EXPECT_EQ(writes.waiting(), 0U);
  writes.wrote(object("b", "13"), false);
  EXPECT_EQ(shown("b"), "none");
  EXPECT_EQ(writes.waiting(), 0U) << "the selector never matched it";
}

TEST_F(OwnWritesTest, AnObjectThatMatchesTheSelectorAgainIsShown) {
  listed({object("a", "5")});
  writes.wrote(object("a", "12"), false);
  (void)writes.put(object("a", "14"));
  EXPECT_EQ(shown(), "14");
}

TEST_F(OwnWritesTest, AListEndsProvisionalStatesUpToItsVersion) {
  listed({object("a", "5"), object("gone", "6"), object("r", "7")});
  writes.wrote(object("a", "11"), true);
  writes.wrote(object("gone", "12"), true);
  writes.wrote(object("late", "31"), true);
  writes.removed({"", "r"}, "u");
  const auto before = writes.replace(table_of({object("a", "20"), object("r", "7")}), "30");
  EXPECT_EQ(before.size(), 3U) << "the objects of the reflector, without provisional states";
  EXPECT_EQ(before.find({"", "a"}).resource_version(), "5");
  EXPECT_EQ(shown("a"), "20");
  EXPECT_EQ(shown("gone"), "none");
  EXPECT_EQ(shown("late"), "31") << "the list is older than the write";
  EXPECT_EQ(shown("r"), "none") << "the list may be older than the delete";
  (void)writes.replace(table_of({object("a", "20"), object("late", "31")}), "40");
  EXPECT_EQ(writes.waiting(), 0U);
}

// After a set-back the server may never reach the versions of earlier responses (trap 75).
TEST_F(OwnWritesTest, ARewindEndsAllProvisionalStates) {
  listed({object("a", "5"), object("r", "6")}, "1000");
  writes.wrote(object("a", "1001"), true);
  writes.removed({"", "r"}, "u");
  listed({object("a", "4"), object("r", "6")}, "500");
  EXPECT_EQ(shown("a"), "4");
  EXPECT_EQ(shown("r"), "6");
  EXPECT_EQ(writes.waiting(), 0U);
  writes.wrote(object("a", "501"), true);
  EXPECT_EQ(shown("a"), "501") << "versions are compared with those after the rewind";
}

// After a rewind the server may assign enough versions that a list is not below the version of the cache. A list of
// the newest state that was requested after a write still shows that the write does not exist any more (trap 75).
TEST_F(OwnWritesTest, AListOfTheNewestStateEndsTheStatesOfEarlierWrites) {
  listed({object("a", "5"), object("r", "6")}, "1000");
  writes.wrote(object("a", "1005"), true);
  writes.removed({"", "r"}, "u");
  const auto requested = writes.now();
  writes.wrote(object("later", "1006"), true);
  (void)writes.replace(table_of({object("a", "5"), object("r", "6")}), "1002", requested);
  EXPECT_EQ(shown("a"), "5");
  EXPECT_EQ(shown("r"), "6");
  EXPECT_EQ(shown("later"), "1006") << "the list may be older than this write";
  EXPECT_EQ(writes.waiting(), 1U);
}

// Handlers never received these writes, so a comparison with the state that they have received would show no
// difference.
TEST_F(OwnWritesTest, AListThatLacksWritesDiffersFromTheStateBefore) {
  listed({object("a", "5"), object("r", "6"), object("c", "7")}, "1000");
  writes.wrote(object("a", "1001"), true);
  writes.wrote(object("made", "1002"), true);
  writes.removed({"", "r"}, "u");
  writes.wrote(object("c", "1003"), true);
  EXPECT_FALSE(writes.shows_rewind("1001", {})) << "the list may be older than the writes";
  EXPECT_FALSE(writes.shows_rewind("1003", writes.now()));
  EXPECT_TRUE(writes.shows_rewind("1001", writes.now()));

  const auto before =
      writes.replace(table_of({object("a", "5"), object("r", "6"), object("c", "1001")}), "1001", writes.now());

  EXPECT_EQ(before.find({"", "a"}).resource_version(), "1001") << "the write is undone";
  EXPECT_EQ(before.find({"", "made"}).resource_version(), "1002") << "its object is gone";
  EXPECT_FALSE(before.find({"", "r"})) << "the removed object is back";
  EXPECT_EQ(before.find({"", "c"}).resource_version(), "1003") << "another write took its place";
  std::vector<std::string> undone;
  for (const Change& one : writes.take_undone()) {
    const auto text = [](const Object& object) { return object ? std::string(object.resource_version()) : "none"; };
    undone.push_back(text(one.old) + " " + text(one.current));
  }
  EXPECT_EQ(undone, (std::vector<std::string>{"5 1001", "7 1003", "none 1002", "6 none"})) << "a, c, made, r";
  EXPECT_TRUE(writes.take_undone().empty());
  EXPECT_EQ(writes.waiting(), 0U);
}

// The watch ended before it delivered the new object, and another client has deleted the object since.
TEST_F(OwnWritesTest, AListReportsThatACreatedObjectIsGone) {
  listed({}, "1000");
  writes.wrote(object("made", "1001"), true);
  EXPECT_EQ(writes.replace({}, "1005").find({"", "made"}).resource_version(), "1001");
}

// A backup brings back an object that this process created and deleted before any event.
TEST_F(OwnWritesTest, AListWithAnObjectThatHandlersNeverReceivedUndoesNothing) {
  listed({}, "1000");
  writes.wrote(object("made", "1001"), true);
  writes.removed({"", "made"}, "u");
  const auto before = writes.replace(table_of({object("made", "1001")}), "1001", writes.now());
  EXPECT_EQ(before.size(), 0U);
  EXPECT_TRUE(writes.take_undone().empty());
  EXPECT_EQ(shown("made"), "1001");
}

TEST_F(OwnWritesTest, AListThatContainsAWriteIsComparedWithTheStateOfTheReflector) {
  listed({object("a", "5")}, "1000");
  writes.wrote(object("a", "1001"), true);
  writes.wrote(object("made", "1002"), true);
  const auto before = writes.replace(table_of({object("a", "1001"), object("made", "1002")}), "1005", writes.now());
  EXPECT_EQ(before.find({"", "a"}).resource_version(), "5");
  EXPECT_FALSE(before.find({"", "made"}));
  EXPECT_TRUE(writes.take_undone().empty());
}

TEST_F(OwnWritesTest, VersionsThatCannotBeComparedAreNotShownEarly) {
  listed({object("a", "5")});
  writes.wrote(object("a", "abc"), true);
  EXPECT_EQ(shown(), "5");
  EXPECT_EQ(writes.waiting(), 0U);
}

TEST_F(OwnWritesTest, APendingCreateLastsUntilTheReflectorReachesTheRead) {
  listed({});
  EXPECT_FALSE(writes.pending_create());
  writes.begin_pending_create();
  const auto first = writes.pending_create();
  ASSERT_TRUE(first);
  writes.advance_to("50");
  EXPECT_TRUE(writes.pending_create()) << "a later version alone does not end it";
  writes.begin_pending_create();
  writes.resolve_pending_create(*first, "40");
  EXPECT_TRUE(writes.pending_create()) << "the read precedes the second create";
  writes.resolve_pending_create(*writes.pending_create(), "60");
  EXPECT_TRUE(writes.pending_create());
  writes.advance_to("59");
  EXPECT_TRUE(writes.pending_create());
  writes.advance_to("60");
  EXPECT_FALSE(writes.pending_create());
}

// A server with some keys, a reflector that follows it, and writers whose responses arrive late and in any order. No
// reader reads a state that is older than the newest response, and once the reflector has caught up, the store equals
// the server.
class Race {
 public:
  explicit Race(std::uint64_t seed) : random_(seed) {}

  void run() {
    (void)writes_.replace({}, "1");
    for (int step = 0; step < 300; ++step) {
      switch (random_.below(6)) {
        case 0:
        case 1: write(random_.below(2) == 0); break;
        case 2: take_response(); break;
        case 3: relist_at_times(); break;
        default: take_event();
      }
      check();
    }
    while (!responses_.empty()) take_response();
    while (!events_.empty()) take_event();
    writes_.advance_to(std::to_string(version_));
    EXPECT_EQ(writes_.waiting(), 0U);
    EXPECT_EQ(versions_of(store_.list()), versions_of_server());
  }

 private:
  struct Step {
    Object object{};
    bool is_delete = false;
  };

  void write(bool ours) {
    const std::string name(1, static_cast<char>('a' + random_.below(3)));
    const auto at = server_.find(name);
    Step step;
    if (at != server_.end() && random_.below(3) == 0) {
      step = {object(name, std::to_string(++version_), std::string(at->second.uid())), true};
      // Our writers remove only objects that they have read or created. Other clients remove the others.
      ours = ours && store_.get(step.object.key()).uid() == step.object.uid();
      server_.erase(at);
    } else {
      const std::string uid = at == server_.end() ? "u" + std::to_string(version_) : std::string(at->second.uid());
      step = {object(name, std::to_string(++version_), uid)};
      server_[name] = step.object;
    }
    events_.push_back(step);
    if (ours) responses_.push_back(step);
  }
  // Responses arrive in any order, but the response to a deletion arrives after those of the earlier writes.
  void take_response() {
    if (responses_.empty()) return;
    auto at = responses_.begin() + static_cast<long>(random_.below(responses_.size()));
    if (at->is_delete) {
      const auto same = [&](const Step& step) { return step.object.name() == at->object.name(); };
      at = std::find_if(responses_.begin(), at, same);
    }
    const Step step = *at;
    responses_.erase(at);
    Step& known = known_[step.object.key()];
    if (version_of(step) > version_of(known)) known = step;
    if (step.is_delete) {
      removed_.insert(std::string(step.object.uid()));
      writes_.removed(step.object.key(), step.object.uid());
    } else {
      writes_.wrote(step.object, true);
    }
  }
  void take_event() {
    if (events_.empty()) return;
    const Step step = events_.front();
    events_.erase(events_.begin());
    reflect(step);
    if (step.is_delete) {
      (void)writes_.erase(step.object);
    } else {
      (void)writes_.put(step.object);
    }
  }
  // A watch was cut, and a list returns a state between the last one that the reflector has received and the current
  // one.
  void relist_at_times() {
    if (random_.below(5) != 0) return;
    const auto until = events_.begin() + static_cast<long>(random_.below(events_.size() + 1));
    std::for_each(events_.begin(), until, [&](const Step& step) { reflect(step); });
    events_.erase(events_.begin(), until);
    (void)writes_.replace(reflected_, std::to_string(seen_));
  }
  void reflect(const Step& step) {
    seen_ = version_of(step);
    if (step.is_delete) {
      (void)reflected_.erase(step.object.key_view());
    } else {
      (void)reflected_.put(step.object);
    }
  }
  void check() {
    for (const auto& [key, known] : known_) {
      const Object shown = store_.get(key);
      if (shown) {
        EXPECT_GE(version_of({shown}), version_of(known)) << key.name;
        EXPECT_FALSE(removed_.contains(std::string(shown.uid()))) << "a removed object is back: " << key.name;
      } else if (!known.is_delete) {
        EXPECT_GE(seen_, version_of(known)) << "an own write is not shown: " << key.name;
      }
    }
  }
  [[nodiscard]] static int version_of(const Step& step) {
    return step.object ? std::stoi(std::string(step.object.resource_version())) : 0;
  }
  [[nodiscard]] static std::map<std::string, std::string> versions_of(const std::vector<Object>& objects) {
    std::map<std::string, std::string> all;
    for (const Object& one : objects) all[std::string(one.name())] = one.resource_version();
    return all;
  }
  [[nodiscard]] std::map<std::string, std::string> versions_of_server() const {
    std::map<std::string, std::string> all;
    for (const auto& [name, one] : server_) all[name] = one.resource_version();
    return all;
  }

  Random random_;
  SimulatedExecutor executor_;
  Store store_{executor_};
  OwnWrites writes_{executor_, store_};
  int version_ = 1;
  int seen_ = 1;
  std::map<std::string, Object> server_;
  ObjectTable reflected_;
  std::vector<Step> events_;
  std::vector<Step> responses_;
  std::map<ObjectKey, Step> known_;  // the newest response
  std::set<std::string> removed_;
};

TEST(OwnWrites, ReadersNeverGoBackAndTheStoreEndsEqualToTheServer) {
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    SCOPED_TRACE(seed);
    Race(seed).run();
    if (::testing::Test::HasFailure()) break;
  }
}

}  // namespace
}  // namespace pintle
