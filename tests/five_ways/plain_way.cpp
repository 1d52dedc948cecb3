#include "ways.hpp"

namespace pintle::five_ways {
namespace {

using namespace std::chrono_literals;

void add_plain_job(Manager& manager, Job job) {
  Controller<Widget> controller{.reconcile = [look = job.look](const Widget& widget, Context& ctx) {
    return look(widget.metadata.key(), widget.spec.text, ctx);
  }};
  if (job.clean_up) {
    controller.finalize = [clean_up = job.clean_up](const Widget& widget, Context& ctx) {
      return clean_up(widget.metadata.key(), ctx);
    };
    controller.finalizer = job.finalizer;
  }
  controller.workers = job.workers;
  manager.add(std::move(controller));
}

}  // namespace

Way plain() { return {.name = "plain", .add = add_plain_job, .first_waits = {5ms, 10ms, 20ms}}; }

}  // namespace pintle::five_ways
