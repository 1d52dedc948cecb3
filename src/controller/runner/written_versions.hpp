// WrittenVersions: which versions of which objects the writes of one controller made.
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
#include <pintle/base/thread_bound.hpp>
#include <pintle/cache/informer.hpp>
#include <pintle/controller/reconcile_cause.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

// Who made a change, as far as is known.
enum class WrittenBy {
  another,     // not this controller, or not known any more
  controller,  // a reconcile of this controller, for another key
  key,         // a reconcile of this controller, for the same key
};

// Holds the last `most` versions; a forgotten one counts as made by another, which costs a reconcile. A write belongs
// to the controller if a thread made it while it was bound to a key. Thread-safe.
class WrittenVersions {
 public:
  static constexpr std::size_t most = 16384;
  static constexpr std::size_t most_judged = 1024;      // versions, and keys of each
  static constexpr std::size_t most_misjudged = 65536;  // keys; then all are forgotten

  explicit WrittenVersions(Executor& executor) : keys_(executor), mutex_(executor) {}

  // The calling thread reconciles this key until the end of the binding.
  [[nodiscard]] ThreadBound<const ObjectKey>::Binding bind(const ObjectKey& key) { return {keys_, key}; }
  // A write of a client that this and other controllers use; called on the thread that made it.
  void note(const Informer::Write& write);

  // The server has another history now, so that others may make these versions again; called on any thread. A change
  // that a reconcile made before counts as made by another, once.
  void clear();

  // Who made the change of this cause. Every step that was merged into it counts; one of another makes it another's. An
  // object that went, that is another of its name, or whose deletion began was changed by another, with one exception:
  // an object that is not of the watched kind, and that a reconcile deleted.
  [[nodiscard]] WrittenBy maker_of(const ReconcileCause& cause, const ObjectKey& key) const;

  // The change of this cause counts as made by another for this key. The event of a write may come before its answer;
  // if an answer shows later that a reconcile of this controller made the change, the key was misjudged. Returns
  // whether that is possible.
  bool note_judgement(const ReconcileCause& cause, const ObjectKey& key);
  // One of the last judgements of this key was wrong.
  [[nodiscard]] bool was_misjudged(const ObjectKey& key) const;

 private:
  using Id = std::uint64_t;  // of a version of an object; two versions do not share one in practice
  struct Made {
    Id from = 0;   // the version that it was made of for sure; 0: others may lie between
    Id maker = 0;  // of the key
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

  ThreadBound<const ObjectKey> keys_;
  mutable Mutex mutex_;
  std::unordered_map<Id, Made> made_ PINTLE_GUARDED_BY(mutex_);
  std::deque<Id> order_ PINTLE_GUARDED_BY(mutex_);
  std::unordered_map<Id, std::vector<Id>> judged_ PINTLE_GUARDED_BY(mutex_);  // keys by version, of the last of them
  std::deque<Id> judged_order_ PINTLE_GUARDED_BY(mutex_);
  std::unordered_set<Id> misjudged_ PINTLE_GUARDED_BY(mutex_);  // keys
};

}  // namespace pintle
