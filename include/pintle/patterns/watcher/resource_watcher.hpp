// SPDX-License-Identifier: Apache-2.0
// ResourceWatcher: one function for each event of an object.
#pragma once

#include <functional>

#include <pintle/base/annotations.hpp>
#include <pintle/controller/context.hpp>
#include <pintle/controller/outcome.hpp>
#include <pintle/object/codec.hpp>

namespace pintle::watcher {

/// The error "object cannot be nil": a handler received a null object.
[[nodiscard]] PINTLE_EXPORT Error nil_object_error();

/// A handler. It is called on a worker while no lock is held. Calls for one object of one informer never overlap; calls
/// for several objects are concurrent if the informer has several workers. A failure is retried as the RetryPolicy of
/// the controller defines. `requeue` counts as a failure; after `requeue_after` the handler is called again with the
/// same arguments. A handler may block. It may throw, which counts as a failure.
class PINTLE_EXPORT ResourceWatcher {
 public:
  virtual ~ResourceWatcher() = default;
  /// The object is new, or existed when the operator started.
  virtual Outcome added(const Object& object, Context& context) = 0;
  /// `old` and `current` are the same in a resync, in which nothing has changed.
  virtual Outcome updated(const Object& old, const Object& current, Context& context) = 0;
  /// The object is gone; `object` is its last known state.
  virtual Outcome deleted(const Object& object, Context& context) = 0;

  /// Validation errors of this handler; called when it is added to a controller.
  [[nodiscard]] virtual Result<void> check() const { return {}; }
};

using ObjectFunction = std::function<Outcome(const Object& object, Context& context)>;
using UpdateFunction = std::function<Outcome(const Object& old, const Object& current, Context& context)>;

/// The functions of a SimpleWatcher. A function that is not set succeeds.
struct WatcherFunctions {
  ObjectFunction added{};
  UpdateFunction updated{};
  ObjectFunction deleted{};
};

/// A watcher made of functions: SimpleWatcher({.added = greet}).
class PINTLE_EXPORT SimpleWatcher final : public ResourceWatcher {
 public:
  explicit SimpleWatcher(WatcherFunctions functions) : functions_(std::move(functions)) {}

  Outcome added(const Object& object, Context& context) override;
  Outcome updated(const Object& old, const Object& current, Context& context) override;
  Outcome deleted(const Object& object, Context& context) override;

 private:
  const WatcherFunctions functions_;
};

}  // namespace pintle::watcher
