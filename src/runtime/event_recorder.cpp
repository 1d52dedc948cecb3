#include "event_recorder.hpp"

#include <utility>

#include <fmt/format.h>

namespace pintle {
namespace {

constexpr std::size_t most_waiting = 1000;
constexpr std::size_t longest_note = 1024;  // bytes, of the server (trap 68)

// Cut to a size in bytes, never inside a UTF-8 sequence.
std::string_view cut(std::string_view text, std::size_t size) {
  if (text.size() <= size) return text;
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0U) == 0x80U) --size;
  return text.substr(0, size);
}

}  // namespace

EventRecorder::EventRecorder(Client& client, Log log, MetricsRegistry& metrics, std::string reporter)
    : client_(client),
      runtime_(client.transport().runtime()),
      log_(std::move(log)),
      reporter_(std::move(reporter)),
      dropped_(metrics.counter("pintle_events_dropped_total", "Events that were not sent because too many waited.")),
      mutex_(runtime_),
      changed_(runtime_),
      thread_(runtime_.spawn({.name = "events"}, [this] { run(); })) {}

EventRecorder::~EventRecorder() { stop(Duration::zero()); }

void EventRecorder::record(const Object& about, EventType type, std::string_view action, std::string_view reason,
                           std::string_view note) {
  json::Value made = event(about, type, action, reason, note);
  {
    const MutexLock lock(mutex_);
    if (stopping_) return;
    if (waiting_.size() < most_waiting) {
      waiting_.push_back(std::move(made));
      changed_.notify_all();
      return;
    }
  }
  dropped_.add();
  log_.warning("an event was dropped: too many wait to be sent", {{"reason", reason}});
}

// Traps 67 and 68: names are "<object>.<hex>", events of cluster-scoped objects live in "default", every field is set
// and short.
json::Value EventRecorder::event(const Object& about, EventType type, std::string_view action, std::string_view reason,
                                 std::string_view note) {
  const WallTime now = runtime_.wall_now();
  const auto stamp = static_cast<std::uint64_t>(now.time_since_epoch().count()) ^ (runtime_.random() & 0xFFFU);
  const std::string home = about.namespace_().empty() ? "default" : std::string(about.namespace_());
  json::object regarding{
      {"apiVersion", about.api_version()}, {"kind", about.kind()}, {"name", about.name()}, {"uid", about.uid()}};
  if (!about.namespace_().empty()) regarding["namespace"] = about.namespace_();
  return json::object{
      {"apiVersion", "events.k8s.io/v1"},
      {"kind", "Event"},
      {"metadata", json::object{{"name", fmt::format("{}.{:x}", about.name(), stamp)}, {"namespace", home}}},
      {"eventTime", format_micro_time(now)},
      {"type", type == EventType::normal ? "Normal" : "Warning"},
      {"action", cut(action, 128)},
      {"reason", cut(reason, 128)},
      {"reportingController", reporter_},
      {"reportingInstance", reporter_},
      {"note", cut(note, longest_note)},
      {"regarding", std::move(regarding)},
  };
}

void EventRecorder::run() {
  while (true) {
    json::Value next;
    {
      const MutexLock lock(mutex_);
      idle_ = waiting_.empty();
      changed_.notify_all();
      while (waiting_.empty() && !stopping_) changed_.wait(mutex_);
      if (waiting_.empty()) return;
      next = std::move(waiting_.front());
      waiting_.pop_front();
      idle_ = false;
    }
    if (const auto sent = client_.create(next, {}, stop_.get_token()); !sent) {
      if (sent.error().code == ErrorCode::cancelled) return;
      log_.warning("an event could not be sent", {{"error", sent.error().to_string()}});
    }
  }
}

void EventRecorder::stop(Duration grace) {
  {
    const MutexLock lock(mutex_);
    const Instant deadline = after(runtime_.now(), grace);
    stopping_ = true;
    changed_.notify_all();
    while (!(waiting_.empty() && idle_) && changed_.wait_until(mutex_, deadline)) {}
    waiting_.clear();
  }
  stop_.request_stop();
  thread_.join();
}

}  // namespace pintle
