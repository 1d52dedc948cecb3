// SPDX-License-Identifier: Apache-2.0
// DefinitionKeeper: detects that the CRD of a watched kind was deleted while the operator runs.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include <pintle/base/executor.hpp>
#include <pintle/base/log.hpp>
#include <pintle/base/metrics.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/client/client.hpp>

#include "crd_installer.hpp"

namespace pintle {

// A CRD is checked only after a watch of its kind has failed, so a healthy operator sends no request for this. A
// missing CRD is logged by name, counts in `pintle_missing_crds` and makes check() fail. If `is_restored` is
// set, it is installed again. While it is missing, one attempt follows after each pause; the pauses grow to 30 seconds.
// Thread-safe, except for add(), which must be called before the first watch.
class DefinitionKeeper {
 public:
  struct Definition {
    json::Value crd{};
    GroupVersionKind kind{};
    std::string cluster{};
    Client* client = nullptr;  // client of the cluster; must outlive the keeper
    bool is_restored = false;  // false: a missing CRD is only reported
    // Returns the CRD to install, if its conversion changes while the operator runs. Default: `crd`.
    std::function<json::Value()> latest{};
  };

  // `make_installer` creates the installer for a client. The executor must outlive this object.
  using MakeInstaller = std::function<CrdInstaller(Client&)>;
  DefinitionKeeper(Executor& executor, Log log, MetricsRegistry& metrics, MakeInstaller make_installer);
  ~DefinitionKeeper() { stop(); }
  DefinitionKeeper(const DefinitionKeeper&) = delete;
  DefinitionKeeper& operator=(const DefinitionKeeper&) = delete;

  // If there are several for one kind and cluster, the first one is used.
  void add(Definition definition);
  // Must be called when a watch of the kind has failed. Returns immediately; the first call starts the thread that
  // checks the CRDs.
  void suspect(const std::string& cluster, const GroupVersionKind& kind);
  // Error: unavailable; the message names the missing CRDs.
  [[nodiscard]] Result<void> check() const;
  // Ends the thread. Idempotent.
  void stop();

 private:
  enum class State { present, suspected, missing };
  struct Entry {
    Definition definition{};
    State state = State::present;
  };

  void run();
  // Returns false once stop() was called.
  [[nodiscard]] bool wait_for_suspects();
  // Checks each CRD that is suspected or missing. Returns true if all of them are present now.
  [[nodiscard]] bool check_suspects();
  [[nodiscard]] State check(const Definition& definition, State before);
  [[nodiscard]] State restore(const Definition& definition);
  void enter(const Definition& definition, State state);

  Executor& executor_;
  const Log log_;
  const MakeInstaller make_installer_;
  const Gauge missing_;
  std::stop_source stop_;
  mutable Mutex mutex_;
  CondVar changed_;
  std::vector<Entry> entries_ PINTLE_GUARDED_BY(mutex_);
  bool stopped_ PINTLE_GUARDED_BY(mutex_) = false;
  std::vector<Thread> threads_ PINTLE_GUARDED_BY(mutex_);  // at most one
};

}  // namespace pintle
