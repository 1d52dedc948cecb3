// SPDX-License-Identifier: Apache-2.0
#include "journal.hpp"

#include <set>
#include <string>

#include <gmock/gmock.h>

#include <pintle/sim/simulated_executor.hpp>

namespace pintle::testkit {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Key;

class JournalTest : public ::testing::Test {
 protected:
  void put(int instance, const std::string& version, const std::string& data, int status) {
    send(instance, "PUT", "/api/v1/namespaces/n/configmaps/a",
         R"({"metadata":{"name":"a","namespace":"n","resourceVersion":")" + version + R"("},"data":{"k":")" + data +
             R"("}})",
         status);
  }
  void send(int instance, const std::string& method, const std::string& target, const std::string& body, int status,
            std::string answer = "") {
    if (answer.empty()) answer = body;
    journal_.record(instance, {.method = method, .target = target, .body = body},
                    {.status = status, .body = std::move(answer)});
  }
  void renew(int instance) {
    send(instance, "PUT", "/apis/coordination.k8s.io/v1/namespaces/n/leases/op",
         R"({"metadata":{"name":"op"},"spec":{"holderIdentity":"x","leaseDurationSeconds":15}})", 200);
  }

  SimulatedExecutor executor_;
  Journal journal_{executor_, false};
  Journal elected_{executor_, true};
};

TEST_F(JournalTest, TheSameContentAfterAConflictIsABlindRetry) {
  put(1, "1", "x", 409);
  put(1, "2", "x", 200);
  EXPECT_THAT(journal_.violations(), Contains(Key(Oracle::no_blind_retry)));
}

TEST_F(JournalTest, OtherContentAfterAConflictIsNone) {
  put(1, "1", "x", 409);
  put(1, "2", "y", 200);
  put(1, "3", "x", 200);  // the conflict is over
  put(1, "4", "z", 409);
  put(2, "5", "z", 200);  // another instance
  EXPECT_THAT(journal_.violations(), IsEmpty());
}

TEST_F(JournalTest, ProtectedObjectsMustNotBeWritten) {
  journal_.protect({.resource = "configmaps", .key = {"n", "a"}});
  put(1, "1", "x", 404);
  EXPECT_THAT(journal_.violations(), IsEmpty()) << "nothing was written";
  put(1, "1", "x", 200);
  EXPECT_THAT(journal_.violations(), Contains(Key(Oracle::nothing_foreign)));
}

TEST_F(JournalTest, WhatIsCreatedIsKnownByItsNameOnTheServer) {
  send(1, "POST", "/api/v1/namespaces/n/configmaps", R"({"metadata":{"generateName":"a-"}})", 201,
       R"({"metadata":{"name":"a-xyz","namespace":"n","resourceVersion":"7"}})");
  send(1, "POST", "/api/v1/namespaces/n/events", R"({"metadata":{"name":"e"}})", 201);
  EXPECT_THAT(journal_.created(), ::testing::ElementsAre(StoredKey{.resource = "configmaps", .key = {"n", "a-xyz"}}));
  EXPECT_EQ(journal_.counts().writes, 1U);
  EXPECT_EQ(journal_.counts().events, 1U);
  EXPECT_THAT(journal_.timeline(), HasSubstr("create configmaps n/a-xyz -> 201, version 7"));
}

TEST_F(JournalTest, ADryRunIsNoWrite) {
  send(1, "POST", "/api/v1/namespaces/n/configmaps?dryRun=All", R"({"metadata":{"name":"a"}})", 201);
  send(1, "DELETE", "/api/v1/namespaces/n/configmaps/a", R"({"dryRun":["All"]})", 200);
  EXPECT_EQ(journal_.counts().writes, 0U);
  EXPECT_EQ(journal_.counts().requests, 2U);
  send(1, "DELETE", "/api/v1/namespaces/n/configmaps/a?dryRun=All", R"({"kind":"DeleteOptions"})", 200);
  EXPECT_EQ(journal_.counts().writes, 1U) << "the query does not count if there is a body";
}

