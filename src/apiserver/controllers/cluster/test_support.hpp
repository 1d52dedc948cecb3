// SPDX-License-Identifier: Apache-2.0
// A server with the controllers of a cluster, on virtual time.
#pragma once

#include <string>

#include "../../test_server.hpp"

namespace pintle {

inline const std::string cluster_pods = "/api/v1/namespaces/default/pods";
inline const std::string deployments = "/apis/apps/v1/namespaces/default/deployments";
inline const std::string replica_sets = "/apis/apps/v1/namespaces/default/replicasets";

class ClusterTest : public ServerTest {
 protected:
  explicit ClusterTest(ApiServerOptions options = {.controllers = true}) : ServerTest(std::move(options)) {}

  void pass(Duration time) { executor_.sleep_for(time); }
  // A template of Pods with a label and a script.
  static std::string pod_template(const std::string& script = "", const std::string& image = "i",
                                  const std::string& spec = "") {
    const std::string annotations = script.empty() ? "" : R"(,"annotations":{"pintle.dev/pod":")" + script + R"("})";
    return R"({"metadata":{"labels":{"app":"x"})" + annotations + R"(},"spec":{)" + spec +
           R"("containers":[{"name":"c","image":")" + image + R"("}]}})";
  }
  // The body of a workload with the selector of the template.
  static std::string workload(const std::string& name, int replicas, const std::string& pod_template,
                              const std::string& more = "") {
    return R"({"metadata":{"name":")" + name + R"("},"spec":{"replicas":)" + std::to_string(replicas) + more +
           R"(,"selector":{"matchLabels":{"app":"x"}},"template":)" + pod_template + "}}";
  }
  // "phase/ready" of a Pod.
  std::string state(const std::string& pod) {
    const auto read = get(cluster_pods + "/" + pod);
    return read.at("/status/phase") + "/" + condition(read, "Ready");
  }
  // The status of a condition; "" if there is none.
  static std::string condition(const TestReply& reply, std::string_view type, const char* member = "status") {
    const json::Value* conditions = json::find(reply.json, "/status/conditions");
    if (conditions == nullptr) return "";
    for (const json::Value& one : conditions->as_array()) {
      const json::Value* found = json::find(one, "/type");
      if (found == nullptr || !found->is_string() || std::string_view(found->get_string()) != type) continue;
      const json::Value* value = json::find(one, std::string("/") + member);
      return value == nullptr ? "" : std::string(value->as_string());
    }
    return "";
  }
  std::size_t count(std::string_view resource) { return server_.objects(resource).size(); }
  // The number of Pods that are ready and not being deleted.
  std::size_t ready_pods() {
    std::size_t out = 0;
    for (const Object& pod : server_.objects("pods")) {
      for (const json::View one : pod["/status/conditions"].elements())
        out += !pod.is_deleting() && one.member("type") == "Ready" && one.member("status") == "True" ? 1 : 0;
    }
    return out;
  }
};

}  // namespace pintle
