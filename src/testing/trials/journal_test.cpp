// SPDX-License-Identifier: Apache-2.0
#include "journal.hpp"

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

TEST_F(LeaseJournalTest, AReleasedLeaseIsHeldByNobody) {
  renew(1);
  renew(1, "");
  EXPECT_FALSE(may_write(1));
}

}  // namespace
}  // namespace pintle::testkit
