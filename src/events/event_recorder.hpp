// EventRecorder: sends Events in the background.
#pragma once

#include <stop_token>
#include <string>

#include <pintle/base/metrics.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/client/client.hpp>
#include <pintle/events/event_type.hpp>

#include "event_series.hpp"

namespace pintle {

// Events of events.k8s.io/v1, repeated ones as a series (EventSeries). Nothing that happens to them reaches a pass:
// recording takes a lock for a moment and waits for no answer. At most 1,000 wait; one that cannot be kept or sent is
// counted in pintle_events_dropped_total, and the first after one that was sent is said in the log. Thread-safe.
class EventRecorder {
 public:
  // `reporter` is the manager's name. `instance` tells its processes apart; default: the reporter and the name of the
  // host, which in a pod is the name of the pod.
  EventRecorder(Client& client, Log log, MetricsRegistry& metrics, const std::string& reporter,
                std::string instance = {});
  ~EventRecorder();
  EventRecorder(const EventRecorder&) = delete;
  EventRecorder& operator=(const EventRecorder&) = delete;

  // `related`: a second object that took part, if there is one. Nothing is told about an object that does not exist.
  void record(const Object& about, EventType type, std::string_view action, std::string_view reason,
              std::string_view note, const Object& related = {});
  // Takes no more, sends what waits and every count that was not sent yet while `grace` lasts, then joins. Idempotent.
  void stop(Duration grace);

 private:
  void run();
  Result<Object> send(const EventWrite& write);
  void dropped(const char* why, std::string_view detail);
  void sent() PINTLE_REQUIRES(mutex_);

  Client& client_;
  Executor& executor_;
  const Log log_;
  MetricsRegistry& metrics_;
  const Counter sent_;
  std::stop_source stop_;
  Mutex mutex_;
  Condition changed_;
  EventSeries series_ PINTLE_GUARDED_BY(mutex_);
  bool stopping_ PINTLE_GUARDED_BY(mutex_) = false;
  bool ended_ PINTLE_GUARDED_BY(mutex_) = false;
  bool said_ PINTLE_GUARDED_BY(mutex_) = false;  // that events are being dropped
  Thread thread_;
};

}  // namespace pintle
