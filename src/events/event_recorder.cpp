// SPDX-License-Identifier: Apache-2.0
#include "event_recorder.hpp"

#include <algorithm>
#include <utility>

#include <pintle/base/environment.hpp>
#include <pintle/base/utf8.hpp>
#include <pintle/http/transport.hpp>

namespace pintle {
namespace {

constexpr Type event_type{"events.k8s.io/v1", "Event"};

std::string instance_on_this_host(const std::string& reporter) {
  const std::string name = host_name();
  return name.empty() ? reporter : reporter + "-" + name;
}

}  // namespace

EventRecorder::EventRecorder(Client& client, Log log, MetricsRegistry& metrics, const std::string& reporter,
                             std::string instance)
    : client_(client),
      executor_(client.transport().executor()),
      log_(std::move(log)),
      metrics_(metrics),
      sent_(metrics.counter("pintle_events_sent_total", "Events that were created or updated.")),
      mutex_(executor_),
      changed_(executor_),
      series_({.reporting_controller = reporter,
               .reporting_instance = instance.empty() ? instance_on_this_host(reporter) : std::move(instance),
               .random = [this] { return executor_.random(); }}),
      thread_(executor_.spawn({.name = "events"}, [this] { run(); })) {}

EventRecorder::~EventRecorder() { stop(Duration::zero()); }

void EventRecorder::record(const Object& about, EventType type, std::string_view action, std::string_view reason,
                           std::string_view note, const Object& related) {
  if (!about) return;
  EventOccurrence occurrence{.type = type,
                             .action = std::string(action),
                             .reason = std::string(reason),
                             .note = std::string(note),
                             .regarding = event_reference(about)};
  if (related) occurrence.related = event_reference(related);
  EventAdmission admission{};
  {
    const MutexLock lock(mutex_);
    if (stopping_) return;
    const bool was_idle = series_.waiting() == 0;
    remember(about, type, reason, note);
    admission = series_.on_event(occurrence, executor_.now(), executor_.wall_now());
    if (was_idle) changed_.notify_all();
  }
  if (admission == EventAdmission::too_many_wait) dropped("too_many_wait", reason);
  if (admission == EventAdmission::too_many_of_one_object) dropped("too_many_of_one_object", reason);
}

void EventRecorder::keep_recent(std::size_t count) {
  const MutexLock lock(mutex_);
  max_recent_ = count;
}

void EventRecorder::remember(const Object& about, EventType type, std::string_view reason, std::string_view note) {
  if (max_recent_ == 0) return;
  const WallTime now = executor_.wall_now();
  const auto last =
      std::find_if(recent_.rbegin(), recent_.rend(), [&](const auto& one) { return one.uid == about.uid(); });
  if (last != recent_.rend() && last->type == type && last->reason == reason && last->note == note) {
    last->at = now;
    ++last->count;
    return;
  }
  recent_.push_back({.uid = std::string(about.uid()),
                     .type = type,
                     .reason = std::string(reason),
                     .note = std::string(truncate_utf8(note, 1024)),
                     .at = now});
  if (recent_.size() > max_recent_) recent_.pop_front();
}

std::vector<RecentEvent> EventRecorder::recent(const Object& about) const {
  const MutexLock lock(mutex_);
  std::vector<RecentEvent> found;
  for (auto at = recent_.rbegin(); at != recent_.rend(); ++at) {
    if (at->uid == about.uid()) found.push_back(*at);
  }
  return found;
}

void EventRecorder::dropped(const char* why, std::string_view detail) {
  metrics_.counter("pintle_events_dropped_total", "Events that were not sent.", {{"why", why}}).add();
  {
    const MutexLock lock(mutex_);
    if (std::exchange(has_logged_drop_, true)) return;
  }
  log_.warning("Events are dropped; further drops are not logged until an Event is sent",
               {{"why", why}, {"first", detail}});
}

void EventRecorder::sent() {
  sent_.add();
  has_logged_drop_ = false;
}

void EventRecorder::run() {
  while (true) {
    std::optional<EventWrite> write;
    {
      const MutexLock lock(mutex_);
      const auto has_ended = [&]() PINTLE_REQUIRES(mutex_) { return stopping_ && series_.waiting() == 0; };
      while (true) {
        series_.on_time(executor_.now());
        write = series_.next(executor_.now());
        if (write || has_ended()) break;
        changed_.wait_until(mutex_, series_.next_deadline());
      }
      if (!write) break;
    }
    const auto response = send(*write);
    if (!response && stop_.stop_requested()) break;
    EventSendResult result{};
    {
      const MutexLock lock(mutex_);
      result = series_.on_response(response ? nullptr : &response.error(), executor_.now());
      if (result == EventSendResult::sent) sent();
    }
    if (result == EventSendResult::given_up) dropped("not_sent", response.error().to_string());
  }
  const MutexLock lock(mutex_);
  ended_ = true;
  changed_.notify_all();
}

Result<Object> EventRecorder::send(const EventWrite& write) {
  return write.is_patch ? client_.patch(event_type, write.key, write.body, {}, stop_.get_token())
                        : client_.create(write.body, {}, stop_.get_token());
}

void EventRecorder::stop(Duration grace) {
  {
    const MutexLock lock(mutex_);
    const Instant deadline = after(executor_.now(), grace);
    if (!std::exchange(stopping_, true)) series_.finish_all();
    changed_.notify_all();
    while (!ended_ && changed_.wait_until(mutex_, deadline)) {}
  }
  stop_.request_stop();
  thread_.join();
}

}  // namespace pintle
