// SPDX-License-Identifier: Apache-2.0
#include <pintle/testing/simulate_main.hpp>

#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <pintle/base/file.hpp>
#include <pintle/json/pointer.hpp>

#include "base/output/standard_output.hpp"
#include "base/progress_line.hpp"
#include "chosen_trial.hpp"
#include "sim/processes.hpp"

namespace pintle::testkit {
namespace {

struct CommandLine {
  SimulateOptions options{};
  std::vector<std::string> objects{};       // files
  std::vector<std::string> surroundings{};  // files
  std::vector<std::string> operator_arguments{};
  bool as_json = false;
  std::optional<int> exit_code{};  // there is nothing to simulate
};

void add_duration(CLI::App& app, const std::string& name, Duration& value, const std::string& description) {
  const auto take = [name, &value](const std::string& text) {
    const auto parsed = parse_duration(text);
    if (!parsed) throw CLI::ValidationError(name, parsed.error().message);
    value = *parsed;
  };
  app.add_option_function<std::string>(name, take, description)
      ->type_name("DURATION")
      ->default_str(format_duration(value));
}

// "same_state=it makes up names"
void leave_out(SimulateOptions& options, const std::string& text) {
  const std::size_t sign = text.find('=');
  const std::string name = text.substr(0, sign);
  const std::string reason = sign == std::string::npos ? "" : text.substr(sign + 1);
  if (reason.empty()) throw CLI::ValidationError("--without", name + " has no reason; write ORACLE=REASON");
  std::string known;
  for (const Oracle oracle : all_oracles()) {
    if (to_string(oracle) == name) {
      options.without[oracle] = reason;
      return;
    }
    known += (known.empty() ? "" : ", ") + std::string(to_string(oracle));
  }
  throw CLI::ValidationError("--without", name + " is no oracle; the oracles are " + known);
}

void choose_faults(SimulateOptions& options, const std::vector<std::string>& names) {
  const std::set<FaultClass> all = SimulateOptions().faults;
  options.faults.clear();
  for (const std::string& name : names) {
    if (name == "none") continue;
    const auto is_named = [&](FaultClass one) { return to_string(one) == name; };
    const auto found = std::find_if(all.begin(), all.end(), is_named);
    if (found == all.end()) {
      std::string known;
      for (const FaultClass one : all) known += ", " + std::string(to_string(one));
      throw CLI::ValidationError("--faults", name + " is no class of faults; the classes are none" + known);
    }
    options.faults.insert(*found);
  }
}

CommandLine read(int argc, char** argv, SimulateOptions defaults) {
  CommandLine line{.options = std::move(defaults)};
  SimulateOptions& options = line.options;
  CLI::App app("Runs this operator in many simulated clusters, each with other edits, faults and interleavings.",
               std::string(argv[0]) + " --simulate");
  const auto add = [&](const char* name, auto& value, const char* text) {
    return app.add_option(name, value, text)->type_name("N")->capture_default_str()->check(CLI::NonNegativeNumber);
  };
  add("--seeds", options.seeds, "Number of trials")->check(CLI::PositiveNumber);
  add("--first-seed", options.first_seed, "Seed of the first trial");
  add("--processes", options.processes, "Number of processes; 0: one for each processor");
  add("--edits", options.max_edits, "Maximum number of random edits in a trial");
  add("--max-faults", options.max_faults, "Maximum number of faults in a trial");
  app.add_option("--objects", line.objects,
                 "YAML file with the objects that a user creates (default: random ones of the CRDs of the operator); "
                 "may be repeated")
      ->type_name("FILE")
      ->allow_extra_args(false);
  app.add_option("--surroundings", line.surroundings,
                 "YAML file with objects that exist before the operator starts; may be repeated")
      ->type_name("FILE")
      ->allow_extra_args(false);
  add_duration(app, "--active", options.active, "Virtual time of the edits and faults");
  add_duration(app, "--max-time-to-idle", options.max_time_to_idle,
               "Virtual time after which the operator must be idle");
  add_duration(app, "--patience", options.patience, "Longest delay between two reconciles of an object");
  std::vector<std::string> faults;
  app.add_option("--faults", faults, "Classes of faults (default: all)")->type_name("CLASS,…")->delimiter(',');
  std::vector<std::string> without;
  app.add_option("--without", without, "An oracle that does not apply, with the reason; may be repeated")
      ->type_name("ORACLE=REASON")
      ->allow_extra_args(false);
  std::optional<std::size_t> deviations;
  std::size_t decisions = ExplorationBound().decisions;
  app.add_option("--deviations", deviations,
                 "Instead of random trials, run all schedules that differ from the default one in at most N decisions")
      ->type_name("N")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--decisions", decisions, "For --deviations: only the first N decisions")
      ->type_name("N")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_flag(
      "--fibers,!--no-fibers", options.fibers,
      "Simulated threads are fibers (default), which is faster, or threads of the machine, which have their own "
      "thread_local variables");
  app.add_flag("--json", line.as_json, "Print the report as JSON");
  app.footer(
      "Arguments behind -- are those of the operator.\nExit code: 0, 1 if a trial failed, 2 for a wrong option, 130 if "
      "it was interrupted.");
  int own = 1;
  while (own < argc && std::string_view(argv[own]) != "--") ++own;
  for (int i = own + 1; i < argc; ++i) line.operator_arguments.emplace_back(argv[i]);
  try {
    app.parse(own, argv);
    for (const std::string& text : without) leave_out(options, text);
    if (!faults.empty()) choose_faults(options, faults);
  } catch (const CLI::ParseError& error) {
    line.exit_code = app.exit(error) == 0 ? 0 : 2;
  }
  if (deviations) options.exhaustive = ExplorationBound{.deviations = *deviations, .decisions = decisions};
  return line;
}

Result<std::vector<json::Value>> read_objects(const std::vector<std::string>& files) {
  std::vector<json::Value> objects;
  for (const std::string& file : files) {
    const auto text = read_file(file);
    if (!text) return fail(text.error());
    auto documents = json::parse_yaml_stream(*text);
    if (!documents) return fail(std::move(documents.error()).with_operation(file));
    for (json::Value& document : *documents) {
      if (!document.is_null()) objects.push_back(std::move(document));
    }
  }
  return objects;
}

json::Value as_json(const SimulationReport& report) {
  json::object value{{"name", report.name},
                     {"trials", report.trials},
                     {"schedules", report.schedules},
                     {"traceHash", fmt::format("{:016x}", report.trace_hash)},
                     {"seconds", std::chrono::duration<double>(report.real_time).count()},
                     {"interrupted", report.is_interrupted}};
  json::object faults;
  for (const auto& [kind, count] : report.faults) faults[kind] = count;
  value["faults"] = std::move(faults);
  if (!report.failure) return value;
  const SimulationFailure& failure = *report.failure;
  json::array events;
  for (const std::string& event : failure.events) events.emplace_back(event);
  json::array deviations;
  for (const auto& [decision, alternative] : failure.deviations.value_or(std::map<std::uint64_t, std::uint32_t>())) {
    deviations.emplace_back(json::object{{"decision", decision}, {"alternative", alternative}});
  }
  value["failure"] = json::object{{"seed", failure.seed},
                                  {"oracle", to_string(failure.oracle)},
                                  {"message", failure.message},
                                  {"events", std::move(events)},
                                  {"timeline", failure.timeline},
                                  {"replay", failure.replay},
                                  {"deviations", std::move(deviations)}};
  return value;
}

int usage_error(const std::string& text) {
  std::fprintf(stderr, "simulate: %s\n", text.c_str());
  return 2;
}

constexpr int interrupted_code = 130;  // as of a program that SIGINT ends

// While it exists, the signals that usually end a program do not end it, nor the processes that it starts.
class Signals {
 public:
  Signals() {
    ::sigemptyset(&set_);
    for (const int one : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&set_, one);
    ::pthread_sigmask(SIG_BLOCK, &set_, &before_);
  }
  ~Signals() {
    while (have_arrived()) {}
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  [[nodiscard]] bool have_arrived() const {
    const timespec now{};
    return ::sigtimedwait(&set_, nullptr, &now) > 0;
  }

 private:
  sigset_t set_{};
  sigset_t before_{};
};

// While it exists, the operator prints to standard error, because the report must be the only output.
class OutputOfOperator {
 public:
  explicit OutputOfOperator(bool is_moved) {
    if (!is_moved) return;
    std::fflush(stdout);
    real_ = ::dup(STDOUT_FILENO);
    ::dup2(STDERR_FILENO, STDOUT_FILENO);
  }
  ~OutputOfOperator() {
    if (real_ < 0) return;
    std::fflush(stdout);
    ::dup2(real_, STDOUT_FILENO);
    ::close(real_);
  }
  OutputOfOperator(const OutputOfOperator&) = delete;
  OutputOfOperator& operator=(const OutputOfOperator&) = delete;

