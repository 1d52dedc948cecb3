// SPDX-License-Identifier: Apache-2.0
#include "event_spam_filter.hpp"

#include <algorithm>

namespace pintle {

bool EventSpamFilter::take(const EventReference& about, Instant now) {
  Bucket& bucket = this->bucket(about, now);
  const Duration room = options_.one_more_every * options_.burst - bucket.credit;
  bucket.credit += std::clamp(now - bucket.filled, Duration::zero(), room);
  bucket.filled = now;
  if (bucket.credit < options_.one_more_every) return false;
  bucket.credit -= options_.one_more_every;
  return true;
}

EventSpamFilter::Bucket& EventSpamFilter::bucket(const EventReference& about, Instant now) {
  const auto known = buckets_.find(about);
  if (known != buckets_.end()) {
    order_.splice(order_.end(), order_, known->second.place);
    return known->second;
  }
  if (buckets_.size() >= options_.max_objects && !order_.empty()) {
    const auto oldest = buckets_.find(*order_.front());
    order_.pop_front();
    buckets_.erase(oldest);
  }
  const Duration full = options_.one_more_every * options_.burst;
  const auto made = buckets_.emplace(about, Bucket{.credit = full, .filled = now, .place = {}}).first;
  made->second.place = order_.insert(order_.end(), &made->first);
  return made->second;
}

}  // namespace pintle
