// SPDX-License-Identifier: Apache-2.0
// greeting-watcher: keeps a ConfigMap with the text of each Greeting, by a handler that receives the action and the
// object.
#include <pintle/patterns/watcher.hpp>
#include <pintle/pintle.hpp>

namespace watcher = pintle::watcher;

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

// [greet]
// The action is `created` if no instance has handled the object before, and `resynced` otherwise; the
// OpinionatedReconciler distinguishes them by its finalizer. The garbage collector deletes the ConfigMap; `deleted` is
// for resources that it does not delete.
watcher::ReconcileResult greet(const watcher::TypedReconcileRequest<Greeting>& request, pintle::Context& ctx) {
  const Greeting& greeting = request.object;
  if (request.action == watcher::ReconcileAction::deleted) {
    ctx.log().info("goodbye", {{"who", greeting.spec.who}});
    return pintle::done;
  }
  return ctx.apply(pintle::ConfigMap{
      .metadata = pintle::owned_by(greeting),
      .data = {{"text", "Hello, " + greeting.spec.who + "!"}},
  });
}
// [/greet]

int main(int argc, char** argv) {
  pintle::Manager manager{{.name = "greeting-watcher", .args = {argc, argv}}};
  watcher::InformerController controller(manager.executor());
  controller.add_reconciler(
      std::make_shared<watcher::OpinionatedReconciler>(watcher::default_finalizer_supplier(Greeting::type),
                                                       std::make_shared<watcher::TypedReconciler<Greeting>>(greet)),
      "Greeting");
  controller.add_informer(watcher::KubernetesBasedInformer::of<Greeting>({.owns = {pintle::ConfigMap::type}}),
                          "Greeting");
  controller.add_to(manager);
  return pintle::run_until_signal(manager);
}
