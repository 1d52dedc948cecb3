// SPDX-License-Identifier: Apache-2.0
// greeting-phased: keeps the ConfigMap of each Greeting by a phase that only provides two lists: the expected objects
// and the existing objects.
#include <pintle/patterns/phased.hpp>
#include <pintle/pintle.hpp>

using pintle::ConfigMap;

struct Greeting {
  static constexpr pintle::Type type{"demo.pintle.dev/v1", "Greeting"};
  struct Spec {
    std::string who = "world";
    static constexpr auto fields() {
      return pintle::fields(pintle::field("who", &Spec::who, "Name to greet."));
    }
  };
  pintle::Metadata metadata{};
  Spec spec{};
  pintle::ReadyStatus status{};
};

// [phase]
class Text final : public pintle::phased::ListPhase<Greeting> {
 public:
  std::string name() const override {
    return "Text";
  }

  pintle::Outcome read(const Greeting& greeting, pintle::Context& ctx, pintle::phased::ObjectLists& lists) override {
    lists.expect(
        ConfigMap{.metadata = pintle::owned_by(greeting), .data = {{"text", "Hello, " + greeting.spec.who + "!"}}});
    return lists.find(ctx, ConfigMap::type, {.namespace_ = greeting.metadata.namespace_});
  }
};
// [/phase]

int main(int argc, char** argv) {
  using Greetings = pintle::phased::K8sReconciler<Greeting>;  // has no steps before or after the phases
  pintle::Manager manager{{.name = "greeting-phased", .args = {argc, argv}}};
  const pintle::phased::StdK8sReconciler<Greetings> greetings{
      .reconciler = std::make_shared<Greetings>(), .phases = {std::make_shared<Text>()}, .reports_ready = true};
  auto controller = greetings.controller();
  controller.owns = {ConfigMap::type};
  manager.add(std::move(controller));
  return pintle::run_until_signal(manager);
}