TEST_F(JournalTest, OnlyWritesThatRaiseAVersionOrFailCount) {
  std::uint64_t version = 7;
  Journal journal(executor_, false, [&] { return version; });
  // Returns whether the request counts, after which the version of the server is `after`.
  const auto counts = [&](const std::string& method, const std::string& target, std::uint64_t after, int status,
                          const std::string& body) {
    const http::Request request{.method = method, .target = target, .body = "{}"};
    const std::uint64_t before = journal.counts().writes;
    journal.send(1, request);
    version = after;
    journal.record(1, request, {.status = status, .body = body});
    return journal.counts().writes != before;
  };
  const std::string all = "/api/v1/namespaces/n/configmaps";

  EXPECT_TRUE(counts("PATCH", all + "/a", 8, 200, R"({"metadata":{"name":"a","resourceVersion":"8"}})"));
  EXPECT_FALSE(counts("PATCH", all + "/a", 8, 200, R"({"metadata":{"name":"a","resourceVersion":"8"}})"));
  EXPECT_FALSE(counts("PATCH", all + "/a", 9, 200, R"({"metadata":{"name":"a","resourceVersion":"8"}})"))
      << "another client has written another object meanwhile";
  EXPECT_TRUE(counts("PATCH", all + "/a", 9, 422, R"({"kind":"Status"})"));
  EXPECT_TRUE(counts("DELETE", all + "/a", 10, 200, R"({"kind":"Status","metadata":{}})"));
  EXPECT_TRUE(counts("DELETE", all, 11, 200, R"({"metadata":{"resourceVersion":"10"},"items":[{}]})"));
  EXPECT_FALSE(counts("DELETE", all, 11, 200, R"({"metadata":{"resourceVersion":"11"},"items":[]})"));
}

TEST_F(JournalTest, TwoReconcilesOfAKeyAtATimeHaveTwoWorkers) {
  journal_.reconcile(1, "c", {"n", "a"}, true);
  journal_.reconcile(1, "c", {"n", "b"}, true);
  journal_.reconcile(1, "other", {"n", "a"}, true);
  journal_.reconcile(2, "c", {"n", "a"}, true);
  journal_.reconcile(1, "c", {"n", "a"}, false);
  journal_.reconcile(1, "c", {"n", "a"}, true);
  EXPECT_THAT(journal_.violations(), IsEmpty());
  journal_.reconcile(1, "c", {"n", "a"}, true);
  EXPECT_THAT(journal_.violations(), Contains(Key(Oracle::one_worker)));
}

TEST_F(JournalTest, AnObjectFailsUntilItsNextReconcileSucceeds) {
  const GroupVersionKind kind{"v1", "ConfigMap"};
  const ObjectKey key{"n", "a"};
  const Instant begin = executor_.now();
  executor_.sleep_for(1s);
  const auto failing = [&](Instant since) { return journal_.failing(kind, key, since).has_value(); };
  journal_.conclude("c", kind, key, make_error(ErrorCode::invalid, "no"));
  EXPECT_TRUE(failing(begin));
  EXPECT_FALSE(failing(executor_.now())) << "the failure is older";
  EXPECT_FALSE(journal_.failing({"v1", "Secret"}, key, begin)) << "another kind";
  journal_.conclude("other", kind, key, done);
  EXPECT_TRUE(failing(begin)) << "another controller has succeeded";
  journal_.conclude("c", kind, key, make_error(ErrorCode::cancelled, "stop"));
  EXPECT_TRUE(failing(begin)) << "the process has stopped";
  journal_.conclude("c", kind, key, done);
  EXPECT_FALSE(failing(begin));
}

TEST_F(JournalTest, KnowsWhatTheOperatorUses) {
  send(1, "PATCH", "/apis/demo.pintle.dev/v1/namespaces/n/bulbs/a/status", "{}", 200);
  send(1, "GET", "/api/v1/namespaces/n/configmaps/a", "{}", 503);
  send(1, "GET", "/api/v1/namespaces/n/configmaps/b", "{}", 404);
  renew(1);
  EXPECT_THAT(journal_.used(),
              ::testing::ElementsAre(UsedResource{.resource = "bulbs.demo.pintle.dev/status", .is_written = true},
                                     UsedResource{.resource = "configmaps"}));
  EXPECT_EQ(journal_.counts().failed, 1U);
}

