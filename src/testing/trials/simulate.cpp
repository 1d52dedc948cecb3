// SPDX-License-Identifier: Apache-2.0
#include <pintle/testing/simulate.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <pintle/base/executor.hpp>
#include <pintle/base/file.hpp>
#include <pintle/base/hash.hpp>

#include "chosen_trial.hpp"
#include "sim/processes.hpp"
#include "trial.hpp"

namespace pintle::testkit {
namespace {

// ---- results between processes ----

constexpr std::size_t most_processes = 256;  // each needs two of the descriptors of this process

// Precedes the schedule that a process begins to run.
constexpr std::string_view begin_line = "begins ";

std::string line_of(std::uint64_t seed, const TrialResult& result) {
  json::object value{
      {"seed", seed}, {"schedules", result.schedules}, {"hash", result.trace_hash}, {"plan", result.plan}};
  json::object faults;
  for (const auto& [kind, count] : result.faults) faults[kind] = count;
  value["faults"] = std::move(faults);
  json::array events;
  for (const std::string& event : result.events) events.emplace_back(event);
  value["events"] = std::move(events);
  if (result.failure) {
    value["oracle"] = static_cast<int>(result.failure->first);
    value["message"] = result.failure->second;
    value["timeline"] = result.timeline;
    value["survey"] = result.is_of_survey;
  }
  return json::print(value);
}

struct SentResult {
  std::uint64_t seed = 0;
  TrialResult result{};
};

SentResult result_of(const std::string& line) {
  const json::Value value = json::parse(line).value();
  SentResult sent{.seed = value.at("seed").to_number<std::uint64_t>()};
  TrialResult& result = sent.result;
  result.schedules = value.at("schedules").to_number<std::uint64_t>();
  result.trace_hash = value.at("hash").to_number<std::uint64_t>();
  result.plan = std::string(value.at("plan").as_string());
  for (const auto& member : value.at("faults").as_object()) {
    result.faults[std::string(member.key())] = member.value().to_number<std::uint64_t>();
  }
  for (const json::Value& event : value.at("events").as_array()) result.events.emplace_back(event.as_string());
  if (value.as_object().contains("oracle")) {
    result.failure.emplace(static_cast<Oracle>(value.at("oracle").to_number<int>()),
                           std::string(value.at("message").as_string()));
    result.timeline = std::string(value.at("timeline").as_string());
    result.is_of_survey = value.at("survey").as_bool();
  }
  return sent;
}

TrialResult result_of(const ProcessDeath& death, const SimulateOptions& options) {
  TrialResult result;
  const std::string how = death.timed_out ? "takes longer than " + format_duration(options.max_trial_time) +
                                                " of real time, the limit of SimulateOptions::max_trial_time"
                                          : "ends with " + death.how;
  result.failure.emplace(Oracle::runs, "the process of the trial " + how + ": " + death.output);
  return result;
}

// ---- replays ----

std::string replay_of(const SimulateOptions& options, const ChosenTrial& trial) {
  return replay_command(text_of(options.name, trial), read_file("/proc/self/cmdline").value_or(""));
}

std::optional<ChosenTrial> requested_replay(const std::string& name) {
  const char* variable = std::getenv("PINTLE_SIMULATE");
  return variable == nullptr ? std::nullopt : read_trial(name, variable);
}

// ---- trials ----

// Runs one trial in a process of its own.
TrialResult isolated(Trials& trials, const ChosenTrial& trial, const SimulateOptions& options,
                     const std::function<bool()>& is_interrupted) {
  TrialResult result;
  const auto ran = in_processes(
      1,
      [&](std::size_t, const auto& send) {
        limit_real_time(options.max_trial_time);
        send(line_of(trial.seed, trials.run(trial)));
      },
      [&](std::size_t, const std::string& line) {
        result = result_of(line).result;
        return true;
      },
      [&](std::size_t, const ProcessDeath* death) {
        if (death != nullptr) result = result_of(*death, options);
      },
      is_interrupted);
  if (!ran) result.failure.emplace(Oracle::runs, ran.error().message);
  return result;
}

// Returns the events of a trial as texts, from a process of its own; nothing if that process crashes or takes too long,
// because the plan needs the survey.
std::optional<std::vector<std::string>> planned(Trials& trials, const ChosenTrial& trial,
                                                const SimulateOptions& options,
                                                const std::function<bool()>& is_interrupted) {
  std::optional<std::vector<std::string>> events;
  (void)in_processes(
      1,
      [&](std::size_t, const auto& send) {
        limit_real_time(options.max_trial_time);
        json::array texts;
        for (const Event& event : trials.plan(trial)) texts.emplace_back(event.what);
        send(json::print(texts));
      },
      [&](std::size_t, const std::string& line) {
        const json::Value texts = json::parse(line).value();
        events.emplace();
        for (const json::Value& text : texts.as_array()) events->emplace_back(text.as_string());
        return true;
      },
      [](std::size_t, const ProcessDeath*) {}, is_interrupted);
  return events;
}

class Simulator {
 public:
  Simulator(const SimulateOptions& options, const SubjectSetup& setup) : options_(options), trials_(options, setup) {
    report_.name = options.name;
    report_.without = options.without;
  }

