// Work of an operator that fails and writes at random, and a judge of when it is called.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "test_support.hpp"

namespace pintle::five_ways {

// What one attempt comes to.
enum class End { done, outage, refusal, exception, again, delay };

// How the work on one object goes at present: the weights of the ends, in their order.
using Weights = std::array<unsigned, 6>;

inline constexpr Weights all_is_well{1, 0, 0, 0, 0, 0};
inline constexpr std::array<Weights, 8> ways_to_fail{{{0, 1, 0, 0, 0, 0},
                                                      {0, 0, 1, 0, 0, 0},
                                                      {0, 0, 0, 1, 0, 0},
                                                      {0, 4, 0, 4, 2, 0},
                                                      {0, 4, 0, 1, 1, 1},
                                                      {1, 3, 0, 0, 0, 0},
                                                      {3, 3, 1, 1, 1, 1},
                                                      {1, 0, 0, 0, 0, 0}}};

// Of an attempt that writes, what it writes.
struct Scribbles {
  bool status = false;
  bool annotation = false;
  bool child = false;
  bool event = false;
};

// One object of that name: those that follow each other differ in what their text begins with.
[[nodiscard]] std::string object_named(const std::string& name, const std::string& text);

// The work on one object, and what the test knows of it.
struct Work {
  Weights weights = all_is_well;
  Scribbles writes{};

  int attempts = 0;
  Instant begun{};
  Instant ended{};
  End end = End::done;
  std::string failure{};     // of the last attempt, if it failed
  Duration asked{};          // by End::delay
  unsigned failures = 0;     // in a row
  bool has_written = false;  // the last attempt
  bool is_clean_up = false;  // it was one
  int successes = 0;
  int delays = 0;
  bool writes_always = false;        // else nearly always
  std::optional<Instant> changed{};  // by somebody else, or in a way that counts as that
};

// The work on all objects, whichever life of the operator does it, and the world outside of the cluster that it keeps.
class RandomWork {
 public:
  RandomWork(const Way& way, std::uint64_t seed) : way_(way), random_(seed) {}

  [[nodiscard]] Job job();
  // Nothing but a change by somebody helps.
  [[nodiscard]] bool is_final(const Work& work) const;

  std::map<std::string, Work> works;          // by the name of the object
  std::map<std::string, std::string> things;  // outside, by name: the text
  std::set<std::string> made;                 // objects that there has been a thing for
  std::set<std::string> cleaned;              // those that were cleaned up
  std::set<std::string> excused;              // those that may be lost
  bool is_checked = false;                    // whether attempts come no earlier than they should
  std::vector<std::string> faults;

 private:
  static constexpr int most_attempts = 3'000;  // of one object in a story; then nothing fails any more

  Outcome look(const ObjectKey& key, const std::string& text, Context& ctx);
  Outcome clean_up(const ObjectKey& key, Context& ctx);
  void keep(const std::string& name, const std::string& text);
  Work& begin(const ObjectKey& key, Context& ctx, bool is_clean_up);
  void check(const std::string& name, const Work& work, Instant now);
  [[nodiscard]] Duration wait_after(unsigned failures) const;
  End choose(const Work& work);
  Outcome end(const std::string& name, Work& work, End chosen, Context& ctx, std::optional<Error> met = {});
  Result<void> write(Work& work, const ObjectKey& key, Context& ctx, bool is_alive);
  static Result<void> apply_child(const ObjectKey& key, const std::string& text, Context& ctx);
  void fault(const std::string& name, const std::string& what);

  const Way& way_;
  Random random_;
};

}  // namespace pintle::five_ways
