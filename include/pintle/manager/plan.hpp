// SPDX-License-Identifier: Apache-2.0
// Plan: the writes that one reconcile would make.
#pragma once

#include <string>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/client/recorded_write.hpp>

namespace pintle {

/// The result of one reconcile of which no write was carried out. A plain value.
struct PlannedReconcile {
  std::string controller{};
  std::string outcome{};  ///< success, requeue, requeue_after, error
  std::string error{};    ///< the message of the error
};

struct PINTLE_EXPORT Plan {
  std::vector<PlannedReconcile> reconciles{};  ///< one for each controller of the kind
  std::vector<RecordedWrite> writes{};         ///< in their order

  /// Returns each write as a difference of two YAML texts, then the outcomes. Omits members that change with
  /// every write: managedFields, resourceVersion, and uid and creationTimestamp of new objects. "(hidden)" replaces the
  /// values in Secrets; "(hidden) (before)" and "(hidden) (after)" replace a value that changes.
  [[nodiscard]] std::string print() const;
};

}  // namespace pintle
