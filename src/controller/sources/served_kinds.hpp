// SPDX-License-Identifier: Apache-2.0
// ServedKinds: detects that the server begins or ceases to serve the kinds of informers.
#pragma once

#include <optional>
#include <stop_token>
#include <vector>

#include <pintle/base/executor.hpp>
#include <pintle/base/log.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/cache/informer.hpp>
#include <pintle/client/client.hpp>

#include "first_lists.hpp"

namespace pintle {

// Reads the discovery of one cluster for each kind that is missing, with a back-off up to a minute: at most 80 requests
// an hour for each kind. A cluster that serves all kinds receives no request. Thread-safe.
class ServedKinds {
 public:
  // All must outlive this object.
  ServedKinds(Client& client, FirstLists& first_lists, Log log);
  ~ServedKinds() { stop(); }
  ServedKinds(const ServedKinds&) = delete;
  ServedKinds& operator=(const ServedKinds&) = delete;

  // Begins the informer, as FirstLists does, when the server serves the kind. `may_never_come` defines only how this is
  // logged. The informer must live until stop() or forget() returns.
  void await(Informer& informer, bool may_never_come);
  // Ends await() and suspect(): after it returns and FirstLists::remove() was called, the informer is neither begun nor
  // withdrawn.
  void forget(const Informer& informer);
  // Checks whether the kind is still served. If it is not, calls Informer::withdraw(), and begins the informer when it
  // is served again. Returns at once, so the I/O thread may call it.
  void suspect(Informer& informer);
  // Ends the thread. Idempotent.
  void stop();

 private:
  struct Entry {
    Informer* informer = nullptr;  // used under the lock only, since forget() may end its life
    GroupVersionKind kind{};
    bool may_never_come = false;
    bool is_missing = false;  // false: suspected
    unsigned attempts = 0;
    Instant due{};
  };

  void add(Entry entry);
  void run();
  // Waits for an entry that is due. Returns false once stop() was called.
  [[nodiscard]] bool wait_for_due(Entry& due);
  // The result of a check, for all entries of the kind. `served` is empty if the server does not serve the kind or did
  // not respond.
  struct Finding {
    bool check_again = false;  // if the kind is missing
    bool has_ended = false;    // the server does not serve the kind, so suspected informers end
    std::optional<Resource> served{};
  };
  [[nodiscard]] Finding check(Entry& entry);
  // Must be called under the lock, so that no forget() is missed. It does not block.
  void tell(const Entry& entry, Finding finding) PINTLE_REQUIRES(mutex_);
  void log_missing(const Entry& entry) const;

  Client& client_;
  FirstLists& first_lists_;
  Executor& executor_;
  const Log log_;
  std::stop_source stop_;
  Mutex mutex_;
  CondVar changed_;
  std::vector<Entry> entries_ PINTLE_GUARDED_BY(mutex_);
  bool stopped_ PINTLE_GUARDED_BY(mutex_) = false;
  std::vector<Thread> threads_ PINTLE_GUARDED_BY(mutex_);  // at most one
};

}  // namespace pintle
