// Applier: server-side apply of children, with ownership checked and no request that would change nothing.
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
  Object object{};         // what the server holds
  bool put_right = false;  // somebody had changed or removed what this intent owns, and the write restored it
};

// One a controller and cluster. For each child it keeps 32 bytes: digests of the last intent, of the
// fields it owns as the server returned them, and of the resourceVersion that was last found to hold them. At most
// `most_children` of them for one owner, the oldest are dropped; forget() ends those of an owner. A dropped child is
// applied once more, which changes nothing on the server. Thread-safe.
class Applier {
 public:
  static constexpr std::size_t most_children = 1024;
  static constexpr std::size_t most_refused = 4096;

  Applier(Client& client, std::string field_manager);

  // `informer`: the one whose store holds the child if it exists; null when none does, and then each call sends.
  // Error: not_ours, when the server holds an object with another controller or none, and `adopt` is not set.
  // `wanted` is the intent as an object. Error: not_found, when a child that was applied before is missing and so is
  // the object of `from`, which its intent names as controller: the cluster has collected the child, and the copy still
  // shows its owner.
  Result<AppliedChild> apply(const ObjectKey& from, const json::Value& intent, const Object& wanted,
                             ApplyOptions options, const Informer* informer, const std::stop_token& stop);
  // Whether a set of children in this state was the last that has been pruned.
  [[nodiscard]] bool has_pruned(const ObjectKey& from, const std::string& state) const;
  // Whether the last set that has been pruned was in another state.
  [[nodiscard]] bool has_pruned_other(const ObjectKey& from, const std::string& state) const;
  void remember_pruned(const ObjectKey& from, std::string state);
  void forget(const ObjectKey& from);
  // This owner has removed a child itself: to find it missing is no drift.
  void forget_child(const ObjectKey& from, const GroupVersionKind& kind, const ObjectKey& child);

  // The owners whose apply was refused because of this object (not_ours), at most `most_refused` in all; the oldest
  // are dropped and retried by back-off alone. An owner stays in the list until its apply succeeds or it is forgotten.
  [[nodiscard]] std::vector<ObjectKey> refused_by(const GroupVersionKind& kind, const ObjectKey& obstacle) const;

  // Memory for digests, in bytes, without the overhead of the allocator.
  [[nodiscard]] std::size_t bytes() const;

 private:
  struct Known {
    std::uint64_t child = 0;    // digest of its kind and key
    std::uint64_t intent = 0;   // of the last intent that was sent
    std::uint64_t owned = 0;    // owned_part_digest of what the server returned for it
    std::uint64_t version = 0;  // of the newest uid and resourceVersion that is known to have this owned part
  };
  using Children = std::vector<Known>;

  [[nodiscard]] Known known(const ObjectKey& from, std::uint64_t child) const;
  void remember(const ObjectKey& from, const Known& applied);
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
