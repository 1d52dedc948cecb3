// SPDX-License-Identifier: Apache-2.0
// EventRecorder: sends Events in the background.
#pragma once

#include <cstddef>
#include <deque>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/metrics.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/client/client.hpp>
#include <pintle/events/event_type.hpp>

#include "event_series.hpp"

namespace pintle {

// An Event that was recorded, for the debug API.
struct RecentEvent {
  std::string uid{};  // of the object
  EventType type = EventType::normal;
  std::string reason{};
  std::string note{};
  WallTime at{};          // of the last occurrence
  std::size_t count = 1;  // of equal Events in a row
};

// Sends Events of events.k8s.io/v1; repeated ones form a series (EventSeries). Recording never blocks and never fails a
// reconcile: it only takes a lock for a moment. At most 1,000 Events wait. An Event that cannot be kept or sent is
// counted in pintle_events_dropped_total; the first one after a success is logged. Thread-safe.
class EventRecorder {
 public:
  // `reporter` is the name of the manager. `instance` distinguishes its processes; default: the reporter and the host
  // name, which in a pod is the name of the pod.
  EventRecorder(Client& client, Log log, MetricsRegistry& metrics, const std::string& reporter,
                std::string instance = {});
  ~EventRecorder();
  EventRecorder(const EventRecorder&) = delete;
  EventRecorder& operator=(const EventRecorder&) = delete;

  // `related`: a second object that is involved, if there is one. Does nothing if `about` is empty.
  void record(const Object& about, EventType type, std::string_view action, std::string_view reason,
              std::string_view note, const Object& related = {});
  // From now on, keeps the last Events for recent(), at most `count`. Without this call none are kept.
  void keep_recent(std::size_t count);
  // Returns the kept Events about an object, the newest first.
  [[nodiscard]] std::vector<RecentEvent> recent(const Object& about) const;
  // Accepts no more Events, sends the waiting ones and all counts that were not sent yet for at most `grace`, then
  // joins the thread. Idempotent.
  void stop(Duration grace);

 private:
  void run();
  Result<Object> send(const EventWrite& write);
  void dropped(const char* why, std::string_view detail);
  void sent() PINTLE_REQUIRES(mutex_);
  void remember(const Object& about, EventType type, std::string_view reason, std::string_view note)
      PINTLE_REQUIRES(mutex_);

  Client& client_;
  Executor& executor_;
  const Log log_;
  MetricsRegistry& metrics_;
  const Counter sent_;
  std::stop_source stop_;
  mutable Mutex mutex_;
  CondVar changed_;
  std::size_t max_recent_ PINTLE_GUARDED_BY(mutex_) = 0;
  std::deque<RecentEvent> recent_ PINTLE_GUARDED_BY(mutex_);
  EventSeries series_ PINTLE_GUARDED_BY(mutex_);
  bool stopping_ PINTLE_GUARDED_BY(mutex_) = false;
  bool ended_ PINTLE_GUARDED_BY(mutex_) = false;
  bool has_logged_drop_ PINTLE_GUARDED_BY(mutex_) = false;  // a drop was logged since the last success
  Thread thread_;
};

}  // namespace pintle
