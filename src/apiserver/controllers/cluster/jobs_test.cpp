// SPDX-License-Identifier: Apache-2.0
#include "test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

const std::string jobs = "/apis/batch/v1/namespaces/default/jobs";

class JobTest : public ClusterTest {
 protected:
  void start(const std::string& script, const std::string& more = "", const std::string& policy = "Never") {
    const auto made = post(jobs, R"({"metadata":{"name":"j"},"spec":{"template":)" +
                                     pod_template(script, "i", R"("restartPolicy":")" + policy + "\",") + more + "}}");
    ASSERT_EQ(made.status, 201) << made.body;
  }
  TestReply read() { return get(jobs + "/j"); }
  std::string status(const char* member) { return read().at(std::string("/status/") + member); }
};

TEST_F(JobTest, CompletesWhenItsPodSucceeds) {
  start("succeed after 5s");
  pass(1s);
  EXPECT_EQ(status("active"), "1");
  EXPECT_EQ(status("ready"), "1");
  EXPECT_EQ(status("startTime"), "2026-01-01T00:00:00Z");
  pass(5s);
  EXPECT_EQ(condition(read(), "Complete"), "True");
  EXPECT_EQ(condition(read(), "SuccessCriteriaMet"), "True");
  EXPECT_EQ(status("succeeded"), "1");
  EXPECT_EQ(status("active"), "");
  EXPECT_EQ(status("completionTime"), "2026-01-01T00:00:05Z");
  EXPECT_EQ(count("pods"), 1U) << "the Pod remains";
  run_until_idle();
}

TEST_F(JobTest, RunsSeveralPodsAtATime) {
  start("succeed after 5s", R"(,"completions":5,"parallelism":2)");
  for (const auto& [active, succeeded] : {std::pair("2", ""), {"2", "2"}, {"1", "4"}, {"", "5"}}) {
    pass(1s);
    EXPECT_EQ(status("active"), active);
    EXPECT_EQ(status("succeeded"), succeeded);
    pass(4100ms);
  }
  EXPECT_EQ(condition(read(), "Complete"), "True");
}

TEST_F(JobTest, RetriesWithABackOffUntilItsLimit) {
  start("fail after 1s with 3", R"(,"backoffLimit":2)");
  pass(2s);
  EXPECT_EQ(status("failed"), "1");
  EXPECT_EQ(status("active"), "");
  pass(8s);
  EXPECT_EQ(count("pods"), 1U) << "the first retry is after ten seconds";
  pass(2s);
  EXPECT_EQ(count("pods"), 2U);
  pass(30s);
  EXPECT_EQ(status("failed"), "3");
  EXPECT_EQ(condition(read(), "Failed", "reason"), "BackoffLimitExceeded");
  EXPECT_EQ(condition(read(), "Complete"), "");
  EXPECT_EQ(status("completionTime"), "");
  run_until_idle();
}

TEST_F(JobTest, CountsTheRestartsOfAPodThatRestartsOnFailure) {
  start("fail after 1s", R"(,"backoffLimit":1)", "OnFailure");
  pass(5s);
  EXPECT_EQ(status("active"), "1");
  pass(30s);
  EXPECT_EQ(condition(read(), "Failed", "reason"), "BackoffLimitExceeded");
  EXPECT_EQ(count("pods"), 0U) << "the active Pod is deleted";
}

TEST_F(JobTest, FailsAfterItsDeadline) {
  start("succeed after 1h", R"(,"activeDeadlineSeconds":10)");
  pass(9s);
  EXPECT_EQ(status("active"), "1");
  pass(2s);
  EXPECT_EQ(condition(read(), "Failed", "reason"), "DeadlineExceeded");
  pass(1s);
  EXPECT_EQ(count("pods"), 0U);
}

TEST_F(JobTest, CountsPodsThatWereDeletedAfterTheirEnd) {
  start("succeed after 2s", R"(,"completions":2,"parallelism":1)");
  pass(3s);
  ASSERT_EQ(status("succeeded"), "1");
  for (const Object& pod : server_.objects("pods")) {
    if (pod["/status/phase"] == "Succeeded") remove(cluster_pods + "/" + std::string(pod.name()));
  }
  pass(2s);
  EXPECT_EQ(status("succeeded"), "2");
  EXPECT_EQ(condition(read(), "Complete"), "True");
}

TEST_F(JobTest, GivesEachPodOfAnIndexedJobANumber) {
  start("succeed after 2s", R"(,"completions":3,"parallelism":2,"completionMode":"Indexed")");
  pass(1s);
  EXPECT_EQ(server_.objects("pods").front().annotation("batch.kubernetes.io/job-completion-index"), "0");
  EXPECT_EQ(server_.objects("pods").back().annotation("batch.kubernetes.io/job-completion-index"), "1");
  pass(2s);
  EXPECT_EQ(status("completedIndexes"), "0,1");
  pass(2s);
  EXPECT_EQ(status("completedIndexes"), "0-2");
  EXPECT_EQ(condition(read(), "Complete"), "True");
}

