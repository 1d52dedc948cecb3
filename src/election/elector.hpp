// SPDX-License-Identifier: Apache-2.0
// Elector: takes part in the election for one Lease, on its own thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include <pintle/base/log.hpp>
#include <pintle/base/metrics.hpp>
#include <pintle/client/client.hpp>

#include "fence.hpp"
#include "lease_election.hpp"

namespace pintle {

// Callbacks for the begin and the end of leadership. They run on the thread of the election, which does not renew the
// lease meanwhile.
struct LeadershipCallbacks {
  std::function<void()> begin{};  // called at most once
  // The lease is lost, and all work must end by Elector::ends(). Called at most once, and only after `begin`, because a
  // standby has no lease to lose. Not called if leadership ends by resign().
  std::function<void(const Error&)> lost{};
};

// The state of the lease as an instance observed it.
struct ElectionStanding {
  std::string identity{};  // of this instance
  std::string lease{};     // namespace/name
  std::string pages{};     // URL of the pages of the holder; "": unknown
  std::string holder{};    // "": none, or unknown
  std::string renewed{};   // the time of the last renewal that was observed, as the Lease has it
};

// Thread-safe.
class Elector {
 public:
  // `options` must be complete and checked. `client` is used for this election only and must not be fenced. `pages`:
  // see LeaseElection.
  Elector(std::unique_ptr<Client> client, LeaderElectionOptions options, Fence& fence, Log log,
          MetricsRegistry& metrics, LeadershipCallbacks leadership, std::string pages = {});
  ~Elector();  // as resign()
  Elector(const Elector&) = delete;
  Elector& operator=(const Elector&) = delete;

  void start();
  // After it has returned, leadership does not begin any more. A leader remains the leader and continues to renew the
  // lease, because its work still runs.
  void withdraw();
  // Must be called after the work has ended. Tries to release the lease, for at most `renew_deadline` and not beyond
  // the end of the lease, and joins the thread. Idempotent.
  void resign();

  [[nodiscard]] bool leads() const;
  [[nodiscard]] ElectionStanding standing() const;
  // Returns when all work that was begun must be over; see Fence::ends().
  [[nodiscard]] Instant ends() const { return fence_.ends(); }
  // Error: unavailable if work still runs 20 s after its lease has ended; the kubelet should then restart the process.
  [[nodiscard]] Result<void> check_health() const;
  [[nodiscard]] const LeaderElectionOptions& options() const noexcept { return options_; }

 private:
  void run();
  bool turn();
  void perform(const ElectionStep& step);
  Result<Object> send(const ElectionStep& step, const std::stop_token& stop);
  void notice();
  void begin();
  void lose(const LeaseIsLost& lost);
  void wait_until(Instant until);
  void interrupt();
  [[nodiscard]] Times times() const { return {.now = executor_.now(), .wall = executor_.wall_now()}; }
  [[nodiscard]] Instant response_deadline() const;
  [[nodiscard]] bool is_called_off() const PINTLE_REQUIRES(mutex_) { return resigned_ || (withdrawn_ && !leads_); }

  const std::unique_ptr<Client> client_;
  Executor& executor_;
  const LeaderElectionOptions options_;
  Fence& fence_;
  const Log log_;
  const Gauge leads_gauge_;
  const Counter slow_renewals_;
  const LeadershipCallbacks leadership_;

  // Used by the thread only.
  LeaseElection election_;
  bool began_ = false;
  bool resigning_ = false;
  Instant resign_by_ = Instant::max();
  int counted_slow_renewals_ = 0;
  std::string logged_error_;
  std::string logged_holder_;

  mutable Mutex mutex_;
  CondVar changed_;
  bool withdrawn_ PINTLE_GUARDED_BY(mutex_) = false;
  bool resigned_ PINTLE_GUARDED_BY(mutex_) = false;
  bool beginning_ PINTLE_GUARDED_BY(mutex_) = false;
  bool working_ PINTLE_GUARDED_BY(mutex_) = false;  // between begin and resign()
  bool leads_ PINTLE_GUARDED_BY(mutex_) = false;
  std::string holder_ PINTLE_GUARDED_BY(mutex_);
  std::string pages_ PINTLE_GUARDED_BY(mutex_);
  std::string renewed_ PINTLE_GUARDED_BY(mutex_);
  std::optional<std::stop_source> call_ PINTLE_GUARDED_BY(mutex_);  // of the request in flight
  Thread thread_;
};

}  // namespace pintle
