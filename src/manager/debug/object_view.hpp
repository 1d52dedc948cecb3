// SPDX-License-Identifier: Apache-2.0
// The view of one object in the debug API: why it is not ready, and what happens next.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <pintle/json/value.hpp>

#include "debug_values.hpp"
#include "readiness.hpp"

namespace pintle {

// An object and its reconciles, as far as they are known.
struct ObjectFacts {
  Object object{};           // empty: the cache does not have it
  std::string annotation{};  // that pauses the object
  bool is_paused = false;
  std::string own_finalizer{};  // of the controller; "": none
  bool reconciles_here = true;  // false: another instance has the lease
  std::string leader{};         // "": unknown
  int workers = 0;
  std::size_t working = 0;
  std::optional<QueueEntry> entry{};
  std::vector<ReconcileHistory::Record> reconciles{};  // the newest first
  std::string last_error{};                            // of the last reconcile, also if no record is left
  struct Child {
    Object object{};
    Readiness readiness{};
  };
  std::vector<Child> children{};
};

// One sentence: what happens to the object next, and when.
[[nodiscard]] std::string next_of(const ObjectFacts& facts, const Moment& moment);
// One sentence: why the object is not ready, or that only the leader can determine it; "" if nothing is wrong as far as
// is known.
[[nodiscard]] std::string why_of(const ObjectFacts& facts);

// Returns the facts about an object, as far as its controller has them.
[[nodiscard]] ObjectFacts facts_about(const ControllerRunner& controller, const ObjectKey& key,
                                      const ReconcileHistory& history);

// Returns the controller that reconciles objects of this kind; null: none.
using ControllerFinder = std::function<const ControllerRunner*(const GroupVersionKind&)>;
[[nodiscard]] json::object object_value(const ControllerRunner& controller, const ObjectKey& key,
                                        const ObjectFacts& facts, const ControllerFinder& find, const Moment& moment);
}  // namespace pintle
