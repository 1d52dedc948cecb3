// SPDX-License-Identifier: Apache-2.0
// Pods: the life of Pods, as a scheduler and kubelets report it. No container runs: the annotation "pintle.dev/pod"
// contains what happens (PodScript).
#pragma once

#include <map>
#include <optional>
#include <string>

#include "cluster_controller.hpp"
#include "cluster_objects.hpp"
#include "pod_script.hpp"

namespace pintle::apiserver {

// Writes the status of a Pod only when its script reaches the next state, so that a test can write another status. A
// Pod that was running when the server ended begins its script again.
class Pods final : public ClusterController {
 public:
  explicit Pods(ClusterObjects& objects) : objects_(objects) {}

  Instant reconcile(const Object& pod) override;
  void forget(const std::string& uid) override { lives_.erase(uid); }

 private:
  enum class State { none, running, ready, waiting, succeeded, failed };
  struct Life {
    Instant started{};  // of the containers; in the future while they wait for a restart
    State state = State::none;
    int restarts = 0;
    int last_exit_code = 0;
    std::optional<Instant> tainted{};  // since when its Node has a taint that ends the Pod
  };

  [[nodiscard]] std::optional<std::string> node_for(const Object& pod);
  std::optional<Object> schedule(const Object& pod);
  [[nodiscard]] Instant end_on_node(const Object& pod, Life& life) const;
  void evict(const Object& pod);
  Instant advance(const Object& pod, const PodScript& script, Life& life);
  void end(const Object& pod, const PodScript& script, Life& life);
  void write(const Object& pod, const Life& life);
  [[nodiscard]] json::object status_of(const Object& pod, const Life& life) const;
  [[nodiscard]] json::array container_statuses(const Object& pod, const Life& life) const;
  [[nodiscard]] json::array conditions(const Object& pod, const Life& life) const;

  ClusterObjects& objects_;
  std::map<std::string, Life> lives_;  // by uid
  std::size_t scheduled_ = 0;
};

}  // namespace pintle::apiserver
