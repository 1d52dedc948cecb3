// SPDX-License-Identifier: Apache-2.0
// CronJobs: creates the Jobs of each CronJob at the times of its schedule.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cluster_controller.hpp"
#include "cluster_objects.hpp"

namespace pintle::apiserver {

class CronJobs final : public ClusterController {
 public:
  explicit CronJobs(ClusterObjects& objects) : objects_(objects) {}

  Instant reconcile(const Object& cron_job) override;

 private:
  struct Runs {
    std::vector<Object> active{};
    std::vector<Object> succeeded{};
    std::vector<Object> failed{};
    std::optional<WallTime> last_success{};
  };

  [[nodiscard]] Runs runs_of(const Object& cron_job) const;
  // Starts the Job of a time in the past unless the policy forbids it. Returns true if the time is done.
  bool start(const Object& cron_job, Runs& runs, WallTime time);
  void remove_job(const Object& cron_job, const Object& job);
  void report_ends(const Object& cron_job, const Runs& runs);
  void remove_history(const Object& cron_job, const Runs& runs);
  void write_status(const Object& cron_job, const Runs& runs, std::optional<WallTime> scheduled);

  ClusterObjects& objects_;
};

}  // namespace pintle::apiserver