  SimulationReport run() {
    const std::unique_ptr<Executor> real = make_real_executor();
    const Instant began = real->now();
    if (const auto replay = requested_replay(options_.name)) {
      const TrialResult result = isolated(trials_, *replay, options_, is_interrupted_);
      if (!report_.is_interrupted) add(result);
      if (result.failure) fail_with(*replay, result);
    } else {
      options_.exhaustive ? explore_all() : run_all();
      if (report_.failure && options_.shrink && !is_smallest_) shrink();
    }
    report_.real_time = real->now() - began;
    return std::move(report_);
  }

 private:
  [[nodiscard]] std::size_t processes() const {
    return options_.processes != 0 ? options_.processes : processor_count();
  }

  // Schedules with fewer deviations come first, so that a failure has as few as possible.
  void explore_all() {
    for (std::size_t deviations = 0; deviations <= options_.exhaustive->deviations; ++deviations) {
      explore_schedules(deviations);
      if (report_.failure || report_.is_interrupted) return;
    }
    report_.explored = options_.exhaustive;
  }

  // Runs the schedules with exactly this number of deviations, and those with fewer again, on which they depend.
  void explore_schedules(std::size_t deviations) {
    const std::size_t count = processes();
    std::vector<ChosenTrial> current(count);  // by process
    const auto ran = in_processes(
        count,
        [&](std::size_t part, const auto& send) {
          ExplorationBound bound = *options_.exhaustive;
          bound.deviations = deviations;
          bound.part = part;
          bound.parts = count;
          (void)explore(bound,
                        [&](const std::vector<std::uint32_t>& choices) -> std::optional<std::vector<std::uint32_t>> {
                          limit_real_time(options_.max_trial_time);
                          const ChosenTrial trial{.schedule = deviations_of(choices)};
                          send(std::string(begin_line) + text_of("", trial));
                          TrialResult result = trials_.run(trial);
                          std::vector<std::uint32_t> alternatives = std::move(result.alternatives);
                          const bool is_new = trial.schedule->size() == deviations && (deviations > 0 || part == 0);
                          if (is_new) send(line_of(0, result));
                          if (result.failure) return std::nullopt;
                          return alternatives;
                        });
        },
        [&](std::size_t part, const std::string& line) {
          if (line.starts_with(begin_line)) {
            current[part] = read_trial("", line.substr(begin_line.size())).value_or(ChosenTrial());
            return true;
          }
          const TrialResult result = result_of(line).result;
          add(result);
          if (result.failure) {
            fail_with(current[part], result);
            is_smallest_ = result.is_of_survey;
          }
          return !result.failure;
        },
        [&](std::size_t part, const ProcessDeath* death) {
          if (death != nullptr && !report_.failure) fail_with(current[part], result_of(*death, options_));
        },
        is_interrupted_);
    if (!ran) fail_to_run(ran.error());
  }

  void run_all() {
    const std::size_t count = std::min<std::uint64_t>(options_.seeds, processes());
    std::vector<std::uint64_t> next(count);
    for (std::size_t i = 0; i < count; ++i) next[i] = options_.first_seed + i;
    const std::uint64_t end = options_.first_seed + options_.seeds;
    const auto ran = in_processes(
        count,
        [&](std::size_t worker, const auto& send) {
          for (std::uint64_t seed = options_.first_seed + worker; seed < end; seed += count) {
            limit_real_time(options_.max_trial_time);
            const TrialResult result = trials_.run({.seed = seed});
            send(line_of(seed, result));
            if (result.failure) return;
          }
        },
        [&](std::size_t worker, const std::string& line) {
          const auto [seed, result] = result_of(line);
          next[worker] = seed + count;
          add(result);
          if (result.failure && is_first(seed)) {
            ChosenTrial trial{.seed = seed};
            if (result.is_of_survey) trial.kept.emplace();
            fail_with(trial, result);
            is_smallest_ = result.is_of_survey;
          }
          // The other processes go on until no lower seed is left, so that the report does not depend on their speed.
          return !report_.failure || std::ranges::any_of(next, [&](auto one) { return one < report_.failure->seed; });
        },
        [&](std::size_t worker, const ProcessDeath* death) {
          if (death == nullptr) return;
          if (is_first(next[worker])) fail_with({.seed = next[worker]}, result_of(*death, options_));
          next[worker] = end;
        },
        is_interrupted_);
    if (!ran) fail_to_run(ran.error());
  }

  // There is no trial to repeat.
  void fail_to_run(const Error& error) {
    report_.failure = SimulationFailure{.message = error.message + "; choose fewer processes"};
    is_smallest_ = true;
  }

