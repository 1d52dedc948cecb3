// SPDX-License-Identifier: Apache-2.0
#include <pintle/testing/simulate_main.hpp>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <pintle/api/everyday.hpp>
#include <pintle/object/owner.hpp>
#include <pintle/webhook/admission.hpp>

namespace pintle::testkit {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

struct Ended {
  int code = 0;
  std::string output;
  std::string errors;
};

using Program = std::function<int(int, char**)>;

Ended run(std::vector<std::string> texts, const Program& program) {
  std::vector<char*> arguments;
  for (std::string& text : texts) arguments.push_back(text.data());
  arguments.push_back(nullptr);
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  Ended run;
  run.code = simulate_or_run(static_cast<int>(texts.size()), arguments.data(), program);
  run.output = ::testing::internal::GetCapturedStdout();
  run.errors = ::testing::internal::GetCapturedStderr();
  return run;
}

// main() of an operator that copies ConfigMaps with the label copy=yes; `is_right`: also when they change.
int copy(int argc, char** argv, bool is_right) {
  Manager manager{{.name = "copier", .args = {argc, argv}}};
  manager.add(Controller<ConfigMap>{.label_selector = "copy=yes",
                                    .owns = {ConfigMap::type},
                                    .reconcile = [is_right](const ConfigMap& map, Context& ctx) -> Outcome {
                                      ConfigMap copy{.metadata = owned_by(map), .data = map.data};
                                      copy.metadata.name += "-copy";
                                      if (!is_right) copy.data["at"] = format_micro_time(ctx.executor().wall_now());
                                      return ctx.apply(copy);
                                    }});
  return run_until_signal(manager);
}
int right(int argc, char** argv) { return copy(argc, argv, true); }
int wrong(int argc, char** argv) { return copy(argc, argv, false); }

// A file with the object that the operator copies, while it exists.
class ObjectFile {
 public:
  explicit ObjectFile(const std::string& text) { std::ofstream(path()) << text; }
  ~ObjectFile() { std::filesystem::remove(path()); }
  ObjectFile(const ObjectFile&) = delete;
  ObjectFile& operator=(const ObjectFile&) = delete;

  [[nodiscard]] static std::string path() {
    return (std::filesystem::temp_directory_path() / ("pintle-objects-" + std::to_string(::getpid()) + ".yaml"))
        .string();
  }
};

constexpr const char* one_map = R"(
apiVersion: v1
kind: ConfigMap
metadata: {name: a, namespace: default, labels: {copy: "yes"}}
data: {text: hello}
)";

TEST(SimulateOrRun, CallsMainWithAllArguments) {
  std::vector<std::string> seen;
  const Ended done = run({"op", "--seeds", "3"}, [&](int argc, char** argv) {
    seen.assign(argv, argv + argc);
    return 9;
  });
  EXPECT_EQ(done.code, 9);
  EXPECT_EQ(seen, (std::vector<std::string>{"op", "--seeds", "3"}));
}

TEST(SimulateOrRun, SimulatesARightOperator) {
  const ObjectFile file(one_map);
  const Ended done = run({"op", "--simulate", "--seeds", "5", "--objects", ObjectFile::path()}, right);
  EXPECT_EQ(done.code, 0) << done.output << done.errors;
  EXPECT_THAT(done.output, AllOf(HasSubstr("simulation copier: 5 trials"), HasSubstr("no failure")));
}

TEST(SimulateOrRun, FindsAWrongOperator) {
  const ObjectFile file(one_map);
  const Ended done = run({"op", "--simulate", "--seeds", "5", "--objects", ObjectFile::path()}, wrong);
  EXPECT_EQ(done.code, 1);
  EXPECT_THAT(done.output, AllOf(HasSubstr("FAILED: "), HasSubstr("replay: PINTLE_SIMULATE='copier:")));
}

TEST(SimulateOrRun, PrintsJson) {
  const ObjectFile file(one_map);
  const Ended done = run({"op", "--simulate", "--seeds", "2", "--objects", ObjectFile::path(), "--json"}, wrong);
  const auto report = json::parse(done.output);
  ASSERT_TRUE(report) << done.output;
  EXPECT_EQ(report->at("name"), "copier");
  EXPECT_TRUE(report->at("failure").as_object().contains("oracle"));
}

// Arguments behind "--" are those of the operator.
TEST(SimulateOrRun, PassesArgumentsToTheOperator) {
  const ObjectFile file(one_map);
  const Ended done =
      run({"op", "--simulate", "--seeds", "2", "--objects", ObjectFile::path(), "--", "--namespace", "other"}, wrong);
  EXPECT_EQ(done.code, 0) << "the object is in another namespace: " << done.output;
  const Ended refused = run({"op", "--simulate", "--seeds", "2", "--", "--nope"}, right);
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.output, HasSubstr("the operator does not start: unknown flag --nope"));
}

