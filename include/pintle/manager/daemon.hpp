// SPDX-License-Identifier: Apache-2.0
// Daemon: a thread for each object of a kind, which runs as long as the object exists.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <utility>

#include <pintle/base/annotations.hpp>
#include <pintle/base/backoff.hpp>
#include <pintle/base/executor.hpp>
#include <pintle/base/log.hpp>
#include <pintle/base/text.hpp>
#include <pintle/controller/controller.hpp>
#include <pintle/manager/manager.hpp>

namespace pintle {

namespace internal {

/// The parameters of a daemon, without the type of its object.
struct DaemonSurroundings {
  Client& client;  ///< of the home cluster; with leader election its writes require the lease
  Executor& executor;
  Log log{};
  std::stop_token stop{};
  std::function<Object()> latest_object{};
};

}  // namespace internal

/// The parameters of a daemon; valid while it runs.
template <Watchable T>
struct DaemonContext : internal::DaemonSurroundings {
  /// Returns the object as the last reconcile of the daemon's controller received it. While the object is paused or
  /// being deleted, this state does not change. Thread-safe.
  [[nodiscard]] Result<T> latest() const {
    if constexpr (std::same_as<T, Object>) {
      return latest_object();
    } else {
      return decode<T>(latest_object());
    }
  }
};

/// For work that is specific to one object and never ends, such as a connection to the system that the object
/// describes. A periodic call needs no daemon: a reconcile function that returns requeue_after() takes no thread.
///
/// A daemon starts when its object appears or begins to match `when`. A change of the object does not restart it; see
/// DaemonContext::latest(). It is requested to stop when the object is deleted or no longer matches, when the lease is
/// lost and when the manager stops. A thread cannot be ended from outside: if a daemon still runs when `grace` has
/// passed since the request, this is logged. A new daemon for the object starts only after its end. With `finalizer`,
/// the object exists until its daemon has ended.
///
/// A daemon that returns an error or throws is started again after `backoff`, in the same thread, unless the error is
/// terminal. A daemon that returns without an error has finished, and is started again only if the object
/// no longer matches and then matches again, or in the next process.
///
/// Beyond `max_daemons`, objects wait in the order in which they appeared. An object that is not reconciled when it is
/// its turn, for example because it is paused, does not delay the others; it waits again from its next reconcile. If
/// the struct has `status.conditions`, condition DaemonRunning is True while the daemon runs, and False with one of
/// these reasons otherwise:
/// - TooManyDaemons: the object waits.
/// - Failed: the last run failed, with the error as the message. It stays False until a further run has lasted as long
///   as the delay before it, and at least 1 s. If only the text of the error changes, the condition is updated at most
///   once per `backoff.cap`.
/// - Finished: the daemon has returned without an error.
/// An object that does not match `when` does not have the condition. Metrics: pintle_daemons{controller},
/// pintle_daemons_waiting{controller}, pintle_daemon_failures_total{controller}.
template <Watchable T>
struct Daemon {
  std::string name{};  ///< of the controller; unique in the manager; default: the kind in lower case and "-daemon"
  WatchedKind<T> watch = internal::default_watch<T>();
  std::vector<std::string> namespaces{};  ///< default: those of ManagerOptions
  std::string label_selector{};
  std::function<bool(const T&)> when{};  ///< default: every object has a daemon
  /// Receives the object as it was when the daemon was started. Must return soon after a stop is requested.
  Required<std::function<Result<void>(const T&, const DaemonContext<T>&)>> body;
  std::string finalizer{};         ///< "example.com/session"; default: none
  std::size_t max_daemons = 1000;  ///< each has a thread
  Duration grace = std::chrono::seconds(10);
  Backoff backoff{.base = std::chrono::seconds(1), .factor = 2, .cap = std::chrono::minutes(5), .jitter = 0.2};
  std::vector<RbacRule> rbac_rules{};  ///< permissions for requests of the daemons
};

namespace internal {

struct DaemonOptions {
  std::string name{};
  std::size_t max_daemons = 0;
  Duration grace{};
  Backoff backoff{};
  bool has_conditions = false;
};

/// The daemons of one declaration. All functions are called by the controller and the runnable of the declaration.
class PINTLE_EXPORT Daemons {
 public:
  using Body = std::function<Result<void>(const Object&, const internal::DaemonSurroundings&)>;

  Daemons(Manager& manager, DaemonOptions options, Body body, std::shared_ptr<ChannelSource> wake);
  ~Daemons();
  Daemons(const Daemons&) = delete;
  Daemons& operator=(const Daemons&) = delete;

  /// Starts or stops the daemon of an object.
  Outcome reconcile(const Object& object, bool is_wanted, Context& context);
  /// Stops the daemon of an object that is being deleted. The outcome is `done` after its end.
  Outcome finalize(const Object& object);
  /// Stops the daemon of an object that left the cache.
  void release(const ObjectKey& key);
  /// Joins ended daemons until a stop is requested, then stops all of them.
  Result<void> supervise(const std::stop_token& stop);

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace internal

/// Adds a controller and a runnable, both with the name of the daemon, to the manager. Call it before start().
template <Watchable T>
void add_daemon(Manager& manager, Daemon<T> daemon) {
  if (daemon.name.empty()) daemon.name = to_lower_ascii(daemon.watch.kind.kind) + "-daemon";
  auto wake = std::make_shared<ChannelSource>(manager.executor());
  const auto body = [function = daemon.body.value()](const Object& object,
                                                     const internal::DaemonSurroundings& around) -> Result<void> {
    if constexpr (std::same_as<T, Object>) {
      return function(object, DaemonContext<T>{around});
    } else {
      const auto decoded = decode<T>(object);
      if (!decoded) return fail(decoded.error());
      return function(*decoded, DaemonContext<T>{around});
    }
  };
  auto daemons =
      std::make_shared<internal::Daemons>(manager,
                                          internal::DaemonOptions{daemon.name, daemon.max_daemons, daemon.grace,
                                                                  daemon.backoff, internal::has_conditions<T>},
                                          body, wake);
  const auto snapshot_of = [](const T& object) -> const Object& {
    if constexpr (std::same_as<T, Object>) {
      return object;
    } else {
      return object.metadata.snapshot();
    }
  };
  Controller<T> controller{
      .name = daemon.name,
      .watch = std::move(daemon.watch),
      .namespaces = std::move(daemon.namespaces),
      .label_selector = std::move(daemon.label_selector),
      .channels = {wake},
      .reconcile = [daemons, snapshot_of, when = std::move(daemon.when)](const T& object, Context& context) -> Outcome {
        return daemons->reconcile(snapshot_of(object), !when || when(object), context);
      }};
  controller.on_change = [daemons](const Change& change) {
    if (!change.current) daemons->release(change.old.key());
  };
  if (!daemon.finalizer.empty()) {
    controller.finalizer = std::move(daemon.finalizer);
    controller.finalize = [daemons, snapshot_of](const T& object, Context&) -> Outcome {
      return daemons->finalize(snapshot_of(object));
    };
  }
  controller.rbac_rules = std::move(daemon.rbac_rules);
  if (!daemon.body.value()) {
    controller.errors.push_back(make_error(ErrorCode::invalid, "the daemon has an empty .body; set the function"));
  }
  if (daemon.max_daemons == 0) {
    controller.errors.push_back(make_error(ErrorCode::invalid, "the daemon has .max_daemons 0; set at least 1"));
  }
  manager.add(std::move(controller));
  manager.add(Runnable{.name = daemon.name, .body = [daemons](const RunnableContext& context) -> Result<void> {
                         return daemons->supervise(context.stop);
                       }});
}

}  // namespace pintle
