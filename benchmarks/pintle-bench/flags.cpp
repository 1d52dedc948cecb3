// SPDX-License-Identifier: Apache-2.0
#include "flags.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app_reference.hpp"

namespace pintle::benchmarks {
namespace {

constexpr std::size_t max_objects = 10'000'000;
constexpr int max_threads = 1000;
constexpr int highest_rate = 100'000;
constexpr Duration max_hold = std::chrono::hours(1);

// The values of flags, before they are parsed.
struct Texts {
  std::string form = "dynamic";
  std::string list = "paged";
  std::string hold = "1s";
};

std::string usage() {
  std::string text =
      "pintle-bench measures pintle against an API server; see docs/benchmarks.md.\n\n"
      "usage: pintle-bench MODE [--kubeconfig FILE] …; pintle-bench MODE --help lists the flags of it\n\n";
  for (const Mode& mode : all_modes()) text += fmt::format("  {:<12}{}\n", mode.name, mode.what);
  return text;
}

const Mode* mode_named(std::string_view name) {
  const auto found = std::ranges::find(all_modes(), name, &Mode::name);
  return found == all_modes().end() ? nullptr : &*found;
}

Error unknown_mode(std::string_view name) {
  std::string names;
  for (const Mode& mode : all_modes()) names += fmt::format("{}{}", names.empty() ? "" : ", ", mode.name);
  return make_error(ErrorCode::invalid, name.empty()
                                            ? "there is no mode on the command line; name one of " + names
                                            : fmt::format("there is no mode \"{}\"; name one of {}", name, names));
}

// Declares all flags, and then removes those that the mode does not use.
void declare(CLI::App& app, const Mode& mode, BenchOptions& options, Texts& texts) {
  app.add_option("--kubeconfig", options.kubeconfig, "Kubeconfig file; default: as for kubectl")->type_name("FILE");
  const std::map<std::string_view, CLI::Option*> flags{
      {"kind", app.add_option("--kind", options.kind, "Kind of the objects")
                   ->check(CLI::IsMember({"pods", "widgets", "gadgets"}))},
      {"namespace", app.add_option("--namespace", options.namespace_, "Namespace of the objects")->type_name("NAME")},
      {"form", app.add_option("--form", texts.form, "Form of the objects in the cache")
                   ->check(CLI::IsMember({"dynamic", "typed", "metadata"}))},
      {"list",
       app.add_option("--list", texts.list, "How the cache is filled")->check(CLI::IsMember({"streaming", "paged"}))},
      {"concurrency",
       app.add_option("--concurrency", options.concurrency, "Workers, requests at a time, or connections")
           ->check(CLI::Range(1, max_threads))},
      {"count", app.add_option("--count", options.count, "Number of objects, keys or values")
                    ->check(CLI::Range(std::size_t{1}, max_objects))},
      {"rate",
       app.add_option("--rate", options.rate, "Writes or reviews a second")->check(CLI::Range(1, highest_rate))},
      {"waits", app.add_flag("--waits", options.waits, "Also measure the waits for the I/O thread, which costs CPU")},
      {"hold",
       app.add_option("--hold", texts.hold, "Duration of the measurement, such as 500ms")->type_name("DURATION")},
      {"out", app.add_option("--out", options.out, "The file that latency writes and write reads")
                  ->type_name("FILE")
                  ->required()},
  };
  for (const auto& [name, flag] : flags) {
    if (std::ranges::find(mode.flags, name) == mode.flags.end()) {
      app.remove_option(flag);
    } else if (!flag->get_required()) {
      flag->capture_default_str();
    }
  }
}

std::string man_page() {
  CommandReference program{
      .name = "pintle-bench",
      .summary = "Measures pintle against an API server.",
      .groups = {{.title = "Options",
                  .options = {{.name = "help", .short_name = 'h', .help = "Print the modes and exit"}}}},
      .version = "pintle " PINTLE_VERSION,
      .exit_codes = {{0, "The last line of the output is the result, a JSON object."},
                     {1, "The measurement failed."},
                     {2, "An argument is invalid, or there is no server to measure."},
                     {130, "The measurement was interrupted."}}};
  for (const Mode& mode : all_modes()) {
    BenchOptions options;
    options.count = mode.count;
    Texts texts;
    CLI::App app{std::string(mode.what), std::string(mode.name)};
    declare(app, mode, options, texts);
    program.commands.push_back(tools::reference_of(app));
  }
  return print_man_page(program);
}

Result<void> take(const Texts& texts, const Mode& mode, BenchOptions& options) {
  options.form = texts.form == "typed" ? Form::typed : texts.form == "metadata" ? Form::metadata : Form::dynamic;
  if (options.form == Form::metadata && mode.name != "sync") {
    return fail(ErrorCode::invalid,
                "--form: metadata is for sync alone, since a controller has whole objects; name "
                "dynamic or typed");
  }
  options.list_mode = texts.list == "streaming" ? ListMode::streaming : ListMode::paged;
  const auto hold = parse_duration(texts.hold);
  if (!hold || *hold > max_hold) {
    return fail(ErrorCode::invalid, "--hold: \"" + texts.hold + "\" is no duration of an hour at most, such as 500ms");
  }
  options.hold = *hold;
  return {};
}

}  // namespace

Result<Invocation> read_flags(int argc, const char* const* argv) {
  Invocation made;
  const std::string_view name = argc > 1 ? argv[1] : "";
  if (name == "--help" || name == "-h") {
    made.help = usage();
    return made;
  }
  if (name == "man") {
    made.help = man_page();
    return made;
  }
  made.mode = mode_named(name);
  if (made.mode == nullptr) return unknown_mode(name);

  const std::string program = fmt::format("pintle-bench {}", name);
  made.options.count = made.mode->count;
  Texts texts;
  CLI::App app{std::string(made.mode->what), program};
  declare(app, *made.mode, made.options, texts);
  try {
    app.parse(argc - 1, argv + 1);
  } catch (const CLI::CallForHelp&) {
    made.help = app.help();
    return made;
  } catch (const CLI::ParseError& error) {
    return fail(ErrorCode::invalid, fmt::format("{}: {}; {} --help lists its flags", name, error.what(), program));
  }
  if (auto taken = take(texts, *made.mode, made.options); !taken) return fail(std::move(taken.error()));
  return made;
}

}  // namespace pintle::benchmarks
