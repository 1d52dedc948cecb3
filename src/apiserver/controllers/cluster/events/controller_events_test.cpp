// SPDX-License-Identifier: Apache-2.0
// The Events that the controllers of a cluster write.
#include <algorithm>

#include "../test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

class EventsOfControllers : public ClusterTest {
 protected:
  // "reason: message" of the Events about an object, in their order by text. A count above 1 is in front.
  std::string events(std::string_view kind, std::string_view name) {
    std::vector<std::string> all;
    for (const Object& event : server_.objects("events")) {
      const json::View subject = event["/involvedObject"];
      if (subject.member("kind") != kind || subject.member("name") != name) continue;
      const std::int64_t count = event["/count"].as_integer().value_or(0);
      all.push_back((count > 1 ? std::to_string(count) + " " : "") + std::string(event["/reason"].text()) + ": " +
                    std::string(event["/message"].text()));
    }
    std::sort(all.begin(), all.end());
    std::string out;
    for (const std::string& one : all) out += (out.empty() ? "" : "\n") + one;
    return out;
  }
  std::string first_name(std::string_view resource) {
    const auto all = server_.objects(resource);
    return all.empty() ? "" : std::string(all.front().name());
  }
};

TEST_F(EventsOfControllers, OfDeploymentsAndReplicaSets) {
  post(deployments, workload("d", 1, pod_template()));
  pass(1s);
  const std::string set = first_name("replicasets.apps");
  const std::string pod = first_name("pods");
  merge(deployments + "/d", R"({"spec":{"replicas":0}})");
  pass(1s);

  EXPECT_EQ(events("Deployment", "d"), "ScalingReplicaSet: Scaled down replica set " + set +
                                           " from 1 to 0\nScalingReplicaSet: Scaled up replica set " + set +
                                           " from 0 to 1");
  EXPECT_EQ(events("ReplicaSet", set),
            "SuccessfulCreate: Created pod: " + pod + "\nSuccessfulDelete: Deleted pod: " + pod);
  merge(deployments + "/d", R"({"spec":{"replicas":1}})");
  pass(1s);
  EXPECT_EQ(events("Deployment", "d"), "2 ScalingReplicaSet: Scaled up replica set " + set +
                                           " from 0 to 1\nScalingReplicaSet: Scaled down replica set " + set +
                                           " from 1 to 0");
  const Object event = server_.objects("events").front();
  EXPECT_EQ(event["/source/component"].text(), event["/reportingComponent"].text());
  EXPECT_EQ(event["/type"], "Normal");
}

TEST_F(EventsOfControllers, OfStatefulSets) {
  post("/apis/apps/v1/namespaces/default/statefulsets",
       workload("s", 1, pod_template(),
                R"(,"serviceName":"s","volumeClaimTemplates":[{"metadata":{"name":"data"},"spec":{"accessModes":
                ["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}}])"));
  pass(1s);

  EXPECT_EQ(events("StatefulSet", "s"),
            "SuccessfulCreate: create Claim data-s-0 Pod s-0 in StatefulSet s success\n"
            "SuccessfulCreate: create Pod s-0 in StatefulSet s successful");
}

TEST_F(EventsOfControllers, OfJobs) {
  const std::string jobs = "/apis/batch/v1/namespaces/default/jobs";
  const auto job = [&](const std::string& name, const std::string& more, const std::string& script) {
    post(jobs, R"({"metadata":{"name":")" + name + R"("},"spec":{)" + more + R"("template":)" +
                   pod_template(script, "i", R"("restartPolicy":"Never",)") + "}}");
  };
  job("good", "", "succeed after 2s");
  job("bad", R"("backoffLimit":0,)", "fail after 2s");
  job("late", R"("suspend":true,)", "succeed after 2s");
  pass(5s);
  merge(jobs + "/late", R"({"spec":{"suspend":false}})");
  pass(1s);

  EXPECT_TRUE(events("Job", "good").starts_with("Completed: Job completed\nSuccessfulCreate: Created pod: good-"))
      << events("Job", "good");
  EXPECT_TRUE(events("Job", "bad").starts_with("BackoffLimitExceeded: Job has reached the specified backoff limit\n"))
      << events("Job", "bad");
  EXPECT_NE(events("Job", "late").find("Resumed: Job resumed"), std::string::npos) << events("Job", "late");
  EXPECT_NE(events("Job", "late").find("Suspended: Job suspended"), std::string::npos);
}

}  // namespace
}  // namespace pintle
