// SPDX-License-Identifier: Apache-2.0
// QueueOptions: the order in which, and the rate at which, a work queue hands out keys.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>

#include <pintle/base/time.hpp>
#include <pintle/queue/rate.hpp>

namespace pintle {

/// The order in which, and the rate at which, a work queue hands out keys.
template <class Key>
struct QueueOptions {
  /// A waiting key gains one point of priority in this time, so that no key waits for ever. A value above one hour
  /// counts as one hour. With the default, keys of priority 0 overtake a key of priority -100 if they become due at
  /// most 10 s after it.
  Duration ageing = std::chrono::milliseconds(100);
  /// Returns the tenant of a key; by default all keys have the same tenant. Each waiting key of a tenant counts as
  /// having arrived at least one `tenant_share` after the previous one, so that ten thousand keys of one tenant do not
  /// delay the only key of another. Called under the lock of the queue. Must not throw, except in Controller::queue,
  /// where an exception counts as the tenant "".
  std::function<std::string(const Key&)> tenant{};
  Duration tenant_share = std::chrono::milliseconds(10);
  /// Maximum number of keys that are due or in work; a key that the queue does not contain yet is rejected beyond it.
  /// Keys that wait for a later time do not count and are never rejected when they become due; otherwise keys that are
  /// retried or added periodically would exclude all others. The memory is bounded by the number of distinct keys. 0:
  /// no limit.
  std::size_t max_keys = 0;
  Duration min_interval{};  ///< minimum time between the starts of two reconciles of one key
  Rate rate{};              ///< of reconciles, all keys together
};

}  // namespace pintle
