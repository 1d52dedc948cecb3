// SPDX-License-Identifier: Apache-2.0
// StatefulSets: creates, updates and deletes the numbered Pods of each StatefulSet in order.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cluster_controller.hpp"
#include "cluster_objects.hpp"

namespace pintle::apiserver {

class StatefulSets final : public ClusterController {
 public:
  explicit StatefulSets(ClusterObjects& objects) : objects_(objects) {}

  Instant reconcile(const Object& stateful_set) override;

 private:
  using Pods = std::map<std::int64_t, Object>;  // by ordinal
  struct Revisions {
    std::string current{};  // before the update
    std::string update{};   // of the current template
  };

  [[nodiscard]] Pods pods_of(const Object& stateful_set);
  [[nodiscard]] bool is_available(const Object& stateful_set, const Object& pod) const;
  // Does the next step of scaling. Returns true if the set has its Pods, and all are available.
  bool scale(const Object& stateful_set, const Pods& pods, const Revisions& revisions);
  void remove_pod(const Object& stateful_set, const Object& pod);
  void update(const Object& stateful_set, const Pods& pods, const Revisions& revisions);
  void create_pod(const Object& stateful_set, std::int64_t ordinal, const std::string& revision);
  void create_claims(const Object& stateful_set, std::int64_t ordinal, json::Value& pod);
  void write_status(const Object& stateful_set, const Pods& pods, const Revisions& revisions);
  [[nodiscard]] Instant next_available(const Object& stateful_set, const Pods& pods) const;

  ClusterObjects& objects_;
};

}  // namespace pintle::apiserver
