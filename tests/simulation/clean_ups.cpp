// SPDX-License-Identifier: Apache-2.0
// Operators that leave something behind, or that never let an object go.
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

constexpr const char* far_finalizer = "fair.example.com/far-cards";

// Many deletions and faults within a short time.
testkit::SimulateOptions busy_trials(std::set<FaultClass> faults) {
  return {.max_edits = 6, .max_faults = 6, .active = 45s, .faults = std::move(faults)};
}

Controller<Booth> with_finalizer(Reconcile reconcile, Reconcile finalize) {
  Controller<Booth> controller = controller_of(std::move(reconcile));
  controller.finalize = std::move(finalize);
  controller.finalizer = far_finalizer;
  return controller;
}

// A child that the garbage collector cannot delete, and no finalizer.
Outcome makes_far_card(const Booth& booth, Context& ctx) { return ensure_far_card(ctx, booth); }

// The same with a cluster-scoped child.
Outcome makes_priority_class(const Booth& booth, Context& ctx) {
  const GroupVersionKind kind{"scheduling.k8s.io/v1", "PriorityClass"};
  const auto found = ctx.live().find(kind, {"", booth.metadata.name});
  if (!found) return failed(found.error());
  if (*found) return done;
  return ctx.client().create({{"apiVersion", "scheduling.k8s.io/v1"},
                              {"kind", "PriorityClass"},
                              {"metadata", {{"name", booth.metadata.name}}},
                              {"value", 7}});
}

Controller<Booth> maker_of_priority_classes() {
  Controller<Booth> controller = controller_of(makes_priority_class);
  controller.rbac_rules.push_back(
      {.group = "scheduling.k8s.io", .resource = "priorityclasses", .verbs = {"get", "create"}, .cluster_wide = true});
  return controller;
}

// The clean-up never ends, so that the finalizer stays.
Outcome cleans_up_for_ever(const Booth& booth, Context& ctx) {
  if (const auto removed = remove_far_cards(ctx, booth); !removed) return failed(removed.error());
  return requeue_after(10min);
}

// Removes the finalizer before the clean-up: after a crash in between, nothing calls the clean-up again.
Outcome removes_finalizer_first(const Booth& booth, Context& ctx) {
  Finalizers finalizers(ctx.client(), far_finalizer);
  if (booth.metadata.is_deleting()) {
    const auto removed = finalizers.remove(booth.metadata.snapshot(), ctx.stop_token());
    if (!removed) return failed(removed.error());
    return remove_far_cards(ctx, booth);
  }
  if (const auto added = finalizers.add(booth.metadata.snapshot(), ctx.stop_token()); !added) {
    return failed(added.error());
  }
  return ensure_far_card(ctx, booth);
}

// Adds the finalizer after the first child was created: an object that is deleted in between leaves the child behind.
Outcome adds_finalizer_late(const Booth& booth, Context& ctx) {
  Finalizers finalizers(ctx.client(), far_finalizer);
  if (booth.metadata.is_deleting()) {
    if (const auto removed = remove_far_cards(ctx, booth); !removed) return failed(removed.error());
    const auto removed = finalizers.remove(booth.metadata.snapshot(), ctx.stop_token());
    return removed ? Outcome(done) : failed(removed.error());
  }
  if (const auto made = ensure_far_card(ctx, booth); !made) return failed(made.error());
  return finalizers.add(booth.metadata.snapshot(), ctx.stop_token());
}

// Ignores that the clean-up failed: the finalizer is removed, and the child stays.
Outcome ignores_failed_clean_up(const Booth& booth, Context& ctx) {
  (void)remove_far_cards(ctx, booth);
  return done;
}

// Never repeats a clean-up that failed once: the object is stuck until the next start.
Outcome gives_up_clean_up(const Booth& booth, Context& ctx) {
  const auto removed = remove_far_cards(ctx, booth);
  return removed ? Outcome(done) : failed(removed.error().terminal());
}

json::Value fixed_far_card(const Booth& booth) {
  json::Value card = without_owner(card_of(booth));
  card.as_object()["metadata"].as_object()["namespace"] = far_namespace;
  return card;
}

Outcome makes_fixed_far_card(const Booth& booth, Context& ctx) { return ensure(ctx, fixed_far_card(booth)); }

// The clean-up fails if the child is already gone, so that the object is stuck.
Outcome needs_card_to_clean_up(const Booth& booth, Context& ctx) {
  const ObjectKey key{far_namespace, booth.metadata.name};
  const auto card = ctx.client().get(card_kind, key);
  if (!card) return failed(card.error());
  const auto removed = ctx.client().remove(card_kind, key);
  return removed ? Outcome(done) : failed(removed.error());
}

// Cleans up the children that this process has created, and not those of an earlier process.
Controller<Booth> cleans_up_by_memory() {
  const auto made = std::make_shared<std::map<std::string, ObjectKey>>();
  return with_finalizer(
      [made](const Booth& booth, Context& ctx) -> Outcome {
        const auto cards = far_cards(ctx, booth);
        if (!cards) return failed(cards.error());
        if (!cards->empty()) return done;
        const auto card = ctx.client().create(far_card_of(booth));
        if (!card) return failed(card.error());
        (*made)[booth.metadata.uid] = card->key();
        return done;
      },
      [made](const Booth& booth, Context& ctx) -> Outcome {
        const auto known = made->find(booth.metadata.uid);
        if (known == made->end()) return done;
        const auto removed = ctx.client().remove(card_kind, known->second);
        return removed ? Outcome(done) : failed(removed.error());
      });
}