TEST_F(JournalTest, MetadataOfAnotherProgramMustStay) {
  const auto card = [](const std::string& uid, const std::string& version, const std::string& rest) {
    return R"({"metadata":{"name":"a","namespace":"n","uid":")" + uid + R"(","resourceVersion":")" + version + "\"" +
           rest + "}}";
  };
  const StoredKey key{.resource = "configmaps", .key = {"n", "a"}};
  const std::string label = R"("labels":{"other.example.com/team":"a"})";
  const std::string note = R"("annotations":{"other.example.com/note":"x"})";
  const std::string finalizer = R"("finalizers":["other.example.com/backup"])";
  journal_.marks().note(key, *Object::parse(card("u", "7", "," + label + "," + note + "," + finalizer)));

  // Returns the message about the metadata that a write with this response removes.
  const auto removed = [&](const std::string& answer, const std::string& target = "/api/v1/namespaces/n/configmaps/a") {
    Journal journal(executor_, false);
    journal.marks() = journal_.marks();
    journal.record(1, {.method = "PATCH", .target = target, .body = "{}"}, {.status = 200, .body = answer});
    const auto found = journal.violations().find(Oracle::nothing_foreign);
    return found == journal.violations().end() ? "" : found->second;
  };
  EXPECT_EQ(removed(card("u", "8", "," + label + "," + note + "," + finalizer)), "");
  EXPECT_THAT(removed(card("u", "8", "," + note + "," + finalizer)), HasSubstr("the label other.example.com/team"));
  EXPECT_THAT(removed(card("u", "8", "," + label + "," + finalizer)),
              HasSubstr("the annotation other.example.com/note"));
  EXPECT_THAT(removed(card("u", "8", "," + label + "," + note)), HasSubstr("the finalizer other.example.com/backup"));
  EXPECT_EQ(removed(card("u", "6", "")), "") << "before it was set";
  EXPECT_EQ(removed(card("v", "8", "")), "") << "another object of this name";
  EXPECT_EQ(removed(card("u", "8", ""), "/api/v1/namespaces/n/configmaps/a/scale"), "") << "no metadata of the object";

  journal_.marks().release(key);
  EXPECT_EQ(removed(card("u", "8", "," + label + "," + note)), "") << "its owner removes the finalizer";
  EXPECT_THAT(removed(card("u", "8", "," + note)), HasSubstr("the label other.example.com/team"));
}

class DroppedWritesTest : public JournalTest {
 protected:
  // A request whose response contains the stored object.
  void write(const std::string& method, const std::string& subresource, const std::string& body,
             const std::string& type = "application/merge-patch+json") {
    http::Request request{
        .method = method, .target = "/apis/x.dev/v1/namespaces/n/booths/a" + subresource, .body = body};
    request.headers.add("Content-Type", type);
    journal_.record(1, request, {.status = 200, .body = stored});
  }
  std::string lost() {
    journal_.check_dropped([this](const StoredKey&) { return *Object::parse(stored); });
    const auto found = journal_.violations().find(Oracle::nothing_dropped);
    return found == journal_.violations().end() ? "" : found->second;
  }

  std::string stored =
      R"({"metadata":{"name":"a","namespace":"n","uid":"u","resourceVersion":"7"},"spec":{"size":2},"status":{"phase":"old"}})";
};

TEST_F(DroppedWritesTest, AStatusIsNotWrittenToTheObject) {
  write("PATCH", "", R"({"status":{"phase":"new"}})");
  EXPECT_THAT(lost(), HasSubstr("operator 1 sends patch for booths.x.dev n/a with /status/phase = \"new\""));
}

TEST_F(DroppedWritesTest, AnUpdateSendsAllThatItHasRead) {
  write("PUT", "", R"({"metadata":{"resourceVersion":"6"},"spec":{"size":2},"status":{"phase":"old","count":0}})");
  EXPECT_EQ(lost(), "");
  write("PUT", "", R"({"spec":{"size":2},"status":{"phase":"older"}})");
  EXPECT_EQ(lost(), "") << "without a version it may contain an old status";
  write("PUT", "", R"({"metadata":{"resourceVersion":"6"},"status":{"phase":"new"}})");
  EXPECT_THAT(lost(), HasSubstr("/status/phase"));
}

