// Quarantine: which keys the process has died on, and how long those wait that it keeps dying on.
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

// A key that was in work when a process died.
struct Suspect {
  std::string controller{};
  ObjectKey key{};
  std::string edition{};  // edition_of() its object then
  unsigned deaths = 0;    // in a row, without a pass that came to an end

  friend bool operator==(const Suspect&, const Suspect&) = default;
};

// What a process that died left in work.
struct LeftInWork {
  std::vector<Suspect> all{};
  std::vector<Suspect> named{};  // of those, the ones on whose threads a fatal signal was raised
};

// A key must not be worked on yet.
struct HeldBack {
  unsigned deaths = 0;
  Duration rest{};        // from now on
  bool is_first = false;  // nobody has been told in this process
};

// Another one after an edit of the spec, and for another object of the same name; the same after a write of status or
// metadata. A kind that counts no generations has one edition an object.
[[nodiscard]] std::string edition_of(const Object& object);

// Deaths that have a key held back.
inline constexpr unsigned deaths_to_hold = 3;

// From the start of the process to the next try of a key that is held back: a minute after the third death, doubling
// to an hour.
inline constexpr Backoff quarantine_backoff{.base = std::chrono::minutes(1), .factor = 2, .cap = std::chrono::hours(1)};

// The rules, without files. However often its object is edited, a key that is held back has the process die once a
// minute at most: an edit makes the wait as short as the first one, no shorter. Thread-safety: none; see CrashGuard.
class Quarantine {
 public:
  // More suspects than these are not kept; those with the fewest deaths go.
  static constexpr std::size_t most_suspects = 1000;

  explicit Quarantine(Instant started) : started_(started) {}

  void add(const Suspect& known);
  // One death more for the keys that were named, or, when none was, for all that were in work. Answers them.
  std::vector<Suspect> count_death(const LeftInWork& left);

  // Whether the key has to wait, and how long.
  [[nodiscard]] std::optional<HeldBack> held_back(const std::string& controller, const ObjectKey& key,
                                                  const std::string& edition, Instant now);
  // In a row; 0 for a key that is no suspect.
  [[nodiscard]] unsigned deaths(const std::string& controller, const ObjectKey& key) const;
  // Somebody wants it tried now. Its deaths stay.
  void release(const std::string& controller, const ObjectKey& key);
  // A pass over it came to an end, or there is nothing left to do for it: it is no suspect. Whether it was one.
  bool clear(const std::string& controller, const ObjectKey& key);

  [[nodiscard]] std::vector<Suspect> suspects() const;
  // How many keys of a controller have the deaths that have them held back.
  [[nodiscard]] std::size_t held(const std::string& controller) const;

 private:
  using Id = std::pair<std::string, ObjectKey>;
  struct Entry {
    std::string edition{};
    unsigned deaths = 0;
    bool is_released = false;
    bool is_told = false;
  };

  void drop_least();

  const Instant started_;
  std::map<Id, Entry> suspects_;
};

}  // namespace pintle
