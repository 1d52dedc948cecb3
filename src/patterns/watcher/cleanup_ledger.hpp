// SPDX-License-Identifier: Apache-2.0
// CleanupLedger: the progress of Opinionated handlers with objects that their finalizer does not protect.
#pragma once

#include <compare>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include <pintle/base/mutex.hpp>
#include <pintle/controller/context.hpp>

#include "pending_events.hpp"

namespace pintle::watcher {

// The furthest step that a handler has reached with an object.
enum class CleanupProgress {
  none,     // nothing is recorded
  due,      // `added` must be called, after the work-in-progress finalizer was added
  begun,    // `added` was called and has not succeeded
  handled,  // `added` succeeded; the object with its finalizer was not delivered since
  owed,     // the object is gone, or is being deleted without our finalizer, and `deleted` has not succeeded
  cleaned,  // `deleted` succeeded; the object has not been reported as gone
};

// Kept only in memory, so it is lost when the process ends. An object has an entry from the first attempt to handle it
// until it is delivered with the finalizer, and from a successful clean-up until the object is reported as gone.
// Thread-safe.
class CleanupLedger {
 public:
  // A handler may contain several Opinionated handlers, each with its own finalizer.
  struct Key {
    std::string uid{};
    HandlerId handler = 0;
    std::string finalizer{};
    friend auto operator<=>(const Key&, const Key&) = default;
  };
  struct Entry {
    CleanupProgress progress = CleanupProgress::none;
    Object object{};  // the object of the last call
  };

  explicit CleanupLedger(Executor& executor) : mutex_(executor) {}

  [[nodiscard]] Entry find(const Key& key) const;
  void set(const Key& key, Entry entry);
  void erase(const Key& key);

  // Returns whether a handler still has to clean up for an object.
  [[nodiscard]] bool is_owed(HandlerId handler, std::string_view uid) const;
  void forget_object_of(HandlerId handler, std::string_view uid);
  void forget_handler(HandlerId handler);
  [[nodiscard]] std::size_t size() const;

 private:
  using Entries = std::map<Key, Entry>;

  [[nodiscard]] std::pair<Entries::const_iterator, Entries::const_iterator> entries_of(HandlerId handler,
                                                                                       std::string_view uid) const
      PINTLE_REQUIRES(mutex_);

  mutable Mutex mutex_;
  Entries entries_ PINTLE_GUARDED_BY(mutex_);
};

// The entry of one object and one Opinionated handler. Outside of calls by an InformerController nothing is recorded.
class CleanupRecord {
 public:
  // Set in the context of the reconcile before each call of a handler.
  struct Place {
    CleanupLedger* ledger = nullptr;
    HandlerId handler = 0;
  };

  CleanupRecord(Context& context, const Object& object, const std::string& finalizer);

  [[nodiscard]] CleanupProgress progress() const { return entry().progress; }
  [[nodiscard]] Object object() const { return entry().object; }
  // Whether `added` has not succeeded, so that it must be called even if the object has the finalizer.
  [[nodiscard]] bool awaits_success() const;
  // Whether `added` was called for the object and no clean-up has succeeded since.
  [[nodiscard]] bool needs_cleanup() const;
  // Whether `added` succeeded for an object with this content, so that only the finalizer is missing.
  [[nodiscard]] bool has_handled(const Object& object) const;
  void set(CleanupProgress progress, const Object& object);
  void erase();

 private:
  [[nodiscard]] CleanupLedger::Entry entry() const;

  CleanupLedger* const ledger_;
  const CleanupLedger::Key key_;
};

// Returns whether two states of an object have the same metadata.generation or, if they have no generation, the same
// content apart from `finalizers`, `managedFields` and `resourceVersion`.
[[nodiscard]] bool has_same_content(const Object& a, const Object& b);

}  // namespace pintle::watcher
