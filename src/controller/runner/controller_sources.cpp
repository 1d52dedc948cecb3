// SPDX-License-Identifier: Apache-2.0
#include "controller_sources.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include <pintle/base/exceptions.hpp>
#include <pintle/object/owner.hpp>

namespace pintle {
namespace {

// `cluster` names the cluster of the changed object if it differs from the cluster of the controller.
ReconcileCause cause_of(const Change& change, ReconcileCause::Source source, std::string cluster = {}) {
  using Verb = ReconcileCause::Verb;
  const Verb verb = !change.old ? Verb::added : !change.current ? Verb::deleted : Verb::updated;
  return {
      .source = change.cause == ChangeCause::initial ? ReconcileCause::Source::initial : source,
      .verb = verb,
      .object = change.object(),
      .before = verb == Verb::updated ? change.old : Object(),
      .note = std::move(cluster),
      .merged_versions = change.cause == ChangeCause::missed ? std::vector<std::string>{""} : change.merged_versions};
}

bool requests_reconcile(const Change& change) {
  return change.old && change.current &&
         change.old.annotation(reconcile_annotation) != change.current.annotation(reconcile_annotation);
}

// Returns whether the old object no longer exists. A new object may have its name.
bool has_gone(const Change& change) {
  return change.old && (!change.current || change.old.uid() != change.current.uid());
}

bool begins_deletion(const Change& change) {
  if (!change.current || !change.current.is_deleting()) return false;
  return !change.old || !change.old.is_deleting();
}

// Returns whether `finalize` or `gone` must be called after the change. No predicate rejects such a change.
bool needs_cleanup(const AnyController& spec, const Change& change) {
  const bool has_finalizer = !spec.finalizer.empty();
  if (has_gone(change)) return has_finalizer || spec.gone;
  return has_finalizer && begins_deletion(change);
}

int priority_of(const Change& change) {
  const bool can_wait = change.cause == ChangeCause::initial || change.cause == ChangeCause::resync;
  return can_wait ? low_priority : normal_priority;
}

// Returns the owners of this kind that an object refers to; only its controller for OwnerMatch::controller.
std::vector<ObjectKey> owners_of(const Object& object, const GroupVersionKind& kind, OwnerMatch match,
                                 bool owner_is_namespaced) {
  std::vector<ObjectKey> owners;
  for (const json::View owner : object.owner_references().elements()) {
    if (match == OwnerMatch::controller && owner.member("controller") != true) continue;
    if (owner.member("kind") != kind.kind) continue;
    // Only the group is compared, because the reference may contain another version of the kind.
    if (GroupVersionKind(owner.member("apiVersion").text(), kind.kind).group != kind.group) continue;
    owners.push_back({owner_is_namespaced ? std::string(object.namespace_()) : std::string(),
                      std::string(owner.member("name").text())});
  }
  return owners;
}

// Returns whether an apply that was refused because of this object may succeed after the change.
bool no_longer_obstructs(const Change& change) {
  if (!change.old) return false;
  if (!change.current || change.old.uid() != change.current.uid()) return true;
  const auto before = controller_of(change.old);
  const auto after = controller_of(change.current);
  return (before ? before->uid : "") != (after ? after->uid : "");
}

// The state before a write is as the cache keeps it. Returns the write with the state after it in the same form, or
// nothing if there is none.
std::optional<Informer::Write> as_cached(const Informer::Write& write, const ReflectorOptions& options) {
  const CacheProjection whole;
  const json::Projection& projection = options.projection.projection;
  const bool is_whole = projection.keep == whole.projection.keep && projection.drop == whole.projection.drop;
  if ((is_whole && !options.projection.transform) || !write.after) return write;
  auto after = Reflector::project(write.after.root(), options);
  if (!after) return {};
  Informer::Write cached = write;
  cached.after = std::move(*after);
  return cached;
}

}  // namespace

ControllerSources::ControllerSources(const Surroundings& around)
    : around_(around),
      spec_(around.spec),
      cluster_(*around.clusters.find(around.spec.cluster)->second),
      handle_(around.handles.find(around.spec.cluster)->second),
      executor_(cluster_.reconcile_client()->transport().executor()),
      receiver_(around.receiver),
      lane_(cluster_.dispatcher().open_lane()),
      owned_kinds_([this](const ObjectKey& key) { receiver_.note_thrown("owns.active_when", key); }) {}

ControllerSources::~ControllerSources() = default;

Result<void> ControllerSources::connect(const std::stop_token& stop) {
  if (spec_.get_object) return {};
  const WatchedNamespaces own =
      narrowed(cluster_.home(), {.names = spec_.namespaces, .selector = spec_.namespace_selector});
  auto primary = cluster_.informers({spec_.watch.kind, own, spec_.label_selector, spec_.field_selector},
                                    {.required = true, .is_own = true}, stop);
  if (!primary) return Result<void>(std::move(primary.error())).with_operation("controller " + spec_.name);
  watch(*primary);
  for (const Owns& owned : spec_.owns) {
    auto secondary = cluster_.informers(
        {owned.kind, own, owned.options.label_selector, owned.options.field_selector, owned.options.metadata_only},
        {.required = owned.options.required,
         .if_served = owned.options.if_served,
         .on_demand = static_cast<bool>(owned.options.active_when)},
        stop);
    if (!secondary)
      return Result<void>(std::move(secondary.error())).with_operation("controller " + spec_.name + ": owns");
    watch_owned(*secondary, owned);
  }
  for (const Watches& watched : spec_.watches) {
    ClusterHandle& handle = *around_.handles.find(watched.cluster.empty() ? spec_.cluster : watched.cluster)->second;
    ManagedCluster& cluster = *around_.clusters.find(handle.name)->second;
    const WatchedNamespaces& all = &cluster == &cluster_ ? own : cluster.home();
    auto secondary = cluster.informers(
        {watched.kind.value(), watched.namespaces.empty() ? all : WatchedNamespaces{.names = watched.namespaces},
         watched.label_selector, watched.field_selector, watched.metadata_only},
        {.required = watched.required, .if_served = watched.if_served}, stop);
    if (!secondary)
      return Result<void>(std::move(secondary.error())).with_operation("controller " + spec_.name + ": watches");
    watch_mapped(*secondary, watched, handle);
  }
  return add_indexes();
}

void ControllerSources::start(const std::stop_token& stop) {
  for (const auto& channel : spec_.channels) {
    channel->open([this](const ObjectKey& key, std::string note) {
      return receiver_.wake(key, {.source = ReconcileCause::Source::channel, .note = std::move(note)}, normal_priority);
    });
  }
  for (const Poll& one : spec_.polls) {
    polls_.push_back(executor_.spawn({.name = spec_.name + "-poll-" + one.name}, [this, &one, stop] {
      poll(one, stop);
      receiver_.poll_ended(one);
    }));
  }
}

void ControllerSources::close_channels() {
  for (const auto& channel : spec_.channels) {
    if (channel != nullptr) channel->close();
  }
}

void ControllerSources::join_polls() { polls_.clear(); }

void ControllerSources::add_handler(InformerSet& informers, const ChangeHandler& handler) {
  informers.on_informer([this, handler](Informer& informer) {
    informer.add_handler(handler, {.lane = lane_, .deliver_short_lived = true});
  });
}

// Adds each index to all caches of its kind that the controller reads.
Result<void> ControllerSources::add_indexes() {
  for (const Index& index : spec_.indexes) {
    const GroupVersionKind& kind = index.kind.empty() ? spec_.watch.kind : index.kind;
    const std::string which = "controller " + spec_.name + ": index \"" + index.name + "\" of " + kind.to_string();
    std::set<InformerSet*> caches;
    for (const auto& [name, cluster] : around_.handles) {
      const auto [first, last] = cluster->informers.equal_range(kind);
      std::for_each(first, last, [&](const auto& known) { caches.insert(known.second.get()); });
    }
    if (caches.empty()) {
      return fail(ErrorCode::invalid,
                  which + ": the controller has no cache of this kind; add it to .owns or .watches");
    }
    if (auto added = add_index(index, caches); !added) return std::move(added).with_operation(which);
  }
  return {};
}

// Several sets may have the same informer.
Result<void> ControllerSources::add_index(const Index& index, const std::set<InformerSet*>& caches) {
  std::set<Informer*> indexed;
  for (InformerSet* cache : caches) {
    if (cache->follows_namespaces()) {
      if (auto added = cache->add_index(index); !added) return added;
      continue;
    }
    const auto members = cache->members();
    for (const auto& informer : *members) {
      if (!indexed.insert(informer.get()).second) continue;
      if (auto added = informer->add_index(index); !added) return added;
    }
  }
  return {};
}

void ControllerSources::watch(const std::shared_ptr<InformerSet>& informers) {
  primary_ = informers;
  handle_->informers.emplace(informers->resource().kind, informers);
  if (spec_.on_watch_end) {
    informers->on_informer([this](Informer& informer) {
      informer.on_watch_end([this](const Error* error) {
        try {
          spec_.on_watch_end(error);
        } catch (...) {
          receiver_.note_thrown("on_watch_end", {});
        }
      });
    });
  }
  note_writes(*informers);
  add_handler(*informers, [this](const Change& change) {
    owned_kinds_.on_change(change);
    observe(change);
    const bool is_owed = around_.paused.ends_with(change);
    const bool is_requested = requests_reconcile(change);
    if (is_requested) receiver_.release(change.current.key());
    if (spec_.gone && has_gone(change)) receiver_.note_gone(change.old);
    const bool is_certain = is_owed || is_requested || needs_cleanup(spec_, change);
    if (!is_certain && !lets_through(spec_.predicate, change, "predicate")) return;
    receiver_.wake(change.object().key(), cause_of(change, ReconcileCause::Source::change), priority_of(change));
  });
}

void ControllerSources::observe(const Change& change) const {
  if (!spec_.on_change) return;
  try {
    spec_.on_change(change);
  } catch (...) {
    receiver_.note_thrown("on_change", change.object().key());
  }
}

// A new object in place of a deleted one passes if its addition or the deletion passes. A predicate that throws passes
// the change, because an additional reconcile does less harm than a missing one.
bool ControllerSources::lets_through(const Predicate& predicate, const Change& change, std::string_view whose) const {
  try {
    if (!change.current || !has_gone(change)) return predicate(change);
    return predicate({.old = change.old, .cause = change.cause}) ||
           predicate({.current = change.current, .cause = change.cause});
  } catch (...) {
    receiver_.note_thrown(whose, change.object().key());
    return true;
  }
}

// The writes of all controllers arrive here, because they share the client.
void ControllerSources::note_writes(InformerSet& informers) {
  informers.on_informer([this](Informer& informer) {
    // A write may end after the informer of its namespace was released, so the function does not refer to it.
    informer.on_write(
        [this, kind = informer.resource().kind, options = informer.options().reflector](const Informer::Write& write) {
          const bool is_own = around_.own_writes.written().note(write);
          if (!is_own) return;
          const auto cached = as_cached(write, options);
          if (cached && around_.own_writes.note_write(kind, *cached)) around_.metrics.count_taken_back();
          if (cached && around_.writes != nullptr) around_.writes->note(kind, *cached);
        });
    informer.on_rewind([this] { around_.own_writes.written().clear(); });
  });
}

void ControllerSources::watch_owned(const std::shared_ptr<InformerSet>& informers, const Owns& owned) {
  note_writes(*informers);
  handle_->informers.emplace(informers->resource().kind, informers);
  owned_kinds_.add(owned, informers, cluster_.activation());
  if (owned.options.if_served) {
    informers->on_informer(
        [this, &owned](Informer& informer) { informer.on_synced([this, &owned] { wake_after_activation(owned); }); });
  }
  add_handler(*informers, [this, &owned](const Change& change) {
    wake_refused(*handle_, owned.kind, change);
    if (!lets_through(owned.options.predicate, change, "owns.predicate")) return;
    // The previous owners are included, because a child may change its owner.
    std::set<ObjectKey> owners;
    for (const Object* object : {&change.old, &change.current}) {
      for (ObjectKey& owner :
           owners_of(*object, spec_.watch.kind, owned.options.match, primary_->resource().namespaced)) {
        owners.insert(std::move(owner));
      }
    }
    for (const ObjectKey& owner : owners) {
      receiver_.wake(owner, cause_of(change, ReconcileCause::Source::owned), priority_of(change));
    }
  });
}

void ControllerSources::wake_refused(const ClusterHandle& cluster, const GroupVersionKind& kind, const Change& change) {
  if (!no_longer_obstructs(change)) return;
  for (const ObjectKey& owner : cluster.applier.refused_by(kind, change.object().key())) {
    receiver_.wake(owner, cause_of(change, ReconcileCause::Source::owned), priority_of(change));
  }
}

// Nothing else causes a reconcile of the objects whose children of this kind could not be created.
void ControllerSources::wake_after_activation(const Owns& owned) {
  if (!owned_kinds_.take_missed(owned)) return;
  const ReconcileCause cause{.source = ReconcileCause::Source::activation, .note = owned.kind.to_string()};
  for (const Object& object : primary_->range()) {
    if (owned_kinds_.is_wanted(owned.kind, object)) receiver_.wake(object.key(), cause, low_priority);
  }
}

void ControllerSources::watch_mapped(const std::shared_ptr<InformerSet>& informers, const Watches& watched,
                                     ClusterHandle& cluster) {
  note_writes(*informers);
  cluster.informers.emplace(informers->resource().kind, informers);
  References& references = references_[&watched];
  if (watched.references) {
    // Added before the handler below, so that the references are up to date when both handlers are on one informer.
    add_handler(*primary_, [this, &watched, &references](const Change& change) {
      if (change.current) {
        references.set(change.current.key(), mapped(watched.references, change.current));
      } else {
        references.erase(change.old.key());
      }
    });
  }
  const std::string elsewhere = &cluster == handle_.get() ? "" : "in cluster " + cluster.name;
  add_handler(*informers, [this, &watched, &references, &cluster, elsewhere](const Change& change) {
    wake_refused(cluster, watched.kind.value(), change);
    if (!lets_through(watched.predicate, change, "watches.predicate")) return;
    std::set<ObjectKey> keys;
    const auto take = [&](std::vector<ObjectKey> found) {
      for (ObjectKey& key : found) keys.insert(std::move(key));
    };
    if (watched.references) take(references.to(change.object().key()));
    for (const Object* object : {&change.old, &change.current}) {
      if (watched.map && *object) take(mapped(watched.map, *object));
      if (watched.map_with_cache && *object) take(mapped(with_cache(watched.map_with_cache), *object));
    }
    for (const ObjectKey& key : keys) {
      receiver_.wake(key, cause_of(change, ReconcileCause::Source::mapped, elsewhere), priority_of(change));
    }
  });
}

MapFunction ControllerSources::with_cache(const KeyMapWithCache& map) const {
  return [this, &map](const Object& object) {
    return map(object, CacheReader(*primary_, spec_.cluster, around_.handles));
  };
}

std::vector<ObjectKey> ControllerSources::mapped(const MapFunction& map, const Object& object) const {
  try {
    return map(object);
  } catch (...) {
    receiver_.note_thrown("watches.map", object.key());
    return {};
  }
}

void ControllerSources::poll(const Poll& poll, const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    Result<std::vector<ObjectKey>> found = std::vector<ObjectKey>();
    try {
      found = poll.poll(stop);
    } catch (...) {
      around_.metrics.count_thrown("polls.poll");
      found = fail(ErrorCode::unknown, "the poll threw " + describe_exception());
    }
    if (!found && !stop.stop_requested()) {
      around_.log.error("a poll failed", {{"poll", poll.name}, {"error", found.error().to_string()}});
    }
    if (found) {
      for (const ObjectKey& key : *found) {
        receiver_.wake(key, {.source = ReconcileCause::Source::poll, .note = poll.name}, normal_priority);
      }
    }
    executor_.sleep_for(poll.interval, stop);
  }
}

}  // namespace pintle
