// The ways to write an operator, as the tests see them: the same job done by each pattern.
#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include <pintle/pintle.hpp>

namespace pintle::five_ways {

// What the operator of a test does. Each way calls these from where its author would do that work.
struct Job {
  // An object was made, has changed, or is looked at again.
  std::function<Outcome(const ObjectKey& key, const std::string& text, Context& ctx)> look;
  // It is being deleted; called until it settles. Without it there is no finalizer.
  std::function<Outcome(const ObjectKey& key, Context& ctx)> clean_up{};
  std::string finalizer = "five-ways.dev/cleanup";
  int workers = 1;
};

// One pattern. All of them watch the same kind, whose spec has a text.
struct Way {
  friend std::ostream& operator<<(std::ostream& out, const Way& way) { return out << way.name; }

  std::string name;
  void (*add)(Manager& manager, Job job);
  std::vector<Duration> first_waits;              // after failures in a row
  std::string foreign_condition_status = "True";  // a word that its conditions know
  bool counts_terminal_errors = true;             // else it says them in the status
  // The finalizer goes on before the first look; else an object may go before what it has is cleaned up.
  bool is_held_at_once = true;
};

struct Widget {
  static constexpr Type type{"five-ways.dev/v1", "Widget"};
  struct Spec {
    std::string text{};
    static constexpr auto fields() { return pintle::fields(field("text", &Spec::text, "What it says.")); }
  };
  struct Status {
    std::string phase{};
    std::string seen{};
    std::int64_t observed_generation = 0;
    std::vector<StatusCondition> conditions{};
    static constexpr auto fields() {
      return pintle::fields(field("phase", &Status::phase), field("seen", &Status::seen),
                            field("observedGeneration", &Status::observed_generation),
                            field("conditions", &Status::conditions));
    }
  };
  Metadata metadata{};
  Spec spec{};
  Status status{};
};

[[nodiscard]] Way plain();  // a bare Controller, to compare with
[[nodiscard]] Way crud();
[[nodiscard]] Way external();
[[nodiscard]] Way guard();
[[nodiscard]] Way phased();
[[nodiscard]] Way service();
[[nodiscard]] Way watcher();

[[nodiscard]] inline std::vector<Way> ways() {
  return {plain(), crud(), external(), guard(), phased(), service(), watcher()};
}

// Operators that are wrong, to check the tests: one that does nothing, and one that does its work and fails all the
// same.
[[nodiscard]] std::vector<Way> broken_ways();

}  // namespace pintle::five_ways
