// DefinitionKeeper: notices that the definition of a watched kind was deleted while the operator runs.
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

// A definition is looked at only after a watch of its kind has failed, so a healthy operator sends no request for this.
// One that has gone is logged by name, counts in `pintle_missing_definitions`, makes check() fail, and is installed
// again if it may be. While it is missing, at most one attempt is made in each pause, and pauses grow to 30 seconds.
// Thread-safe, but for add(), which comes before the first watch.
class DefinitionKeeper {
 public:
  struct Definition {
    json::Value crd{};
    GroupVersionKind kind{};
    std::string cluster{};
    Client* client = nullptr;  // of the cluster; outlives the keeper
    bool is_restored = false;  // else it is only reported
  };

  // `installer` makes the installer for a client; the executor must outlive this.
  using MakeInstaller = std::function<CrdInstaller(Client&)>;
  DefinitionKeeper(Executor& executor, Log log, MetricsRegistry& metrics, MakeInstaller make_installer);
  ~DefinitionKeeper() { stop(); }
  DefinitionKeeper(const DefinitionKeeper&) = delete;
  DefinitionKeeper& operator=(const DefinitionKeeper&) = delete;

  // Of several for one kind and cluster, the first counts.
  void add(Definition definition);
  // A watch of the kind failed. Returns at once; the first call starts the thread that looks.
  void suspect(const std::string& cluster, const GroupVersionKind& kind);
  // Error: unavailable, naming the definitions that are missing.
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
  // False once stop() was called.
  [[nodiscard]] bool wait_for_suspects();
  // Looks at each definition that is not known to be present. True if all of them are present by now.
  [[nodiscard]] bool look();
  [[nodiscard]] State look_at(const Definition& definition, State before);
  [[nodiscard]] State restore(const Definition& definition);
  void enter(const Definition& definition, State state);

  Executor& executor_;
  const Log log_;
  const MakeInstaller make_installer_;
  const Gauge missing_;
  std::stop_source stop_;
  mutable Mutex mutex_;
  Condition changed_;
  std::vector<Entry> entries_ PINTLE_GUARDED_BY(mutex_);
  bool stopped_ PINTLE_GUARDED_BY(mutex_) = false;
  std::vector<Thread> threads_ PINTLE_GUARDED_BY(mutex_);  // one at most
};

}  // namespace pintle
