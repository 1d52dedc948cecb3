// SPDX-License-Identifier: Apache-2.0
// Operators that change or delete what belongs to others, or that undo the changes of others.
#include <utility>

#include "booth.hpp"
#include "wrong_operators.hpp"

namespace pintle::wrong_operators {
namespace {

using namespace std::chrono_literals;
using testkit::FaultClass;
using testkit::Oracle;

// After a conflict, sends the same content again with the newest version.
Outcome retries_blindly(const Booth& booth, Context& ctx) {
  const auto found = ctx.live().find(card_kind, booth.metadata.key());
  if (!found) return failed(found.error());
  if (!*found) return ctx.client().create(card_of(booth));
  if ((**found)["/data"] == Object(card_of(booth))["/data"]) return done;
  json::Value wanted = (**found).to_value();
  wanted.as_object()["data"] = Object(card_of(booth))["/data"].to_value();
  json::object& metadata = wanted.as_object()["metadata"].as_object();
  auto replaced = ctx.client().replace(wanted);
  if (!replaced && replaced.error().code == ErrorCode::conflict) {
    const auto again = ctx.live().get(card_kind, booth.metadata.key());
    if (!again) return failed(again.error());
    metadata["resourceVersion"] = again->resource_version();
    replaced = ctx.client().replace(wanted);
  }
  return replaced;
}

// Replaces its own object as it was in the cache, with the newest version, to add an annotation: undoes what a user
// has changed meanwhile.
Outcome replaces_cached_object(const Booth& booth, Context& ctx) {
  const Object& cached = booth.metadata.snapshot();
  if (cached.annotation("fair.example.com/title") == booth.spec.title) return done;
  json::Value value = cached.to_value();
  (void)json::set(value, "/metadata/annotations/fair.example.com~1title", json::Value(booth.spec.title));
  // The server requires a version of an update of a custom resource: the newest one.
  const auto newest = ctx.client().get(booth_kind, booth.metadata.key());
  if (!newest) return failed(newest.error());
  (void)json::set(value, "/metadata/resourceVersion", json::Value(newest->resource_version()));
  return ctx.client().replace(value);
}

// Restores the whole child and so removes the annotation of a user.
Outcome restores_whole_card(const Booth& booth, Context& ctx) {
  const json::Value wanted = card_of(booth);
  const auto found = ctx.find(card_kind, booth.metadata.key());
  if (!found) return failed(found.error());
  if (!*found) return ctx.client().create(wanted);
  if ((**found)["/data"] == Object(wanted)["/data"] && (**found).annotations().empty()) return done;
  return ctx.client().replace(wanted);
}
void undoes_annotation(testkit::Subject& subject) {
  const Booth booth{.metadata = {.name = "a", .namespace_ = "default"}};
  subject.objects = {encode(booth)};
  subject.random_edits = false;
  subject.edits = {{.at = 20s, .what = "annotates the card", .act = [](Client& user) -> Result<void> {
                      const auto patched =
                          user.patch(card_kind, {"default", "a"}, {{"metadata", {{"annotations", {{"mine", "1"}}}}}});
                      return patched ? Result<void>() : Result<void>(fail(patched.error()));
                    }}};
  subject.invariants = {{.name = "the annotation of the user stays", .check = [](Client& user) -> Result<void> {
                           const auto card = user.get(card_kind, {"default", "a"});
                           if (!card) return fail(card.error());
                           if (card->annotation("mine") != "1") return fail(ErrorCode::invalid, "it is gone");
                           return {};
                         }}};
  subject.add_controllers = [](Manager& manager) { manager.add(owner_of_cards(restores_whole_card)); };
}

// Lets a booth go with all of its finalizers, although other programs wait for their own ones.
Outcome clears_finalizers(const Booth& booth, Context& ctx) {
  constexpr const char* own = "fair.example.com/far-cards";
  if (!booth.metadata.is_deleting()) {
    const auto added = Finalizers(ctx.client(), own).add(booth.metadata.snapshot(), ctx.stop_token());
    return added ? Outcome(done) : failed(added.error());
  }
  const json::Value patch{{"metadata", {{"finalizers", nullptr}}}};
  const auto cleared = ctx.client().patch(booth_kind, booth.metadata.key(), patch);
  if (!cleared && cleared.error().code == ErrorCode::not_found) return done;
  return cleared ? Outcome(done) : failed(cleared.error());
}

// Gives its card the labels that it should have, and no others.
Outcome restores_labels(const Booth& booth, Context& ctx) {
  const json::Value wanted = card_of(booth);
  const auto found = ctx.find(card_kind, booth.metadata.key());
  if (!found) return failed(found.error());
  if (!*found) return ctx.client().create(wanted);
  const Object intent(wanted);
  json::object removed;
  for (const auto [name, value] : (**found).labels().members()) {
    if (!intent.labels().member(name)) removed[name] = nullptr;
  }
  if (removed.empty()) return ensure(ctx, wanted);
  const json::Value patch{{"metadata", {{"labels", std::move(removed)}}}};
  return ctx.client().patch(card_kind, booth.metadata.key(), patch);
}

// Deletes each object with its label that it does not expect.
Outcome deletes_by_label(const Booth& booth, Context& ctx) {
  const auto cards = ctx.live().list(card_kind, {.label_selector = "app=booth,booth=" + booth.metadata.name});
  if (!cards) return failed(cards.error());
  for (const Object& card : *cards) {
    if (card.name() == booth.metadata.name) continue;
    if (const auto removed = ctx.client().remove(card_kind, card.key()); !removed) return failed(removed.error());
  }
  return ensure(ctx, card_of(booth));
}

// Deletes each object whose name begins with its own.
Outcome deletes_by_prefix(const Booth& booth, Context& ctx) {
  const auto cards = ctx.live().list(card_kind, {.namespace_ = booth.metadata.namespace_});
  if (!cards) return failed(cards.error());
  for (const Object& card : *cards) {
    if (!card.name().starts_with(booth.metadata.name + "-")) continue;
    if (const auto removed = ctx.client().remove(card_kind, card.key()); !removed) return failed(removed.error());
  }
  return ensure(ctx, card_of(booth));
}

// Makes itself the owner of each object with its label.
Outcome adopts_by_label(const Booth& booth, Context& ctx) {
  const auto cards = ctx.live().list(card_kind, {.label_selector = "booth=" + booth.metadata.name});
  if (!cards) return failed(cards.error());
  for (const Object& card : *cards) {
    if (controller_of(card)) continue;
    const json::Value value =
        with_controller_reference(card.to_value(), controller_reference(Booth::type, booth.metadata));
    if (const auto adopted = ctx.client().replace(value); !adopted) return failed(adopted.error());
  }
  return ensure(ctx, card_of(booth));
}

// Deletes a whole collection by label, in order to make its child anew.
Outcome deletes_collection(const Booth& booth, Context& ctx) {
  const auto found = ctx.live().find(card_kind, booth.metadata.key());
  if (!found) return failed(found.error());
  const json::Value wanted = card_of(booth);
  if (*found && (**found)["/data"] == Object(wanted)["/data"]) return done;
  const auto removed = ctx.client().remove_all(
      card_kind, {.namespace_ = booth.metadata.namespace_, .label_selector = "booth=" + booth.metadata.name});
  if (!removed) return failed(removed.error());
  return ctx.client().create(wanted);
}

// Overwrites an object of another program that has the name of its child.
void overwrites_existing(testkit::Subject& subject) {
  subject.surroundings = {json::object{{"apiVersion", "v1"},
                                       {"kind", "ConfigMap"},
                                       {"metadata", {{"name", "a"}, {"namespace", "default"}}},
                                       {"data", {{"mine", "1"}}}}};
  subject.add_controllers = [](Manager& manager) {
    manager.add(
        owner_of_cards([](const Booth& booth, Context& ctx) -> Outcome { return ensure(ctx, card_of(booth)); }));
  };
}

}  // namespace

std::vector<WrongOperator> wrong_owners() {
  const std::set<Oracle> foreign{Oracle::nothing_foreign};
  return {
      {.name = "RetriesBlindly",
       .expected = {Oracle::no_blind_retry},
       .options = {.max_edits = 6, .max_faults = 6, .active = 45s, .faults = {FaultClass::protocol}},
       .setup = with_reconcile(retries_blindly)},
      {.name = "ReplacesCachedObject",
       .expected = {Oracle::same_state, Oracle::returns, Oracle::matches_spec, Oracle::nothing_foreign},
       .setup = with_reconcile(replaces_cached_object)},
      {.name = "UndoesAnnotation", .expected = {Oracle::invariants}, .setup = undoes_annotation},
      {.name = "ClearsFinalizers", .expected = foreign, .setup = with_reconcile(clears_finalizers)},
      {.name = "RestoresLabels", .expected = foreign, .setup = with_reconcile(restores_labels)},
      {.name = "DeletesByLabel", .expected = foreign, .setup = with_reconcile(deletes_by_label)},
      {.name = "DeletesByPrefix", .expected = foreign, .setup = with_reconcile(deletes_by_prefix)},
      {.name = "AdoptsByLabel", .expected = foreign, .setup = with_reconcile(adopts_by_label)},
      {.name = "DeletesCollection", .expected = foreign, .setup = with_reconcile(deletes_collection)},
      {.name = "OverwritesExisting", .expected = foreign, .setup = overwrites_existing},
  };
}

}  // namespace pintle::wrong_operators
