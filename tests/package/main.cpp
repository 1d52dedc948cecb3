// SPDX-License-Identifier: Apache-2.0
// Links against the package and prints the CRD of a described kind.
#include <iostream>

#include <pintle/pintle.hpp>

struct Greeting {
  static constexpr pintle::Type type{"demo.pintle.dev/v1", "Greeting"};
  struct Spec {
    std::string who = "world";
    static constexpr auto fields() { return pintle::fields(pintle::field("who", &Spec::who, "Whom to greet.")); }
  };
  pintle::Metadata metadata{};
  Spec spec{};
};

pintle::Outcome reconcile(const Greeting&, pintle::Context&) { return pintle::done; }

int main() {
  pintle::Manager manager{{.name = "package-operator"}};
  manager.add(pintle::Controller<Greeting>{.reconcile = reconcile});
  const auto crds = manager.print_crds();
  if (!crds) return 1;
  std::cout << *crds;
}
