// SPDX-License-Identifier: Apache-2.0
#include "connection.hpp"
#include "operator.hpp"
#include "process.hpp"

namespace pintle::benchmarks {

Measured measure_idle(const BenchOptions& options) {
  const auto nothing = [](const Object&, Context&) -> Outcome { return done; };
  Operator operator_(options, erase_type(Controller<Object>{.watch = kind_named(options.kind), .reconcile = nothing}));
  if (auto started = operator_.start(); !started) return fail(std::move(started.error()));
  const auto executor = make_real_executor();
  const double cpu = cpu_seconds();
  executor->sleep_for(options.hold, options.stop);
  return json::object{{"mode", "idle"},
                      {"kind", options.kind},
                      {"rss_mb", resident_mb()},
                      {"private_dirty_mb", private_dirty_mb()},
                      {"cpu_s", cpu_seconds() - cpu}};
}

}  // namespace pintle::benchmarks
