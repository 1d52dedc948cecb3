// SPDX-License-Identifier: Apache-2.0
// `pintle migrate-storage`: stores all objects of a CRD in its storage version.
#pragma once

#include <string>

namespace pintle::tools {

struct MigrateStorageOptions {
  std::string crd{};
  std::string kubeconfig{};
  std::string context{};
};

// Returns the exit code: 0, 1 if the migration failed, 2 for a cluster that is not configured.
[[nodiscard]] int run_migrate_storage(const MigrateStorageOptions& options);

}  // namespace pintle::tools
