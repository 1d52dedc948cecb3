// SPDX-License-Identifier: Apache-2.0
// Leadership: which instances of an operator run a controller or a runnable.
#pragma once

namespace pintle {

/// Has an effect only with leader election. Without it, every instance runs everything.
enum class Leadership {
  lease,           ///< the instance that holds the lease
  every_instance,  ///< all instances, from their start on; their writes do not require the lease
};

}  // namespace pintle
