// SPDX-License-Identifier: Apache-2.0
#include <pintle/pintle.hpp>

#include "patterns.hpp"

namespace pintle::every_pattern {
namespace {

using namespace std::chrono_literals;

void add_idle_job(Manager& manager, Job) {
  manager.add(Controller<Widget>{.reconcile = [](const Widget&, Context&) -> Outcome { return done; }});
}

// Does not call the job: a waiting call would continue after its test has failed, and use variables of that test.
void add_failing_job(Manager& manager, Job job) {
  const auto fail_always = [](const Widget&, Context&) -> Outcome {
    return failed(make_error(ErrorCode::unavailable, "always"));
  };
  Controller<Widget> controller{.reconcile = fail_always};
  if (job.clean_up) {
    controller.finalize = fail_always;
    controller.finalizer = job.finalizer;
  }
  controller.workers = job.workers;
  manager.add(std::move(controller));
}

}  // namespace

std::vector<Pattern> broken_patterns() {
  const std::vector<Duration> first_waits{5ms, 10ms, 20ms};
  return {{.name = "idle", .add = add_idle_job, .first_waits = first_waits},
          {.name = "failing", .add = add_failing_job, .first_waits = first_waits}};
}

}  // namespace pintle::every_pattern
