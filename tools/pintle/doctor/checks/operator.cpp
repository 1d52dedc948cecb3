// SPDX-License-Identifier: Apache-2.0
// The check operator: the Deployments of the program and their Pods.
#include <fmt/format.h>

#include <pintle/object/selector.hpp>

#include "doctor/checks/checks.hpp"
#include "doctor/conditions.hpp"
#include "doctor/deployments.hpp"

namespace pintle::doctor {
namespace {

std::string image_of(json::View pod_spec) { return std::string(pod_spec["/containers/0/image"].text()); }

std::string end_of(json::View status) {
  const json::View ended = status["/lastState/terminated"];
  if (!ended) return "reason unknown";
  return fmt::format("{}, exit code {}", ended.member("reason").text(), ended.member("exitCode").print());
}

// Why a container does not run: "ImagePullBackOff: …".
std::string waiting_reason(json::View statuses) {
  for (const json::View status : statuses.elements()) {
    const json::View waiting = status["/state/waiting"];
    if (waiting) return fmt::format("{}: {}", waiting.member("reason").text(), waiting.member("message").text());
  }
  return "";
}

class PodCheck {
 public:
  PodCheck(const Object& pod, const std::string& image, Lines& lines) : pod_(pod), image_(image), lines_(lines) {}

  // Returns whether there is a problem.
  bool report() {
    const bool is_unready = report_unready();
    const bool has_restarted = report_restarts();
    return report_image() || is_unready || has_restarted;
  }

 private:
  [[nodiscard]] std::string subject() const { return fmt::format("Pod {}/{}", pod_.namespace_(), pod_.name()); }
  [[nodiscard]] std::string in_namespace() const { return fmt::format("-n {} {}", pod_.namespace_(), pod_.name()); }

  bool report_unready() {
    const json::View ready = condition_of(pod_, "Ready");
    if (is_true(ready)) return false;
    std::string why = waiting_reason(pod_["/status/containerStatuses"]);
    if (why.empty()) {
      why = ready.member("message").text();
      if (why.empty()) why = fmt::format("phase {}", pod_["/status/phase"].text());
    }
    lines_.fail(subject(), "is not ready: " + why,
                fmt::format("kubectl describe pod {0}; kubectl logs {0}", in_namespace()));
    return true;
  }

  bool report_restarts() {
    const json::View statuses = pod_["/status/containerStatuses"];
    for (const json::View status : statuses.elements()) {
      const std::int64_t restarts = status.member("restartCount").as_integer().value_or(0);
      if (restarts == 0) continue;
      lines_.warn(subject(), fmt::format("has restarted {} times (last: {})", restarts, end_of(status)),
                  fmt::format("kubectl logs --previous {}", in_namespace()));
      return true;
    }
    return false;
  }

  bool report_image() {
    const std::string image = image_of(pod_["/spec"]);
    if (image == image_) return false;
    lines_.warn(subject(), fmt::format("runs image {}, but its Deployment has {}", image, image_),
                fmt::format("kubectl rollout status -n {} deployment; if it does not end, describe the new Pods",
                            pod_.namespace_()));
    return true;
  }

  const Object& pod_;
  const std::string& image_;
  Lines& lines_;
};

void check_deployment(const CheckInput& input, const Object& deployment, Lines& lines) {
  const std::string subject = fmt::format("Deployment {}/{}", deployment.namespace_(), deployment.name());
  const std::int64_t desired = deployment["/spec/replicas"].as_integer().value_or(1);
  if (desired == 0) {
    return lines.warn(
        subject, "has 0 replicas, so that the operator does not run",
        fmt::format("kubectl scale -n {} deployment {} --replicas=1", deployment.namespace_(), deployment.name()));
  }
  const auto selector = LabelSelector::from_json(deployment["/spec/selector"]);
  if (!selector) return lines.fail(subject, selector.error().message, "correct spec.selector of the Deployment");
  const auto& pods = input.cluster.list(
      pod_type, {.namespace_ = std::string(deployment.namespace_()), .label_selector = selector->to_string()});
  if (!pods) return lines.unreadable("Pods of " + subject, pods.error(), {"", "pods"});
  const std::string image = image_of(deployment["/spec/template/spec"]);
  std::int64_t running = 0;
  bool has_problem = false;
  for (const Object& pod : pods->objects) {
    const std::string_view phase = pod["/status/phase"].text();
    if (pod.is_deleting() || phase == "Failed" || phase == "Succeeded") continue;  // replaced by other Pods
    ++running;
    has_problem = PodCheck(pod, image, lines).report() || has_problem;
  }
  if (running < desired) {
    return lines.fail(subject, fmt::format("has {} of {} Pods", running, desired),
                      fmt::format("kubectl describe -n {} deployment {}; look at the Events of its ReplicaSet",
                                  deployment.namespace_(), deployment.name()));
  }
  if (!has_problem) lines.ok(subject, fmt::format("{} Pods are ready, with image {}", running, image));
}

}  // namespace

void check_operator(const CheckInput& input, Lines& lines) {
  if (!input.program) return lines.skip("Deployment", "no program is given", "add `-- PROGRAM` to check its Pods");
  const auto& deployments = deployments_of_program(input);
  if (!deployments) return lines.unreadable("Deployments", deployments.error(), {"apps", "deployments"});
  for (const Object& deployment : deployments->objects) check_deployment(input, deployment, lines);
  if (!lines.empty()) return;
  lines.skip("Deployment", "no Deployment has the label " + deployment_label(input.program->name),
             "none, if the operator runs outside of the cluster; otherwise: " + input.program->command +
                 " --print-deploy | kubectl apply -f -");
}

}  // namespace pintle::doctor