TEST_F(DroppedWritesTest, ASpecIsNotWrittenToTheStatus) {
  write("PATCH", "/status", R"([{"op":"add","path":"/spec/size","value":3}])", "application/json-patch+json");
  EXPECT_THAT(lost(), HasSubstr("with /spec/size = 3, which the server drops"));
}

TEST_F(DroppedWritesTest, AFinalizerIsNotWrittenToTheStatus) {
  write("PATCH", "/status", R"({"metadata":{"finalizers":["x"]},"status":{"phase":"old"}})");
  EXPECT_THAT(lost(), HasSubstr("/metadata/finalizers"));
}

TEST_F(DroppedWritesTest, AValueOfALaterRequestIsNotLost) {
  write("PATCH", "", R"({"status":{"phase":"new"}})");
  write("PATCH", "/status", R"({"status":{"phase":"newest"}})");
  EXPECT_EQ(lost(), "");
  write("PATCH", "", R"({"status":{"phase":"new"}})");
  stored.replace(stored.find("old"), 3, "new");
  EXPECT_EQ(lost(), "") << "it has become true in another way";
}

TEST_F(JournalTest, AnUnknownFieldIsDropped) {
  http::Response response{.status = 201, .body = R"({"metadata":{"name":"a","namespace":"n"}})"};
  response.headers.add("Warning", R"(299 - "the kind is old")");
  response.headers.add("Warning", R"(299 - "unknown field \"spec.colour\"")");
  journal_.record(1, {.method = "POST", .target = "/api/v1/namespaces/n/configmaps", .body = "{}"}, response);
  ASSERT_THAT(journal_.violations(), Contains(Key(Oracle::nothing_dropped)));
  EXPECT_THAT(journal_.violations().at(Oracle::nothing_dropped), HasSubstr("unknown field \"spec.colour\""));
}

class LeaseJournalTest : public JournalTest {
 protected:
  LeaseJournalTest() = default;
  Journal& journal() { return elected_; }
  void renew(int instance, const std::string& holder = "x", Duration takes = {}) {
    const http::Request request{.method = "PUT",
                                .target = "/apis/coordination.k8s.io/v1/namespaces/n/leases/op",
                                .body = R"({"metadata":{"name":"op"},"spec":{"holderIdentity":")" + holder +
                                        R"(","leaseDurationSeconds":15}})"};
    elected_.send(instance, request);
    executor_.sleep_for(takes);
    elected_.record(instance, request, {.status = 200});
  }
  // `takes`: until the server responds.
  bool may_write(int instance, Duration takes = {}) {
    const http::Request request{.method = "DELETE", .target = "/api/v1/namespaces/n/configmaps/a"};
    elected_.send(instance, request);
    executor_.sleep_for(takes);
    elected_.record(instance, request, {.status = 200});
    return elected_.violations().empty();
  }
};

TEST_F(LeaseJournalTest, TheHolderMayWriteUntilItsLeaseExpires) {
  renew(1);
  EXPECT_TRUE(may_write(1));
  executor_.sleep_for(14s);
  EXPECT_TRUE(may_write(1));
  executor_.sleep_for(1s);
  EXPECT_FALSE(may_write(1));
}

TEST_F(LeaseJournalTest, TheLeaseCountsFromTheMomentAtWhichItsRenewalIsSent) {
  renew(1, "x", 5s);
  executor_.sleep_for(9s);
  EXPECT_TRUE(may_write(1));
  executor_.sleep_for(1s);
  EXPECT_FALSE(may_write(1));
}

TEST_F(LeaseJournalTest, AWriteCountsAtTheMomentAtWhichItIsSent) {
  renew(1);
  EXPECT_TRUE(may_write(1, 1min)) << "the server was slow";
  EXPECT_FALSE(may_write(1));
}

TEST_F(LeaseJournalTest, AnotherInstanceMayNotWrite) {
  renew(1);
  EXPECT_FALSE(may_write(2));
}

