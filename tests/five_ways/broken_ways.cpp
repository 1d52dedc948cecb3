#include <pintle/pintle.hpp>

#include "ways.hpp"

namespace pintle::five_ways {
namespace {

using namespace std::chrono_literals;

void add_idle_job(Manager& manager, Job) {
  manager.add(Controller<Widget>{.reconcile = [](const Widget&, Context&) -> Outcome { return settled; }});
}

Outcome failed_all_the_same(const Outcome& outcome) {
  const Error* error = outcome.as_failed();
  return failed(error == nullptr ? make_error(ErrorCode::unavailable, "always") : *error);
}

void add_failing_job(Manager& manager, Job job) {
  Controller<Widget> controller{.reconcile = [look = job.look](const Widget& widget, Context& ctx) {
    return failed_all_the_same(look(widget.metadata.key(), widget.spec.text, ctx));
  }};
  if (job.clean_up) {
    controller.finalize = [clean_up = job.clean_up](const Widget& widget, Context& ctx) {
      return failed_all_the_same(clean_up(widget.metadata.key(), ctx));
    };
    controller.finalizer = job.finalizer;
  }
  controller.workers = job.workers;
  manager.add(std::move(controller));
}

}  // namespace

std::vector<Way> broken_ways() {
  const std::vector<Duration> first_waits{5ms, 10ms, 20ms};
  return {{.name = "idle", .add = add_idle_job, .first_waits = first_waits},
          {.name = "failing", .add = add_failing_job, .first_waits = first_waits}};
}

}  // namespace pintle::five_ways