// A bucket outside the cluster. The clean-up ignores its failure, so that the bucket stays and costs money.
void leaks_buckets(testkit::Subject& subject) {
  const auto cloud = std::make_shared<testkit::CallRecorder>(subject.simulation.executor());
  const auto buckets = std::make_shared<std::map<std::string, std::string>>();  // the name of the booth by uid
  subject.outside = {cloud.get()};
  subject.invariants = {{.name = "each bucket has a booth", .check = [buckets](Client& user) -> Result<void> {
                           for (const auto& [uid, name] : *buckets) {
                             const auto booth = user.get<Booth>({"default", name});
                             if (!booth || booth->metadata.uid != uid)
                               return fail(ErrorCode::invalid, "the bucket of " + name + " is left");
                           }
                           return {};
                         }}};
  subject.add_controllers = [cloud, buckets](Manager& manager) {
    manager.add(with_finalizer(
        [cloud, buckets](const Booth& booth, Context& ctx) -> Outcome {
          return cloud->call(
              "create", booth.metadata.uid, {}, [&] { (*buckets)[booth.metadata.uid] = booth.metadata.name; },
              ctx.stop_token());
        },
        [cloud, buckets](const Booth& booth, Context& ctx) -> Outcome {
          (void)cloud->call(
              "delete", booth.metadata.uid, {}, [&] { buckets->erase(booth.metadata.uid); }, ctx.stop_token());
          return done;
        }));
  };
}

// The same without any clean-up: it shows only when the booths are deleted and do not come back.
void keeps_buckets(testkit::Subject& subject) {
  subject.random_edits = false;
  const auto cloud = std::make_shared<testkit::CallRecorder>(subject.simulation.executor());
  const auto buckets = std::make_shared<std::set<std::string>>();  // by uid
  subject.outside = {cloud.get()};
  subject.invariants = {{.name = "each bucket has a booth", .check = [buckets](Client& user) -> Result<void> {
                           const auto booths = user.list<Booth>();
                           if (!booths) return fail(booths.error());
                           if (booths->size() == buckets->size()) return {};
                           return fail(ErrorCode::invalid, number(static_cast<std::int64_t>(buckets->size())) +
                                                               " buckets and another number of booths");
                         }}};
  subject.add_controllers = [cloud, buckets](Manager& manager) {
    manager.add(controller_of([cloud, buckets](const Booth& booth, Context& ctx) -> Outcome {
      return cloud->call(
          "create", booth.metadata.uid, {}, [&] { buckets->insert(booth.metadata.uid); }, ctx.stop_token());
    }));
  };
}

}  // namespace

std::vector<WrongOperator> wrong_clean_ups() {
  const auto finalized_by = [](Reconcile reconcile, Reconcile finalize) {
    return with_controller([=] { return with_finalizer(reconcile, finalize); });
  };
  const std::set<Oracle> left{Oracle::nothing_left};
  return {
      {.name = "ForgetsFinalizer", .expected = left, .setup = with_reconcile(makes_far_card)},
      {.name = "ForgetsClusterScopedChild", .expected = left, .setup = with_controller(maker_of_priority_classes)},
      {.name = "NeverRemovesFinalizer", .expected = left, .setup = finalized_by(makes_far_card, cleans_up_for_ever)},
      {.name = "RemovesFinalizerFirst",
       .expected = {Oracle::nothing_left, Oracle::same_state, Oracle::returns, Oracle::matches_spec},
       .options = busy_trials({FaultClass::crash}),
       .setup = with_reconcile(removes_finalizer_first)},
      {.name = "AddsFinalizerLate",
       .expected = {Oracle::nothing_left, Oracle::same_state, Oracle::returns, Oracle::matches_spec},
       .options = busy_trials({FaultClass::crash}),
       .setup = with_reconcile(adds_finalizer_late)},
      {.name = "IgnoresFailedCleanUp",
       .expected = {Oracle::nothing_left, Oracle::same_state, Oracle::returns, Oracle::matches_spec},
       .options = busy_trials({FaultClass::protocol}),
       .setup = finalized_by(makes_far_card, ignores_failed_clean_up)},
      {.name = "GivesUpCleanUp",
       .expected = {Oracle::nothing_left, Oracle::same_state, Oracle::returns, Oracle::matches_spec},
       .options = busy_trials({FaultClass::protocol}),
       .setup = finalized_by(makes_far_card, gives_up_clean_up)},
      {.name = "NeedsCardToCleanUp",
       .expected = left,
       .options = {.without = {{Oracle::stays_idle, "it does not watch its far card, which is another bug"},
                               {Oracle::same_state, "for the same reason"},
                               {Oracle::returns, "for the same reason"}}},
       .setup = finalized_by(makes_fixed_far_card, needs_card_to_clean_up)},
      {.name = "CleansUpByMemory",
       .expected = {Oracle::nothing_left, Oracle::same_state, Oracle::returns, Oracle::matches_spec},
       .setup = with_controller(cleans_up_by_memory)},
      {.name = "LeaksBuckets",
       .expected = {Oracle::invariants},
       .options = busy_trials({FaultClass::outside}),
       .setup = leaks_buckets},
      {.name = "KeepsBuckets", .expected = {Oracle::invariants}, .options = {.faults = {}}, .setup = keeps_buckets},
  };
}

}  // namespace pintle::wrong_operators
