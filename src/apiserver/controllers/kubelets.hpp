// SPDX-License-Identifier: Apache-2.0
// Kubelets: does what kubelets do when a Pod is deleted: confirms that it has stopped, which removes it.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "apiserver/call/service.hpp"

namespace pintle::apiserver {

// Pods do not run here, so each terminating Pod is confirmed after the time `termination_delay`. Used by one thread.
class Kubelets {
 public:
  Kubelets(Service& service, Duration termination_delay) : service_(service), termination_delay_(termination_delay) {}

  // Does the work that is due now. Returns when more is due even without a write; Instant::max(): never.
  Instant round();

 private:
  struct Ending {
    std::string namespace_{};
    std::string name{};
    Instant due{};
  };

  void follow();
  void note(const Object& pod);
  void confirm(const std::string& uid, const Ending& pod);

  Service& service_;
  const Duration termination_delay_;
  std::optional<Position> place_;
  std::map<std::string, Ending> endings_;  // by uid
};

}  // namespace pintle::apiserver