// The trials have the replicas and the faults of what the flags of the operator switch on.
TEST(SimulateOrRun, FlagsOfTheOperatorChangeTheTrials) {
  const ObjectFile file(one_map);
  const std::vector<std::string> election{"op",       "--simulate", "--seeds",   "6",
                                          "--faults", "election",   "--objects", ObjectFile::path()};
  std::vector<std::string> elected = election;
  elected.insert(elected.end(), {"--", "--leader-elect"});
  const Ended done = run(elected, right);
  EXPECT_EQ(done.code, 0) << done.output;
  EXPECT_THAT(done.output, HasSubstr("lease-lost "));
  const Ended without = run(election, right);
  EXPECT_EQ(without.code, 1);
  EXPECT_THAT(without.output, HasSubstr("none of the chosen classes of faults applies to this operator"));
}

// Objects in the namespace of the operator are not sent to its webhooks.
TEST(SimulateOrRun, WebhooksOfAFlagGetTheObjectsOfTheTrial) {
  const ObjectFile file(one_map);
  const auto program = [](int argc, char** argv) {
    Manager manager{{.name = "copier", .args = {argc, argv}}};
    manager.add(
        Controller<ConfigMap>{.label_selector = "copy=yes", .reconcile = [](const ConfigMap& map, Context&) -> Outcome {
                                if (!map.data.contains("seen")) std::abort();
                                return done;
                              }});
    manager.add(Admission<ConfigMap>{.defaults = [](ConfigMap& map) { map.data["seen"] = "yes"; },
                                     .failure_policy = FailurePolicy::ignore});
    return run_until_signal(manager);
  };
  const Ended done = run({"op", "--simulate", "--seeds", "1", "--objects", ObjectFile::path(), "--max-faults", "0",
                          "--edits", "0", "--", "--webhook-listen", "0.0.0.0:9443"},
                         program);
  EXPECT_EQ(done.code, 0) << done.output << done.errors;
}

TEST(SimulateOrRun, NoDeviationsAreTheDefaultSchedule) {
  const ObjectFile file(one_map);
  const Ended done = run({"op", "--simulate", "--deviations", "0", "--objects", ObjectFile::path()}, right);
  EXPECT_EQ(done.code, 0) << done.output;
  EXPECT_THAT(done.output,
              AllOf(HasSubstr("simulation copier: 1 trials"), HasSubstr("all schedules with at most 0 deviations")));
}

TEST(SimulateOrRun, TakesSomeOptionsSeveralTimes) {
  const ObjectFile file(one_map);
  const Ended done = run({"op", "--simulate", "--seeds", "1", "--surroundings", ObjectFile::path(), "--surroundings",
                          ObjectFile::path(), "--without", "returns=a", "--without", "stays_idle=b"},
                         right);
  EXPECT_EQ(done.errors, "");
  EXPECT_THAT(done.output, HasSubstr("simulation copier: 1 trials"));
}

TEST(SimulateOrRun, NamesWhatIsWrongWithAnOption) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> rows{
      {{"--without", "calm=because"}, "calm is no oracle; the oracles are runs, "},
      {{"--without", "runs"}, "runs has no reason; write ORACLE=REASON"},
      {{"--faults", "earthquake"}, "earthquake is no class of faults; the classes are none, crash, "},
      {{"--patience", "soon"}, "--patience: "},
      {{"--seeds", "many"}, "--seeds"},
      {{"--seeds", "0"}, "--seeds"},
      {{"--edits", "-1"}, "--edits"},
      {{"--seeds", "-1"}, "--seeds"},
      {{"--deviations", "-1"}, "--deviations"},
      {{"--objects", "/nowhere.yaml"}, "--objects: "},
      {{"--colour"}, "--colour"},
  };
  for (const auto& [given, message] : rows) {
    std::vector<std::string> all{"op", "--simulate"};
    all.insert(all.end(), given.begin(), given.end());
    const Ended done = run(all, right);
    EXPECT_EQ(done.code, 2) << given.front();
    EXPECT_THAT(done.errors + done.output, HasSubstr(message));
  }
}

// Sets a variable of the environment while it exists.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) { ::setenv(name, value.c_str(), 1); }
  ~Variable() { ::unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
};

TEST(SimulateOrRun, NamesSeedsAndProcessesOutOfRange) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> rows{
      {{"--seeds", "99999999999999999999999"}, "the last seed is above 9223372036854775807"},
      {{"--first-seed", "18446744073709551615"}, "the last seed is above 9223372036854775807"},
      {{"--seeds", "9223372036854775807"}, "the last seed is above 9223372036854775807"},
      {{"--processes", "300"}, "300 processes are too many; the limit is 256"},
  };
  for (const auto& [given, message] : rows) {
    std::vector<std::string> all{"op", "--simulate"};
    all.insert(all.end(), given.begin(), given.end());
    const Ended done = run(all, right);
    EXPECT_EQ(done.code, 2) << given.back();
    EXPECT_EQ(done.output, "");
    EXPECT_THAT(done.errors, HasSubstr(message));
  }
  const ObjectFile file(one_map);
  EXPECT_EQ(run({"op", "--simulate", "--seeds", "3", "--processes", "9", "--objects", ObjectFile::path()}, right).code,
            0)
      << "more processes than processors";
}

