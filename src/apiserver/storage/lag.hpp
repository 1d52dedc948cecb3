// SPDX-License-Identifier: Apache-2.0
// Lag: how far the replica that serves a read lags behind.
#pragma once

#include <atomic>
#include <memory>
#include <string_view>

#include <pintle/apiserver/faults.hpp>

#include "storage.hpp"

namespace pintle::apiserver {

// Thread-safe.
class Lag {
 public:
  explicit Lag(const StaleRead& stale) : stale_(stale) {}

  // The version that the replica has reached in a collection.
  [[nodiscard]] Version reached(const Storage& storage, std::string_view collection, Instant now) const;
  [[nodiscard]] bool includes_unversioned() const noexcept { return stale_.include_unversioned; }
  // From now on the replica does not lag behind.
  void end() noexcept { is_over_ = true; }

 private:
  const StaleRead stale_;
  std::atomic<bool> is_over_ = false;
};

// The faults that apply to the reads of a request.
struct ReadFaults {
  std::shared_ptr<const Lag> lag{};  // null: no lag
  bool without_bookmarks = false;
  bool without_initial_end = false;
};

}  // namespace pintle::apiserver
