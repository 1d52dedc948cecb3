// SPDX-License-Identifier: Apache-2.0
#include "event_series.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <pintle/base/random.hpp>
#include <pintle/base/utf8.hpp>
#include <pintle/object/names.hpp>

namespace pintle {
namespace {

constexpr std::size_t max_word_length = 128;   // bytes, of action, reason and instance
constexpr std::size_t max_note_length = 1024;  // bytes
constexpr std::size_t max_name_length = 253;

// Returns a text that is neither empty nor longer than a server accepts. This function and the following ones implement
// docs/internals/events.md, "Texts are changed until a server accepts them".
std::string word(std::string_view text) {
  return text.empty() ? "Unspecified" : std::string(truncate_utf8(text, max_word_length));
}

bool is_letter_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

// Converts any text into a qualified name without a prefix.
std::string normalized_controller(std::string_view name) {
  constexpr std::size_t longest = 63;
  if (!names::validate_qualified_name(name)) return std::string(name);
  std::string normalized(truncate_utf8(name, longest));
  for (char& c : normalized) {
    if (!is_letter_or_digit(c) && c != '-' && c != '_' && c != '.') c = '-';
  }
  while (!normalized.empty() && !is_letter_or_digit(normalized.back())) normalized.pop_back();
  normalized.erase(normalized.begin(), std::find_if(normalized.begin(), normalized.end(), is_letter_or_digit));
  return normalized.empty() ? "operator" : normalized;
}

EventSeriesOptions normalized(EventSeriesOptions options) {
  options.reporting_controller = normalized_controller(options.reporting_controller);
  if (options.reporting_instance.empty()) options.reporting_instance = options.reporting_controller;
  options.reporting_instance = truncate_utf8(options.reporting_instance, max_word_length);
  return options;
}

json::object to_json(const EventReference& reference) {
  json::object out{{"apiVersion", reference.api_version}, {"kind", reference.kind}, {"name", reference.name}};
  if (!reference.namespace_.empty()) out["namespace"] = reference.namespace_;
  if (!reference.uid.empty()) out["uid"] = reference.uid;
  return out;
}

// Whether no server responded, so that the write may have been carried out or not.
bool is_without_response(const Error& error) {
  const bool is_transport =
      error.code == ErrorCode::unreachable || error.code == ErrorCode::timeout || error.code == ErrorCode::unavailable;
  return is_transport && error.http_status == 0;
}

}  // namespace

// Owned by open_ and its orders while it is open, and by the queue while a write of it waits.
struct EventSeries::Series {
  Key key;
  ObjectKey event{};  // key of the Event
  std::string note{};
  WallTime first{};
  WallTime last{};
  std::int64_t count = 1;
  std::int64_t sent = 0;      // the count that the server has; 0: it has no such Event
  bool is_waiting = false;    // in the queue
  bool is_finished = false;   // no longer open
  bool is_announced = false;  // a write that makes the Event a series was sent or waits
  bool may_be_there = false;  // the Event existed before, or a create received no response
  bool was_renamed = false;
  Instant observed{};
  Instant checked_at{};  // when it was last written, or checked for a new count
  Order::iterator in_idle{};
  std::optional<Order::iterator> in_refresh{};
};

json::object EventSeries::counted(const Series& series) {
  return {{"count", series.count}, {"lastObservedTime", format_micro_time(series.last)}};
}

EventSeries::EventSeries(EventSeriesOptions options) : options_(normalized(std::move(options))), spam_(options_.spam) {}

EventAdmission EventSeries::on_event(const EventOccurrence& occurrence, Instant now, WallTime wall) {
  Key key{.type = occurrence.type,
          .action = word(occurrence.action),
          .reason = word(occurrence.reason),
          .regarding = occurrence.regarding,
          .related = occurrence.related};
  if (const auto known = open_.find(key); known != open_.end()) {
    count(known->second, now, wall);
    return EventAdmission::accepted;
  }
  return begin(std::move(key), std::string(truncate_utf8(occurrence.note, max_note_length)), now, wall);
}

EventAdmission EventSeries::begin(Key key, std::string note, Instant now, WallTime wall) {
  if (queue_.size() >= options_.max_waiting) return EventAdmission::too_many_wait;
  if (!spam_.take(key.regarding, now)) return EventAdmission::too_many_of_one_object;
  const auto series =
      std::make_shared<Series>(Series{.key = key, .note = std::move(note), .first = wall, .last = wall});
  const std::string& home = key.regarding.namespace_;
  series->event = {home.empty() ? "default" : home, new_name(key.regarding.name, wall)};
  series->observed = now;
  series->in_idle = idle_.insert(idle_.end(), series);
  open_.emplace(std::move(key), series);
  enqueue(series);
  if (open_.size() > options_.max_series) finish(SeriesPtr(idle_.front()));
  return EventAdmission::accepted;
}

void EventSeries::count(const SeriesPtr& series, Instant now, WallTime wall) {
  ++series->count;
  series->last = wall;
  series->observed = now;
  idle_.splice(idle_.end(), idle_, series->in_idle);
  // If a write of the series waits, it will contain this count. If it is outstanding, another one follows.
  if (series->is_waiting || series->is_announced || queue_.size() >= options_.max_waiting) return;
  if (!spam_.take(series->key.regarding, now)) return;
  series->is_announced = true;
  enqueue(series);
}

void EventSeries::enqueue(const SeriesPtr& series) {
  series->is_waiting = true;
  queue_.push_back(series);
}

void EventSeries::finish(const SeriesPtr& series) {
  series->is_finished = true;
  idle_.erase(series->in_idle);
  if (series->in_refresh) refresh_.erase(*std::exchange(series->in_refresh, std::nullopt));
  open_.erase(series->key);
  const bool is_behind = series->sent > 0 && series->count > series->sent;
  if (is_behind && !series->is_waiting && queue_.size() < options_.max_waiting) enqueue(series);
}

void EventSeries::on_time(Instant now) {
  while (!idle_.empty() && after(idle_.front()->observed, options_.idle_for) <= now) {
    finish(SeriesPtr(idle_.front()));
  }
  while (!refresh_.empty() && after(refresh_.front()->checked_at, options_.refresh_every) <= now) {
    const SeriesPtr series = refresh_.front();
    const bool is_behind = series->count > series->sent;
    if (is_behind && !series->is_waiting && queue_.size() < options_.max_waiting) {
      series->is_announced = true;
      enqueue(series);
    }
    written(series, now);
  }
}

// Keeps refresh_ sorted: the series gets the newest time and moves to the end.
void EventSeries::written(const SeriesPtr& series, Instant now) {
  if (series->is_finished) return;
  series->checked_at = now;
  if (series->in_refresh) {
    refresh_.splice(refresh_.end(), refresh_, *series->in_refresh);
  } else {
    series->in_refresh = refresh_.insert(refresh_.end(), series);
  }
}

Instant EventSeries::next_deadline() const noexcept {
  Instant earliest = Instant::max();
  if (!queue_.empty()) earliest = not_before_;
  if (!idle_.empty()) earliest = std::min(earliest, after(idle_.front()->observed, options_.idle_for));
  if (!refresh_.empty()) earliest = std::min(earliest, after(refresh_.front()->checked_at, options_.refresh_every));
  return earliest;
}

void EventSeries::finish_all() {
  closing_ = true;
  not_before_ = Instant::min();
  while (!idle_.empty()) finish(SeriesPtr(idle_.front()));
}

std::optional<EventWrite> EventSeries::next(Instant now) {
  if (queue_.empty() || now < not_before_) return std::nullopt;
  Series& series = *queue_.front();
  outstanding_count_ = series.count;
  if (series.count > 1) series.is_announced = true;
  if (series.sent == 0) return EventWrite{.is_patch = false, .key = series.event, .body = whole(series)};
  return EventWrite{.is_patch = true, .key = series.event, .body = json::object{{"series", counted(series)}}};
}

EventSendResult EventSeries::on_response(const Error* error, Instant now) {
  if (error == nullptr) return succeeded(outstanding_count_, now);
  Series& series = *queue_.front();
  const bool was_patch = series.sent > 0;
  if (was_patch && error->code == ErrorCode::not_found) {
    series.sent = 0;
    series.may_be_there = true;
    return try_again(now);
  }
  if (!was_patch && error->code == ErrorCode::already_exists) return already_exists(now);
  if (closing_ || !is_without_response(*error)) return give_up(now);
  series.may_be_there = series.may_be_there || !was_patch;
  return try_again(pause_from(now));
}

// An Event with this name exists. It is the Event of this series if it existed before or an earlier create may have
// arrived. Otherwise it belongs to another client, and the Event of this series gets another name, once.
EventSendResult EventSeries::already_exists(Instant now) {
  Series& series = *queue_.front();
  if (series.may_be_there) {
    if (outstanding_count_ == 1) return succeeded(1, now);
    series.sent = 1;
    return try_again(pause_from(now));
  }
  if (std::exchange(series.was_renamed, true)) return give_up(now);
  series.event.name = new_name(series.key.regarding.name, series.first);
  return try_again(now);
}

EventSendResult EventSeries::succeeded(std::int64_t known, Instant now) {
  const SeriesPtr series = std::move(queue_.front());
  queue_.pop_front();
  tries_ = 0;
  not_before_ = Instant::min();
  series->is_waiting = false;
  series->sent = known;
  series->may_be_there = false;
  written(series, now);
  // Further occurrences arrived meanwhile.
  if (series->count > series->sent && (series->is_finished || !series->is_announced)) {
    series->is_announced = true;
    enqueue(series);
  }
  return EventSendResult::sent;
}

EventSendResult EventSeries::try_again(Instant not_before) {
  if (++tries_ >= options_.tries) return give_up(not_before);
  not_before_ = closing_ ? Instant::min() : not_before;
  return EventSendResult::retry_later;
}

// A series without an Event on the server is dropped, so that the next occurrence creates the Event. Any other series
// is written again at its next refresh.
EventSendResult EventSeries::give_up(Instant now) {
  const SeriesPtr series = std::move(queue_.front());
  queue_.pop_front();
  tries_ = 0;
  not_before_ = Instant::min();
  series->is_waiting = false;
  if (series->is_finished) return EventSendResult::given_up;
  if (series->sent == 0) {
    finish(series);
  } else {
    written(series, now);
  }
  return EventSendResult::given_up;
}

Instant EventSeries::pause_from(Instant now) const {
  const double share = Random::to_unit(options_.random()) / 4;
  return after(now, options_.pause + std::chrono::duration_cast<Duration>(options_.pause * share));
}

json::Value EventSeries::whole(const Series& series) const {
  json::object event{
      {"apiVersion", "events.k8s.io/v1"},
      {"kind", "Event"},
      {"metadata", {{"name", series.event.name}, {"namespace", series.event.namespace_}}},
      {"eventTime", format_micro_time(series.first)},
      {"type", series.key.type == EventType::normal ? "Normal" : "Warning"},
      {"action", series.key.action},
      {"reason", series.key.reason},
      {"reportingController", options_.reporting_controller},
      {"reportingInstance", options_.reporting_instance},
      {"note", series.note},
      {"regarding", to_json(series.key.regarding)},
  };
  if (series.key.related) event["related"] = to_json(*series.key.related);
  if (series.count > 1) {
    event["series"] = counted(series);
  }
  return event;
}

// Returns a name that never repeats in this process and rarely equals that of another process at the same instant.
std::string EventSeries::new_name(const std::string& object, WallTime wall) {
  constexpr std::uint64_t noise = 0xFFFFF;  // nanoseconds; about a millisecond
  const auto nanoseconds = static_cast<std::uint64_t>(wall.time_since_epoch().count());
  last_stamp_ = std::max(nanoseconds ^ (options_.random() & noise), last_stamp_ + 1);
  return event_name(object, last_stamp_, options_.random);
}

std::string event_name(std::string_view object, std::uint64_t stamp, const std::function<std::uint64_t()>& random) {
  const std::string suffix = fmt::format(".{:x}", stamp);
  std::string_view base = object.substr(0, max_name_length - suffix.size());
  while (base.ends_with('.') || base.ends_with('-')) base.remove_suffix(1);
  std::string name = std::string(base) + suffix;
  if (!names::validate_dns1123_subdomain(name)) return name;
  const std::uint64_t high = random();
  const std::uint64_t low = random();
  return fmt::format("{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}", high >> 32U, (high >> 16U) & 0xFFFFU, high & 0xFFFU,
                     0x8000U | ((low >> 48U) & 0x3FFFU), low & 0xFFFFFFFFFFFFU);
}

}  // namespace pintle
