// SPDX-License-Identifier: Apache-2.0
// Fleet: the processes of the operator in one run, which crash, start again, and meet faults.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/testing/simulation.hpp>

#include "journal.hpp"

namespace pintle::testkit {

class Fleet {
 public:
  // All three must outlive the fleet.
  Fleet(Simulation& simulation, Journal& journal)
      : simulation_(simulation), journal_(journal), mutex_(simulation.executor()), crashed_(simulation.executor()) {}
  ~Fleet() { stop(); }
  Fleet(const Fleet&) = delete;
  Fleet& operator=(const Fleet&) = delete;

  void add(std::unique_ptr<Instance> instance) { slots_.push_back({.instance = std::move(instance)}); }
  [[nodiscard]] std::size_t size() const noexcept { return slots_.size(); }
  [[nodiscard]] std::vector<Instance*> instances() const;
  // The kinds that the managers of the running processes reconcile.
  [[nodiscard]] std::vector<GroupVersionKind> reconciled_kinds() const;

  // Starts all processes. Returns whether all are ready; otherwise the journal contains why.
  [[nodiscard]] bool start();
  void start_again();
  void stop();
  // Reports exceptions of reconciles, as pass_time() and the ends of processes do.
  void check_exceptions();
  // Lets virtual time pass. Meanwhile starts processes again that have crashed or ended, as the kubelet does.
  void pass_time(Duration time);
  // While time passes, calls an edit of the user after `delay`, also if the faults have ended meanwhile.
  void edit_later(Duration delay, std::function<void()> edit);

  // Applies a fault to the requests of one process for a time.
  void inject(std::size_t instance, const http::Fault& fault, Duration time);
  // Applies a fault to the requests of all processes, in the server.
  void inject(ServerFault fault, Duration time);
  // Applies a fault to the calls of the webhooks of all processes.
  void inject_into_webhooks(http::Fault fault, Duration time);
  // Ends a process after its next `writes` writes, or after `time`, and starts it again after `pause`.
  void crash(std::size_t instance, std::uint64_t writes, bool after_commit, Duration time, Duration pause);
  // Ends the first process that makes this number of writes, before or after the last one, unless `time` is over.
  void crash_once(std::uint64_t writes, bool after_commit, Duration time);
  void restart(std::size_t instance, Duration pause);
  // Lets a process get no processor for a time.
  void freeze(std::size_t instance, Duration time);
  // Removes all faults, and starts all processes that are down. Edits of the user remain.
  void end_faults();

 private:
  struct Slot {
    std::unique_ptr<Instance> instance{};
    std::map<std::uint64_t, http::Fault> faults{};  // by number
    Duration pause{};                               // before the start after a crash
    bool is_down = false;
  };

  using Actions = std::multimap<Instant, std::function<void()>>;

  void later(Duration delay, std::function<void()> action);
  [[nodiscard]] Actions& next_actions();
  [[nodiscard]] bool is_quiet();
  void supervise();
  void sleep_until(Instant end);
  void wake();
  void stop(Slot& slot);
  void crash(Slot& slot);
  void check_exceptions(Slot& slot);
  void bring_up(Slot& slot);
  void end_sweep();
  void apply_faults(Slot& slot);
  void apply_server_faults();
  void apply_webhook_faults();

  Simulation& simulation_;
  Journal& journal_;
  std::vector<Slot> slots_;
  Actions actions_;  // of the faults
  Actions edits_;    // of the user
  std::vector<std::pair<std::uint64_t, ServerFault>> server_faults_;
  std::map<std::uint64_t, http::Fault> webhook_faults_;  // by number
  std::uint64_t next_fault_ = 0;
  std::set<std::uint64_t> sweep_;  // the faults of crash_once()
  Mutex mutex_;
  CondVar crashed_;
  bool has_crashed_ PINTLE_GUARDED_BY(mutex_) = false;  // a process, since the last sleep
};

}  // namespace pintle::testkit
