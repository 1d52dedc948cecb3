// SPDX-License-Identifier: Apache-2.0
// WrittenVersions: the versions of objects that the writes of one controller made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <pintle/base/mutex.hpp>
#include <pintle/base/per_thread.hpp>
#include <pintle/cache/informer.hpp>
#include <pintle/controller/reconcile_cause.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

// The writer of a change, as far as it is known.
enum class WrittenBy {
  another,     // another client, or no longer known
  controller,  // a reconcile of this controller, for another key
  key,         // a reconcile of this controller, for the same key
};

// Stores the last `most` versions. An older one counts as foreign, which causes an additional reconcile. A write
// belongs to the controller if its thread was bound to a key. Thread-safe.
class WrittenVersions {
 public:
  static constexpr std::size_t most = 16384;
  static constexpr std::size_t max_judged = 1024;      // versions, and keys of each
  static constexpr std::size_t max_misjudged = 65536;  // keys; beyond that all are dropped

  explicit WrittenVersions(Executor& executor) : keys_(executor), mutex_(executor) {}

  // The calling thread reconciles this key as long as the binding exists.
  [[nodiscard]] PerThread<const ObjectKey>::Binding bind(const ObjectKey& key) { return {keys_, key}; }
  // The key that the calling thread reconciles; null if there is none.
  [[nodiscard]] const ObjectKey* bound_key() const { return keys_.get(); }
  // Stores a write of the client, which other controllers use too. Must be called on the thread that made the write.
  // Returns whether it belongs to the controller and was not stored already, by another informer of the kind.
  bool note(const Informer::Write& write);

  // Drops all versions, because the server was rewound and another client may make the same versions again. A change
  // by an earlier reconcile then counts as foreign once. May be called on any thread.
  void clear();

  // Returns the writer of the change of this cause. If one of the steps that were merged into it is foreign, the change
  // is foreign. The deletion of an object, its beginning, and the replacement by another object of the same name are
  // always foreign, with one exception: the deletion by a reconcile of an object that is not of the watched kind.
  [[nodiscard]] WrittenBy maker_of(const ReconcileCause& cause, const ObjectKey& key) const;

  // Stores that the change of this cause counts as foreign for this key. The event of a write may arrive before its
  // response. If a later response shows that a reconcile of this controller made the change, the key was misjudged.
  // Returns whether that is possible.
  bool note_judgement(const ReconcileCause& cause, const ObjectKey& key);
  // Returns whether one of the last judgements of this key was wrong.
  [[nodiscard]] bool was_misjudged(const ObjectKey& key) const;

 private:
  using Id = std::uint64_t;  // hash of a version of an object, or of a key; collisions are not expected
  struct Made {
    Id from = 0;   // the version directly before it; 0: unknown, other versions may lie between
    Id maker = 0;  // the id of the key
  };

  [[nodiscard]] static Id id_of(std::string_view uid, std::string_view version);
  [[nodiscard]] static Id id_of(const ObjectKey& key) { return id_of(key.namespace_, key.name); }
  [[nodiscard]] WrittenBy maker(const Made& made, const ObjectKey& key) const;
  [[nodiscard]] WrittenBy maker_of_version(std::string_view uid, std::string_view version, const ObjectKey& key) const
      PINTLE_REQUIRES(mutex_);
  [[nodiscard]] WrittenBy maker_of_steps(const ReconcileCause& cause, const ObjectKey& key) const
      PINTLE_REQUIRES(mutex_);
  [[nodiscard]] WrittenBy maker_of_chain(const ReconcileCause& cause, const ObjectKey& key) const
      PINTLE_REQUIRES(mutex_);

  PerThread<const ObjectKey> keys_;
  mutable Mutex mutex_;
  std::unordered_map<Id, Made> made_ PINTLE_GUARDED_BY(mutex_);
  std::deque<Id> order_ PINTLE_GUARDED_BY(mutex_);
  std::unordered_map<Id, std::vector<Id>> judged_ PINTLE_GUARDED_BY(mutex_);  // keys by version, for the last versions
  std::deque<Id> judged_order_ PINTLE_GUARDED_BY(mutex_);
  std::unordered_set<Id> misjudged_ PINTLE_GUARDED_BY(mutex_);  // keys
};

}  // namespace pintle
