// SPDX-License-Identifier: Apache-2.0
// The sentences about an object in the debug API.
#include <chrono>
#include <memory>
#include <string>

#include <gmock/gmock.h>

#include <pintle/sim/simulated_executor.hpp>

#include "object_view.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

class ObjectStory : public ::testing::Test {
 protected:
  ObjectStory() {
    facts_.object = Object(json::Value{{"apiVersion", "v1"}, {"kind", "Note"}, {"metadata", {{"name", "a"}}}});
    facts_.annotation = "pintle.dev/paused";
    facts_.workers = 2;
  }
  QueueEntry& enqueue(QueueEntry::State state, Duration due) {
    facts_.entry = QueueEntry{.state = state,
                              .due = executor_.now() + due,
                              .causes = {{.source = ReconcileCause::Source::retry, .retry = 3}}};
    return *facts_.entry;
  }
  void fail_with(const std::string& error) {
    facts_.reconciles.push_back(
        std::make_shared<const ReconcileRecord>(ReconcileRecord{.outcome = "error", .error = error}));
  }
  std::string next() const { return next_of(facts_, Moment(executor_)); }

  SimulatedExecutor executor_{{.seed = 1}};
  ObjectFacts facts_;
};

TEST_F(ObjectStory, NextIsTheReconcileInTheQueue) {
  enqueue(QueueEntry::State::delayed, 42s);
  EXPECT_EQ(next(), "The next reconcile is due in 42s, because of: retry 3.");
  enqueue(QueueEntry::State::waiting, 0s);
  facts_.working = 2;
  EXPECT_EQ(next(), "It waits for a worker; 2 of 2 are busy, because of: retry 3.");
  QueueEntry& working = enqueue(QueueEntry::State::working, 0s);
  working.due.reset();
  working.since = executor_.now() - 3s;
  EXPECT_EQ(next(), "It has been reconciled for 3s.");
  working.overdue = 1s;
  working.due = executor_.now();
  EXPECT_EQ(next(), "It has been reconciled for 3s, which exceeds its timeout by 1s; another reconcile follows.");
}

TEST_F(ObjectStory, NextIsNothingWithoutACause) {
  EXPECT_THAT(next(), HasSubstr("Nothing happens until the object"));
  enqueue(QueueEntry::State::delayed, 42s);
  facts_.is_paused = true;
  EXPECT_EQ(next(), "Nothing happens until the annotation pintle.dev/paused is removed.");
  facts_.reconciles_here = false;
  EXPECT_EQ(next(), "Nothing happens on this instance, because it does not have the lease.");
  facts_.leader = "pod-b";
  EXPECT_EQ(next(), "Nothing happens on this instance, because the leader is pod-b.");
}

TEST_F(ObjectStory, WhyIsTheLastError) {
  EXPECT_EQ(why_of(facts_), "") << "nothing is wrong";
  fail_with("no luck");
  EXPECT_EQ(why_of(facts_), "The last reconcile failed: no luck");
  enqueue(QueueEntry::State::delayed, 1s).failures = 4;
  EXPECT_EQ(why_of(facts_), "The last reconcile failed (4 failures in a row): no luck");
}

TEST_F(ObjectStory, WhyIsTheLastErrorAlsoWithoutARecord) {
  enqueue(QueueEntry::State::delayed, 1s).failures = 4;
  EXPECT_EQ(why_of(facts_),
            "The last reconciles failed or were to be repeated (4 failures in a row); their errors are no longer kept, "
            "so look in the log.");
  facts_.last_error = "no luck";
  EXPECT_EQ(why_of(facts_), "The last reconcile failed (4 failures in a row): no luck");
  facts_.last_error.clear();
  facts_.reconciles.push_back(std::make_shared<const ReconcileRecord>(ReconcileRecord{.outcome = "requeue"}));
  EXPECT_EQ(why_of(facts_), "") << "a reconcile that asks for another one has not failed";
}

TEST_F(ObjectStory, WhyIsUnknownOnAStandby) {
  facts_.reconciles_here = false;
  EXPECT_THAT(why_of(facts_), HasSubstr("This instance does not reconcile it"));
  EXPECT_THAT(why_of(facts_), HasSubstr("the leader can."));
  facts_.leader = "pod-b";
  EXPECT_THAT(why_of(facts_), HasSubstr("the leader can: pod-b."));
  facts_.is_paused = true;
  EXPECT_THAT(why_of(facts_), HasSubstr("paused")) << "the object itself shows this";
}

TEST_F(ObjectStory, WhyIsAChildThatIsNotReady) {
  facts_.children.push_back({.object = facts_.object, .readiness = {.state = Readiness::State::ready}});
  EXPECT_EQ(why_of(facts_), "");
  facts_.children.push_back(
      {.object = Object(json::Value{
           {"apiVersion", "apps/v1"}, {"kind", "Deployment"}, {"metadata", {{"name", "web"}, {"namespace", "shop"}}}}),
       .readiness = {.state = Readiness::State::not_ready, .reason = "ImagePull", .message = "no such image"}});
  EXPECT_EQ(why_of(facts_), "Its child apps/v1 Deployment shop/web is not ready: ImagePull: no such image");
}

TEST_F(ObjectStory, WhyIsAFinalizerOrTheStatus) {
  json::Value value = facts_.object.to_value();
  value.at("metadata").as_object()["deletionTimestamp"] = "2026-01-01T00:00:00Z";
  value.at("metadata").as_object()["finalizers"] = json::array{"own", "x.dev/other"};
  facts_.own_finalizer = "own";
  facts_.object = Object(value);
  EXPECT_EQ(why_of(facts_), "Its deletion waits for finalizers of others: x.dev/other");
  value.at("metadata").as_object()["finalizers"] = json::array{"own"};
  facts_.object = Object(value);
  EXPECT_EQ(why_of(facts_), "Its deletion waits for the finalizer of this controller.");
  value.at("metadata").as_object().erase("deletionTimestamp");
  value.as_object()["status"] = {
      {"conditions", json::array{json::object{{"type", "Ready"}, {"status", "False"}, {"reason", "Waiting"}}}}};
  facts_.object = Object(value);
  EXPECT_EQ(why_of(facts_), "Its status contains that it is not ready: Waiting");
  facts_.is_paused = true;
  EXPECT_EQ(why_of(facts_), "It is paused by the annotation pintle.dev/paused.");
}

}  // namespace
}  // namespace pintle
