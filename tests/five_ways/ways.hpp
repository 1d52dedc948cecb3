// The ways to write an operator, as the tests see them: the same job done by each pattern.
#pragma once

#include <functional>
#include <optional>
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
  // The status tells whether the work is done, as the pattern does it or as its author would. The functions then get
  // their errors written down, and `guard` has them run under its lock.
  bool reports = false;
  bool owns_config_maps = false;  // a change of one wakes its owner
};

// What a status tells.
struct Readiness {
  bool is_ready = false;
  std::string failure{};  // "" if there is none
};
// That of report_ready() and its like.
[[nodiscard]] Readiness ready_status(const Object& widget);
// What the author of a pattern that reports nothing by itself writes around the work.
[[nodiscard]] Outcome reported(Context& ctx, const std::function<Outcome()>& work);

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
  Readiness (*readiness)(const Object& widget) = ready_status;
  std::string readiness_condition = "Ready";
  // The pattern reports exceptions too; else an author would have to catch them.
  bool reports_exceptions = false;
  // Failures in a row after which it waits for a change; 0: it never does.
  unsigned gives_up_after = 0;
  Duration between_owed_clean_ups{};  // of an object that is gone, from then on
  // A clean-up does not go on with the back-off of the work, and a new generation of an object begins anew.
  bool has_back_off_of_each_action = false;
  // After another failure than "not now" it waits until a person has reset the phase, unless the object is being
  // deleted.
  bool has_final_phase = false;
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
    bool is_on_error = false;
    std::optional<std::string> last_error_message{};
    static constexpr auto fields() {
      return pintle::fields(field("phase", &Status::phase), field("seen", &Status::seen),
                            field("observedGeneration", &Status::observed_generation),
                            field("conditions", &Status::conditions), field("isOnError", &Status::is_on_error),
                            field("lastErrorMessage", &Status::last_error_message));
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
