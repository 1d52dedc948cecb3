// SPDX-License-Identifier: Apache-2.0
#include "operator.hpp"

#include <cstdio>

#include "connection.hpp"

namespace pintle::benchmarks {
namespace {

AnyController without_crd(AnyController controller) {
  controller.crd.reset();
  return controller;
}

}  // namespace

Operator::Operator(const BenchOptions& options, AnyController controller)
    : options_(options),
      kind_(controller.watch.kind),
      manager_({.name = "pintle-bench",
                .kubeconfig = options.kubeconfig,
                .namespaces = options.namespace_.empty() ? std::vector<std::string>() : std::vector{options.namespace_},
                .log_level = LogLevel::warning}),
      interrupted_(manager_.executor(), options.stop, [this] { manager_.request_stop(); }) {
  manager_.add(without_crd(std::move(controller)));
}

Result<void> Operator::start() {
  if (auto reached = connect(options_, kind_); !reached) return fail(std::move(reached.error()));
  if (auto started = manager_.start(); !started) return fail(with_advice(std::move(started.error())));
  std::fputs("synced\n", stderr);
  return {};
}

Result<void> Operator::wait() {
  auto ended = manager_.wait();
  manager_.stop();
  return ended;
}

}  // namespace pintle::benchmarks
