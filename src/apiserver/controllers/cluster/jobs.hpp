// SPDX-License-Identifier: Apache-2.0
// Jobs: runs Pods until enough of them have succeeded.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cluster_controller.hpp"
#include "cluster_objects.hpp"

namespace pintle::apiserver {

class Jobs final : public ClusterController {
 public:
  explicit Jobs(ClusterObjects& objects) : objects_(objects) {}

  Instant reconcile(const Object& job) override;
  void forget(const std::string& uid) override { ended_.erase(uid); }

 private:
  // The Pods of a Job that have ended, with those that were deleted later.
  struct Ended {
    std::set<std::string> counted{};  // the uids of those that exist
    std::int64_t succeeded = 0;
    std::int64_t failed = 0;
  };
  // The state of the Pods of a Job.
  struct Tally {
    std::vector<Object> active{};
    std::int64_t ready = 0;
    std::int64_t terminating = 0;
    std::int64_t succeeded = 0;
    std::int64_t failed = 0;
    std::int64_t restarts = 0;  // of the containers of active Pods
    std::set<std::int64_t> succeeded_indexes{};
    std::set<std::int64_t> active_indexes{};
    std::optional<WallTime> last_failure{};
    std::string fatal_failure{};  // why a Pod that failed ends the Job; "" if none does
  };
  // Why a Job has ended.
  struct End {
    bool is_success = false;
    std::string reason{};
    std::string message{};
  };

  [[nodiscard]] Tally tally_of(const Object& job);
  void count_ended(const Object& job, Tally& tally, const std::vector<Object>& ended);
  [[nodiscard]] std::optional<End> end_of(const Object& job, const Tally& tally, Instant& due) const;
  // Creates and deletes Pods. Returns when it may create the next one.
  Instant scale(const Object& job, Tally& tally);
  [[nodiscard]] static std::int64_t wanted_pods(const Object& job, const Tally& tally);
  bool create_pod(const Object& job, Tally& tally);
  void remove_pods(const Object& job, Tally& tally, std::size_t kept);
  void report(const Object& job, const std::optional<End>& end);
  void write_status(const Object& job, const Tally& tally, const std::optional<End>& end);
  Instant remove_after_its_time(const Object& job);

  ClusterObjects& objects_;
  std::map<std::string, Ended> ended_;  // by the uid of the Job
};

}  // namespace pintle::apiserver
