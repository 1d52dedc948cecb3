// SPDX-License-Identifier: Apache-2.0
// Bugs of well-known operators that published studies have found, rebuilt with ConfigMaps.
#include "booth.hpp"
#include "wrong_operators.hpp"

namespace pintle::wrong_operators {
namespace {

using namespace std::chrono_literals;
using testkit::FaultClass;
using testkit::Oracle;

json::Value card_with_size(const Booth& booth, const std::string& suffix) {
  json::Value card = card_of(booth, booth.metadata.name + suffix);
  card.as_object()["data"] = json::object{{"size", number(booth.spec.size)}};
  return card;
}

Result<void> remove_card(Context& ctx, const Object& card) {
  const auto removed = ctx.client().remove(card_kind, card.key());
  return removed ? Result<void>() : Result<void>(fail(removed.error()));
}

// Expands a volume if the size in the set differs from the spec: deletes the set, changes the claim, and creates the
// set with the new size. After a crash behind the first step the new set has the new size, so the claim keeps the old
// one (Sieve, intermediate states: rabbitmq/cluster-operator#782).
Outcome expands_in_steps(const Booth& booth, Context& ctx) {
  const json::Value set = card_with_size(booth, "-set");
  const json::Value claim = card_with_size(booth, "-claim");
  const auto found = ctx.live().find(card_kind, Object(set).key());
  if (!found) return failed(found.error());
  if (*found && (**found)["/data"] != Object(set)["/data"]) {
    if (const auto removed = remove_card(ctx, **found); !removed) return failed(removed.error());
    if (const auto resized = ensure(ctx, claim); !resized) return failed(resized.error());
  }
  const auto claimed = ctx.live().find(card_kind, Object(claim).key());
  if (!claimed) return failed(claimed.error());
  if (!*claimed) {
    if (const auto made = ensure(ctx, claim); !made) return failed(made.error());
  }
  return ensure(ctx, set);
}

// The size of the set differs from a spec that is old, so the set is deleted with all that it contains (Sieve, stale
// states: rabbitmq/cluster-operator#653).
Outcome replaces_set(const Booth& booth, Context& ctx) {
  const json::Value set = card_with_size(booth, "-set");
  const auto found = ctx.live().find(card_kind, Object(set).key());
  if (!found) return failed(found.error());
  if (*found && (**found)["/data/size"] == Object(set)["/data/size"]) return done;
  if (*found) {
    if (const auto removed = remove_card(ctx, **found); !removed) return failed(removed.error());
  }
  return ctx.client().create(set);
}
void replaces_set_by_stale_spec(testkit::Subject& subject) {
  const auto patch = [](const GroupVersionKind& kind, const char* name, const json::Value& change) {
    return [kind, name, change](Client& user) -> Result<void> {
      const auto patched = user.patch(kind, {"default", name}, change);
      return patched ? Result<void>() : Result<void>(fail(patched.error()));
    };
  };
  subject.objects = {encode(Booth{.metadata = {.name = "a", .namespace_ = "default"}})};
  subject.random_edits = false;
  subject.edits = {
      {.at = 5s, .what = "sets the size to 3", .act = patch(booth_kind, "a", {{"spec", {{"size", 3}}}})},
      {.at = 20s, .what = "seats guests", .act = patch(card_kind, "a-set", {{"data", {{"guests", "4"}}}})}};
  subject.add_controllers = [](Manager& manager) { manager.add(owner_of_cards(replaces_set)); };
}

// Changes the card only when it is ready. A card for four never is, so the user cannot correct the spec (Acto, recovery
// from errors: xlab-uiuc/acto#282, CloudNativePG).
Outcome waits_for_broken_card(const Booth& booth, Context& ctx) {
  const auto found = ctx.live().find(card_kind, booth.metadata.key());
  if (!found) return failed(found.error());
  const bool is_ready = !*found || (**found)["/data/size"] != "4";
  if (!is_ready) return requeue_after(1min);
  return ensure(ctx, card_of(booth));
}

// Reads the size when it creates the card, and never again (Acto: fields that the operator does not reconcile).
Outcome ignores_size_afterwards(const Booth& booth, Context& ctx) {
  json::Value card = card_of(booth);
  const auto found = ctx.live().find(card_kind, booth.metadata.key());
  if (!found) return failed(found.error());
  if (*found) card.as_object()["data"].as_object()["size"] = std::string((**found)["/data/size"].text());
  return ensure(ctx, card);
}

}  // namespace

std::vector<WrongOperator> wrong_studies() {
  return {
      {.name = "ExpandsInSteps",
       .expected = {Oracle::same_state, Oracle::returns, Oracle::matches_spec},
       .options = {.max_edits = 6, .max_faults = 6, .active = 45s, .faults = {FaultClass::crash}},
       .setup = with_reconcile(expands_in_steps)},
      {.name = "ReplacesSetByStaleSpec",
       .expected = {Oracle::same_state},
       .options = {.max_faults = 6, .active = 60s, .faults = {FaultClass::stale_reads}},
       .setup = replaces_set_by_stale_spec},
      {.name = "IgnoresSizeAfterwards",
       .expected = {Oracle::matches_spec, Oracle::same_state, Oracle::returns},
       .options = {.faults = {FaultClass::restart}},
       .setup = with_reconcile(ignores_size_afterwards)},
      {.name = "WaitsForBrokenCard",
       .expected = {Oracle::returns, Oracle::same_state, Oracle::matches_spec},
       .options = {.max_edits = 6},
       .setup = with_reconcile(waits_for_broken_card)},
  };
}

}  // namespace pintle::wrong_operators
