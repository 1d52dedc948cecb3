// EventSpamFilter: how many Events one object may cause.
#pragma once

#include <cstddef>
#include <list>
#include <map>

#include <pintle/base/time.hpp>

#include "event_reference.hpp"

namespace pintle {

struct EventSpamLimits {
  unsigned burst = 25;
  Duration one_more_every = std::chrono::seconds(300);
  std::size_t most_objects = 4096;  // remembered; the one that was quiet for longest is forgotten first
};

// A token bucket for each object, so that one that fails in ever new ways leaves room for the Events of others. A state
// machine: it is told the time. Thread-safety: none.
class EventSpamFilter {
 public:
  explicit EventSpamFilter(EventSpamLimits limits = {}) : limits_(limits) {}

  // Takes a token of this object; false when it has none left.
  [[nodiscard]] bool take(const EventReference& about, Instant now);

 private:
  struct Bucket {
    Duration credit{};  // a token is one_more_every of it
    Instant filled{};
    std::list<const EventReference*>::iterator place{};  // in order_
  };

  Bucket& bucket(const EventReference& about, Instant now);

  const EventSpamLimits limits_;
  std::map<EventReference, Bucket> buckets_;
  std::list<const EventReference*> order_;  // the keys of buckets_, that used last at the end
};

}  // namespace pintle
