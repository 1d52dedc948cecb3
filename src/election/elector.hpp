// Elector: takes part in the election of one Lease on a thread of its own.
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

// What begins and ends with leadership; called on the thread of the election, which renews nothing meanwhile.
struct Leadership {
  std::function<void()> begin{};  // at most once
  // At most once, and only after `begin`, since a standby has lost nothing: the lease is lost, and with it everything
  // has to end by Elector::ends(). Not called when leadership ends because we resign.
  std::function<void(const Error&)> lost{};
};

// Thread-safe.
class Elector {
 public:
  // `options` complete and checked. `client` is this election's own and not fenced.
  Elector(std::unique_ptr<Client> client, LeaderElectionOptions options, Fence& fence, Log log,
          MetricsRegistry& metrics, Leadership leadership);
  ~Elector();  // as resign()
  Elector(const Elector&) = delete;
  Elector& operator=(const Elector&) = delete;

  void start();
  // After it has returned leadership does not begin any more. A leader stays one, and goes on renewing, because its
  // work still runs.
  void withdraw();
  // The work has ended: gives the lease back, for at most `renew_deadline` and not beyond the lease, and joins.
  // Idempotent.
  void resign();

  [[nodiscard]] bool leads() const;
  // When what was begun has to be over; see Fence::ends.
  [[nodiscard]] Instant ends() const { return fence_.ends(); }
  // Error: unavailable when work that was begun still runs although its lease ended a while ago; the kubelet should
  // then restart the process.
  [[nodiscard]] Result<void> check_health() const;
  [[nodiscard]] const LeaderElectionOptions& options() const noexcept { return options_; }

 private:
  void run();
  bool turn();
  void ask(const ElectionStep& step);
  Result<Object> send(const ElectionStep& step, const std::stop_token& stop);
  void notice();
  void begin();
  void lose(const LeaseIsLost& lost);
  void wait_until(Instant until);
  void interrupt();
  [[nodiscard]] Times times() const { return {.now = executor_.now(), .wall = executor_.wall_now()}; }
  [[nodiscard]] Instant patience() const;
  [[nodiscard]] bool is_called_off() const PINTLE_REQUIRES(mutex_) { return resigned_ || (withdrawn_ && !leads_); }

  const std::unique_ptr<Client> client_;
  Executor& executor_;
  const LeaderElectionOptions options_;
  Fence& fence_;
  const Log log_;
  const Gauge leads_gauge_;
  const Counter slow_renewals_;
  const Leadership leadership_;

  // Of the thread.
  LeaseElection election_;
  bool began_ = false;
  bool resigning_ = false;
  Instant resign_by_ = Instant::max();
  int counted_slow_renewals_ = 0;
  std::string told_trouble_;
  std::string told_holder_;

  mutable Mutex mutex_;
  Condition changed_;
  bool withdrawn_ PINTLE_GUARDED_BY(mutex_) = false;
  bool resigned_ PINTLE_GUARDED_BY(mutex_) = false;
  bool beginning_ PINTLE_GUARDED_BY(mutex_) = false;
  bool working_ PINTLE_GUARDED_BY(mutex_) = false;  // between begin and resign()
  bool leads_ PINTLE_GUARDED_BY(mutex_) = false;
  std::optional<std::stop_source> call_ PINTLE_GUARDED_BY(mutex_);  // the request that is under way
  Thread thread_;
};

}  // namespace pintle
