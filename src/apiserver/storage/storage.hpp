// Storage: every object at its version, a bounded window of changes, and the readers that follow it. Knows nothing of
// HTTP.
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

#include "wakeup.hpp"

namespace pintle::apiserver {

using Version = std::uint64_t;
inline constexpr Version newest = std::numeric_limits<Version>::max();

// One write.
struct Change {
  Version version = 0;
  std::string key{};
  Object before{};  // none: the object was created
  Object after{};   // of a deleted object the last state, stamped with the version of the deletion
  bool deleted = false;
};
using ChangePtr = std::shared_ptr<const Change>;

// Which objects of a collection to read, in key order.
struct Range {
  std::string_view namespace_{};  // empty: of all
  std::string_view after{};       // start behind this key
  std::size_t limit = 0;          // 0: no limit
  Version at = 0;                 // as they were then; 0: now
};

struct Page {
  Version version = 0;
  std::vector<Object> objects{};
  std::string last{};     // key of the last of them
  std::size_t total = 0;  // in the namespace at that version, whatever `after` and `limit`
  bool more = false;
};

// A reader's place in a collection's window.
struct Position {
  std::uint64_t next = 0;
  std::uint64_t epoch = 0;
};

struct Batch {
  std::vector<ChangePtr> changes{};
  Version version = 0;   // everything up to here has been read, once `drained`
  bool drained = false;  // there is no more now
  bool held = false;     // there is, but beyond `until`
  bool lost = false;     // the place is no longer in the window, or the collection ended: read on from a list
};

// A key is "namespace/name" or "name". A collection comes into being with its first use. Reading costs what is returned
// (and, for an old version, what changed since). Thread-safe; readers are woken with no lock held.
class Storage {
 public:
  // The first write gets the version behind `begin`; earlier ones have left the window.
  Storage(Executor& executor, std::size_t window, Version begin = 0)
      : executor_(executor), window_(window), begin_(begin), pool_(executor), mutex_(executor), written_(executor) {}

  // Before the first write.
  [[nodiscard]] Version begin() const noexcept { return begin_; }
  [[nodiscard]] Version version() const;
  // How often something was stored or deleted, or all went back; never fewer.
  [[nodiscard]] std::uint64_t writes() const;
  // The version that is so many before the newest, or the newest that was there at `moment` if that is older; as far
  // back as the window of the collection goes.
  [[nodiscard]] Version version_before(std::string_view collection, std::uint64_t versions, Instant moment) const;

  // `at_version`: as it was then, which the window must have; 0: now.
  [[nodiscard]] Object get(std::string_view collection, std::string_view key, Version at_version = 0) const;
  // Everything there is now, of one namespace or of all.
  [[nodiscard]] std::vector<Object> objects(std::string_view collection, std::string_view namespace_ = {}) const;
  // None when that version has left the window.
  [[nodiscard]] std::optional<Page> list(std::string_view collection, const Range& range) const;

  // Stores `next` in place of `expected` (none: a new object) under the next version, which it is stamped with. None
  // when something else than `expected` is there by now.
  [[nodiscard]] std::optional<Object> put(std::string_view collection, const std::string& key, const Object& expected,
                                          json::Value next);
  // Takes `expected` away; `last` is what watchers see of it. Returns `last` stamped with the version of the deletion.
  [[nodiscard]] std::optional<Object> erase(std::string_view collection, const std::string& key, const Object& expected,
                                            json::Value last);

  // The place right after `version`; none when it has left the window. A version to come is a place too.
  [[nodiscard]] std::optional<Position> place_after(std::string_view collection, Version version) const;
  // What is there now, and the place right after it.
  [[nodiscard]] std::pair<Page, Position> list_and_place(std::string_view collection,
                                                         std::string_view namespace_) const;
  // Reads on, as far as `until`. With a subscription, its wakeup rings once when there is more after a drained batch.
  [[nodiscard]] Batch read(std::string_view collection, Position& place, std::size_t limit, std::uint64_t subscription,
                           Version until = newest);

