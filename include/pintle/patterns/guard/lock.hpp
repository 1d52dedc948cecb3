// Lock: who keeps everybody else away from what a condition is about.
#pragma once

#include <string>

#include <pintle/object/fields.hpp>

namespace pintle::guard {

// Kept in the locked condition itself, whose reason is that of the lock: there it needs no further member of the
// status, comes and goes in one write with the word Locked, and nobody who writes other conditions can lose it. A
// definition whose schema does not have it drops it; then the lock counts from the condition's last transition, and
// nobody is known to hold it. A plain value.
struct Lock {
  std::string holder{};  // "<manager>/<controller>:<instance>"
  WallTime since{};      // in whole seconds, by the clock of the holder
  // The same; changes as long as the task runs. Zero: the holder does not renew, or the schema drops it.
  WallTime renewed{};

  static constexpr auto fields() {
    return pintle::fields(field("holder", &Lock::holder, "Which process holds the lock."),
                          field("since", &Lock::since, "When it was taken."),
                          field("renewed", &Lock::renewed, "When its holder was last at work."));
  }

  friend bool operator==(const Lock&, const Lock&) = default;
};

}  // namespace pintle::guard