// Otherwise all trials run, and the one of the replay is not among them.
TEST(SimulateOrRun, AReplayOfAnotherProgramIsAnError) {
  const Variable replay("PINTLE_SIMULATE", "printer:17:1,4");
  const Ended done = run({"op", "--simulate", "--seeds", "1"}, right);
  EXPECT_EQ(done.code, 2);
  EXPECT_THAT(done.errors, HasSubstr("PINTLE_SIMULATE is \"printer:17:1,4\", which is no replay of copier; unset it"));
}

TEST(SimulateOrRun, AReplayOfAnotherVersionIsAnError) {
  const ObjectFile file(one_map);
  const Variable replay("PINTLE_SIMULATE", "copier:17:0~0badf00d");
  const Ended done = run({"op", "--simulate", "--objects", ObjectFile::path()}, right);
  EXPECT_EQ(done.code, 1);
  EXPECT_THAT(done.output, HasSubstr("it is of another version of the program, or of other options"));
}

TEST(SimulateOrRun, ReportsAnOutputThatCannotBeWritten) {
  const ObjectFile file(one_map);
  std::fflush(stdout);
  const int real = ::dup(STDOUT_FILENO);
  std::vector<std::string> texts{"op", "--simulate", "--seeds", "1", "--objects", ObjectFile::path()};
  std::vector<char*> arguments;
  for (std::string& text : texts) arguments.push_back(text.data());
  arguments.push_back(nullptr);
  ::testing::internal::CaptureStderr();
  const int full = ::open("/dev/full", O_WRONLY);
  ::dup2(full, STDOUT_FILENO);
  const int code = simulate_or_run(static_cast<int>(texts.size()), arguments.data(), right);
  std::clearerr(stdout);
  ::dup2(real, STDOUT_FILENO);
  ::close(real);
  ::close(full);
  EXPECT_EQ(code, 2);
  EXPECT_THAT(::testing::internal::GetCapturedStderr(),
              HasSubstr("cannot write to standard output: No space left on device"));
}

// A signal reaches the program while its trials run.
TEST(SimulateOrRun, PrintsWhatWasDoneUntilASignal) {
  const ObjectFile file(one_map);
  const auto program = [](int argc, char** argv) {
    Manager manager{{.name = "copier", .args = {argc, argv}}};
    manager.add(Controller<ConfigMap>{.reconcile = [](const ConfigMap&, Context&) -> Outcome {
      ::kill(::getppid(), SIGINT);
      return done;
    }});
    return run_until_signal(manager);
  };
  const Ended ended = run({"op", "--simulate", "--seeds", "1000000", "--objects", ObjectFile::path()}, program);
  EXPECT_EQ(ended.code, 130);
  EXPECT_THAT(ended.output, AllOf(HasSubstr("interrupted before its end"), HasSubstr("no failure so far")));
}

TEST(SimulateOrRun, TheReportIsTheOnlyOutputWithJson) {
  const ObjectFile file(one_map);
  const auto program = [](int argc, char** argv) {
    std::puts("garbage");
    return right(argc, argv);
  };
  const Ended ended = run({"op", "--simulate", "--seeds", "1", "--objects", ObjectFile::path(), "--json"}, program);
  EXPECT_EQ(ended.code, 0);
  EXPECT_TRUE(json::parse(ended.output)) << ended.output;
}

TEST(SimulateOrRun, AProgramThatEndsBeforeItsManagerIsAnError) {
  const Ended left = run({"op", "--simulate"}, [](int, char**) -> int { std::exit(0); });
  EXPECT_EQ(left.code, 2);
  EXPECT_THAT(left.errors, HasSubstr("the program ends with exit code 0 before it has constructed a manager"));
  const Ended died = run({"op", "--simulate"}, [](int, char**) -> int {
    std::fputs("there is no configuration\n", stderr);
    std::abort();
  });
  EXPECT_EQ(died.code, 2);
  EXPECT_THAT(died.errors, AllOf(HasSubstr("ends with signal 6"), HasSubstr("there is no configuration")));
}

// `pintle simulate` notices by it that a program is a simulation, and that its report is complete.
TEST(SimulateOrRun, TellsItsCallerThatItBeginsAndEnds) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  {
    const Variable pipe("PINTLE_SIMULATION_PIPE", std::to_string(ends[1]));
    EXPECT_EQ(run({"op", "--simulate", "--colour"}, right).code, 2);
    EXPECT_EQ(std::getenv("PINTLE_SIMULATION_PIPE"), nullptr);
  }
  std::array<char, 64> buffer{};
  const ssize_t size = ::read(ends[0], buffer.data(), buffer.size());
  EXPECT_EQ(std::string(buffer.data(), static_cast<std::size_t>(size)), "begin\nend\n");
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(SimulateOrRun, AProgramWithoutAManagerIsAnError) {
  const Ended done = run({"op", "--simulate"}, [](int, char**) { return 4; });
  EXPECT_EQ(done.code, 2);
  EXPECT_THAT(done.errors, HasSubstr("the program ended with the code 4 and has constructed no manager"));
}

}  // namespace
}  // namespace pintle::testkit
