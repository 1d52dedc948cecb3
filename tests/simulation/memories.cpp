// SPDX-License-Identifier: Apache-2.0
// Operators that ignore an error, or that store too much or too little in their process.
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "booth.hpp"
#include "wrong_operators.hpp"

namespace pintle::wrong_operators {
namespace {

using namespace std::chrono_literals;
using testkit::FaultClass;
using testkit::Oracle;

// Returns `done` after a write that failed.
Outcome swallows_error(const Booth& booth, Context& ctx) {
  (void)ensure(ctx, card_of(booth));
  return done;
}

// Takes each error for a permanent one.
Outcome gives_up_at_once(const Booth& booth, Context& ctx) {
  const auto made = ensure(ctx, card_of(booth));
  return made ? Outcome(done) : failed(made.error().terminal());
}

// Takes a conflict for success, because "somebody else has written it".
Outcome ignores_conflicts(const Booth& booth, Context& ctx) {
  const auto made = ensure(ctx, card_of(booth));
  if (!made && made.error().code == ErrorCode::conflict) return done;
  return made ? Outcome(done) : failed(made.error());
}

// Takes not_found for success: a child that a user has deleted does not come back.
Outcome ignores_not_found(const Booth& booth, Context& ctx) {
  if (!booth.status || !booth.status->phase) {
    json::Value card = card_of(booth);
    card.as_object()["data"] = json::object{{"title", booth.spec.title}};
    if (const auto made = ensure(ctx, card); !made) return failed(made.error());
    return set_status(ctx, booth, {{"phase", "made"}});
  }
  const auto card = ctx.find(card_kind, booth.metadata.key());
  if (!card) return failed(card.error());
  if (*card && (**card)["/data/title"] == booth.spec.title) return done;
  const json::Value patch{{"data", {{"title", booth.spec.title}}}};
  const auto patched = ctx.client().patch(card_kind, booth.metadata.key(), patch);
  if (!patched && patched.error().code == ErrorCode::not_found) return done;
  return patched ? Outcome(done) : failed(patched.error());
}

// Stores in the process that the child exists.
Controller<Booth> remembers_creation() {
  const auto made = std::make_shared<std::set<std::string>>();
  return owner_of_cards([made](const Booth& booth, Context& ctx) -> Outcome {
    const std::string what = booth.metadata.uid + "/" + booth.spec.title;
    if (made->contains(what)) return done;
    json::Value card = card_of(booth);
    card.as_object()["data"].as_object().erase("size");
    if (const auto done_it = ensure(ctx, card); !done_it) return failed(done_it.error());
    made->insert(what);
    return done;
  });
}

// Stores that the child exists before the write has succeeded.
Controller<Booth> remembers_too_early() {
  const auto made = std::make_shared<std::set<std::string>>();
  return owner_of_cards([made](const Booth& booth, Context& ctx) -> Outcome {
    if (!made->insert(booth.metadata.uid + "/" + number(booth.metadata.generation)).second) return done;
    return ensure(ctx, card_of(booth));
  });
}

// Stores it by the name of the object, although a new object may have the name.
Controller<Booth> remembers_by_name() {
  const auto made = std::make_shared<std::map<std::string, std::int64_t>>();  // the size by name
  return owner_of_cards([made](const Booth& booth, Context& ctx) -> Outcome {
    const auto known = made->find(booth.metadata.name);
    if (known != made->end() && known->second == booth.spec.size) return done;
    json::Value card = card_of(booth);
    card.as_object()["data"].as_object().erase("title");
    if (const auto done_it = ensure(ctx, card); !done_it) return failed(done_it.error());
    (*made)[booth.metadata.name] = booth.spec.size;
    return done;
  });
}

// Numbers its objects in memory: after a restart the numbers begin anew.
Controller<Booth> numbers_in_memory() {
  const auto ports = std::make_shared<std::map<std::string, std::int64_t>>();  // by uid
  return owner_of_cards([ports](const Booth& booth, Context& ctx) -> Outcome {
    const auto port = ports->emplace(booth.metadata.uid, 8000 + static_cast<std::int64_t>(ports->size())).first->second;
    json::Value card = card_of(booth);
    card.as_object()["data"] = json::object{{"port", number(port)}};
    return ensure(ctx, card);
  });
}

// Takes the first number that no card has: two workers that list the cards at the same time take the same number.
void numbers_with(testkit::Subject& subject, int workers) {
  subject.manager.defaults.workers = workers;
  subject.random_edits = false;
  subject.assigned = {"/data/number"};
  subject.invariants = {{.name = "each card has its own number", .check = [](Client& user) -> Result<void> {
                           std::set<std::string> numbers;
                           const auto cards = user.list(card_kind, {.label_selector = "app=booth"});
                           if (!cards) return fail(cards.error());
                           for (const Object& card : cards->items) {
                             if (!numbers.emplace(card["/data/number"].text()).second) {
                               return fail(ErrorCode::invalid, "two cards have the same number");
                             }
                           }
                           return {};
                         }}};
  subject.add_controllers = [](Manager& manager) {
    manager.add(owner_of_cards([](const Booth& booth, Context& ctx) -> Outcome {
      const auto cards = ctx.live().list(card_kind, {.label_selector = "app=booth"});
      if (!cards) return failed(cards.error());
      std::set<std::string> taken;
      for (const Object& card : *cards) {
        if (card.name() == booth.metadata.name) return done;
        taken.emplace(card["/data/number"].text());
      }
      std::int64_t first = 1;
      while (taken.contains(number(first))) ++first;
      json::Value card = card_of(booth);
      card.as_object()["data"] = json::object{{"number", number(first)}};
      return ctx.client().create(card);
    }));
  };
}

// Uses a kind that its roles do not allow.
Outcome lacks_permission(const Booth& booth, Context& ctx) {
  const GroupVersionKind kind{"v1", "Secret"};
  const auto found = ctx.live().find(kind, booth.metadata.key());
  if (!found) return failed(found.error());
  if (*found) return done;
  json::Value secret = card_of(booth);
  secret.as_object()["kind"] = "Secret";
  secret.as_object().erase("data");
  return ctx.client().create(secret);
}

// Two instances, of which each works, although only the leader should.
void works_without_lease(testkit::Subject& subject) {
  subject.instances = 2;
  subject.manager.leader_election = LeaderElectionOptions{.namespace_ = "default"};
  subject.add_controllers = [](Manager& manager) {
    Controller<Booth> controller =
        owner_of_cards([](const Booth& booth, Context& ctx) -> Outcome { return ensure(ctx, card_of(booth)); });
    controller.leadership = Leadership::every_instance;
    manager.add(std::move(controller));
  };
}

// The same with work outside the cluster only, for which the server checks no Lease.
void calls_in_every_instance(testkit::Subject& subject) {
  subject.instances = 2;
  subject.manager.leader_election = LeaderElectionOptions{.namespace_ = "default"};
  const auto printer = std::make_shared<testkit::CallRecorder>(subject.simulation.executor());
  subject.outside = {printer.get()};
  subject.add_controllers = [printer](Manager& manager) {
    Controller<Booth> controller = controller_of([printer](const Booth& booth, Context& ctx) -> Outcome {
      return printer->call("print", booth.metadata.name, booth.spec.title, {}, ctx.stop_token());
    });
    controller.leadership = Leadership::every_instance;
    manager.add(std::move(controller));
  };
}

// A thread of its own writes, without the lease.
void writes_in_background(testkit::Subject& subject) {
  subject.instances = 2;
  subject.manager.leader_election = LeaderElectionOptions{.namespace_ = "default"};
  subject.add_controllers = [](Manager& manager) {
    manager.add(
        owner_of_cards([](const Booth& booth, Context& ctx) -> Outcome { return ensure(ctx, card_of(booth)); }));
    manager.add(Runnable{.name = {"background"},
                         .body = {[](const RunnableContext& ctx) -> Result<void> {
                           (void)ctx.client.create({{"apiVersion", "v1"},
                                                    {"kind", "ConfigMap"},
                                                    {"metadata", {{"name", "hello"}, {"namespace", "default"}}}});
                           return {};
                         }},
                         .leadership = Leadership::every_instance});
  };
}

// The leader writes with a client of its own, which does not check the Lease: after the process was frozen, it goes on
// with its work although another instance leads.
void writes_past_the_fence(testkit::Subject& subject) {
  subject.instances = 2;
  subject.manager.leader_election = LeaderElectionOptions{.namespace_ = "default"};
  subject.add_controllers = [](Manager& manager) {
    const auto client = std::make_shared<Client>(
        ClientOptions{.transport = manager.options().transport,
                      .cluster = {.endpoint = std::make_shared<http::Endpoint>(http::Endpoint{.host = "localhost"})},
                      .user_agent = manager.options().name});
    manager.add(owner_of_cards([client](const Booth& booth, Context& ctx) -> Outcome {
      const json::Value card = card_of(booth);
      const auto found = ctx.live().find(card_kind, booth.metadata.key());
      if (!found) return failed(found.error());
      if (*found && (**found)["/data"] == Object(card)["/data"]) return done;
      (void)ctx.executor().sleep_for(3s);  // prints the card
      const json::Value patch{{"data", Object(card)["/data"].to_value()}};
      return *found ? client->patch(card_kind, booth.metadata.key(), patch) : client->create(card);
    }));
  };
}

}  // namespace

std::vector<WrongOperator> wrong_memories() {
  const std::set<Oracle> state{Oracle::same_state, Oracle::returns, Oracle::matches_spec, Oracle::stays_idle};
  return {
      {.name = "SwallowsError",
       .expected = {Oracle::same_state, Oracle::returns, Oracle::matches_spec, Oracle::stays_idle,
                    Oracle::honest_status},
       .setup = with_reconcile(swallows_error)},
      {.name = "GivesUpAtOnce", .expected = state, .setup = with_reconcile(gives_up_at_once)},
      {.name = "IgnoresConflicts",
       .expected = state,
       .options = {.max_edits = 6, .max_faults = 6, .active = 45s, .faults = {FaultClass::protocol}},
       .setup = with_reconcile(ignores_conflicts)},
      {.name = "IgnoresNotFound", .expected = state, .setup = with_reconcile(ignores_not_found)},
      {.name = "RemembersCreation", .expected = state, .setup = with_controller(remembers_creation)},
      {.name = "RemembersTooEarly", .expected = state, .setup = with_controller(remembers_too_early)},
      {.name = "RemembersByName", .expected = state, .setup = with_controller(remembers_by_name)},
      {.name = "NumbersOnTwoWorkers",
       .expected = {Oracle::invariants},
       .options = {.faults = {FaultClass::restart}},
       .setup = [](testkit::Subject& subject) { numbers_with(subject, 2); }},
      {.name = "NumbersInMemory", .expected = state, .setup = with_controller(numbers_in_memory)},
      {.name = "LacksPermission", .expected = {Oracle::roles_suffice}, .setup = with_reconcile(lacks_permission)},
      {.name = "WorksWithoutLease", .expected = {Oracle::lease_held}, .setup = works_without_lease},
      {.name = "CallsInEveryInstance", .expected = {Oracle::one_worker}, .setup = calls_in_every_instance},
      {.name = "WritesInBackground", .expected = {Oracle::lease_held}, .setup = writes_in_background},
      {.name = "WritesPastTheFence",
       .expected = {Oracle::lease_held},
       .options = {.max_edits = 6, .max_faults = 6, .faults = {FaultClass::freeze}},
       .setup = writes_past_the_fence},
  };
}

}  // namespace pintle::wrong_operators
