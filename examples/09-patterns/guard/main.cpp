// SPDX-License-Identifier: Apache-2.0
// greeting-guard: keeps a ConfigMap with the text of each Greeting, by a provider that writes it under a condition
// lock.
#include <map>
#include <string>
#include <vector>

#include <pintle/patterns/guard.hpp>
#include <pintle/pintle.hpp>

namespace guard = pintle::guard;
using guard::ConditionStatus;

struct Greeting {
  static constexpr pintle::Type type{"demo.pintle.dev/v1", "Greeting"};
  struct Spec {
    std::string who = "world";
    static constexpr auto fields() {
      return pintle::fields(pintle::field("who", &Spec::who, "Name to greet.").column("Who"));
    }
  };
  struct Status {
    std::string phase{};
    std::vector<guard::Condition> conditions{};
    static constexpr auto fields() {
      return pintle::fields(pintle::field("phase", &Status::phase, "Phase of the greeting.").column("Phase"),
                            pintle::field("conditions", &Status::conditions, "The current conditions of the greeting.")
                                .column("Greeted"));
    }
  };
  pintle::Metadata metadata{};
  Spec spec{};
  Status status{};
};

std::string text_of(const Greeting& greeting) {
  return "Hello, " + greeting.spec.who + "!";
}

bool is_greeted(const Greeting& greeting, guard::ProviderController& controller) {
  const auto map = controller.get<pintle::ConfigMap>(greeting.metadata.key());
  return map && map->data == std::map<std::string, std::string>{{"text", text_of(greeting)}};
}

// [greet]
// The task runs in one process at a time, and never for a Greeting that has changed in the meantime.
guard::StepResult greet(const Greeting& greeting, guard::ProviderController& controller) {
  const bool is_observed = controller.condition().observed_generation == greeting.metadata.generation;
  if (is_observed && is_greeted(greeting, controller)) return guard::next_step;
  return controller.guard("saying hello to " + greeting.spec.who, [&]() -> pintle::Result<guard::TaskResult> {
    const auto greeted = controller.context().apply(
        pintle::ConfigMap{.metadata = pintle::owned_by(greeting), .data = {{"text", text_of(greeting)}}});
    if (!greeted) return pintle::fail(greeted.error());
    return guard::TaskResult{.status = ConditionStatus::completed, .reason = text_of(greeting)};
  });
}
// [/greet]

// Called after a process crashed while it held the lock. The ConfigMap may have been written or not.
pintle::Result<guard::TaskResult> inspect(const Greeting& greeting, guard::ProviderController& controller) {
  if (!is_greeted(greeting, controller)) return guard::TaskResult{.status = ConditionStatus::waiting};
  return guard::TaskResult{.status = ConditionStatus::completed, .reason = text_of(greeting)};
}

int main(int argc, char** argv) {
  pintle::Manager manager{{.name = "greeting-guard", .args = {argc, argv}}};
  const guard::Provider<Greeting> greeted{.condition = "Greeted", .reconcile = greet, .recover = inspect};
  auto greetings = guard::controller(manager, guard::Pipeline<Greeting>{.providers = {greeted}});
  greetings.owns = {pintle::ConfigMap::type};
  manager.add(std::move(greetings));
  return pintle::run_until_signal(manager);
}
