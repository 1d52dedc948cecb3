// SPDX-License-Identifier: Apache-2.0
// Links against pintle-testing and runs the first example in a simulated cluster.
#include <pintle/testing/simulation.hpp>

#define main hello_main
#include "../../examples/01-hello/main.cpp"
#undef main

int main() {
  using namespace pintle;
  const GroupVersionKind kind = Greeting::type;
  testkit::Simulation simulation({.seed = 1});
  testkit::Instance hello(simulation, {.name = "hello-operator", .log_level = LogLevel::off}, [](Manager& manager) {
    manager.add(Controller<Greeting>{.owns = {ConfigMap::type}, .reconcile = reconcile});
  });
  hello.start();
  if (!simulation.wait_until([&] { return simulation.user().resource(kind).has_value(); })) return 1;
  if (!simulation.user().create(Greeting{.metadata = {.name = "a", .namespace_ = "default"}})) return 2;
  if (!simulation.run_until_idle()) return 3;
  return simulation.server().objects("configmaps").size() == 1 ? 0 : 4;
}
