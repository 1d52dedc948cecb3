// SPDX-License-Identifier: Apache-2.0
// dynamic-operator: adds a label to each ReplicaSet of team demo, without C++ types for the objects.
#include <pintle/pintle.hpp>

pintle::Outcome greet(const pintle::Object& replica_set, pintle::Context& ctx) {
  if (replica_set["/metadata/labels/hello"] == "world") return pintle::done;
  return ctx.patch(replica_set, {{"metadata", {{"labels", {{"hello", "world"}}}}}});
}

int main(int argc, char** argv) {
  pintle::Manager manager{{.name = "dynamic-operator", .args = {argc, argv}}};
  manager.add(pintle::Controller<pintle::Object>{
      .watch = {"apps/v1", "ReplicaSet"}, .label_selector = "team=demo", .reconcile = greet});
  return pintle::run_until_signal(manager);
}
