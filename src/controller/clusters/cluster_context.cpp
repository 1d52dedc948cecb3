// SPDX-License-Identifier: Apache-2.0
#include <pintle/controller/cluster_context.hpp>

#include <utility>

#include <pintle/object/owner.hpp>

#include "controller/apply/child_scope.hpp"
#include "controller/reconcile_state.hpp"
#include "controller/sources/cache_search.hpp"

namespace pintle {
namespace {

// The garbage collector treats an owner in another namespace or cluster as deleted, and deletes the child. `elsewhere`
// is the name of the cluster of the child; empty if the owner is in the same cluster.
Result<void> check_owners(const Object& child, const Object& owner, const std::string& elsewhere, Client& client,
                          const std::stop_token& stop) {
  bool has_controller = false;
  for (const json::View reference : child.owner_references().elements()) {
    if (reference.member("controller") == true && std::exchange(has_controller, true)) {
      return fail(ErrorCode::invalid, "metadata.ownerReferences names two controllers; keep one of them");
    }
    if (reference.member("uid") != owner.uid()) continue;
    const std::string it = "its owner " + std::string(owner.kind()) + " " + owner.key().to_string();
    if (!elsewhere.empty()) {
      return fail(ErrorCode::invalid,
                  it + " is not in cluster " + elsewhere + "; omit the owner reference and clean up in .finalize");
    }
    if (auto fits = check_child_scope(client, child, owner, stop); !fits) return fits;
    if (!owner.namespace_().empty() && owner.namespace_() != child.namespace_()) {
      return fail(ErrorCode::invalid, it + " is in another namespace; set metadata.namespace to " +
                                          std::string(owner.namespace_()) +
                                          ", or omit the owner reference and clean up in .finalize");
    }
  }
  return {};
}

Result<ObjectRange> list_source(const ListSource& source, const LiveReader& live, const GroupVersionKind& kind,
                                const CacheListOptions& options, const IndexQuery& owner,
                                const OwnWriteReads& counted) {
  Informer* informer = source.informer.get();
  const auto pending = informer == nullptr ? std::nullopt : informer->pending_create();
  if (informer != nullptr && !pending) return search_cache(*informer, options, owner);
  if (pending) counted.pending_creates.add();
  auto listed = live.list_with_version(kind, {.namespace_ = source.namespace_,
                                              .label_selector = options.label_selector,
                                              .field_selector = options.field_selector});
  if (!listed) return fail(std::move(listed.error()));
  if (pending) informer->resolve_pending_create(*pending, listed->resource_version);
  ObjectTable table;
  for (Object& object : listed->items) (void)table.put(std::move(object));
  auto indexed = select_by_index(kind, table.range(), options.index, source.indexed.get());
  if (!indexed) return indexed;
  return select_by_index(kind, std::move(*indexed), owner, source.indexed.get());
}

}  // namespace

Result<void> ClusterContext::check_wanted(const json::Value& intent) const {
  if (state_.owned_kinds == nullptr || !state_.owned_kinds->has_conditions() || !elsewhere().empty()) return {};
  const Object child(intent);
  if (state_.owned_kinds->is_wanted(child.group_version_kind(), state_.object)) return {};
  return fail(make_error(ErrorCode::invalid,
                         "apply " + child.describe() + ": the .active_when of this kind is false for " +
                             state_.object.describe() + "; check ctx.is_active() first, or apply a ChildSet")
                  .terminal());
}

Result<Object> ClusterContext::apply_value(const json::Value& intent, ApplyOptions options) {
  if (auto wanted = check_wanted(intent); !wanted) return fail(std::move(wanted.error()));
  auto applied = apply_child(intent, options);
  if (!applied) return fail(std::move(applied.error()));
  return std::move(applied->object);
}

Result<AppliedChild> ClusterContext::apply_child(const json::Value& intent, ApplyOptions options) {
  const Object wanted{intent};
  auto done = [&]() -> Result<AppliedChild> {
    if (wanted.name().empty() || wanted.kind().empty()) {
      return fail(ErrorCode::invalid, "an intent must have apiVersion, kind and metadata.name");
    }
    if (auto good = check_owners(wanted, state_.object, elsewhere(), client(), state_.stop); !good) {
      return fail(std::move(good.error()));
    }
    const auto informer = cluster_->informer_of(wanted.group_version_kind(), wanted.key());
    auto applied = cluster_->applier.apply(state_.object.key(), intent, wanted, options, informer.get(), state_.stop);
    if (applied) static_cast<void>(cluster_->noted(wanted.group_version_kind(), applied->object));
    return applied;
  }();
  if (done) return done;
  return std::move(done).with_operation("apply " + wanted.describe());
}

Result<Object> ClusterContext::patch_value(const GroupVersionKind& kind, const ObjectKey& key,
                                           const json::Value& merge_patch) {
  return state_.noted(
      *cluster_, cluster_->client->patch(kind, key, merge_patch, {.field_manager = state_.field_manager}, state_.stop));
}

Result<Object> ClusterContext::json_patch(const GroupVersionKind& kind, const ObjectKey& key,
                                          const json::Patch& patch) {
  return state_.noted(*cluster_,
                      cluster_->client->patch(kind, key, patch, {.field_manager = state_.field_manager}, state_.stop));
}

Result<Object> ClusterContext::patch(const Object& object, const json::Value& merge_patch) {
  return patch_value(object.group_version_kind(), object.key(), merge_patch);
}

Result<Object> ClusterContext::create(const json::Value& object) {
  const Object wanted{json::Value(object)};
  const auto refused = [&](Error error) {
    return Result<Object>(fail(std::move(error))).with_operation("create " + wanted.describe());
  };
  if (auto good = check_owners(wanted, state_.object, elsewhere(), client(), state_.stop); !good) {
    return refused(std::move(good.error()));
  }
  // A generated name is never taken.
  const bool has_name = !wanted.name().empty();
  if (has_name) {
    const auto informer = cluster_->informer_of(wanted.group_version_kind(), wanted.key());
    auto begun = cluster_->applier.begin_create(state_.object.key(), wanted, informer.get(), state_.stop);
    if (!begun) return refused(std::move(begun.error()));
  }
  auto created =
      cluster_->noted(wanted.group_version_kind(),
                      cluster_->client->create(object, {.field_manager = state_.field_manager}, state_.stop));
  if (has_name) cluster_->applier.end_create(state_.object.key(), wanted, created.has_value());
  return created;
}

Result<void> ClusterContext::check_declared(const GroupVersionKind& kind) const {
  if (!cluster_->is_cached || cluster_->informers.contains(kind)) return {};
  const std::string where = elsewhere().empty() ? "" : " in cluster " + cluster_->name;
  return fail(make_error(ErrorCode::invalid, kind.to_string() + " is not cached" + where + " for controller " +
                                                 state_.controller + "; add it to .owns or .watches, or use ctx.live()")
                  .terminal());
}

Result<Object> ClusterContext::get(const GroupVersionKind& kind, const ObjectKey& key) {
  if (auto declared = check_declared(kind); !declared) return fail(std::move(declared.error()));
  return get_anywhere(kind, key);
}

Result<Object> ClusterContext::get_anywhere(const GroupVersionKind& kind, const ObjectKey& key) {
  const auto informer = cluster_->informer_of(kind, key);
  if (informer == nullptr) return live().get(kind, key);
  if (Object object = informer->store().get(key)) return object;
  return fail(ErrorCode::not_found, informer->resource().to_string() + " \"" + key.name + "\" not found");
}

Result<std::optional<Object>> ClusterContext::find(const GroupVersionKind& kind, const ObjectKey& key) {
  auto found = get(kind, key);
  if (found) return std::optional(std::move(*found));
  if (found.error().code == ErrorCode::not_found) return std::optional<Object>();
  return fail(std::move(found.error()));
}

Result<std::vector<Object>> ClusterContext::list_owned(const GroupVersionKind& kind, const CacheListOptions& options) {
  const auto owned = owned_range(kind, options);
  if (!owned) return fail(owned.error());
  return owned->to_vector();
}

Result<ObjectRange> ClusterContext::owned_range(const GroupVersionKind& kind, CacheListOptions options) {
  if (auto declared = check_declared(kind); !declared) return fail(std::move(declared.error()));
  if (options.namespace_.empty()) options.namespace_ = state_.object.namespace_();
  return list_anywhere(kind, options, by_controller(state_.object.uid()));
}

Result<std::vector<Object>> ClusterContext::list(const GroupVersionKind& kind, const CacheListOptions& options) {
  const auto listed = range(kind, options);
  if (!listed) return fail(listed.error());
  return listed->to_vector();
}

Result<ObjectRange> ClusterContext::range(const GroupVersionKind& kind, const CacheListOptions& options) {
  if (auto declared = check_declared(kind); !declared) return fail(std::move(declared.error()));
  return list_anywhere(kind, options);
}

Result<ObjectRange> ClusterContext::list_anywhere(const GroupVersionKind& kind, const CacheListOptions& options,
                                                  const IndexQuery& owner) {
  std::vector<ObjectRange> parts;
  for (const ListSource& source : cluster_->sources_of(kind, options, !owner.empty())) {
    auto part = list_source(source, live(), kind, options, owner, cluster_->own_write_reads);
    if (!part) return part;
    parts.push_back(std::move(*part));
  }
  return ObjectRange::joined(std::move(parts));
}

LiveReader ClusterContext::live() const { return {cluster_, state_.stop}; }

Result<void> ClusterContext::remove(const GroupVersionKind& kind, const ObjectKey& key) {
  const auto removed = cluster_->client->remove(kind, key, {}, state_.stop);
  if (!removed) return fail(removed.error());
  cluster_->applier.forget_child(state_.object.key(), kind, key);
  return {};
}

Result<ClusterContext> ClusterContext::cluster_of(const ObjectKey& secret, std::string_view data_key,
                                                  std::string_view server, std::string_view holder) {
  const auto there = get_anywhere(GroupVersionKind("v1", "Secret"), secret);
  if (!there) {
    if (there.error().code == ErrorCode::not_found) release_cluster_from_secret(secret);
    return fail(there.error());
  }
  auto client = state_.secret_clusters.client_of(
      {.at = cluster_->name, .secret = *there, .data_key = data_key, .server = server, .holder = holder});
  if (!client) return fail(std::move(client.error()));
  if (!state_.writes.expired()) (*client)->add_write_observer({}, state_.writes);
  const std::string name = "of secret " + secret.to_string();
  return ClusterContext(state_, std::make_shared<ClusterHandle>(name, std::move(*client), state_.field_manager));
}

void ClusterContext::release_cluster_from_secret(const ObjectKey& secret) {
  state_.secret_clusters.forget(cluster_->name, secret);
}

void ClusterContext::release_clusters_of_holder(std::string_view holder) {
  state_.secret_clusters.release(cluster_->name, holder);
}

std::string ClusterContext::elsewhere() const { return cluster_ == state_.cluster ? "" : cluster_->name; }

Client& ClusterContext::client() const noexcept { return *cluster_->client; }

}  // namespace pintle