TEST_F(JobTest, FailsAtOnceByItsFailurePolicy) {
  start("fail after 1s with 42", R"(,"podFailurePolicy":{"rules":[
      {"action":"Ignore","onExitCodes":{"operator":"In","values":[1]}},
      {"action":"FailJob","onExitCodes":{"operator":"In","values":[41,42]}}]})");
  pass(2s);
  EXPECT_EQ(condition(read(), "Failed", "reason"), "PodFailurePolicy");
  EXPECT_EQ(condition(read(), "FailureTarget"), "True");
  const std::string pod(server_.objects("pods").front().name());
  EXPECT_EQ(condition(read(), "Failed", "message"),
            "Container c for pod default/" + pod + " failed with exit code 42 matching FailJob rule at index 1");
  EXPECT_EQ(status("failed"), "1");
  run_until_idle();
}

TEST_F(JobTest, AFailureThatItsPolicyIgnoresDoesNotCount) {
  start("fail after 1s with 3", R"(,"backoffLimit":0,"podFailurePolicy":{"rules":[
      {"action":"Ignore","onExitCodes":{"containerName":"c","operator":"NotIn","values":[4,5]}}]})");
  pass(25s);
  EXPECT_EQ(status("failed"), "");
  EXPECT_EQ(condition(read(), "Failed"), "");
  EXPECT_GE(count("pods"), 2U) << "another Pod is created";
}

TEST_F(JobTest, ARuleOfItsPolicyMayCountAFailure) {
  start("fail after 1s with 3", R"(,"backoffLimit":0,"podFailurePolicy":{"rules":[
      {"action":"Count","onExitCodes":{"operator":"In","values":[3]}},
      {"action":"Ignore","onExitCodes":{"operator":"In","values":[3]}}]})");
  pass(2s);
  EXPECT_EQ(condition(read(), "Failed", "reason"), "BackoffLimitExceeded");
}

TEST_F(JobTest, ItsFailurePolicyReadsConditionsOfPods) {
  start("succeed after 1h", R"(,"podFailurePolicy":{"rules":[
      {"action":"FailJob","onPodConditions":[{"type":"DisruptionTarget"}]}]})");
  pass(1s);
  const std::string pod(server_.objects("pods").front().name());
  merge(cluster_pods + "/" + pod + "/status",
        R"({"status":{"phase":"Failed","conditions":[{"type":"DisruptionTarget","status":"True"}]}})");
  pass(1s);
  EXPECT_EQ(condition(read(), "Failed", "message"),
            "Pod default/" + pod + " has condition DisruptionTarget matching FailJob rule at index 0");
}

TEST_F(JobTest, CompletesEarlyByItsSuccessPolicy) {
  start("succeed after 5s", R"(,"completions":3,"parallelism":1,"completionMode":"Indexed",
      "successPolicy":{"rules":[{"succeededIndexes":"2"},{"succeededIndexes":"0-1","succeededCount":1}]})");
  pass(4s);
  EXPECT_EQ(condition(read(), "Complete"), "");
  pass(3s);
  EXPECT_EQ(condition(read(), "Complete"), "True");
  EXPECT_EQ(condition(read(), "SuccessCriteriaMet", "reason"), "SuccessPolicy");
  EXPECT_EQ(condition(read(), "Complete", "message"), "Matched rules at index 1");
  EXPECT_EQ(status("succeeded"), "1");
  EXPECT_EQ(status("active"), "");
  run_until_idle();
  EXPECT_EQ(count("pods"), 1U);
}

TEST_F(JobTest, ItsSuccessPolicyMayCountAllIndexes) {
  start("succeed after 5s", R"(,"completions":5,"parallelism":2,"completionMode":"Indexed",
      "successPolicy":{"rules":[{"succeededCount":3}]})");
  pass(6s);
  EXPECT_EQ(condition(read(), "Complete"), "");
  pass(6s);
  EXPECT_EQ(condition(read(), "Complete", "reason"), "SuccessPolicy");
}

TEST_F(JobTest, StopsWhileItIsSuspended) {
  start("succeed after 10s", R"(,"suspend":true)");
  pass(1s);
  EXPECT_EQ(count("pods"), 0U);
  EXPECT_EQ(condition(read(), "Suspended"), "True");
  merge(jobs + "/j", R"({"spec":{"suspend":false}})");
  pass(1s);
  EXPECT_EQ(condition(read(), "Suspended"), "False");
  EXPECT_EQ(status("active"), "1");
  merge(jobs + "/j", R"({"spec":{"suspend":true}})");
  pass(1s);
  EXPECT_EQ(count("pods"), 0U);
}

TEST_F(JobTest, IsDeletedAfterItsTimeToLive) {
  start("succeed after 1s", R"(,"ttlSecondsAfterFinished":60)");
  pass(50s);
  EXPECT_EQ(read().status, 200);
  pass(15s);
  EXPECT_EQ(read().status, 404);
  EXPECT_EQ(count("pods"), 0U);
  run_until_idle();
}

}  // namespace
}  // namespace pintle