 private:
  int real_ = -1;
};

// The process that has started this one by `pintle simulate`, if any: it must notice that a simulation begins, and that
// it reaches its end.
class Caller {
 public:
  Caller() {
    const char* variable = std::getenv("PINTLE_SIMULATION_PIPE");
    if (variable == nullptr) return;
    const std::string_view text = variable;
    std::from_chars(text.data(), text.data() + text.size(), pipe_);
    ::unsetenv("PINTLE_SIMULATION_PIPE");
    if (::fcntl(pipe_, F_SETFD, FD_CLOEXEC) != 0) pipe_ = -1;
    say("begin\n");
  }
  ~Caller() { say("end\n"); }
  Caller(const Caller&) = delete;
  Caller& operator=(const Caller&) = delete;

 private:
  void say(std::string_view text) const {
    if (pipe_ >= 0 && ::write(pipe_, text.data(), text.size()) < 0) std::perror("simulate: pintle simulate has ended");
  }

  int pipe_ = -1;
};

// Returns the name of the manager of a program. Runs the program in a process of its own, because it may end that, or
// never construct a manager.
Result<std::string> name_of(const std::function<int()>& program, Duration limit) {
  Result<std::string> name = fail(ErrorCode::invalid, "the program has constructed no manager");
  const auto ran = in_processes(
      1,
      [&](std::size_t, const auto& send) {
        limit_real_time(limit);
        const auto options = options_of_program(program);
        send(json::print(options ? json::Value{{"name", options->name}}
                                 : json::Value{{"error", options.error().to_string()}}));
      },
      [&](std::size_t, const std::string& line) {
        const json::Value told = json::parse(line).value();
        const json::Value* error = json::find(told, "/error");
        if (error == nullptr) {
          name = std::string(told.at("name").as_string());
        } else {
          name = fail(ErrorCode::invalid, std::string(error->as_string()));
        }
        return true;
      },
      [&](std::size_t, const ProcessDeath* death) {
        if (death == nullptr) return;
        const std::string how = death->timed_out ? "does not construct a manager within " + format_duration(limit)
                                                 : "ends with " + death->how + " before it has constructed a manager";
        name = fail(ErrorCode::invalid, "the program " + how + (death->output.empty() ? "" : ": " + death->output));
      });
  if (!ran) return fail(ran.error());
  return name;
}

// The only simulation of this program must be the one that a replay names.
std::string mistake_in_replay(const std::string& name) {
  const char* replay = std::getenv("PINTLE_SIMULATE");
  if (replay == nullptr || is_of_simulation(name, replay)) return "";
  return fmt::format(
      "PINTLE_SIMULATE is \"{}\", which is no replay of {}; unset it, or run the program and the options that have "
      "printed it",
      replay, name);
}

int print_report(const SimulationReport& report, bool as_json_text) {
  std::fputs((as_json_text ? json::print(as_json(report)) + "\n" : report.text()).c_str(), stdout);
  if (const auto written = flush_standard_output(); !written) return usage_error(written.error().message);
  if (!report) return 1;
  return report.is_interrupted ? interrupted_code : 0;
}

int run_simulation(CommandLine line, const SubjectSetup& setup) {
  if (const std::string mistake = mistake_in_replay(line.options.name); !mistake.empty()) return usage_error(mistake);
  const auto objects = read_objects(line.objects);
  if (!objects) return usage_error("--objects: " + objects.error().to_string());
  const auto surroundings = read_objects(line.surroundings);
  if (!surroundings) return usage_error("--surroundings: " + surroundings.error().to_string());
  const Signals signals;
  const std::unique_ptr<Executor> executor = make_real_executor();
  SimulationReport report;
  {
    const OutputOfOperator output(line.as_json);
    ProgressLine progress(*executor, "trials", line.options.seeds);
    if (!line.options.exhaustive) line.options.on_trial = [&progress] { progress.add(); };
    line.options.is_interrupted = [&signals] { return signals.have_arrived(); };
    report = simulate(line.options, [&](Subject& subject) {
      setup(subject);
      subject.objects.insert(subject.objects.end(), objects->begin(), objects->end());
      subject.surroundings.insert(subject.surroundings.end(), surroundings->begin(), surroundings->end());
    });
  }
  if (report.failure && report.failure->replay.empty()) return usage_error(report.failure->message);
  return print_report(report, line.as_json);
}

}  // namespace

int simulate_main(int argc, char** argv, SimulateOptions options, const SubjectSetup& setup) {
  CommandLine line = read(argc, argv, std::move(options));
  if (line.exit_code) return *line.exit_code;
  return run_simulation(std::move(line), setup);
}

int simulate_or_run(int argc, char** argv, const std::function<int(int, char**)>& program) {
  if (argc < 2 || std::string_view(argv[1]) != "--simulate") return program(argc, argv);
  std::vector<char*> own(argv, argv + argc);
  own.erase(own.begin() + 1);
  const Caller caller;
  CommandLine line = read(argc - 1, own.data(), {});
  if (line.exit_code) return *line.exit_code;
  // main() may change its arguments, so each call gets its own copy.
  const auto run_program = [&program, name = std::string(argv[0]), rest = line.operator_arguments] {
    std::vector<std::string> texts{name};
    texts.insert(texts.end(), rest.begin(), rest.end());
    std::vector<char*> arguments;
    for (std::string& text : texts) arguments.push_back(text.data());
    arguments.push_back(nullptr);
    return program(static_cast<int>(texts.size()), arguments.data());
  };
  const auto name = [&] {
    const OutputOfOperator output(line.as_json);
    return name_of(run_program, line.options.max_trial_time);
  }();
  if (!name) return usage_error(name.error().message);
  line.options.name = *name;
  return run_simulation(std::move(line), [&](Subject& subject) { subject.program = run_program; });
}

}  // namespace pintle::testkit
