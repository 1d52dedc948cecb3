// SPDX-License-Identifier: Apache-2.0
// pintle-bench MODE --kubeconfig FILE …: the last line on standard output is one JSON object. Exit codes: 0 success, 1
// failure during the measurement, 2 wrong usage or no server to measure, 130 interrupted.
#include <cstdio>
#include <string>

#include <fmt/format.h>
#include <unistd.h>

#include <pintle/base/signals.hpp>

#include "base/output/standard_output.hpp"
#include "flags.hpp"

namespace {

using namespace pintle;
using namespace pintle::benchmarks;

constexpr int exit_failed = 1;
constexpr int exit_usage = 2;
constexpr int exit_interrupted = 130;

int print_line(int code, const std::string& line) {
  fmt::print(stderr, "pintle-bench: {}\n", line);
  return code;
}

int exit_code(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid:
    case ErrorCode::unreachable:
    case ErrorCode::unauthorized:
    case ErrorCode::unsupported: return exit_usage;
    default: return exit_failed;
  }
}

}  // namespace

int main(int argc, char** argv) {
  auto flags = read_flags(argc, argv);
  if (!flags) return print_line(exit_usage, flags.error().to_string());
  if (!flags->help.empty()) {
    fmt::print("{}", flags->help);
    return 0;
  }
  std::stop_source interrupted;
  const SignalHandler watch([&](int) {
    if (!interrupted.request_stop()) _exit(exit_interrupted);
  });
  flags->options.stop = interrupted.get_token();
  const auto measured = flags->mode->run(flags->options);
  if (interrupted.stop_requested()) return print_line(exit_interrupted, "interrupted, so there is no result");
  if (!measured) return print_line(exit_code(measured.error().code), measured.error().to_string());
  fmt::print("{}\n", json::print(json::Value(*measured)));
  if (const auto flushed = flush_standard_output(); !flushed) {
    return print_line(exit_failed, flushed.error().to_string());
  }
  return 0;
}
