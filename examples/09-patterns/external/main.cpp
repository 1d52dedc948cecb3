// SPDX-License-Identifier: Apache-2.0
// greeting-external: keeps the ConfigMap of each Greeting as if it were a resource of another system, whose API
// supports neither owners nor watches.
#include <optional>

#include <pintle/patterns/external.hpp>
#include <pintle/pintle.hpp>

using pintle::ConfigMap;
using pintle::Context;
using pintle::Outcome;
using pintle::external::Diff;

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

// [reconciler]
// The client of the other system, and the resource that was read from it.
using Api = pintle::Client*;
struct Found {
  std::optional<ConfigMap> map{};
};

class Texts final : public pintle::external::Reconciler<Greeting, Api, Found> {
 public:
  pintle::Result<Api> configure(const Greeting&, Context& ctx) override {
    return &ctx.client();
  }

  Outcome read(const Greeting& greeting, Context& ctx, Found& found, Api& api) override {
    auto map = api->get<ConfigMap>(greeting.metadata.key(), ctx.stop_token());
    if (!map && map.error().code != pintle::ErrorCode::not_found) return map;
    if (map) found.map = std::move(*map);
    return pintle::done;
  }

  pintle::Result<Diff> diff(const Greeting& greeting, Context&, Found& found, Api&) override {
    return Diff{.need_create = !found.map, .need_update = found.map && found.map->data != wanted(greeting).data};
  }

  Outcome create(const Greeting& greeting, Context& ctx, Found&, Api& api) override {
    return api->create(wanted(greeting), {}, ctx.stop_token());
  }

  Outcome update(const Greeting& greeting, Context& ctx, Found& found, Api& api) override {
    ConfigMap changed = *found.map;
    changed.data = wanted(greeting).data;
    return api->update(*found.map, changed, {}, ctx.stop_token());
  }

  Outcome remove(const Greeting&, Context& ctx, Found& found, Api& api) override {
    if (!found.map) return pintle::done;
    const auto removed = api->remove(ConfigMap::type, found.map->metadata.key(), {}, ctx.stop_token());
    return removed ? Outcome(pintle::done) : pintle::failed(removed.error());
  }

 private:
  static ConfigMap wanted(const Greeting& greeting) {
    return {.metadata = {.name = greeting.metadata.name, .namespace_ = greeting.metadata.namespace_},
            .data = {{"text", "Hello, " + greeting.spec.who + "!"}}};
  }
};
// [/reconciler]

int main(int argc, char** argv) {
  pintle::Manager manager{{.name = "greeting-external", .args = {argc, argv}}};
  // [controller]
  const pintle::external::StdReconciler<Texts> texts{.finalizer = "demo.pintle.dev/text",
                                                     .reconciler = std::make_shared<Texts>()};
  auto controller = texts.controller();
  controller.resync_period = std::chrono::minutes(5);  // changes in the other system cause no events
  controller.rbac_rules = {{.resource = "configmaps", .verbs = {"get", "create", "patch", "delete"}}};
  manager.add(std::move(controller));
  // [/controller]
  return pintle::run_until_signal(manager);
}
