// SPDX-License-Identifier: Apache-2.0
// The work of an operator that fails and writes at random, with checks of the times at which it is called.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "test_support.hpp"

namespace pintle::every_pattern {

// The result of one attempt.
enum class End { done, outage, refusal, exception, again, delay };

// The current behaviour of the work on one object: the weights of the results, in their order.
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

// The parts that an attempt writes.
struct Scribbles {
  bool status = false;
  bool annotation = false;
  bool child = false;
  bool event = false;
};

// Identifies one of several consecutive objects of a name, by the beginning of its text.
[[nodiscard]] std::string object_named(const std::string& name, const std::string& text);

// The work on one object, with the records of the test.
struct Work {
  Weights weights = all_is_well;
  Scribbles writes{};

  int attempts = 0;
  Instant begun{};
  Instant ended{};
  End end = End::done;
  std::string failure{};       // of the last attempt; empty if it succeeded
  Duration requested_delay{};  // the delay that End::delay requests
  unsigned failures = 0;       // consecutive
  bool has_written = false;    // whether the last attempt has written
  bool is_clean_up = false;    // whether the last attempt was a clean-up
  int successes = 0;
  int delays = 0;
  bool writes_always = false;        // if false, nearly always
  std::optional<Instant> changed{};  // time of a change by another client, or of an event that counts as one
};

// The work on all objects, which continues when the operator is restarted, and the resources outside the cluster.
class RandomWork {
 public:
  RandomWork(const Pattern& pattern, std::uint64_t seed) : pattern_(pattern), random_(seed) {}

  [[nodiscard]] Job job();
  // Returns whether only a change by another client causes another attempt.
  [[nodiscard]] bool is_final(const Work& work) const;

  std::map<std::string, Work> works;          // by the name of the object
  std::map<std::string, std::string> things;  // texts of the resources outside the cluster, by name
  std::set<std::string> made;                 // objects for which a resource was created
  std::set<std::string> cleaned;              // objects that were cleaned up
  std::set<std::string> excused;              // objects whose clean-up may be lost
  bool is_checked = false;                    // whether to check that attempts are not too early
  std::vector<std::string> violations;

 private:
  static constexpr int max_attempts = 3'000;  // for one object in a story; after that nothing fails any more

  Outcome reconcile(const ObjectKey& key, const std::string& text, Context& ctx);
  Outcome clean_up(const ObjectKey& key, Context& ctx);
  void keep(const std::string& name, const std::string& text);
  Work& begin(const ObjectKey& key, Context& ctx, bool is_clean_up);
  void check(const std::string& name, const Work& work, Instant now);
  [[nodiscard]] Duration wait_after(unsigned failures) const;
  End choose(const Work& work);
  Outcome end(const std::string& name, Work& work, End chosen, Context& ctx, std::optional<Error> met = {});
  Result<void> write(Work& work, const ObjectKey& key, Context& ctx, bool is_alive);
  static Result<void> apply_child(const ObjectKey& key, const std::string& text, Context& ctx);
  void violated(const std::string& name, const std::string& what);

  const Pattern& pattern_;
  Random random_;
};

}  // namespace pintle::every_pattern
