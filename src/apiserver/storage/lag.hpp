// Lag: how far behind the replica is that answers a read.
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

  // The version that the replica has of a collection.
  [[nodiscard]] Version reached(const Storage& storage, std::string_view collection, Instant now) const;
  // From now on it is not behind any more.
  void end() noexcept { is_over_ = true; }

 private:
  const StaleRead stale_;
  std::atomic<bool> is_over_ = false;
};

// What is wrong with what a request reads.
struct ReadFaults {
  std::shared_ptr<const Lag> lag{};  // none: nothing
  bool without_bookmarks = false;
  bool without_initial_end = false;
};

}  // namespace pintle::apiserver
