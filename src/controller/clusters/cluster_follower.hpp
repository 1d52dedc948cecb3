// SPDX-License-Identifier: Apache-2.0
// ClusterFollower: updates the address of a cluster that a ClusterFinder has found.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <utility>

#include <pintle/base/executor.hpp>
#include <pintle/base/log.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/controller/clusters.hpp>

#include "cluster_location.hpp"
#include "managed_cluster.hpp"

namespace pintle {

// Keeps the watches of the finder and calls its refresh() on a separate thread, at the times that ClusterFinder
// defines. connect() and start() must be called first, in this order. All other functions are thread-safe.
class ClusterFollower {
 public:
  // `name` is the name of the cluster. The executor must outlive this object.
  ClusterFollower(Executor& executor, Log log, std::string name, std::shared_ptr<ClusterFinder> finder,
                  std::shared_ptr<ClusterLocation> location);
  ~ClusterFollower() { stop(); }
  ClusterFollower(const ClusterFollower&) = delete;
  ClusterFollower& operator=(const ClusterFollower&) = delete;

  // Must be called before the informers start. `home` and its dispatcher must exist until stop() has returned. Handlers
  // may be called until the dispatcher has ended.
  [[nodiscard]] Result<void> connect(ManagedCluster& home, const std::stop_token& stop);
  void start();
  // Ends the thread. Idempotent.
  void stop();

 private:
  using Id = std::pair<GroupVersionKind, ObjectKey>;

  void changed(const GroupVersionKind& kind, const ObjectKey& key);
  void run();
  enum class WakeReason { changed, repeated };
  // Waits for a change, or until `repeat`. Returns nullopt once stop() was called.
  [[nodiscard]] std::optional<WakeReason> wait_until(Instant repeat);
  // Returns false if it must be called again even without a change.
  [[nodiscard]] bool refresh();
  [[nodiscard]] Result<std::vector<ClusterWatch>> watches_of_finder() const;
  [[nodiscard]] Result<ClusterUpdate> call_finder() const;

  Executor& executor_;
  const std::string name_;
  const Log log_;
  const std::shared_ptr<ClusterFinder> finder_;
  const std::shared_ptr<ClusterLocation> location_;
  Client* home_ = nullptr;
  std::stop_source stop_;
  Mutex mutex_;
  CondVar wake_;
  bool has_changed_ PINTLE_GUARDED_BY(mutex_) = true;
  bool knows_dependencies_ PINTLE_GUARDED_BY(mutex_) = false;  // false during refresh() and after a failed one
  std::set<Id> depends_on_ PINTLE_GUARDED_BY(mutex_);
  bool stopped_ PINTLE_GUARDED_BY(mutex_) = false;
  Thread thread_;
};

}  // namespace pintle
