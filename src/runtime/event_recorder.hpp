// EventRecorder: sends Events in the background.
#pragma once

#include <deque>
#include <memory>
#include <string>

#include <pintle/base/metrics.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/client/client.hpp>
#include <pintle/runtime/context.hpp>

namespace pintle {

// At most 1,000 wait; more are dropped, counted in pintle_events_dropped_total and said in the log. What could not be
// sent is logged, never reported to a pass. Thread-safe.
class EventRecorder {
 public:
  EventRecorder(Client& client, Log log, MetricsRegistry& metrics, std::string reporter);
  ~EventRecorder();
  EventRecorder(const EventRecorder&) = delete;
  EventRecorder& operator=(const EventRecorder&) = delete;

  void record(const Object& about, EventType type, std::string_view action, std::string_view reason,
              std::string_view note);
  // Sends what waits while `grace` lasts, then joins. Idempotent.
  void stop(Duration grace);

 private:
  void run();
  [[nodiscard]] json::Value event(const Object& about, EventType type, std::string_view action, std::string_view reason,
                                  std::string_view note);

  Client& client_;
  Runtime& runtime_;
  const Log log_;
  const std::string reporter_;
  const Counter dropped_;
  std::stop_source stop_;
  Mutex mutex_;
  Condition changed_;
  std::deque<json::Value> waiting_ PINTLE_GUARDED_BY(mutex_);
  bool stopping_ PINTLE_GUARDED_BY(mutex_) = false;
  bool idle_ PINTLE_GUARDED_BY(mutex_) = true;
  Thread thread_;
};

}  // namespace pintle
