// leader-operator: beats for every Heart, once a second. Start it twice: one beats, the other stands by until the first
// is stopped, dies, or cannot reach the cluster.
#include <chrono>
#include <cstdint>

#include <pintle/pintle.hpp>

struct Heart {
  static constexpr pintle::Type type{"demo.pintle.dev/v1", "Heart"};
  struct Spec {
    std::int64_t milliseconds = 1000;
    static constexpr auto fields() {
      return pintle::fields(pintle::field("milliseconds", &Spec::milliseconds, "Between two beats."));
    }
  };
  pintle::Metadata metadata{};
  Spec spec{};
};

pintle::Outcome reconcile(const Heart& heart, pintle::Context& ctx) {
  // Refused, and the pass with it, once this instance does not hold the lease any more.
  auto beaten = ctx.apply(pintle::ConfigMap{
      .metadata = pintle::owned_by(heart),
      .data = {{"beat", pintle::format_micro_time(ctx.executor().wall_now())}},
  });
  if (!beaten) return pintle::failed(beaten.error());
  return pintle::look_again_in(std::chrono::milliseconds(heart.spec.milliseconds));
}

int main(int argc, char** argv) {
  pintle::Manager manager{{
      .name = "leader-operator",
      .args = {argc, argv},
      .leader_election =
          pintle::LeaderElectionOptions{},  // --leader-elect-… tune it, --no-leader-elect is for one alone
  }};
  // Not owned: each beat would cause the next. So the rights for it are said here, for --print-rbac.
  manager.add(pintle::Controller<Heart>{
      .reconcile = reconcile,
      .needs = {{.resource = "configmaps", .verbs = {"get", "create", "patch"}}},
  });
  return pintle::run_until_signal(manager);  // 4 when the lease was lost: start it again
}