TEST_F(LeaseJournalTest, OnlyAnExemptObjectNeedsNoLease) {
  const auto create = [&](const std::string& name) {
    const http::Request request{.method = "POST",
                                .target = "/api/v1/namespaces/n/secrets",
                                .body = R"({"metadata":{"name":")" + name + R"("}})"};
    elected_.send(1, request);
    elected_.record(1, request, {.status = 201, .body = request.body});
  };
  elected_.exempt({.resource = "secrets", .key = {"n", "op-webhooks"}});

  create("op-webhooks");
  EXPECT_THAT(elected_.violations(), IsEmpty());
  EXPECT_EQ(elected_.counts().writes, 0U);
  EXPECT_THAT(elected_.written(), IsEmpty());
  EXPECT_THAT(elected_.created(), IsEmpty());
  EXPECT_THAT(elected_.surroundings(), ::testing::SizeIs(1)) << "the final states do not contain it";

  create("other");
  EXPECT_THAT(elected_.violations(), Contains(Key(Oracle::lease_held)));
}

// The work of two instances at the same time, of which both live.
class ReplicasJournalTest : public LeaseJournalTest {
 protected:
  ReplicasJournalTest() {
    elected_.compare_instances([this](int instance) { return !ended_.contains(instance); }, {"everywhere"});
    renew(1);
  }
  void begin(int instance, const std::string& controller = "c") {
    elected_.reconcile(instance, controller, {"n", "a"}, true);
  }
  void end(int instance) { elected_.reconcile(instance, "c", {"n", "a"}, false); }
  void call(int instance, Duration takes, const std::string& what = "open a") {
    elected_.outside_call(instance, what, executor_.now() - takes);
  }
  bool has_conflict() { return elected_.violations().contains(Oracle::one_worker); }

  std::set<int> ended_;
};

TEST_F(ReplicasJournalTest, TwoInstancesMustNotReconcileAKeyAtTheSameTime) {
  begin(1);
  end(1);
  begin(2);
  EXPECT_FALSE(has_conflict());
  begin(1);
  EXPECT_TRUE(has_conflict());
}

TEST_F(ReplicasJournalTest, ControllersOfEveryInstanceMay) {
  begin(1, "everywhere");
  begin(2, "everywhere");
  EXPECT_FALSE(has_conflict());
  EXPECT_THAT(elected_.without_lease(), ::testing::ElementsAre("everywhere"));
}

TEST_F(ReplicasJournalTest, AProcessThatIsFrozenDoesNotCount) {
  begin(1);
  elected_.freeze(1, executor_.now() + 20s);
  executor_.sleep_for(15s);
  begin(2);
  end(2);
  executor_.sleep_for(6s);
  begin(2);
  EXPECT_FALSE(has_conflict()) << "operator 1 could not know it";
  begin(3);
  EXPECT_TRUE(has_conflict());
}

TEST_F(ReplicasJournalTest, AProcessThatHasEndedDoesNotCount) {
  begin(1);
  ended_ = {1};
  begin(2);
  EXPECT_FALSE(has_conflict());
}

TEST_F(ReplicasJournalTest, TwoInstancesMustNotMakeTheSameCallAtTheSameTime) {
  executor_.sleep_for(10s);
  call(1, 5s);
  call(2, 5s, "open b");
  executor_.sleep_for(3s);
  call(2, 3s);
  EXPECT_TRUE(has_conflict()) << "the second one began at the moment at which the first one ended";
}

TEST_F(ReplicasJournalTest, CallsOfTwoLeadersMayFollowEachOther) {
  executor_.sleep_for(20s);
  call(1, 5s);
  renew(2, "y");
  executor_.sleep_for(3s);
  call(2, 3s);
  EXPECT_FALSE(has_conflict());
  call(1, 1s);
  EXPECT_TRUE(has_conflict());
}

TEST_F(LeaseJournalTest, AReleasedLeaseIsHeldByNobody) {
  renew(1);
  renew(1, "");
  EXPECT_FALSE(may_write(1));
}

}  // namespace
}  // namespace pintle::testkit
