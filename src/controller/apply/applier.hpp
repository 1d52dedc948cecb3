// SPDX-License-Identifier: Apache-2.0
// Applier: server-side apply of children. It checks the ownership and sends no request that would change nothing.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include <pintle/base/mutex.hpp>
#include <pintle/cache/informer.hpp>
#include <pintle/client/client.hpp>
#include <pintle/controller/context.hpp>

namespace pintle {

// The result of applying one child.
struct AppliedChild {
  Object object{};         // the object as the server stores it
  bool put_right = false;  // another client had changed or deleted fields of this intent; the write restored them
};

// There is one instance for each controller and cluster. It stores 32 bytes for each child: digests of its kind and
// key, of the last intent, of the fields that the intent owns as the server returned them, and of the newest
// resourceVersion that is known to contain them. It stores at most `max_children` children for one owner and drops the
// oldest; forget() drops all children of an owner. A dropped child is applied once more, which changes nothing on the
// server. Thread-safe.
class Applier {
 public:
  static constexpr std::size_t max_children = 1024;
  static constexpr std::size_t max_refused = 4096;

  Applier(Client& client, std::string field_manager);

  // `wanted` is the intent as an object. `informer` is the informer whose store contains the child if it exists; null
  // if there is none, and then each call sends a request. Errors: not_owned, if the server has an object with another
  // controller or without a controller, and `adopt` is not set; unavailable, if this object is being deleted or belongs
  // to an earlier object with the name of the owner; not_found, if a child that was applied before is
  // missing and its owner `from`, which the intent names as controller, is missing on the server too: the garbage
  // collector has deleted the child, and the cache still contains the owner.
  Result<AppliedChild> apply(const ObjectKey& from, const json::Value& intent, const Object& wanted,
                             ApplyOptions options, const Informer* informer, const std::stop_token& stop);
  // Returns whether the last set of children that was pruned had this state.
  [[nodiscard]] bool has_pruned(const ObjectKey& from, const std::string& state) const;
  // Returns whether the last set of children that was pruned had another state.
  [[nodiscard]] bool has_pruned_other(const ObjectKey& from, const std::string& state) const;
  void remember_pruned(const ObjectKey& from, std::string state);
  void forget(const ObjectKey& from);
  // Must be called when the owner deletes a child itself, so that its absence does not count as drift.
  void forget_child(const ObjectKey& from, const GroupVersionKind& kind, const ObjectKey& child);

  // Must be called before an object is created on behalf of `from`, and with the result: the create is refused while
  // another object has the name. `informer` as for apply(). Error: not_found, as for apply(), if a child that was
  // created or applied before is missing, and its owner too.
  Result<void> begin_create(const ObjectKey& from, const Object& wanted, const Informer* informer,
                            const std::stop_token& stop);
  void end_create(const ObjectKey& from, const Object& wanted, bool is_created);
  // Returns the owners whose apply or create was refused because of this object (not_owned, already_exists). At most
  // `max_refused` refusals are stored; the oldest are dropped, and their owners are retried by back-off only. A refusal
  // is stored until the apply or create succeeds, or forget() is called for the owner.
  [[nodiscard]] std::vector<ObjectKey> refused_by(const GroupVersionKind& kind, const ObjectKey& obstacle) const;

  // Returns the memory for digests in bytes, without the overhead of the allocator.
  [[nodiscard]] std::size_t bytes() const;

 private:
  struct LastApply {
    std::uint64_t child = 0;    // digest of its kind and key
    std::uint64_t intent = 0;   // digest of the last intent that was sent; 0 if the child was only created
    std::uint64_t owned = 0;    // owned_part_digest() of the object that the server returned for it
    std::uint64_t version = 0;  // digest of the newest uid and resourceVersion that is known to have this owned part
  };
  using Children = std::vector<LastApply>;

  [[nodiscard]] LastApply last_apply(const ObjectKey& from, std::uint64_t child) const;
  void remember(const ObjectKey& from, const LastApply& applied);
  [[nodiscard]] Result<void> check_ours(const ObjectKey& from, const Object& wanted, const Object& cached,
                                        const std::stop_token& stop);
  [[nodiscard]] Result<void> check_owner(const ObjectKey& from, const Object& wanted, const std::stop_token& stop);
  void note_refused(const ObjectKey& from, std::uint64_t obstacle);
  void end_refused(const ObjectKey& from, std::uint64_t obstacle);

  Client& client_;
  const std::string field_manager_;
  mutable Mutex mutex_;
  std::map<ObjectKey, Children> sent_ PINTLE_GUARDED_BY(mutex_);
  std::map<ObjectKey, std::string> pruned_ PINTLE_GUARDED_BY(mutex_);
  struct Refusal {
    std::uint64_t obstacle;
    ObjectKey owner;
  };
  std::vector<Refusal> refused_ PINTLE_GUARDED_BY(mutex_);  // the oldest first
};

}  // namespace pintle
