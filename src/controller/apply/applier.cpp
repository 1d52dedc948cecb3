// SPDX-License-Identifier: Apache-2.0
#include "applier.hpp"

#include <algorithm>
#include <utility>

#include <pintle/base/hash.hpp>
#include <pintle/http/transport.hpp>

#include "owned_part.hpp"

namespace pintle {
namespace {

constexpr std::uint64_t seed = 0x8f14e45fceea167aU;

json::View controller_reference(json::View root) {
  for (const json::View owner : root["/metadata/ownerReferences"].elements()) {
    if (owner.member("controller") == true) return owner;
  }
  return {};
}

// Describes the controller of an object, for a message.
std::string holder(const Object& object) {
  if (const json::View owner = controller_reference(object.root())) {
    return "it is controlled by " + std::string(owner.member("kind").text()) + " " +
           std::string(owner.member("name").text()) + " (uid " + std::string(owner.member("uid").text()) + ")";
  }
  std::string managers;
  for (const json::View entry : object["/metadata/managedFields"].elements()) {
    const std::string_view name = entry.member("manager").text();
    if (managers.find(name) == std::string::npos) managers += (managers.empty() ? "" : ", ") + std::string(name);
  }
  return managers.empty() ? "it has no controller" : "it has no controller and was written by " + managers;
}

// Returns whether an object disappears by itself: it is being deleted, or it belongs to an earlier object with the name
// of the owner, which no longer exists, so that the garbage collector deletes it.
bool will_be_deleted(const Object& existing, const Object& wanted) {
  if (existing.is_deleting()) return true;
  const json::View former = controller_reference(existing.root());
  const json::View owner = controller_reference(wanted.root());
  return former && owner && existing.namespace_() == wanted.namespace_() &&
         former.member("kind").text() == owner.member("kind").text() &&
         former.member("name").text() == owner.member("name").text() &&
         former.member("uid").text() != owner.member("uid").text();
}

// Returns whether an existing object has the controller that the intent names.
bool is_ours(const Object& existing, json::View intent) {
  const json::View actual = controller_reference(existing.root());
  return actual && actual.member("uid") == controller_reference(intent).member("uid").text();
}

// The version of the kind is not part of the digest, because the object is the same in all versions.
std::uint64_t digest_of(std::string_view group, std::string_view kind, ObjectKeyView key) {
  return hash_of(key.name, hash_of(key.namespace_, hash_of(kind, hash_of(group, seed))));
}

std::uint64_t digest_of(const GroupVersionKind& kind, const ObjectKey& key) {
  return digest_of(kind.group, kind.kind, {key.namespace_, key.name});
}

std::uint64_t digest_of(const Object& object) {
  const std::string_view version = object.api_version();
  const std::size_t slash = version.find('/');
  return digest_of(slash == std::string_view::npos ? "" : version.substr(0, slash), object.kind(), object.key_view());
}

std::uint64_t version_of(const Object& object) {
  return hash_of(object.resource_version(), hash_of(object.uid(), seed));
}

}  // namespace

Applier::Applier(Client& client, std::string field_manager)
    : client_(client), field_manager_(std::move(field_manager)), mutex_(client.transport().executor()) {}

Result<AppliedChild> Applier::apply(const ObjectKey& from, const json::Value& intent, const Object& wanted,
                                    ApplyOptions options, const Informer* informer, const std::stop_token& stop) {
  const Object cached = informer == nullptr ? Object() : informer->store().get(wanted.key());
  LastApply now{.child = digest_of(wanted), .intent = wanted.root().hash()};
  const LastApply before = last_apply(from, now.child);
  const bool was_sent = before.intent == now.intent && informer != nullptr;
  if (was_sent && cached) {
    now.owned = before.owned;
    now.version = version_of(cached);
    if (now.version == before.version) return AppliedChild{cached};
    if (owned_part_digest(cached.root(), wanted.root()) == before.owned) {
      remember(from, now);
      return AppliedChild{cached};
    }
  }
  const bool is_child = controller_reference(wanted.root()).exists();
  if (was_sent && !cached && is_child) {
    if (auto owner = check_owner(from, wanted, stop); !owner) return fail(std::move(owner.error()));
  }
  if (is_child && !options.adopt) {
    if (auto ours = check_ours(from, wanted, cached, stop); !ours) return fail(std::move(ours.error()));
  }
  auto applied = client_.apply(intent, {.field_manager = field_manager_, .force = is_child}, stop);
  if (!applied) return fail(std::move(applied.error()));
  end_refused(from, now.child);
  AppliedChild result{std::move(*applied)};
  // The cache may contain fewer fields of an object than the server returns. Later states are compared as they are in
  // the cache, so the digest is computed from the cached object.
  Object kept = informer == nullptr ? result.object : informer->store().get(wanted.key());
  if (version_of(kept) != version_of(result.object)) kept = result.object;
  now.owned = owned_part_digest(kept.root(), wanted.root());
  now.version = version_of(kept);
  result.put_right = was_sent && (!cached || owned_part_digest(cached.root(), wanted.root()) != now.owned);
  remember(from, now);
  return result;
}

// The cache may be older than the server. If it contains no object, or an object of another owner, the object is read
// from the server.
Result<void> Applier::check_ours(const ObjectKey& from, const Object& wanted, const Object& cached,
                                 const std::stop_token& stop) {
  if (cached && is_ours(cached, wanted.root())) return {};
  // Noted before the read, so that no later change of the object is missed.
  note_refused(from, digest_of(wanted));
  const auto live = client_.get(wanted.group_version_kind(), wanted.key(), stop);
  if (!live && live.error().code != ErrorCode::not_found) return fail(live.error());
  if (!live || is_ours(*live, wanted.root())) return {};
  if (will_be_deleted(*live, wanted)) {
    return fail(ErrorCode::unavailable, live->describe() + " (uid " + std::string(live->uid()) +
                                            ") is or will be deleted: " + holder(*live) +
                                            "; the child can be applied when it is gone");
  }
  return fail(ErrorCode::not_owned, std::string(live->kind()) + " " + live->key().to_string() + " (uid " +
                                        std::string(live->uid()) + ") exists and does not belong to the owner: " +
                                        holder(*live) + "; delete it, rename the child, or set `adopt`");
}

Result<void> Applier::check_owner(const ObjectKey& from, const Object& wanted, const std::stop_token& stop) {
  const json::View owner = controller_reference(wanted.root());
  if (owner.member("name").text() != from.name) return {};
  const GroupVersionKind kind(owner.member("apiVersion").text(), owner.member("kind").text());
  const auto live = client_.get(kind, from, stop);
  if (live && live->uid() == owner.member("uid").text()) return {};
  if (!live && live.error().code != ErrorCode::not_found) return fail(live.error());
  return fail(ErrorCode::not_found, kind.to_string() + " " + from.to_string() + " (uid " +
                                        std::string(owner.member("uid").text()) + ") no longer exists; its child " +
                                        std::string(wanted.kind()) + " " + wanted.key().to_string() +
                                        " is not created again");
}

Result<void> Applier::begin_create(const ObjectKey& from, const Object& wanted, const Informer* informer,
                                   const std::stop_token& stop) {
  const std::uint64_t child = digest_of(wanted);
  const bool was_there = last_apply(from, child).child == child;
  if (was_there && informer != nullptr && !informer->store().get(wanted.key()) &&
      controller_reference(wanted.root()).exists()) {
    if (auto owner = check_owner(from, wanted, stop); !owner) return owner;
  }
  note_refused(from, child);
  return {};
}

void Applier::end_create(const ObjectKey& from, const Object& wanted, bool is_created) {
  if (!is_created) return;
  const std::uint64_t child = digest_of(wanted);
  end_refused(from, child);
  if (last_apply(from, child).child != child) remember(from, {.child = child});
}

Applier::LastApply Applier::last_apply(const ObjectKey& from, std::uint64_t child) const {
  const MutexLock lock(mutex_);
  const auto children = sent_.find(from);
  if (children == sent_.end()) return {};
  const auto is_it = [child](const LastApply& one) { return one.child == child; };
  const auto last = std::find_if(children->second.begin(), children->second.end(), is_it);
  return last == children->second.end() ? LastApply{} : *last;
}

void Applier::remember(const ObjectKey& from, const LastApply& applied) {
  const MutexLock lock(mutex_);
  Children& children = sent_[from];
  const auto is_it = [&applied](const LastApply& one) { return one.child == applied.child; };
  if (const auto last = std::find_if(children.begin(), children.end(), is_it); last != children.end()) {
    *last = applied;
    return;
  }
  if (children.size() >= max_children) children.erase(children.begin());
  children.push_back(applied);
}

bool Applier::has_pruned(const ObjectKey& from, const std::string& state) const {
  const MutexLock lock(mutex_);
  const auto last = pruned_.find(from);
  return last != pruned_.end() && last->second == state;
}

bool Applier::has_pruned_other(const ObjectKey& from, const std::string& state) const {
  const MutexLock lock(mutex_);
  const auto last = pruned_.find(from);
  return last != pruned_.end() && last->second != state;
}

void Applier::remember_pruned(const ObjectKey& from, std::string state) {
  const MutexLock lock(mutex_);
  pruned_[from] = std::move(state);
}

void Applier::forget(const ObjectKey& from) {
  const MutexLock lock(mutex_);
  sent_.erase(from);
  pruned_.erase(from);
  std::erase_if(refused_, [&](const Refusal& one) { return one.owner == from; });
}

void Applier::forget_child(const ObjectKey& from, const GroupVersionKind& kind, const ObjectKey& child) {
  const MutexLock lock(mutex_);
  const auto children = sent_.find(from);
  if (children == sent_.end()) return;
  std::erase_if(children->second, [id = digest_of(kind, child)](const LastApply& one) { return one.child == id; });
}

std::vector<ObjectKey> Applier::refused_by(const GroupVersionKind& kind, const ObjectKey& obstacle) const {
  const MutexLock lock(mutex_);
  std::vector<ObjectKey> owners;
  if (refused_.empty()) return owners;
  const std::uint64_t id = digest_of(kind, obstacle);
  for (const Refusal& one : refused_) {
    if (one.obstacle == id) owners.push_back(one.owner);
  }
  return owners;
}

void Applier::note_refused(const ObjectKey& from, std::uint64_t obstacle) {
  const MutexLock lock(mutex_);
  const auto is_it = [&](const Refusal& one) { return one.obstacle == obstacle && one.owner == from; };
  if (std::any_of(refused_.begin(), refused_.end(), is_it)) return;
  if (refused_.size() >= max_refused) refused_.erase(refused_.begin());
  refused_.push_back({obstacle, from});
}

void Applier::end_refused(const ObjectKey& from, std::uint64_t obstacle) {
  const MutexLock lock(mutex_);
  std::erase_if(refused_, [&](const Refusal& one) { return one.obstacle == obstacle && one.owner == from; });
}

std::size_t Applier::bytes() const {
  const MutexLock lock(mutex_);
  std::size_t bytes = 0;
  for (const auto& [from, children] : sent_) {
    bytes += sizeof from + sizeof children + children.capacity() * sizeof(LastApply);
  }
  return bytes;
}

}  // namespace pintle
