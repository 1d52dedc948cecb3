// SPDX-License-Identifier: Apache-2.0
// EventSeries: decides which writes record occurrences as Events, as a state machine without I/O. The caller reports
// occurrences, the results of writes and the time.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include <pintle/events/event_type.hpp>
#include <pintle/json/value.hpp>
#include <pintle/object/object.hpp>

#include "event_spam_filter.hpp"

namespace pintle {

// One occurrence.
struct EventOccurrence {
  EventType type = EventType::normal;
  std::string action{};
  std::string reason{};
  std::string note{};
  EventReference regarding{};
  std::optional<EventReference> related{};
};

// One request: a whole Event to create, or a merge patch of an existing one.
struct EventWrite {
  bool is_patch = false;
  ObjectKey key{};
  json::Value body{};
};

struct EventSeriesOptions {
  std::string reporting_controller{};  // changed until a server accepts it
  std::string reporting_instance{};    // changed until a server accepts it
  std::function<std::uint64_t()> random = [] { return std::uint64_t{0}; };
  std::size_t max_series = 4096;   // open series
  std::size_t max_waiting = 1000;  // series with a write that waits
  Duration refresh_every = std::chrono::minutes(30);
  Duration idle_for = std::chrono::minutes(6);  // a series ends after this time without an occurrence
  unsigned tries = 12;                          // of one write that receives no response
  Duration pause = std::chrono::seconds(10);    // between the tries, plus up to a quarter
  EventSpamOptions spam{};
};

enum class EventAdmission { accepted, too_many_wait, too_many_of_one_object };
enum class EventSendResult { sent, retry_later, given_up };

// Occurrences with the same type, action, reason, reporter, regarding and related object are one Event, regardless of
// their notes. The first occurrence creates the Event, and the second makes it a series by a patch. Later ones are
// counted here. A count that the server does not have is sent every 30 minutes, and when the series ends after 6
// minutes without an occurrence. The body of a write is built when its turn comes, so occurrences that arrive while it
// waits cause no further writes. Only an occurrence that would cause a write takes a token of its object.
// docs/internals/events.md has the reasons. Thread-safety: none.
class EventSeries {
 public:
  explicit EventSeries(EventSeriesOptions options);

  // Adds an occurrence.
  EventAdmission on_event(const EventOccurrence& occurrence, Instant now, WallTime wall);
  // Ends and refreshes the series that are due. Must be called at next_deadline().
  void on_time(Instant now);

  // Returns the next write, or nothing if none is due. The write is outstanding until on_response(); at most one write
  // is outstanding.
  [[nodiscard]] std::optional<EventWrite> next(Instant now);
  // Reports the result of the outstanding write; null for success. A write without a response is repeated. A write that
  // a server refused is not, because it would be refused again, except in two cases: if the Event of a series no longer
  // exists, it is created again; if an Event to create already exists, it is patched.
  EventSendResult on_response(const Error* error, Instant now);

  // Returns when on_time() or next() must be called if no occurrence arrives; Instant::max() for never.
  [[nodiscard]] Instant next_deadline() const noexcept;
  // Ends every series before the process ends. Afterwards no write waits for another try.
  void finish_all();

  [[nodiscard]] std::size_t waiting() const noexcept { return queue_.size(); }
  [[nodiscard]] std::size_t open() const noexcept { return open_.size(); }

 private:
  struct Key {
    EventType type;
    std::string action;
    std::string reason;
    EventReference regarding;
    std::optional<EventReference> related;
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  struct Series;
  using SeriesPtr = std::shared_ptr<Series>;
  using Order = std::list<SeriesPtr>;

  [[nodiscard]] EventAdmission begin(Key key, std::string note, Instant now, WallTime wall);
  void count(const SeriesPtr& series, Instant now, WallTime wall);
  void finish(const SeriesPtr& series);
  void enqueue(const SeriesPtr& series);
  void written(const SeriesPtr& series, Instant now);
  EventSendResult succeeded(std::int64_t known, Instant now);
  EventSendResult already_exists(Instant now);
  EventSendResult try_again(Instant not_before);
  EventSendResult give_up(Instant now);
  [[nodiscard]] Instant pause_from(Instant now) const;

  [[nodiscard]] static json::object counted(const Series& series);
  [[nodiscard]] json::Value whole(const Series& series) const;
  [[nodiscard]] std::string new_name(const std::string& object, WallTime wall);

  const EventSeriesOptions options_;
  EventSpamFilter spam_;
  std::map<Key, SeriesPtr> open_;
  Order idle_;     // the open series, sorted by their last occurrence
  Order refresh_;  // the open series with an Event on the server, sorted by checked_at

  std::deque<SeriesPtr> queue_;  // the first may be outstanding
  std::int64_t outstanding_count_ = 0;
  unsigned tries_ = 0;  // of the first write
  Instant not_before_ = Instant::min();
  bool closing_ = false;
  std::uint64_t last_stamp_ = 0;
};

// Returns "<object>.<hex>", a DNS subdomain of at most 253 characters; the name of the object is cut if necessary.
// Returns a UUID if the result would be no DNS subdomain, as for a role "system:node".
[[nodiscard]] std::string event_name(std::string_view object, std::uint64_t stamp,
                                     const std::function<std::uint64_t()>& random);

}  // namespace pintle
