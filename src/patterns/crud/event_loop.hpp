// EventLoop: what a framework does around each of its events, paced, measured, and once for each deletion.
#pragma once

#include <functional>
#include <set>
#include <string>

#include <pintle/base/metrics.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/cache/dispatcher.hpp>
#include <pintle/patterns/crud/framework.hpp>

#include "pacer.hpp"

namespace pintle::crud {

// Thread-safe.
class EventLoop {
 public:
  // `finalizer` empty: none.
  EventLoop(Framework framework, const Config& config, std::string finalizer, MetricsRegistry& metrics,
            Executor& executor);

  Outcome process(const Object& object, Context& context);
  // Of one that is gone. What its finalizer has held it for is not done again.
  Outcome process_gone(const Object& last, Context& context);
  void observe(const Change& change);
  void watch_ended(const Error* error);

 private:
  Outcome handle(const Object& object, Context& context);
  // With the finalizer around it: put on only if exactly one resource set handles the object, taken off when that set
  // is done with a deletion, and when no set handles the object.
  Outcome finalized(const Object& object, Context& context);
  // How long the object has to wait for its turn.
  [[nodiscard]] Duration pace(const ObjectKey& key, const Context& context);
  Outcome measured(const Histogram& seconds, const std::function<Outcome()>& event);
  // Whether the resources were all done with the object while the finalizer held it; asked once.
  [[nodiscard]] bool was_finalized(const Object& last);

  const Framework framework_;
  const ResourceRouter router_;
  const std::string finalizer_;
  const bool is_paced_;
  Executor& executor_;
  Pacer pacer_;
  const Histogram update_seconds_;
  const Histogram delete_seconds_;
  const Gauge cache_size_;
  const Counter created_;
  const Counter updated_;
  const Counter deleted_;
  const Counter failed_;
  const Counter closed_;
  Mutex mutex_;
  std::set<std::string> finalized_ PINTLE_GUARDED_BY(mutex_);  // by uid, until they are gone
};

}  // namespace pintle::crud
