// SPDX-License-Identifier: Apache-2.0
// Lock: records which process holds the lock of a condition.
#pragma once

#include <string>

#include <pintle/base/annotations.hpp>
#include <pintle/object/fields.hpp>

namespace pintle::guard {

/// A member of the locked condition; the reason of the condition is also the reason of the lock. Because the lock is
/// part of the condition, it needs no further member of the status, appears and disappears in the same write as the
/// status Locked, and cannot be lost when other clients write other conditions. If the schema of the CRD does not
/// contain the lock, the server drops it: the age of the lock is then counted from the last transition of the
/// condition, and its holder is unknown. A value type.
struct Lock {
  std::string holder{};  ///< "<manager>/<controller>:<instance>"
  WallTime since{};      ///< time of locking in whole seconds, by the clock of the holder
  /// Time of the last renewal, in the same form; it changes as long as the task runs. Zero: the holder does not renew
  /// the lock, or the schema drops this member.
  WallTime renewed{};

  static constexpr auto fields() {
    return pintle::fields(field("holder", &Lock::holder, "The process that holds the lock."),
                          field("since", &Lock::since, "The time when the lock was taken."),
                          field("renewed", &Lock::renewed, "The time of the last renewal by the holder."));
  }

  friend bool operator==(const Lock&, const Lock&) = default;
};

}  // namespace pintle::guard