  [[nodiscard]] std::uint64_t subscribe(std::string_view collection, std::shared_ptr<Wakeup> wakeup);
  void unsubscribe(std::string_view collection, std::uint64_t subscription);

  // Every place in the collection is lost, once what is there has been read.
  void end_readers(std::string_view collection);
  void end_all_readers();
  // Empties all windows.
  void compact();
  // All is as it was at `version`, which is the newest from now on; every place is lost. Error: invalid, for one that a
  // window does not have or that is still to come.
  [[nodiscard]] Result<void> rewind(Version version);
  // The same by so many versions, or as far as the windows go.
  void rewind_by(std::uint64_t versions);
  // How often that was done.
  [[nodiscard]] std::uint64_t rewinds() const;

  // The version of the last write to a collection, 0 for none.
  [[nodiscard]] Version last_write(std::string_view collection) const;
  // Collections written to after `version`, in name order.
  [[nodiscard]] std::vector<std::string> written_after(Version version) const;
  // Waits until there are more writes() than these; false when the deadline passed or interrupt() was called.
  bool wait_past(std::uint64_t writes, Instant deadline);
  void interrupt();

 private:
  using Window = std::deque<ChangePtr>;
  struct Collection {
    std::map<std::string, Object, std::less<>> objects{};
    std::map<std::string, std::size_t, std::less<>> count{};  // by namespace
    Window window{};
    std::uint64_t first = 0;            // sequence number of window.front()
    std::vector<std::uint64_t> ends{};  // the sequence number at which each epoch of readers ended
    Version floor = 0;                  // the newest version that left the window
    Version written = 0;
    std::map<std::uint64_t, std::shared_ptr<Wakeup>> readers{};
    std::set<std::uint64_t> waiting{};
  };
  using Wakeups = std::vector<std::shared_ptr<Wakeup>>;
  using Overlay = std::map<std::string_view, const Object*>;

  Collection& at(std::string_view name) const PINTLE_REQUIRES(mutex_);
  Object stamp(json::Value value, Version version);
  static std::size_t count_range(const Collection& in, const Range& range, const Overlay& past);
  Page read_range(const Collection& in, const Range& range, const Overlay& past) const PINTLE_REQUIRES(mutex_);
  void note(Collection& in, Change change, std::vector<ChangePtr>& dropped, Wakeups& woken) PINTLE_REQUIRES(mutex_);
  static Wakeups take_waiting(Collection& in);
  // The first change behind a version.
  static Window::const_iterator after(const Collection& in, Version version);
  static void count_in(Collection& in, std::string_view key);
  static void count_out(Collection& in, std::string_view key);
  static void undo(Collection& in, const Change& change);
  [[nodiscard]] Version oldest() const PINTLE_REQUIRES(mutex_);
  [[nodiscard]] Wakeups go_back_to(Version version, std::vector<ChangePtr>& dropped) PINTLE_REQUIRES(mutex_);

  Executor& executor_;
  const std::size_t window_;
  const Version begin_;
  json::Pool pool_;  // of every object, as they are alike
  mutable Mutex mutex_;
  Condition written_;
  mutable std::map<std::string, Collection, std::less<>> collections_ PINTLE_GUARDED_BY(mutex_);
  Version version_ PINTLE_GUARDED_BY(mutex_) = begin_;
  std::uint64_t writes_ PINTLE_GUARDED_BY(mutex_) = 0;
  std::uint64_t rewinds_ PINTLE_GUARDED_BY(mutex_) = 0;
  std::deque<std::pair<Instant, Version>> moments_ PINTLE_GUARDED_BY(mutex_);  // of the newest writes
  std::uint64_t next_subscription_ PINTLE_GUARDED_BY(mutex_) = 1;
  bool interrupted_ PINTLE_GUARDED_BY(mutex_) = false;
  bool somebody_waits_ PINTLE_GUARDED_BY(mutex_) = false;
};

[[nodiscard]] std::string storage_key(std::string_view namespace_, std::string_view name);

// The text of a resourceVersion as a number; none for anything that is not an unsigned decimal.
[[nodiscard]] std::optional<Version> parse_version(std::string_view text);

}  // namespace pintle::apiserver
