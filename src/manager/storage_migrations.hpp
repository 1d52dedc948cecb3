// SPDX-License-Identifier: Apache-2.0
// The runnable of --migrate-storage.
#pragma once

#include <string>
#include <vector>

#include <pintle/manager/runnable.hpp>

namespace pintle {

// Migrates the storage of these CRDs. A failure is logged and repeated after growing pauses of at most five minutes.
[[nodiscard]] Runnable storage_migrations(std::vector<std::string> crds);

}  // namespace pintle
