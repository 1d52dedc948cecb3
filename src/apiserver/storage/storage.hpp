// SPDX-License-Identifier: Apache-2.0
// Storage: all objects with their versions, a bounded window of changes, and the readers that follow it. A journal may
// keep the objects on disk. Does not depend on HTTP.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/executor.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/base/result.hpp>
#include <pintle/json/pool.hpp>
#include <pintle/json/value.hpp>
#include <pintle/object/object.hpp>

#include "journal.hpp"
#include "wakeup.hpp"

namespace pintle::apiserver {

inline constexpr Version newest = std::numeric_limits<Version>::max();

// One write.
struct Change {
  Version version = 0;
  std::string key{};
  Object before{};  // none: the object was created
  Object after{};   // for a deletion, the last state with the version of the deletion
  bool deleted = false;
};
using ChangePtr = std::shared_ptr<const Change>;

// Selects objects of a collection, in key order. Never selects an object of another namespace, whatever `after` is.
struct Range {
  std::string_view namespace_{};  // empty: all namespaces
  std::string_view after{};       // start after this key
  std::size_t limit = 0;          // 0: no limit
  Version at = 0;                 // the version to read at; 0: the current one
};

struct Page {
  Version version = 0;
  std::vector<Object> objects{};
  std::string last{};     // the key of the last object
  std::size_t total = 0;  // objects in the namespace at that version, regardless of `after` and `limit`
  bool more = false;
};

// The position of a reader in the window of a collection.
struct Position {
  std::uint64_t next = 0;
  std::uint64_t epoch = 0;
  std::uint64_t returns = 0;
};

struct Batch {
  std::vector<ChangePtr> changes{};
  Version version = 0;    // if `drained`, all changes up to this version have been read
  bool drained = false;   // there are no more changes now
  bool has_more = false;  // there are more changes, but after `until`
  bool lost = false;      // the position has left the window, or the collection ended: continue from a list
};

// A key is "namespace/name" or "name". A collection is created by its first use. The cost of a read is proportional to
// the result and, for an old version, to the changes since then. Thread-safe; readers are woken without a lock.
//
// With a journal, a write blocks until it is committed, and readers observe it only then. Writes that arrive during a
// commit are committed together by the next one.
class Storage {
 public:
  // The first write has the version after `begin`, or after the version that the journal has kept. Earlier versions are
  // outside the window.
  Storage(Executor& executor, std::size_t window, Version begin = 0, Kept kept = {});

  // The version before the first write.
  [[nodiscard]] Version begin() const noexcept { return begin_; }
  // True if objects existed before the first write.
  [[nodiscard]] bool has_kept_objects() const noexcept { return has_kept_objects_; }
  // True if writes may block, because they wait for a journal.
  [[nodiscard]] bool has_journal() const noexcept { return journal_ != nullptr; }
  // Number of commits that failed.
  [[nodiscard]] std::uint64_t failed_commits() const;
  [[nodiscard]] Version version() const;
  // Number of objects stored, kept from before or deleted, and of rewinds. Never decreases.
  [[nodiscard]] std::uint64_t writes() const;
  // Returns the version that is `versions` before the newest, or the newest version at `moment` if that is older. Never
  // returns a version that has left the window of the collection.
  [[nodiscard]] Version version_before(std::string_view collection, std::uint64_t versions, Instant moment) const;

  // `at_version` must be in the window; 0: the current version.
  [[nodiscard]] Object get(std::string_view collection, std::string_view key, Version at_version = 0) const;
  // Returns all current objects of one namespace, or of all.
  [[nodiscard]] std::vector<Object> objects(std::string_view collection, std::string_view namespace_ = {}) const;
  // Returns nothing if that version has left the window.
  [[nodiscard]] std::optional<Page> list(std::string_view collection, const Range& range) const;

