// SPDX-License-Identifier: Apache-2.0
// Quarantine: counts the crashes of the process for each key in work, and delays keys with repeated crashes.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <pintle/base/backoff.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

// A key that was in work when a process crashed.
struct Suspect {
  std::string controller{};
  ObjectKey key{};
  std::string edition{};  // edition_of() of its object at that time
  unsigned deaths = 0;    // crashes in a row, without a reconcile that ended

  friend bool operator==(const Suspect&, const Suspect&) = default;
};

// The keys that were in work when the previous process crashed.
struct LeftInWork {
  std::vector<Suspect> all{};
  std::vector<Suspect> named{};  // the keys among `all` on whose threads a fatal signal was raised
};

// The delay of a key that must not be reconciled yet.
struct Quarantined {
  unsigned deaths = 0;
  Duration rest{};        // remaining time
  bool is_first = false;  // returned for this key for the first time in this process
};

// Returns a text that changes with the spec of the object, and differs for another object of the same name. A write of
// status or metadata does not change it. If the kind has no generations, it never changes for one object.
[[nodiscard]] std::string edition_of(const Object& object);

// A key is delayed after this number of crashes in a row.
inline constexpr unsigned deaths_to_hold = 3;

// The time from the start of the process to the next reconcile of a delayed key: a minute after the third crash,
// doubled after each further one, up to an hour.
inline constexpr Backoff quarantine_backoff{.base = std::chrono::minutes(1), .factor = 2, .cap = std::chrono::hours(1)};

// The rules of the quarantine, without files. A change of the spec resets the delay to that of the third crash, so a
// delayed key crashes the process at most once a minute, however often its object is changed. Not thread-safe; see
// CrashGuard.
class Quarantine {
 public:
  // The maximum number of suspects. Beyond that, those with the fewest crashes are dropped.
  static constexpr std::size_t max_suspects = 1000;

  explicit Quarantine(Instant started) : started_(started) {}

  void add(const Suspect& known);
  // Counts one crash for the named keys, or for all keys in work if none is named. Returns the counted keys.
  std::vector<Suspect> count_death(const LeftInWork& left);

  // Returns the remaining delay of a key; nullopt if it may be reconciled.
  [[nodiscard]] std::optional<Quarantined> find(const std::string& controller, const ObjectKey& key,
                                                const std::string& edition, Instant now);
  // Returns the number of crashes in a row; 0 for a key that is no suspect.
  [[nodiscard]] unsigned deaths(const std::string& controller, const ObjectKey& key) const;
  // Ends the delay of a key in this process, because a user requested its reconcile. Its crashes are kept.
  void release(const std::string& controller, const ObjectKey& key);
  // A reconcile of the key ended, or nothing is left to do: the key is no suspect any more. Returns whether it was one.
  bool clear(const std::string& controller, const ObjectKey& key);

  [[nodiscard]] std::vector<Suspect> suspects() const;
  // Returns the number of keys of a controller that have at least `deaths_to_hold` crashes.
  [[nodiscard]] std::size_t count(const std::string& controller) const;

 private:
  using Id = std::pair<std::string, ObjectKey>;
  struct Entry {
    std::string edition{};
    unsigned deaths = 0;
    bool is_released = false;
    bool is_reported = false;
  };

  void drop_least();

  const Instant started_;
  std::map<Id, Entry> suspects_;
};

}  // namespace pintle
