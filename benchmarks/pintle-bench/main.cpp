// pintle-bench MODE --kubeconfig FILE …: the last line on standard output is one JSON object.
#include <cstdio>
#include <map>
#include <string>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "bench.hpp"

namespace {

using namespace pintle;
using namespace pintle::benchmarks;

struct Mode {
  const char* what;
  Measured (*run)(const BenchOptions& options);
};

const std::map<std::string, Mode> modes{
    {"fill", {"Create --count objects.", fill}},
    {"reset", {"Delete every object of the kind.", reset}},
    {"sync", {"Fill a cache with all objects of the kind, and hold it.", measure_sync}},
};

int run(const Mode& mode, const BenchOptions& options) {
  const auto measured = mode.run(options);
  if (!measured) {
    fmt::print(stderr, "pintle-bench: {}\n", measured.error().to_string());
    return measured.error().code == ErrorCode::invalid ? 2 : 1;
  }
  fmt::print("{}\n", json::print(json::Value(*measured)));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  BenchOptions options;
  double hold_seconds = 1;
  CLI::App app{"Measures pintle against an API server. The CRDs of widgets and gadgets have to be there."};
  app.require_subcommand(1);
  for (const auto& [name, mode] : modes) {
    CLI::App* command = app.add_subcommand(name, mode.what);
    command->add_option("--kubeconfig", options.kubeconfig, "Where the server is; else as for kubectl");
    command->add_option("--kind", options.kind, "pods, widgets or gadgets")->capture_default_str();
    command->add_option("--namespace", options.namespace_, "Only there");
    command->add_option("--concurrency", options.concurrency, "Requests at a time")
        ->capture_default_str()
        ->check(CLI::Range(1, 1000));
    command->add_option("--count", options.count, "Objects to create")->capture_default_str();
    command->add_option("--hold", hold_seconds, "Seconds that a filled cache is held")->capture_default_str();
    command->add_option("--form", options.form, "dynamic or metadata")
        ->transform(CLI::CheckedTransformer(
            std::map<std::string, Form>{{"dynamic", Form::dynamic}, {"metadata", Form::metadata}}));
  }
  CLI11_PARSE(app, argc, argv);
  options.hold = std::chrono::duration_cast<Duration>(std::chrono::duration<double>(hold_seconds));
  for (const auto& [name, mode] : modes) {
    if (app.got_subcommand(name)) return run(mode, options);
  }
  return 2;
}
