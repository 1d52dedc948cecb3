// SPDX-License-Identifier: Apache-2.0
// EventSpamFilter: limits the number of Events that one object may cause.
#pragma once

#include <cstddef>
#include <list>
#include <map>

#include <pintle/base/time.hpp>

#include "event_reference.hpp"

namespace pintle {

struct EventSpamOptions {
  unsigned burst = 25;
  Duration one_more_every = std::chrono::seconds(300);
  std::size_t max_objects = 4096;  // with a bucket; the object that was idle for longest loses its bucket first
};

// A token bucket for each object, so that an object that always fails with another reason leaves room for the Events of
// other objects. A state machine: the caller passes the time. Thread-safety: none.
class EventSpamFilter {
 public:
  explicit EventSpamFilter(EventSpamOptions options = {}) : options_(options) {}

  // Takes a token of this object. Returns false if it has none left.
  [[nodiscard]] bool take(const EventReference& about, Instant now);

 private:
  struct Bucket {
    Duration credit{};  // a token costs one_more_every
    Instant filled{};
    std::list<const EventReference*>::iterator place{};  // in order_
  };

  Bucket& bucket(const EventReference& about, Instant now);

  const EventSpamOptions options_;
  std::map<EventReference, Bucket> buckets_;
  std::list<const EventReference*> order_;  // the keys of buckets_; the last used one is at the end
};

}  // namespace pintle
