// SPDX-License-Identifier: Apache-2.0
#include "booth.hpp"

#include <utility>

namespace pintle::wrong_operators {

std::string number(std::int64_t value) { return std::to_string(value); }

Controller<Booth> controller_of(Reconcile reconcile) {
  return {
      .reconcile = std::move(reconcile),
      .rbac_rules = {{"", "configmaps", {"get", "list", "create", "update", "patch", "delete", "deletecollection"}},
                     {"fair.example.com", "booths", {"get", "update", "patch"}},
                     {"fair.example.com", "booths/status", {"patch"}}},
  };
}

Controller<Booth> owner_of_cards(Reconcile reconcile) {
  Controller<Booth> controller = controller_of(std::move(reconcile));
  controller.owns = {Owns{card_kind}};
  return controller;
}

testkit::SubjectSetup with_controller(std::function<Controller<Booth>()> make) {
  return [make = std::move(make)](testkit::Subject& subject) {
    subject.surroundings = {{{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", {{"name", far_namespace}}}}};
    subject.add_controllers = [make](Manager& manager) { manager.add(make()); };
  };
}

testkit::SubjectSetup with_reconcile(Reconcile reconcile) {
  return with_controller([reconcile = std::move(reconcile)] { return owner_of_cards(reconcile); });
}

json::Value card_of(const Booth& booth, const std::string& name) {
  json::Value card{{"apiVersion", "v1"},
                   {"kind", "ConfigMap"},
                   {"metadata",
                    {{"name", name},
                     {"namespace", booth.metadata.namespace_},
                     {"labels", {{"app", "booth"}, {"booth", booth.metadata.name}}}}},
                   {"data", {{"title", booth.spec.title}, {"size", number(booth.spec.size)}}}};
  return with_controller_reference(std::move(card), controller_reference(Booth::type, booth.metadata));
}

json::Value far_card_of(const Booth& booth) {
  return {{"apiVersion", "v1"},
          {"kind", "ConfigMap"},
          {"metadata",
           {{"generateName", booth.metadata.name + "-"},
            {"namespace", far_namespace},
            {"labels", {{"booth", booth.metadata.uid}}}}},
          {"data", {{"name", booth.metadata.name}}}};
}

json::Value without_owner(json::Value object) {
  json::erase(object, "/metadata/ownerReferences");
  return object;
}

Result<Object> ensure(Context& ctx, const json::Value& wanted) {
  const Object intent(wanted);
  const auto found = ctx.live().find(card_kind, intent.key());
  if (!found) return fail(found.error());
  if (!*found) return ctx.client().create(wanted);
  if ((**found)["/data"] == intent["/data"]) return **found;
  const json::Value patch{{"data", intent["/data"].to_value()}};
  return ctx.client().patch(card_kind, intent.key(), patch);
}

Result<std::vector<Object>> far_cards(Context& ctx, const Booth& booth) {
  return ctx.live().list(card_kind, {.namespace_ = far_namespace, .label_selector = "booth=" + booth.metadata.uid});
}

Result<void> ensure_far_card(Context& ctx, const Booth& booth) {
  const auto cards = far_cards(ctx, booth);
  if (!cards) return fail(cards.error());
  if (!cards->empty()) return {};
  const auto created = ctx.client().create(far_card_of(booth));
  if (!created) return fail(created.error());
  return {};
}

Result<void> remove_far_cards(Context& ctx, const Booth& booth) {
  const auto cards = far_cards(ctx, booth);
  if (!cards) return fail(cards.error());
  for (const Object& card : *cards) {
    const auto removed = ctx.client().remove(card_kind, card.key());
    if (!removed) return fail(removed.error());
  }
  return {};
}

Result<void> set_status(Context& ctx, const Booth& booth, const json::Value& changes) {
  const json::Value patch{{"status", changes}};
  const auto patched = ctx.client().patch(booth_kind, booth.metadata.key(), patch, {.subresource = "status"});
  if (!patched) return fail(patched.error());
  return {};
}

}  // namespace pintle::wrong_operators
