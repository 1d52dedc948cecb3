// SPDX-License-Identifier: Apache-2.0
// Operators that do their work again, because they do not see that it is done, or that create something twice.
#include <map>
#include <memory>
#include <utility>

#include "booth.hpp"
#include "wrong_operators.hpp"

namespace pintle::wrong_operators {
namespace {

using namespace std::chrono_literals;
using testkit::FaultClass;
using testkit::Oracle;

json::Value unnamed_card(const Booth& booth) {
  json::Value card = card_of(booth);
  json::object& metadata = card.as_object()["metadata"].as_object();
  metadata.erase("name");
  metadata["generateName"] = booth.metadata.name + "-";
  card.as_object()["data"] = json::object{{"name", booth.metadata.name}};
  return card;
}

// Creates the child in each reconcile, and takes already_exists for a permanent error.
Outcome creates_without_check(const Booth& booth, Context& ctx) {
  const auto created = ctx.client().create(card_of(booth));
  return created ? Outcome(done) : failed(created.error().terminal());
}

// Creates one more child in each reconcile.
Outcome creates_another_card(const Booth& booth, Context& ctx) { return ctx.client().create(unnamed_card(booth)); }

// Counts its reconciles in a child.
Outcome counts_in_card(const Booth& booth, Context& ctx) {
  json::Value card = card_of(booth);
  const auto found = ctx.live().find(card_kind, Object(card).key());
  if (!found) return failed(found.error());
  const std::string before = *found ? std::string((**found)["/data/count"].text()) : "0";
  card.as_object()["data"].as_object()["count"] = number(std::stoll(before) + 1);
  return ensure(ctx, card);
}

// Appends to a list in the status in each reconcile.
Outcome appends_to_history(const Booth& booth, Context& ctx) {
  ctx.status().edit<Booth::Status>([&](auto& status) { status.history.push_back(booth.spec.title); });
  return done;
}

// Decides by a list from the cache whether to create a child whose name the server chooses: after a start with an old
// cache it creates a second one.
Outcome trusts_cached_list(const Booth& booth, Context& ctx) {
  const auto cards = ctx.list_owned(card_kind);
  if (!cards) return failed(cards.error());
  if (!cards->empty()) return done;
  return ctx.client().create(unnamed_card(booth));
}

// Stores the name of the child after its creation: after a crash in between it creates a second one.
Outcome records_name_afterwards(const Booth& booth, Context& ctx) {
  const auto stored = ctx.live().get<Booth>(booth.metadata.key());
  if (!stored) return stored.error().code == ErrorCode::not_found ? Outcome(done) : failed(stored.error());
  if (stored->status && stored->status->phase) return done;
  const auto card = ctx.client().create(unnamed_card(booth));
  if (!card) return failed(card.error());
  return set_status(ctx, booth, {{"phase", card->name()}});
}

// Treats a lost response as a failure without an effect: the next attempt makes a second thing outside the cluster.
void orders_twice(testkit::Subject& subject) {
  const auto shop = std::make_shared<testkit::CallRecorder>(subject.simulation.executor());
  const auto orders = std::make_shared<std::map<std::string, int>>();  // by uid
  subject.outside = {shop.get()};
  subject.invariants = {{.name = "one order for each booth", .check = [orders](Client&) -> Result<void> {
                           for (const auto& [uid, count] : *orders) {
                             if (count > 1) return fail(ErrorCode::invalid, uid + " has " + number(count) + " orders");
                           }
                           return {};
                         }}};
  subject.add_controllers = [shop, orders](Manager& manager) {
    manager.add(controller_of([shop, orders](const Booth& booth, Context& ctx) -> Outcome {
      if (booth.status && booth.status->phase) return done;
      const auto ordered = shop->call(
          "order", booth.metadata.uid, {}, [&] { ++(*orders)[booth.metadata.uid]; }, ctx.stop_token());
      if (!ordered) return failed(ordered.error());
      ctx.status().set("/phase", "ordered");
      return done;
    }));
  };
}

// Pays in each reconcile.
void pays_again(testkit::Subject& subject) {
  const auto payments = std::make_shared<std::map<std::string, int>>();  // by uid
  subject.invariants = {{.name = "one payment for each size", .check = [payments](Client&) -> Result<void> {
                           for (const auto& [key, count] : *payments) {
                             if (count > 1)
                               return fail(ErrorCode::invalid, key + " was paid " + number(count) + " times");
                           }
                           return {};
                         }}};
  subject.add_controllers = [payments](Manager& manager) {
    manager.add(controller_of([payments](const Booth& booth, Context&) -> Outcome {
      ++(*payments)[booth.metadata.uid + "/" + number(booth.spec.size)];
      return done;
    }));
  };
}

// Does the work of a generation once for each process, because it does not store that it is done.
Controller<Booth> revision_in_memory() {
  const auto revisions = std::make_shared<std::map<std::string, std::int64_t>>();
  return owner_of_cards([revisions](const Booth& booth, Context& ctx) -> Outcome {
    json::Value card = card_of(booth);
    std::int64_t& revision = (*revisions)[booth.metadata.uid + "/" + booth.spec.title];
    if (revision == 0) revision = static_cast<std::int64_t>(revisions->size());
    card.as_object()["data"].as_object()["revision"] = number(revision);
    return ensure(ctx, card);
  });
}

}  // namespace

std::vector<WrongOperator> wrong_identities() {
  const std::set<Oracle> again{Oracle::stays_idle, Oracle::becomes_idle};
  return {
      {.name = "CreatesWithoutCheck", .expected = again, .setup = with_reconcile(creates_without_check)},
      {.name = "CreatesAnotherCard", .expected = again, .setup = with_controller([] {
                                                          return controller_of(creates_another_card);
                                                        })},
      {.name = "CountsInCard", .expected = again, .setup = with_reconcile(counts_in_card)},
      {.name = "AppendsToHistory", .expected = again, .setup = with_reconcile(appends_to_history)},
      {.name = "TrustsCachedList",
       .expected = {Oracle::same_state, Oracle::returns, Oracle::matches_spec},
       .options = {.max_edits = 6, .max_faults = 6, .active = 60s, .faults = {FaultClass::stale_reads}},
       .setup = with_reconcile(trusts_cached_list)},
      {.name = "RecordsNameAfterwards",
       .expected = {Oracle::same_state, Oracle::returns, Oracle::matches_spec},
       .options = {.max_edits = 6, .max_faults = 6, .active = 45s, .faults = {FaultClass::crash}},
       .setup = with_reconcile(records_name_afterwards)},
      {.name = "OrdersTwice", .expected = {Oracle::invariants}, .setup = orders_twice},
      {.name = "PaysAgain", .expected = {Oracle::invariants}, .setup = pays_again},
      {.name = "RevisionInMemory",
       .expected = {Oracle::stays_idle, Oracle::same_state, Oracle::returns, Oracle::matches_spec},
       .setup = with_controller(revision_in_memory)},
  };
}

}  // namespace pintle::wrong_operators
