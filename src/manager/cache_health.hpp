// SPDX-License-Identifier: Apache-2.0
// CacheHealth: the state of all caches of a manager, for /readyz, metrics and the log.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <pintle/base/executor.hpp>
#include <pintle/base/metrics.hpp>
#include <pintle/base/mutex.hpp>

#include "controller/clusters/managed_cluster.hpp"

namespace pintle {

// Thread-safe. close() must be called before the clients of the informers end.
class CacheHealth {
 public:
  struct Cache {
    std::string cluster{};
    ManagedCluster::Source source{};
  };

  // A cache whose server has sent nothing for `max_silence` is a problem; 0: it never is. `manager` is the label `name`
  // of the metrics of the home cluster; other clusters have "manager/cluster".
  CacheHealth(Executor& executor, MetricsRegistry& metrics, std::string manager, Duration max_silence);

  void add(const std::string& cluster, const std::vector<ManagedCluster::Source>& sources);
  void remove(const Informer& informer);
  // Removes all caches, and ignores those that are added later.
  void close();

  [[nodiscard]] std::vector<Cache> caches() const;
  // Returns a line for each cache that is not filled, except those of kinds that the server need not serve.
  [[nodiscard]] std::vector<std::string> missing() const;
  // Returns whether all caches that are not filled are of such a kind.
  [[nodiscard]] bool misses_only(const std::function<bool(const GroupVersionKind&)>& is_awaited) const;
  // Returns a line for each cache that is missing, refused, or not confirmed by the server for too long.
  [[nodiscard]] std::vector<std::string> problems() const;
  // Returns the progress of the first lists: "3 of 5 caches are filled, 12,000 objects".
  [[nodiscard]] std::string progress() const;
  // Updates the metrics pintle_cache_*. Those of a resource without caches become 0.
  void measure() const;

 private:
  // The sum of the caches of one resource, for example of several namespaces.
  struct Totals {
    std::size_t objects = 0;
    std::size_t bytes = 0;
    std::optional<Instant> last_response{};  // of the cache with the earliest one
    std::map<InformerState, int> states{};
  };
  [[nodiscard]] std::map<Labels, Totals> totals() const;
  void measure(const Labels& labels, const Totals& totals) const;
  [[nodiscard]] std::string silence_of(const Cache& cache, const InformerStatus& status) const;

  Executor& executor_;
  MetricsRegistry& metrics_;
  const std::string manager_;
  const Duration max_silence_;
  mutable Mutex mutex_;
  std::vector<Cache> caches_ PINTLE_GUARDED_BY(mutex_);
  mutable std::set<Labels> measured_ PINTLE_GUARDED_BY(mutex_);
  bool is_closed_ PINTLE_GUARDED_BY(mutex_) = false;
};

}  // namespace pintle
