// SPDX-License-Identifier: Apache-2.0
// EventLoop: runs a framework for each event of an object, with pacing, metrics and the finalizer.
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
  // If `finalizer` is empty, no finalizer is used.
  EventLoop(Framework framework, const FrameworkOptions& config, std::string finalizer, MetricsRegistry& metrics,
            Executor& executor);

  Outcome process(const Object& object, Context& context);
  // Called for an object that is gone. Does nothing if its deletion was completed while the finalizer held the object.
  Outcome process_gone(const Object& last, Context& context);
  void observe(const Change& change);
  void watch_ended(const Error* error);

 private:
  Outcome handle(const Object& object, Context& context);
  // Runs handle() with the finalizer. Adds it only if exactly one resource set handles the object. Removes it when this
  // set has completed the deletion, and when no set handles the object.
  Outcome finalized(const Object& object, Context& context);
  // The time until the turn of the object; zero: the object is processed now.
  [[nodiscard]] Duration pace(const ObjectKey& key, const Context& context);
  Outcome with_metrics(const Histogram& seconds, const std::function<Outcome()>& event);
  // Returns whether the resources completed the deletion of the object while the finalizer held it, and drops this
  // record.
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
  std::set<std::string> finalized_ PINTLE_GUARDED_BY(mutex_);  // uids; erased when the objects are gone
};

}  // namespace pintle::crud
