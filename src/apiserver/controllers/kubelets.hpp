// Kubelets: what those of a cluster do at the end of a Pod: confirm that it runs no more, and so it goes.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "apiserver/call/service.hpp"

namespace pintle::apiserver {

// Every Pod ends as soon as it is told to: nothing runs. Used by one thread.
class Kubelets {
 public:
  Kubelets(Service& service, Duration settle) : service_(service), settle_(settle) {}

  // Does what there is to do now. When there is more to do later although nothing is written; Instant::max() for never.
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
  const Duration settle_;
  std::optional<Position> place_;
  std::map<std::string, Ending> endings_;  // by uid
};

}  // namespace pintle::apiserver
