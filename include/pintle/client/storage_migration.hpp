// SPDX-License-Identifier: Apache-2.0
// migrate_storage(): stores all objects of a custom kind in the version in which the CRD stores them now.
#pragma once

#include <cstddef>
#include <stop_token>
#include <string>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/result.hpp>

namespace pintle {

class Client;

struct MigratedStorage {
  std::string version{};               ///< the version in which all objects are stored
  std::vector<std::string> removed{};  ///< versions that were removed from status.storedVersions
  std::size_t objects = 0;             ///< that need no further write: written, unchanged, or deleted meanwhile
};

/// After the storage version of a CRD has changed, existing objects are still stored in an earlier version, which
/// therefore cannot be removed from the CRD. This function sends an empty patch for each object, one at a time, which
/// makes the API server store it in the current version. If all objects are stored in the current version, it then
/// removes the other versions from status.storedVersions. It writes nothing if storedVersions contains the current
/// version only. An object that cannot be written does not prevent the writes of the others. It can be repeated after
/// an error.
///
/// `crd`: the name of the CRD, "proxies.demo.pintle.dev". Requires permission to get the CRD, to patch its status, and
/// to list and patch the objects. Errors: not_found; conflict, if the storage version changed meanwhile; cancelled;
/// invalid, if the CRD serves no version; the first error of a write, for example because an admission webhook denies
/// it, with the key of the object and the number of other objects that cannot be written. The remaining objects are not
/// tried if three writes in a row fail because the server is not available, or if each of the first 100 writes fails.
[[nodiscard]] PINTLE_EXPORT Result<MigratedStorage> migrate_storage(Client& client, const std::string& crd,
                                                                    const std::stop_token& stop = {});

}  // namespace pintle
