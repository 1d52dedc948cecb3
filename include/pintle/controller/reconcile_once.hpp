// reconcile_once: one reconcile with a Context, without a controller or a manager; testing::in_reconcile is made of it.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>

#include <pintle/base/log.hpp>
#include <pintle/client/client.hpp>
#include <pintle/controller/context.hpp>
#include <pintle/controller/outcome.hpp>

namespace pintle {

struct ReconcileOnceOptions {
  std::string manager = "operator";      // reports Events
  std::string controller = "reconcile";  // writes are made as "<manager>/<controller>"
  Log log{};                             // default: drops everything
  std::stop_token stop{};                // what Context::stop_token() returns
  // Makes the client that Context::cluster_of() leads to; required if the reconcile calls that.
  std::function<std::shared_ptr<Client>(const Cluster&)> connect{};
};

// Calls `reconcile` on this thread with a Context about `object`, writes the status, sends the Events, and returns what
// the reconcile and the write of its status came to, as a controller would see it. Nothing is cached: each read is a
// request. Context::cluster() knows the home cluster only. An exception of `reconcile` passes through; the status is
// not written then. `object` is the snapshot, as the server returned it: a status or an Event needs its uid.
// Thread-safe.
Outcome reconcile_once(const std::shared_ptr<Client>& client, const Object& object,
                       const std::function<Outcome(Context&)>& reconcile, const ReconcileOnceOptions& options = {});

}  // namespace pintle