  // Stores `next` with the next version in place of `expected` (none: a new object). Returns nothing if the stored
  // object is no longer `expected`. Error: the journal could not keep the write, which has no effect.
  [[nodiscard]] Result<std::optional<Object>> put(std::string_view collection, const std::string& key,
                                                  const Object& expected, json::Value next);
  // Deletes `expected`. Watches show `last` with the version of the deletion, which is also the result. Returns nothing
  // if the stored object is no longer `expected`. Error: as for put().
  [[nodiscard]] Result<std::optional<Object>> erase(std::string_view collection, const std::string& key,
                                                    const Object& expected, json::Value last);

  // Returns the position right after `version`; nothing if it has left the window. `version` may be in the future.
  [[nodiscard]] std::optional<Position> place_after(std::string_view collection, Version version) const;
  // Returns the current objects and the position right after them.
  [[nodiscard]] std::pair<Page, Position> list_and_place(std::string_view collection,
                                                         std::string_view namespace_) const;
  // Reads the next changes, up to `until`. With a subscription, its wakeup rings once when more changes follow a
  // drained batch.
  [[nodiscard]] Batch read(std::string_view collection, Position& place, std::size_t limit, std::uint64_t subscription,
                           Version until = newest);

  [[nodiscard]] std::uint64_t subscribe(std::string_view collection, std::shared_ptr<Wakeup> wakeup);
  void unsubscribe(std::string_view collection, std::uint64_t subscription);

  // Ends every position in the collection: it is lost once the changes up to now have been read.
  void end_readers(std::string_view collection);
  void end_all_readers();
  // Drops the changes in all windows.
  void compact();
  // Restores the state at `version`, which becomes the newest version. Every position is lost. Error: invalid, if a
  // window no longer contains the version or it is in the future; that of the journal otherwise. Nothing changes then.
  [[nodiscard]] Result<void> rewind(Version version);
  // Rewinds by this number of versions, or as far as the windows allow. `keep_readers`: no position is lost; a reader
  // of undone changes goes on with the first change after the rewind. Error: that of the journal.
  [[nodiscard]] Result<void> rewind_by(std::uint64_t versions, bool keep_readers = false);
  // Number of rewinds.
  [[nodiscard]] std::uint64_t rewinds() const;

  // The version of the last write to a collection; 0: none.
  [[nodiscard]] Version last_write(std::string_view collection) const;
  // The collections with a write after `version`, sorted by name.
  [[nodiscard]] std::vector<std::string> written_after(Version version) const;
  // Waits until writes() exceeds this number. Returns false if the deadline has passed or interrupt() was called.
  bool wait_past(std::uint64_t writes, Instant deadline);
  void interrupt();

 private:
  using Window = std::deque<ChangePtr>;
  struct Collection {
    std::map<std::string, Object, std::less<>> objects{};
    std::map<std::string, std::size_t, std::less<>> count{};  // by namespace
    Window window{};
    std::uint64_t first = 0;               // sequence number of window.front()
    std::vector<std::uint64_t> ends{};     // for each epoch of readers, the sequence number at which it ended
    std::vector<std::uint64_t> returns{};  // for each rewind that kept the readers, the sequence number after it
    Version floor = 0;                     // the newest version that has left the window
    Version written = 0;
    std::map<std::uint64_t, std::shared_ptr<Wakeup>> readers{};
    std::set<std::uint64_t> waiting{};
    std::set<std::string, std::less<>> uncommitted{};  // keys with a write in queue_
  };
  using Wakeups = std::vector<std::shared_ptr<Wakeup>>;
  using Overlay = std::map<std::string_view, const Object*>;
  // A write that waits for the journal.
  struct Waiting {
    enum class State { queued, stored, superseded, failed };
    Collection* in = nullptr;
    std::string_view collection{};
    Change change{};
    State state = State::queued;
    Error error{};
  };
  // Changes to release and readers to wake when a write is done, after the lock is released.
  struct Aftermath {
    std::vector<ChangePtr> dropped{};
    Wakeups woken{};
    void notify() const {
      for (const auto& wakeup : woken) wakeup->ring();
    }
  };

