// SPDX-License-Identifier: Apache-2.0
// greeting-crud: keeps a ConfigMap with the text of each Greeting, by comparing the current state with the desired one.
#include <pintle/patterns/crud.hpp>
#include <pintle/pintle.hpp>

namespace crud = pintle::crud;
using pintle::ConfigMap;
using pintle::Context;
using pintle::Result;

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

using Text = std::optional<std::string>;  // nullopt if there is no ConfigMap
using Patch = crud::Patch<std::string>;

Result<Text> current_text(const Greeting& greeting, Context& ctx) {
  auto map = ctx.get<ConfigMap>(greeting.metadata.key());
  if (map) return Text(map->data["text"]);
  if (map.error().code == pintle::ErrorCode::not_found) return Text();
  return pintle::fail(map.error());
}

Result<Text> desired_text(const Greeting& greeting, Context&) {
  return Text("Hello, " + greeting.spec.who + "!");
}

// [update_patch]
Result<Patch> update_patch(const Greeting&, const Text& current, const Text& desired, Context&) {
  if (!current) return Patch{.create_change = desired};
  if (current != desired) return Patch{.update_change = desired};
  return Patch{};
}
// [/update_patch]

Result<Patch> delete_patch(const Greeting&, const Text& current, const Text&, Context&) {
  return Patch{.delete_change = current};
}

Result<void> write_text(const Greeting& greeting, const std::string& text, Context& ctx) {
  const auto written = ctx.apply(ConfigMap{.metadata = pintle::owned_by(greeting), .data = {{"text", text}}});
  return written ? Result<void>() : pintle::fail(written.error());
}

Result<void> remove_text(const Greeting& greeting, const std::string&, Context& ctx) {
  return ctx.remove(ConfigMap::type, greeting.metadata.key());
}

int main(int argc, char** argv) {
  const crud::Resource config_map = crud::CrudResource<Greeting, Text, std::string>{
      .name = "configmap",
      .get_current_state = current_text,
      .get_desired_state = desired_text,
      .new_update_patch = update_patch,
      .new_delete_patch = delete_patch,
      .apply_create_change = write_text,
      .apply_delete_change = remove_text,
      .apply_update_change = write_text,
  };
  const crud::ResourceSet everything({
      .handles = [](const pintle::Object&) { return true; },
      .resources = {config_map},
  });
  auto framework = crud::Framework::watching<Greeting>({
      .name = "greeting-crud",
      .resource_router = crud::ResourceRouter({.resource_sets = {everything}}),
      .controller = {.owns = {ConfigMap::type}},
  });

  pintle::Manager manager{{.name = "greeting-crud", .args = {argc, argv}}};
  framework.boot(manager);
  return pintle::run_until_signal(manager);
}
