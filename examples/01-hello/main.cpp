// SPDX-License-Identifier: Apache-2.0
// hello-operator: keeps a ConfigMap with the text of each Greeting.
#include <pintle/pintle.hpp>

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
};

pintle::Outcome reconcile(const Greeting& greeting, pintle::Context& ctx) {
  return ctx.apply(pintle::ConfigMap{
      .metadata = pintle::owned_by(greeting),
      .data = {{"text", "Hello, " + greeting.spec.who + "!"}},
  });
}

int main(int argc, char** argv) {
  pintle::Manager manager{{.name = "hello-operator", .args = {argc, argv}}};
  manager.add(pintle::Controller<Greeting>{.owns = {pintle::ConfigMap::type}, .reconcile = reconcile});
  return pintle::run_until_signal(manager);
}
