// SPDX-License-Identifier: Apache-2.0
// reconcile_once: one reconcile with a Context, without a controller or manager. It is the base of
// testkit::in_reconcile.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include <pintle/base/annotations.hpp>
#include <pintle/base/log.hpp>
#include <pintle/client/client.hpp>
#include <pintle/controller/context.hpp>
#include <pintle/controller/outcome.hpp>

namespace pintle {

struct ReconcileOnceOptions {
  std::string manager = "operator";      ///< reporting controller of Events
  std::string controller = "reconcile";  ///< the field manager of writes is "<manager>/<controller>"
  Log log{};                             ///< default: discards all lines
  std::stop_token stop{};                ///< returned by Context::stop_token()
  /// Creates the client for Context::cluster_of(); required if the reconcile calls that function.
  std::function<std::shared_ptr<Client>(const Cluster&)> connect{};
};

/// Calls `reconcile` on this thread with a Context for `object`, writes the status and sends the Events. Returns the
/// outcome of the reconcile and of its status write, as a controller receives it. Nothing is cached: each read is a
/// request. Context::cluster() supports only the home cluster. An exception of `reconcile` propagates to the caller;
/// the status is not written then. `object` must be a state that the server returned, because a status and an Event
/// need its uid. Thread-safe.
PINTLE_EXPORT Outcome reconcile_once(const std::shared_ptr<Client>& client, const Object& object,
                                     const std::function<Outcome(Context&)>& reconcile,
                                     const ReconcileOnceOptions& options = {});

}  // namespace pintle
