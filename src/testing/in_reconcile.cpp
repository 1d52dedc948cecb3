// SPDX-License-Identifier: Apache-2.0
#include <pintle/testing/in_reconcile.hpp>

#include <memory>
#include <utility>

namespace pintle::testkit {
namespace {

std::shared_ptr<Client> client_to(const std::shared_ptr<http::Transport>& transport, Cluster cluster,
                                  const InReconcileOptions& options) {
  return std::make_shared<Client>(ClientOptions{.transport = transport,
                                                .cluster = std::move(cluster),
                                                .field_manager = options.manager,
                                                .user_agent = options.manager,
                                                .log = options.log});
}

}  // namespace

Outcome call_in_reconcile(Simulation& simulation, const Object& object, const CallInReconcile& call,
                          const InReconcileOptions& options) {
  const auto transport = simulation.connect(options.faults);
  const auto connect = [&](const Cluster& cluster) { return client_to(transport, cluster, options); };
  const auto endpoint = std::make_shared<http::Endpoint>(http::Endpoint{.host = "localhost"});
  Outcome outcome = done;
  {
    const auto client = connect({.endpoint = endpoint, .origin = "simulation"});
    Object snapshot = object;
    if (object.uid().empty()) {
      simulation.user().invalidate_discovery(object.group_version_kind());
      if (auto there = simulation.user().get(object.group_version_kind(), object.key())) snapshot = std::move(*there);
    }
    outcome = reconcile_once(client, snapshot, [&](Context& context) { return call(context, snapshot); },
                             {.manager = options.manager,
                              .controller = options.controller,
                              .log = options.log,
                              .stop = options.stop,
                              .connect = connect});
  }
  transport->stop();
  return outcome;
}

}  // namespace pintle::testkit
