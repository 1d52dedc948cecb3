// SPDX-License-Identifier: Apache-2.0
// The plain Controller and each pattern, for the tests: an operator in each of them does the same job.
#pragma once

#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <pintle/pintle.hpp>

namespace pintle::every_pattern {

// The job of the operator of a test. Each pattern calls these functions where its author would do the work.
struct Job {
  // Called when the object is new, has changed, or is reconciled for another reason.
  std::function<Outcome(const ObjectKey& key, const std::string& text, Context& ctx)> reconcile;
  // Called while the object is being deleted, until it returns `done`. If it is empty, there is no finalizer.
  std::function<Outcome(const ObjectKey& key, Context& ctx)> clean_up{};
  std::string finalizer = "patterns.dev/cleanup";
  int workers = 1;
  // The status reports whether the work is done, as the pattern or its author reports it. The errors of the functions
  // are then written to the status, and `guard` runs the functions under its lock.
  bool reports = false;
  bool owns_config_maps = false;  // a change of a ConfigMap enqueues its owner
};

// The information about the work in a status.
struct Readiness {
  bool is_ready = false;
  std::string failure{};  // "" if there is none
};
// Reads a status of report_ready() and similar functions.
[[nodiscard]] Readiness ready_status(const Object& widget);
// The wrapper that an author writes around the work if the pattern itself reports nothing.
[[nodiscard]] Outcome reported(Context& ctx, const std::function<Outcome()>& work);

// One pattern, or the plain Controller. All of them watch the same kind, whose spec has a text.
struct Pattern {
  friend std::ostream& operator<<(std::ostream& out, const Pattern& pattern) { return out << pattern.name; }

  std::string name;
  void (*add)(Manager& manager, Job job);
  std::vector<Duration> first_waits;              // the delays after consecutive failures
  std::string foreign_condition_status = "True";  // a valid status of its conditions
  bool counts_terminal_errors = true;             // if false, the status reports them
  // The finalizer is added before the first reconcile. If false, an object may disappear before it is cleaned up.
  bool is_held_at_once = true;
  Readiness (*readiness)(const Object& widget) = ready_status;
  std::string readiness_condition = "Ready";
  // The pattern reports exceptions too. If false, an author would have to catch them.
  bool reports_exceptions = false;
  // Consecutive failures after which the pattern waits for a change; 0: it retries without end.
  unsigned gives_up_after = 0;
  Duration between_owed_clean_ups{};  // for an object that is gone, after the last retry
  // A clean-up does not continue the back-off of the work, and a new generation of an object begins with the first
  // delay.
  bool has_back_off_of_each_action = false;
  // After any failure that is not temporary, the pattern waits until a person has reset the phase, unless the object is
  // being deleted.
  bool has_final_phase = false;
};

struct Widget {
  static constexpr Type type{"patterns.dev/v1", "Widget"};
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

[[nodiscard]] Pattern plain();  // a Controller without a pattern, for comparison
[[nodiscard]] Pattern crud();
[[nodiscard]] Pattern external();
[[nodiscard]] Pattern guard();
[[nodiscard]] Pattern phased();
[[nodiscard]] Pattern service();
[[nodiscard]] Pattern watcher();

[[nodiscard]] inline std::vector<Pattern> patterns() {
  return {plain(), crud(), external(), guard(), phased(), service(), watcher()};
}

// Wrong operators, which check the tests: one does nothing, and one does its work and fails nevertheless.
[[nodiscard]] std::vector<Pattern> broken_patterns();

}  // namespace pintle::every_pattern
