// SPDX-License-Identifier: Apache-2.0
// FlowSchemas: writes to the status of each FlowSchema whether its priority level exists. Flow control has no other
// effect here.
#pragma once

#include <utility>

#include "apiserver/call/service.hpp"

namespace pintle::apiserver {

// Used by one thread.
class FlowSchemas {
 public:
  explicit FlowSchemas(Service& service) : service_(service) {}

  // Processes the changes since the last round.
  void round();

 private:
  void report(const Object& schema);

  Service& service_;
  std::pair<Version, Version> processed_{};  // the last writes to schemas and levels that were processed
};

}  // namespace pintle::apiserver