  [[nodiscard]] bool is_first(std::uint64_t seed) const { return !report_.failure || seed < report_.failure->seed; }

  void add(const TrialResult& result) {
    ++report_.trials;
    if (options_.on_trial) options_.on_trial();
    report_.schedules += result.schedules;
    report_.trace_hash ^= mix(result.trace_hash, 1);
    for (const auto& [kind, number] : result.faults) report_.faults[kind] += number;
  }

  void fail_with(const ChosenTrial& trial, const TrialResult& result) {
    failed_ = trial;
    if (failed_.plan.empty()) failed_.plan = result.plan;
    report_.failure = SimulationFailure{.seed = trial.seed,
                                        .oracle = result.failure->first,
                                        .message = result.failure->second,
                                        .events = result.events,
                                        .events_before = result.events.size(),
                                        .deviations = trial.schedule,
                                        .timeline = result.timeline,
                                        .replay = replay_of(options_, failed_)};
  }

  // Leaves out events, as long as the same oracle is violated. No schedule with fewer deviations fails with all events,
  // but one may do so with fewer.
  void shrink() {
    const auto planned_events = planned(trials_, failed_, options_, is_interrupted_);
    if (!planned_events) return;
    failed_.plan = mark_of_plan(*planned_events);
    const std::size_t before = planned_events->size();
    std::vector<std::size_t> all(before);
    for (std::size_t i = 0; i < before; ++i) all[i] = i;
    while (leaves_out_one(all)) {}
    for (const auto& [decision, alternative] : failed_.schedule.value_or(Deviations())) {
      ChosenTrial smaller = failed_;
      smaller.schedule->erase(decision);
      (void)fails_too(smaller);
    }
    if (report_.failure->events.empty()) {  // the process has crashed before it could send them
      for (const std::size_t number : failed_.kept.value_or(all)) {
        report_.failure->events.push_back((*planned_events)[number]);
      }
    }
    report_.failure->events_before = before;
  }

  // Tries to leave out each event once, and returns whether one is not necessary. Then others may not be necessary,
  // either.
  bool leaves_out_one(const std::vector<std::size_t>& all) {
    bool has_left_out = false;
    const std::vector<std::size_t> tried = failed_.kept.value_or(all);
    for (auto event = tried.rbegin(); event != tried.rend(); ++event) {
      ChosenTrial smaller = failed_;
      smaller.kept = failed_.kept.value_or(all);
      std::erase(*smaller.kept, *event);
      has_left_out = fails_too(smaller) || has_left_out;
    }
    return has_left_out;
  }

  // Whether a smaller trial violates the same oracle. It is then the failure of the report.
  bool fails_too(const ChosenTrial& smaller) {
    if (report_.is_interrupted) return false;
    const TrialResult result = isolated(trials_, smaller, options_, is_interrupted_);
    if (!result.failure || result.failure->first != report_.failure->oracle) return false;
    fail_with(smaller, result);
    return true;
  }

  const SimulateOptions& options_;
  Trials trials_;
  SimulationReport report_;
  // Remains true, so that nothing else begins.
  const std::function<bool()> is_interrupted_ = [this] {
    report_.is_interrupted = report_.is_interrupted || (options_.is_interrupted && options_.is_interrupted());
    return report_.is_interrupted;
  };
  ChosenTrial failed_;        // of the failure in the report
  bool is_smallest_ = false;  // no event is necessary
};

}  // namespace

namespace {

// Returns the first mistake in the options and variables, or "".
std::string adopt_variables(SimulateOptions& options) {
  if (const char* seeds = std::getenv("PINTLE_SEEDS")) {
    const std::string_view text = seeds;
    const char* end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, options.seeds);
    if (read.ec != std::errc() || read.ptr != end)
      return fmt::format("PINTLE_SEEDS is \"{}\"; set it to a number", text);
  }
  const char* replay = std::getenv("PINTLE_SIMULATE");
  if (replay != nullptr && is_of_simulation(options.name, replay)) {
    if (read_trial(options.name, replay)) return "";
    return fmt::format("PINTLE_SIMULATE is \"{}\"; set it to the text of a replay, such as {}:17:1,4", replay,
                       options.name);
  }
  if (options.processes > most_processes) {
    return fmt::format("{} processes are too many; the limit is {}", options.processes, most_processes);
  }
  if (options.exhaustive) return "";
  if (options.seeds == 0) return "there are no trials: the number of seeds is 0";
  constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
  if (options.first_seed > most || options.seeds > most - options.first_seed) {
    return fmt::format("the last seed is above {}", most);
  }
  return "";
}

}  // namespace

SimulationReport simulate(const SimulateOptions& options, const SubjectSetup& setup) {
  SimulateOptions chosen = options;
  std::string mistake = adopt_variables(chosen);
  if (mistake.empty()) return Simulator(chosen, setup).run();
  return {.name = options.name, .failure = SimulationFailure{.message = std::move(mistake)}};
}

}  // namespace pintle::testkit
