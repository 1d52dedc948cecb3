// EventSeries: which writes tell a cluster what happened, as a state machine: occurrences, answers and time in, writes
// out.
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

// Something that happened once.
struct EventOccurrence {
  EventType type = EventType::normal;
  std::string action{};
  std::string reason{};
  std::string note{};
  EventReference regarding{};
  std::optional<EventReference> related{};
};

// One request: a whole Event to create, or a merge patch of one that is there.
struct EventWrite {
  bool is_patch = false;
  ObjectKey key{};
  json::Value body{};
};

struct EventSeriesOptions {
  std::string reporting_controller{};  // cut and mended until a server takes it
  std::string reporting_instance{};    // the same
  std::function<std::uint64_t()> random = [] { return std::uint64_t{0}; };
  std::size_t most_series = 4096;   // remembered
  std::size_t most_waiting = 1000;  // for their turn to be sent
  Duration refresh_every = std::chrono::minutes(30);
  Duration idle_for = std::chrono::minutes(6);  // then a series is over
  unsigned tries = 12;                          // of one write that gets no answer
  Duration pause = std::chrono::seconds(10);    // between them, and up to a quarter more
  EventSpamLimits spam{};
};

enum class EventFate { kept, too_many_wait, too_many_of_one_object };
enum class EventAnswer { sent, to_be_tried_again, given_up };

// Occurrences with the same type, action, reason, reporter, regarding and related object are one Event, whatever their
// notes say. The first creates it, the second makes it a series by a patch, later ones are counted here; a count that
// the server does not know yet is sent every 30 minutes, and when 6 minutes pass without another, which ends the
// series. docs/internals/events.md has the reasons. A write is made when its turn comes, so what happens while others
// wait costs no more of them. Only an occurrence that would cause a write takes a token of its object. Thread-safety:
// none.
class EventSeries {
 public:
  explicit EventSeries(EventSeriesOptions options);

  // It happened.
  EventFate on_event(const EventOccurrence& occurrence, Instant now, WallTime wall);
  // Time has passed; owed at next_deadline().
  void on_time(Instant now);

  // The write whose turn it is, if there is one now. It is outstanding until on_answer; never two at once.
  [[nodiscard]] std::optional<EventWrite> next(Instant now);
  // What came of the outstanding write; null for success. What no server has answered is tried again. What one refused
  // is not, since it would be refused again, but for a series whose Event is gone (created anew) or is there after all
  // (patched).
  EventAnswer on_answer(const Error* error, Instant now);

  // When on_time or next has something to do without another occurrence; Instant::max() for never.
  [[nodiscard]] Instant next_deadline() const noexcept;
  // The end is near: every series is over, and nothing waits for another try.
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

  [[nodiscard]] EventFate begin(Key key, std::string note, Instant now, WallTime wall);
  void count(const SeriesPtr& series, Instant now, WallTime wall);
  void finish(const SeriesPtr& series);
  void enqueue(const SeriesPtr& series);
  void written(const SeriesPtr& series, Instant now);
  EventAnswer succeeded(std::int64_t known, Instant now);
  EventAnswer already_exists(Instant now);
  EventAnswer try_again(Instant not_before);
  EventAnswer give_up(Instant now);
  [[nodiscard]] Instant pause_from(Instant now) const;

  [[nodiscard]] static json::object counted(const Series& series);
  [[nodiscard]] json::Value whole(const Series& series) const;
  [[nodiscard]] std::string new_name(const std::string& object, WallTime wall);

  const EventSeriesOptions options_;
  EventSpamFilter spam_;
  std::map<Key, SeriesPtr> open_;
  Order idle_;     // the open ones, by when they last happened
  Order refresh_;  // the open ones that a server knows, by when they were last written or looked at

  std::deque<SeriesPtr> queue_;  // the first may be outstanding
  std::int64_t outstanding_count_ = 0;
  unsigned tries_ = 0;  // of the first
  Instant not_before_ = Instant::min();
  bool closing_ = false;
  std::uint64_t last_stamp_ = 0;
};

// "<object>.<hex>", a DNS subdomain of at most 253 characters, however long the name of the object is; a UUID where no
// such name can be made of it, as of a role "system:node".
[[nodiscard]] std::string event_name(std::string_view object, std::uint64_t stamp,
                                     const std::function<std::uint64_t()>& random);

}  // namespace pintle
