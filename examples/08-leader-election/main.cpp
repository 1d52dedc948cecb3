// SPDX-License-Identifier: Apache-2.0
// leader-operator: writes the current time to a ConfigMap for each Heart, once a second. Start it twice: one process
// writes, the other one waits until the first is stopped, crashes, or cannot reach the cluster.
#include <chrono>
#include <cstdint>

#include <pintle/pintle.hpp>

struct Heart {
  static constexpr pintle::Type type{"demo.pintle.dev/v1", "Heart"};
  struct Spec {
    std::int64_t milliseconds = 1000;
    static constexpr auto fields() {
      return pintle::fields(pintle::field("milliseconds", &Spec::milliseconds, "Milliseconds between two heartbeats."));
    }
  };
  pintle::Metadata metadata{};
  Spec spec{};
};

pintle::Outcome reconcile(const Heart& heart, pintle::Context& ctx) {
  // Fails if this instance no longer holds the lease, so the reconcile fails too.
  auto beaten = ctx.apply(pintle::ConfigMap{
      .metadata = pintle::owned_by(heart),
      .data = {{"beat", pintle::format_micro_time(ctx.executor().wall_now())}},
  });
  if (!beaten) return pintle::failed(beaten.error());
  return pintle::requeue_after(std::chrono::milliseconds(heart.spec.milliseconds));
}

int main(int argc, char** argv) {
  pintle::Manager manager{{
      .name = "leader-operator",
      .args = {argc, argv},
      .leader_election = pintle::LeaderElectionOptions{},  // --leader-elect-… changes it, --no-leader-elect disables it
  }};
  // The ConfigMap is not in `owns`, because each write would cause the next reconcile. Its permissions are therefore
  // declared in `rbac_rules`, for --print-rbac.
  manager.add(pintle::Controller<Heart>{
      .reconcile = reconcile,
      .rbac_rules = {{.resource = "configmaps", .verbs = {"get", "create", "patch"}}},
  });
  return pintle::run_until_signal(manager);  // returns 4 if the lease was lost; start the process again
}