  void restore(KeptState state) PINTLE_REQUIRES(mutex_);
  [[nodiscard]] Result<std::optional<Object>> write(std::string_view collection, const std::string& key,
                                                    const Object& expected, json::Value value, bool deletes);
  [[nodiscard]] Result<bool> keep(Waiting& write, Aftermath& after) PINTLE_REQUIRES(mutex_);
  void commit_queue(Aftermath& after) PINTLE_REQUIRES(mutex_);
  void finish_commit(const std::vector<Waiting*>& batch, const Result<void>& kept, Aftermath& after)
      PINTLE_REQUIRES(mutex_);
  void wait_for_commit() PINTLE_REQUIRES(mutex_);
  void apply(Collection& in, Change change, Aftermath& after) PINTLE_REQUIRES(mutex_);
  Collection& at(std::string_view name) const PINTLE_REQUIRES(mutex_);
  Object stamp(json::Value value, Version version);
  static std::size_t count_range(const Collection& in, const Range& range, const Overlay& past);
  Page read_range(const Collection& in, const Range& range, const Overlay& past) const PINTLE_REQUIRES(mutex_);
  void note(Collection& in, Change change, Aftermath& after) PINTLE_REQUIRES(mutex_);
  static Wakeups take_waiting(Collection& in);
  // The first change after a version.
  static Window::const_iterator after(const Collection& in, Version version);
  static void count_in(Collection& in, std::string_view key);
  static void count_out(Collection& in, std::string_view key);
  static void undo(Collection& in, const Change& change);
  [[nodiscard]] Version oldest() const PINTLE_REQUIRES(mutex_);
  [[nodiscard]] Result<void> keep_rewind(Version version) PINTLE_REQUIRES(mutex_);
  [[nodiscard]] Result<void> go_back_to(Version version, bool keep_readers, Aftermath& after) PINTLE_REQUIRES(mutex_);

  Executor& executor_;
  const std::size_t window_;
  const Version begin_;
  const bool has_kept_objects_;
  const std::shared_ptr<json::Pool> pool_;  // shared, because objects have parts in common
  const std::unique_ptr<Journal> journal_;  // null: none. Used by the thread that has set committing_.
  mutable Mutex mutex_;
  CondVar written_;
  mutable std::map<std::string, Collection, std::less<>> collections_ PINTLE_GUARDED_BY(mutex_);
  Version version_ PINTLE_GUARDED_BY(mutex_) = begin_;
  Version assigned_ PINTLE_GUARDED_BY(mutex_) = begin_;  // the newest version of a write, stored or in queue_
  std::vector<Waiting*> queue_ PINTLE_GUARDED_BY(mutex_);
  bool committing_ PINTLE_GUARDED_BY(mutex_) = false;
  CondVar committed_;
  std::uint64_t failed_commits_ PINTLE_GUARDED_BY(mutex_) = 0;
  std::uint64_t writes_ PINTLE_GUARDED_BY(mutex_) = 0;
  std::uint64_t rewinds_ PINTLE_GUARDED_BY(mutex_) = 0;
  std::deque<std::pair<Instant, Version>> moments_ PINTLE_GUARDED_BY(mutex_);  // times of the newest writes
  std::uint64_t next_subscription_ PINTLE_GUARDED_BY(mutex_) = 1;
  bool interrupted_ PINTLE_GUARDED_BY(mutex_) = false;
  bool has_waiters_ PINTLE_GUARDED_BY(mutex_) = false;
};

[[nodiscard]] std::string storage_key(std::string_view namespace_, std::string_view name);

// Parses a resourceVersion. Returns nothing for a text that is not an unsigned decimal number.
[[nodiscard]] std::optional<Version> parse_version(std::string_view text);

}  // namespace pintle::apiserver
