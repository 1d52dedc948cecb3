// SPDX-License-Identifier: Apache-2.0
#include "lease_election.hpp"

#include <gtest/gtest.h>

namespace pintle {
namespace {

using namespace std::chrono_literals;

LeaderElectionOptions candidate(const std::string& identity) {
  return {.name = "op", .namespace_ = "default", .identity = identity};
}

// Two candidates, and a server with their Lease. Time passes only in `advance_time()` and `run()`.
class LeaseElectionTest : public ::testing::Test {
 protected:
  [[nodiscard]] Times times() const { return {.now = now, .wall = WallTime(1'767'225'600s) + now.time_since_epoch()}; }
  void advance_time(Duration duration) { now += duration; }

  // Carries out one step as a server would. Returns whether the step was a request.
  bool serve(LeaseElection& election, const ElectionStep& step) {
    if (std::holds_alternative<GetLease>(step)) {
      ++gets;
      election.on_response(lease ? Result<Object>(lease) : fail(ErrorCode::not_found, "not found"), times());
    } else if (const auto* create = std::get_if<CreateLease>(&step)) {
      ++writes;
      election.on_response(lease ? fail(ErrorCode::already_exists, "exists") : Result<Object>(store(create->lease)),
                           times());
    } else if (const auto* replace = std::get_if<ReplaceLease>(&step)) {
      ++writes;
      const bool fits = lease && Object(replace->lease).resource_version() == lease.resource_version();
      election.on_response(fits ? Result<Object>(store(replace->lease)) : fail(ErrorCode::conflict, "conflict"),
                           times());
    } else {
      return false;
    }
    return true;
  }
  // Carries out requests until the election pauses or ends, and returns that step.
  ElectionStep run_until_idle(LeaseElection& election) {
    while (true) {
      ElectionStep step = election.next(times());
      if (!serve(election, step)) return step;
    }
  }
  // Returns the next request of the election, without a response to it.
  template <class Step>
  Step next_step(LeaseElection& election) {
    ElectionStep step = election.next(times());
    EXPECT_TRUE(std::holds_alternative<Step>(step)) << step.index();
    return std::holds_alternative<Step>(step) ? std::get<Step>(step) : Step{};
  }
  // Carries out requests and skips pauses until `duration` has passed.
  void run(LeaseElection& election, Duration duration) {
    const Instant end = now + duration;
    while (now < end) {
      const ElectionStep step = run_until_idle(election);
      const auto* pause = std::get_if<Pause>(&step);
      if (pause == nullptr) return;
      now = std::min(end, pause->until);
    }
  }
  Object store(json::Value made) {
    made.as_object()["metadata"].as_object()["resourceVersion"] = std::to_string(++version);
    return lease = Object(made);
  }
  // A write by another client.
  void edit(std::string_view pointer, json::Value value) {
    json::Value made = lease.to_value();
    made.at_pointer(pointer.substr(0, pointer.rfind('/'))).as_object()[pointer.substr(pointer.rfind('/') + 1)] =
        std::move(value);
    store(std::move(made));
  }
  void held_by(const std::string& holder, std::int64_t seconds = 15) {
    store(json::object{{"apiVersion", "coordination.k8s.io/v1"},
                       {"kind", "Lease"},
                       {"metadata", json::object{{"name", "op"}, {"namespace", "default"}}},
                       {"spec", json::object{{"holderIdentity", holder},
                                             {"leaseDurationSeconds", seconds},
                                             {"acquireTime", "2020-01-01T00:00:00.000000Z"},
                                             {"renewTime", "2020-01-01T00:00:00.000000Z"},
                                             {"leaseTransitions", 7}}}});
  }

  Instant now{1h};
  Object lease;
  int version = 0;
  int gets = 0;
  int writes = 0;
  double drawn = 0;
  LeaseElection a{candidate("a"), [this] { return drawn; }};
  LeaseElection b{candidate("b"), [this] { return drawn; }};
};

TEST_F(LeaseElectionTest, TheFirstCandidateCreatesTheLeaseAndLeads) {
  run_until_idle(a);
  EXPECT_TRUE(a.leads());
  EXPECT_EQ(lease["/spec/holderIdentity"], "a");
  EXPECT_EQ(lease["/spec/leaseDurationSeconds"], 15);
  EXPECT_EQ(lease["/spec/leaseTransitions"], 0);
  EXPECT_EQ(lease["/spec/acquireTime"], "2026-01-01T01:00:00.000000Z");
  EXPECT_EQ(lease["/spec/renewTime"], "2026-01-01T01:00:00.000000Z");

  run_until_idle(b);
  EXPECT_FALSE(b.leads());
  EXPECT_EQ(b.holder(), "a");
}

// Otherwise two instances could work at once, or one failed renewal would lose the lease (trap 52).
TEST(LeaseElectionOptions, UnsafeDurationsAreRefused) {
  const auto errors = [](Duration lease, Duration renew, Duration retry) {
    LeaderElectionOptions options = candidate("a");
    options.lease_duration = lease;
    options.renew_deadline = renew;
    options.retry_period = retry;
    std::string text;
    for (const Error& error : check(options)) text += error.message + "\n";
    return text;
  };
  EXPECT_EQ(errors(15s, 10s, 2s), "");
  EXPECT_EQ(errors(15s, 10s, 8333ms), "");
  EXPECT_NE(errors(10s, 10s, 2s).find("lease_duration 10s must be more than renew_deadline 10s"), std::string::npos);
  EXPECT_NE(errors(15s, 12s, 10s).find("renew_deadline 12s must be more than 1.2 times retry_period 10s"),
            std::string::npos);
  EXPECT_NE(errors(15s, 10s, 0s).find("retry_period"), std::string::npos);
}

TEST(LeaseElectionOptions, InvalidNamesAreRefused) {
  LeaderElectionOptions options{.name = "My Operator", .namespace_ = "a.b"};
  const auto errors = check(options);
  ASSERT_EQ(errors.size(), 2U);
  EXPECT_NE(errors[0].message.find("\"My Operator\""), std::string::npos);
  EXPECT_NE(errors[1].message.find("\"a.b\""), std::string::npos);
}

// The clocks of different machines differ (trap 53).
TEST_F(LeaseElectionTest, AForeignLeaseCountsFromItsLastObservedChange) {
  held_by("z");  // by its own times it ended years ago
  run_until_idle(a);
  advance_time(14s);
  run_until_idle(a);
  EXPECT_FALSE(a.leads()) << "observed for 14 s only";

  edit("/spec/renewTime", "2020-01-01T00:00:02.000000Z");  // an active holder whose clock is years off
  advance_time(2s);
  run_until_idle(a);
  advance_time(14s);
  run_until_idle(a);
  EXPECT_FALSE(a.leads()) << "it changed 14 s ago";

  advance_time(5s);
  run_until_idle(a);
  EXPECT_TRUE(a.leads());
  EXPECT_EQ(lease["/spec/leaseTransitions"], 8);
}

// Only a change of the record is a sign of life (trap 53).
TEST_F(LeaseElectionTest, AChangedLabelIsNoRenewal) {
  held_by("z");
  run_until_idle(a);
  advance_time(10s);
  edit("/metadata/labels", json::object{{"touched", "yes"}});
  run_until_idle(a);
  advance_time(5s);
  run_until_idle(a);
  EXPECT_TRUE(a.leads());
}

// The holder stores the URL of its pages; another holder replaces it, or removes it if it has none.
TEST_F(LeaseElectionTest, TheLeaseHasThePagesOfItsHolder) {
  LeaseElection with(
      {.name = "l", .namespace_ = "ns", .identity = "with"}, [] { return 0.0; }, "http://10.0.0.1:8080");
  run_until_idle(with);
  ASSERT_TRUE(with.leads());
  EXPECT_EQ(lease.annotation(pages_annotation), "http://10.0.0.1:8080");
  run_until_idle(a);
  EXPECT_EQ(a.pages(), "http://10.0.0.1:8080") << "a standby reads it";
  edit("/metadata/annotations/other", "kept");
  advance_time(20s);
  run_until_idle(a);
  ASSERT_TRUE(a.leads());
  EXPECT_EQ(lease.annotation(pages_annotation), "");
  EXPECT_EQ(a.pages(), "");
  EXPECT_EQ(lease.annotation("other"), "kept");
}

// The record contains the duration of its holder's lease (trap 53).
TEST_F(LeaseElectionTest, TheDurationOfTheHolderCountsNotOurs) {
  held_by("z", 60);
  run_until_idle(a);
  run(a, 59s);
  EXPECT_FALSE(a.leads());
  run(a, 6s);
  EXPECT_TRUE(a.leads());
}

// Other clients may write other fields of the Lease (trap 54).
TEST_F(LeaseElectionTest, RenewingKeepsForeignFields) {
  held_by("");
  edit("/metadata/labels", json::object{{"team", "x"}});
  edit("/spec/strategy", "OldestEmulationVersion");
  run_until_idle(a);
  EXPECT_EQ(lease["/spec/leaseTransitions"], 8) << "the holder changed";
  const std::string acquired(lease["/spec/acquireTime"].text());
  const std::string renewed(lease["/spec/renewTime"].text());

  advance_time(2s);
  run_until_idle(a);

  EXPECT_EQ(lease["/spec/acquireTime"], acquired);
  EXPECT_NE(lease["/spec/renewTime"], renewed);
  EXPECT_EQ(lease["/spec/leaseTransitions"], 8);
  EXPECT_EQ(lease["/spec/strategy"], "OldestEmulationVersion");
  EXPECT_EQ(lease["/metadata/labels/team"], "x");
}

// A read before each renewal would be one more request that can fail (trap 55).
TEST_F(LeaseElectionTest, ARenewalIsOneWriteAndReadsOnlyAfterAConflict) {
  run_until_idle(a);
  gets = writes = 0;
  advance_time(2s);
  run_until_idle(a);
  EXPECT_EQ(gets, 0);
  EXPECT_EQ(writes, 1);
  EXPECT_EQ(a.slow_renewals(), 0);

  edit("/metadata/labels", json::object{{"team", "x"}});
  advance_time(2s);
  run_until_idle(a);
  EXPECT_EQ(gets, 1);
  EXPECT_EQ(writes, 3);
  EXPECT_EQ(a.slow_renewals(), 1);
  EXPECT_EQ(lease["/metadata/labels/team"], "x");
  EXPECT_EQ(a.term().renewed, now);
}

// Candidates must not all try to take the lease at the same moment (trap 56).
TEST_F(LeaseElectionTest, ReadsHaveJitterAndRenewalsDoNot) {
  held_by("z");
  drawn = 0.5;
  (void)next_step<GetLease>(a);
  advance_time(3s);
  a.on_response(Result<Object>(lease), times());
  EXPECT_EQ(next_step<Pause>(a).until, now + 3200ms) << "2 s and half of 1.2 times that, from the response on";

  edit("/spec/holderIdentity", "");
  advance_time(4s);
  run_until_idle(a);
  ASSERT_TRUE(a.leads());
  EXPECT_EQ(next_step<Pause>(a).until, now + 2s);
}

// The work of a leader must end before another instance may begin (trap 57).
TEST_F(LeaseElectionTest, ALeaderThatCannotRenewStopsBeforeOthersMayBegin) {
  run_until_idle(a);
  run_until_idle(b);
  const Instant begun = now;
  EXPECT_EQ(a.term().write_until, begun + 10s);
  EXPECT_EQ(a.term().ends, begun + 14s);
  while (now < begun + 10s) {
    const ElectionStep step = a.next(times());
    ASSERT_FALSE(std::holds_alternative<LeaseIsLost>(step)) << "too early";
    if (const auto* pause = std::get_if<Pause>(&step)) {
      ASSERT_LE(pause->until, begun + 10s);
      now = pause->until;
    } else {
      a.on_response(fail(ErrorCode::unreachable, "connection refused"), times());
    }
  }
  const auto lost = next_step<LeaseIsLost>(a);
  EXPECT_FALSE(lost.is_taken);
  EXPECT_EQ(lost.why.reason, "LeaseLost");
  EXPECT_NE(lost.why.message.find("default/op"), std::string::npos);
  EXPECT_NE(lost.why.message.find("connection refused"), std::string::npos) << lost.why.message;

  run(b, begun + 15s - now - 1ms);
  EXPECT_FALSE(b.leads());
  run(b, 5s);
  EXPECT_TRUE(b.leads());
}

// Other candidates may have read the renewal long before its response arrives (trap 57).
TEST_F(LeaseElectionTest, ATermCountsFromItsRequest) {
  run_until_idle(a);
  advance_time(2s);
  const Instant sent = now;
  auto renewal = next_step<ReplaceLease>(a);
  advance_time(4s);
  a.on_response(store(std::move(renewal.lease)), times());
  EXPECT_EQ(a.term().renewed, sent);
  EXPECT_EQ(a.term().write_until, sent + 10s);
}

TEST_F(LeaseElectionTest, ALeaderDoesNotBeginWithAnEndedTerm) {
  (void)next_step<GetLease>(a);
  a.on_response(fail(ErrorCode::not_found, "not found"), times());
  auto creation = next_step<CreateLease>(a);
  advance_time(11s);  // this process was suspended
  a.on_response(store(std::move(creation.lease)), times());
  EXPECT_FALSE(a.leads());
  run_until_idle(a);
  EXPECT_TRUE(a.leads()) << "after a renewal in time";
  EXPECT_EQ(a.term().renewed, now);
  EXPECT_EQ(lease["/spec/leaseTransitions"], 0);
}

TEST_F(LeaseElectionTest, ASuspendedProcessLosesTheLeaseWithoutARequest) {
  run_until_idle(a);
  advance_time(60s);
  gets = writes = 0;
  EXPECT_TRUE(std::holds_alternative<LeaseIsLost>(run_until_idle(a)));
  EXPECT_EQ(gets + writes, 0);
}

TEST_F(LeaseElectionTest, ALeaderThatFindsAnotherHolderHasLostAtOnce) {
  for (const auto& [holder, word] : {std::pair("b", "b holds it"), std::pair("", "removed its holder")}) {
    lease = {};
    LeaseElection leader{candidate("a"), [] { return 0.0; }};
    run_until_idle(leader);
    ASSERT_TRUE(leader.leads());
    edit("/spec/holderIdentity", holder);
    advance_time(2s);
    const ElectionStep end = run_until_idle(leader);
    ASSERT_TRUE(std::holds_alternative<LeaseIsLost>(end));
    EXPECT_TRUE(std::get<LeaseIsLost>(end).is_taken);
    EXPECT_NE(std::get<LeaseIsLost>(end).why.message.find(word), std::string::npos);
    EXPECT_EQ(lease["/spec/holderIdentity"], holder) << "the lease is not acquired again";
  }
}

TEST_F(LeaseElectionTest, ALeaderWhoseLeaseIsDeletedHasLost) {
  run_until_idle(a);
  lease = {};
  advance_time(2s);
  EXPECT_TRUE(std::holds_alternative<LeaseIsLost>(run_until_idle(a)));
  EXPECT_FALSE(lease);
}

// A candidate that never led has nothing to lose (trap 58).
TEST_F(LeaseElectionTest, ACandidateThatNeverLedWritesNoLeaseAtTheEnd) {
  held_by("z");
  run_until_idle(a);
  writes = 0;
  a.resign();
  EXPECT_TRUE(std::holds_alternative<LeaseIsGivenUp>(run_until_idle(a)));
  EXPECT_EQ(writes, 0);
  EXPECT_EQ(lease["/spec/holderIdentity"], "z");
}

// A process may give back only its own lease, and the transitions stay (trap 59).
TEST_F(LeaseElectionTest, ResigningReadsAgainAndLeavesAnEmptyRecordWithTheTransitions) {
  held_by("");
  run_until_idle(a);
  edit("/metadata/labels", json::object{{"team", "x"}});
  gets = 0;
  a.resign();
  EXPECT_TRUE(std::holds_alternative<LeaseIsGivenUp>(run_until_idle(a)));
  EXPECT_EQ(gets, 1);
  EXPECT_EQ(lease["/spec/holderIdentity"], "");
  EXPECT_EQ(lease["/spec/leaseDurationSeconds"], 1);
  EXPECT_EQ(lease["/spec/leaseTransitions"], 8);
  EXPECT_EQ(lease["/metadata/labels/team"], "x");

  run_until_idle(b);
  EXPECT_TRUE(b.leads()) << "without waiting";
  EXPECT_EQ(lease["/spec/leaseTransitions"], 9);
}

// Another instance may have taken the lease meanwhile (trap 59).
TEST_F(LeaseElectionTest, ResigningDoesNotTouchTheLeaseOfAnother) {
  run_until_idle(a);
  held_by("z");
  writes = 0;
  a.resign();
  EXPECT_TRUE(std::holds_alternative<LeaseIsGivenUp>(run_until_idle(a)));
  EXPECT_EQ(writes, 0);
}

TEST_F(LeaseElectionTest, ResigningEndsAtTheFirstFailure) {
  run_until_idle(a);
  a.resign();
  (void)next_step<GetLease>(a);
  a.on_response(fail(ErrorCode::unreachable, "connection refused"), times());
  EXPECT_TRUE(std::holds_alternative<LeaseIsGivenUp>(a.next(times())));
  EXPECT_TRUE(a.last_error());
}

// Otherwise all candidates would take the lease from each other without end (trap 60).
TEST_F(LeaseElectionTest, ALeaseWithoutADurationIsNotSeizedAtOnce) {
  for (const std::int64_t seconds : {0, -5}) {
    held_by("z", seconds);
    LeaseElection candidate_a{candidate("a"), [] { return 0.0; }};
    run_until_idle(candidate_a);
    run(candidate_a, 14s);
    EXPECT_FALSE(candidate_a.leads());
    run(candidate_a, 4s);
    EXPECT_TRUE(candidate_a.leads());
  }
}

TEST_F(LeaseElectionTest, AnAcquisitionWithALostResponseIsRecognised) {
  held_by("");
  (void)next_step<GetLease>(a);
  a.on_response(Result<Object>(lease), times());
  store(next_step<ReplaceLease>(a).lease);
  a.on_response(fail(ErrorCode::timeout, "no response"), times());
  EXPECT_FALSE(a.leads());
  const std::string acquired(lease["/spec/acquireTime"].text());

  run(a, 3s);

  EXPECT_TRUE(a.leads());
  EXPECT_EQ(lease["/spec/leaseTransitions"], 8) << "counted once";
  EXPECT_EQ(lease["/spec/acquireTime"], acquired);
}

TEST_F(LeaseElectionTest, AnAcquisitionWithALostResponseIsGivenBack) {
  held_by("");
  (void)next_step<GetLease>(a);
  a.on_response(Result<Object>(lease), times());
  store(next_step<ReplaceLease>(a).lease);
  a.on_response(fail(ErrorCode::cancelled, "stopped"), times());
  ASSERT_EQ(lease["/spec/holderIdentity"], "a");
  a.resign();
  EXPECT_TRUE(std::holds_alternative<LeaseIsGivenUp>(run_until_idle(a)));
  EXPECT_EQ(lease["/spec/holderIdentity"], "");
}

TEST_F(LeaseElectionTest, AnotherProcessWithOurIdentityIsForeign) {
  run_until_idle(a);
  advance_time(1s);
  LeaseElection twin{candidate("a"), [] { return 0.0; }};
  run_until_idle(twin);
  EXPECT_FALSE(twin.leads());
  run(twin, 14s);
  EXPECT_FALSE(twin.leads());
  run(twin, 3s);
  EXPECT_TRUE(twin.leads());
  EXPECT_EQ(lease["/spec/leaseTransitions"], 0) << "the holder did not change";
  advance_time(2s);
  EXPECT_TRUE(std::holds_alternative<LeaseIsLost>(run_until_idle(a)));
}

TEST_F(LeaseElectionTest, ALeaseOfPartsOfASecondIsRoundedUpForOthers) {
  LeaderElectionOptions options = candidate("a");
  options.lease_duration = 1500ms;
  options.renew_deadline = 1s;
  options.retry_period = 200ms;
  LeaseElection election{options, [] { return 0.0; }};
  run_until_idle(election);
  EXPECT_EQ(lease["/spec/leaseDurationSeconds"], 2);
  EXPECT_EQ(election.term().ends, now + 1400ms);
}

TEST_F(LeaseElectionTest, AResponseThatIsNoLeaseIsAnError) {
  (void)next_step<GetLease>(a);
  a.on_response(Result<Object>(Object(json::Value(json::array{1}))), times());
  EXPECT_TRUE(a.last_error());
  store(json::object{{"metadata", json::object{{"name", "op"}}}, {"spec", nullptr}});
  run(a, 3s);
  EXPECT_TRUE(a.leads()) << "a lease without a record is free";
}

}  // namespace
}  // namespace pintle
