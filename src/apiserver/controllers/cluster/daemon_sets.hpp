// SPDX-License-Identifier: Apache-2.0
// DaemonSets: runs one Pod on each Node that fits.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cluster_controller.hpp"
#include "cluster_objects.hpp"

namespace pintle::apiserver {

// A Node fits if it has the labels of the node selector of the template. Affinities are not considered.
class DaemonSets final : public ClusterController {
 public:
  explicit DaemonSets(ClusterObjects& objects) : objects_(objects) {}

  Instant reconcile(const Object& daemon_set) override;

 private:
  // The Pods of a DaemonSet by the names of their Nodes.
  struct State {
    std::map<std::string, std::vector<Object>> pods{};
    std::vector<std::string> wanted{};  // the Nodes that fit
    std::vector<std::string> kept{};    // the nodes on which existing Pods may stay, in addition
    std::string revision{};
  };

  [[nodiscard]] State state_of(const Object& daemon_set);
  [[nodiscard]] bool is_available(const Object& daemon_set, const Object& pod) const;
  void place(const Object& daemon_set, const State& state);
  void create_pod(const Object& daemon_set, const std::string& node, const std::string& revision);
  void remove_pod(const Object& daemon_set, const Object& pod);
  void update(const Object& daemon_set, const State& state);
  void write_status(const Object& daemon_set, const State& state);

  ClusterObjects& objects_;
};

}  // namespace pintle::apiserver
