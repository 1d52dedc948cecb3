// SPDX-License-Identifier: Apache-2.0
#include <pintle/testing/simulate_main.hpp>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <unistd.h>

#include <pintle/api/everyday.hpp>
#include <pintle/object/owner.hpp>

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

TEST(SimulateOrRun, AProgramWithoutAManagerIsAnError) {
  const Ended done = run({"op", "--simulate"}, [](int, char**) { return 4; });
  EXPECT_EQ(done.code, 2);
  EXPECT_THAT(done.errors, HasSubstr("the program ended with the code 4 and has constructed no manager"));
}

}  // namespace
}  // namespace pintle::testkit
