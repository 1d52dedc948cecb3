// SPDX-License-Identifier: Apache-2.0
// StorageProgress: lets a migration of stored versions continue with the objects that could not be written before.
#pragma once

#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <pintle/base/result.hpp>
#include <pintle/client/storage_migration.hpp>
#include <pintle/object/kind.hpp>

namespace pintle {

struct StorageProgress {
  std::string definition{};                      // the UID and the generation of the CRD that this belongs to
  std::optional<std::vector<ObjectKey>> left{};  // all other objects are written; none: the objects are not known yet
  std::size_t objects = 0;                       // objects that were written
};

// As migrate_storage(). After an error, the next call with the same progress writes only the objects that are left,
// unless the CRD has changed: later writes of all other objects store them in the current version too.
[[nodiscard]] Result<MigratedStorage> migrate_storage(Client& client, const std::string& crd, StorageProgress& progress,
                                                      const std::stop_token& stop);

}  // namespace pintle
