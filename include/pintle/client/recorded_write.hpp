// SPDX-License-Identifier: Apache-2.0
// RecordedWrite: a write that a WriteRecorder recorded instead of sending it.
#pragma once

#include <string>

#include <pintle/json/value.hpp>

namespace pintle {

/// A write that was not carried out. A plain value.
struct RecordedWrite {
  std::string verb{};  ///< "create", "update", "patch", "apply", "delete", "deletecollection"
  /// The path of the object, or of the collection: "/apis/apps/v1/namespaces/a/deployments/b".
  std::string path{};
  std::string subresource{};  ///< "status"; empty: the object itself
  json::Value before{};       ///< the object as it was before this write; null: there was none
  json::Value after{};        ///< the object as it would be; null: deleted, or not known (deletecollection)
};

}  // namespace pintle
