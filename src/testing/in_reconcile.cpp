#include <pintle/testing/in_reconcile.hpp>

#include <memory>
#include <utility>

namespace pintle::testing {
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

Result<void> install_crd(Simulation& simulation, const json::Value& crd) {
  const Object wanted{json::Value(crd)};
  const json::View names = wanted["/spec/names"];
  const GroupVersionKind kind(
      std::string(wanted["/spec/group"].text()) + "/" + std::string(wanted["/spec/versions/0/name"].text()),
      std::string(names.member("kind").text()));
  const auto created = simulation.user().create(crd);
  if (!created && created.error().code != ErrorCode::already_exists) return fail(created.error());
  const bool is_served = simulation.wait_until([&] {
    simulation.user().invalidate_discovery(kind);
    return simulation.user().resource(kind).has_value();
  });
  if (is_served) return {};
  return fail(ErrorCode::timeout, "the simulated server does not serve " + kind.to_string() +
                                      " after 10 minutes; check the conditions of the CustomResourceDefinition");
}

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

}  // namespace pintle::testing
