// SPDX-License-Identifier: Apache-2.0
// Deployments: replaces the Pods of a Deployment by those of its current template, through ReplicaSets.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cluster_controller.hpp"
#include "cluster_objects.hpp"

namespace pintle::apiserver {

class Deployments final : public ClusterController {
 public:
  explicit Deployments(ClusterObjects& objects) : objects_(objects) {}

  Instant reconcile(const Object& deployment) override;

 private:
  // A ReplicaSet with the state of its Pods.
  struct Part {
    Object object{};
    std::int64_t wanted = 0;     // spec.replicas
    std::int64_t pods = 0;       // active
    std::int64_t ready = 0;      // of these
    std::int64_t available = 0;  // of these
    bool is_current = false;     // it has the current template
    bool has_pods = false;       // also such that are being deleted
  };
  struct Limits {
    std::int64_t wanted = 0;
    std::int64_t surge = 0;
    std::int64_t unavailable = 0;
  };

  // In the order of their revisions.
  [[nodiscard]] std::vector<Part> parts_of(const Object& deployment, Instant& due);
  [[nodiscard]] static Limits limits_of(const Object& deployment);
  void create_current(const Object& deployment, const std::vector<Part>& parts, std::int64_t replicas);
  void set_revision(const Object& deployment, std::vector<Part>& parts);
  void scale(const Object& deployment, Part& part, std::int64_t replicas);
  void scale_paused(const Object& deployment, std::vector<Part>& parts, const Limits& limits);
  void scale_in_proportion(const Object& deployment, std::vector<Part*> active, const Limits& limits);
  void roll(const Object& deployment, std::vector<Part>& parts, const Limits& limits);
  void scale_down_old(const Object& deployment, std::vector<Part>& parts, const Part& current, const Limits& limits);
  void recreate(const Object& deployment, std::vector<Part>& parts, const Limits& limits);
  void remove_history(const Object& deployment, const std::vector<Part>& parts);
  Instant write_status(const Object& deployment, const std::vector<Part>& parts, const Limits& limits);

  ClusterObjects& objects_;
};

}  // namespace pintle::apiserver
