// ResourceWatcher: one function for each thing that can happen to an object.
#pragma once

#include <functional>

#include <pintle/controller/context.hpp>
#include <pintle/controller/outcome.hpp>
#include <pintle/object/codec.hpp>

namespace pintle::watcher {

// "object cannot be nil": an object that is none was handed to a handler.
[[nodiscard]] Error nil_object();

// A handler. Called on a worker, holding no lock; never twice at once for one object of one informer, for several
// objects at once when the informer has several workers. A failure is tried again as the RetryPolicy of its controller
// says; look_again counts as one, look_again_in is a time to be called again, with the same. It may block, and may
// throw, which counts as a failure.
class ResourceWatcher {
 public:
  virtual ~ResourceWatcher() = default;
  // New, or there when the operator began.
  virtual Outcome added(const Object& object, Context& context) = 0;
  // `old` and `current` are the same in a resync, when nothing changed.
  virtual Outcome updated(const Object& old, const Object& current, Context& context) = 0;
  // Gone; the last state that is known of it.
  virtual Outcome deleted(const Object& object, Context& context) = 0;

  // What is wrong with how it was made; asked when it is added to a controller.
  [[nodiscard]] virtual Result<void> check() const { return {}; }
};

using ObjectFunction = std::function<Outcome(const Object& object, Context& context)>;
using UpdateFunction = std::function<Outcome(const Object& old, const Object& current, Context& context)>;

// The functions of a SimpleWatcher; one that is missing is success.
struct WatcherFunctions {
  ObjectFunction added{};
  UpdateFunction updated{};
  ObjectFunction deleted{};
};

// A watcher made of functions: SimpleWatcher({.added = greet}).
class SimpleWatcher final : public ResourceWatcher {
 public:
  explicit SimpleWatcher(WatcherFunctions functions) : functions_(std::move(functions)) {}

  Outcome added(const Object& object, Context& context) override;
  Outcome updated(const Object& old, const Object& current, Context& context) override;
  Outcome deleted(const Object& object, Context& context) override;

 private:
  const WatcherFunctions functions_;
};

}  // namespace pintle::watcher
