// SPDX-License-Identifier: Apache-2.0
#include "flags.hpp"

#include <filesystem>
#include <fstream>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

namespace pintle {
namespace {

using NameList = std::vector<std::string>;

// Texts in the form that main receives.
class Texts {
 public:
  char** set(std::vector<std::string> texts) {
    texts_ = std::move(texts);
    pointers_.clear();
    for (std::string& text : texts_) pointers_.push_back(text.data());
    pointers_.push_back(nullptr);
    return pointers_.data();
  }
  [[nodiscard]] int count() const { return static_cast<int>(texts_.size()); }

 private:
  std::vector<std::string> texts_;
  std::vector<char*> pointers_;
};

class FlagsTest : public ::testing::Test {
 protected:
  ~FlagsTest() override { std::filesystem::remove(file); }

  // Reads the flags with `environment` only, not with the environment of the process.
  Result<Flags> read(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "hello-operator");
    char** argv = arguments_.set(std::move(arguments));
    options.args = {arguments_.count(), argv, variables_.set(environment)};
    return read_flags(options);
  }
  // Returns the error, which has to be one line.
  std::string error_of(std::vector<std::string> arguments) {
    const auto flags = read(std::move(arguments));
    if (flags) return "none";
    EXPECT_EQ(flags.error().code, ErrorCode::invalid);
    const std::string text = flags.error().to_string();
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    EXPECT_TRUE(text.ends_with(" (--help lists the flags)")) << text;
    return text.substr(0, text.find(" (--help"));
  }
  std::string write(const std::string& text) const {
    std::ofstream(file) << text;
    return file;
  }

  ManagerOptions options{.name = "hello-operator", .version = "1.2.3"};
  std::vector<std::string> environment{};
  const std::string file = ::testing::TempDir() + "pintle_flags_test_" + std::to_string(::getpid()) + ".yaml";

 private:
  Texts arguments_;
  Texts variables_;
};

TEST_F(FlagsTest, OverridesTheOptionsOfTheCode) {
  options.namespaces = {"from-code"};
  options.context = "kept";
  ASSERT_TRUE(read({"--kubeconfig", "/k", "--namespace=n", "--listen", ":8080", "--crds", "upgrade", "--log-level",
                    "debug", "--log-format", "json", "--state-dir", "/s"}));
  EXPECT_EQ(options.kubeconfig, "/k");
  EXPECT_EQ(options.namespaces, NameList{"n"});
  EXPECT_EQ(options.context, "kept");
  EXPECT_EQ(options.listen, ":8080");
  EXPECT_EQ(options.crds, CrdPolicy::upgrade);
  EXPECT_EQ(options.log_level, LogLevel::debug);
  EXPECT_EQ(options.log_format, LogFormat::json);
  EXPECT_EQ(options.state_dir, "/s");
}

TEST_F(FlagsTest, SetTheServingOptions) {
  ASSERT_TRUE(read({}));
  EXPECT_FALSE(options.serving.tls || options.serving.authorize || options.serving.profiling);

  ASSERT_TRUE(read({"--tls", "--tls-cert-file=/c", "--tls-private-key-file", "/k", "--authorize", "--profiling"}));
  EXPECT_TRUE(options.serving.tls);
  EXPECT_EQ(options.serving.certificate_file, "/c");
  EXPECT_EQ(options.serving.key_file, "/k");
  EXPECT_TRUE(options.serving.authorize);
  EXPECT_TRUE(options.serving.profiling);
}

TEST_F(FlagsTest, LeaderElectionIsSwitchedOnAndTuned) {
  ASSERT_TRUE(read({}));
  EXPECT_FALSE(options.leader_election);

  ASSERT_TRUE(read({"--leader-elect", "--leader-elect-resource-name=l", "--leader-elect-resource-namespace", "n",
                    "--leader-elect-identity", "me", "--leader-elect-lease-duration", "1m30s",
                    "--leader-elect-renew-deadline", "1.5m", "--leader-elect-retry-period=250ms"}));
  ASSERT_TRUE(options.leader_election);
  EXPECT_EQ(options.leader_election->name, "l");
  EXPECT_EQ(options.leader_election->namespace_, "n");
  EXPECT_EQ(options.leader_election->identity, "me");
  EXPECT_EQ(options.leader_election->lease_duration, std::chrono::seconds(90));
  EXPECT_EQ(options.leader_election->renew_deadline, std::chrono::seconds(90));
  EXPECT_EQ(options.leader_election->retry_period, std::chrono::milliseconds(250));
}

TEST_F(FlagsTest, ASwitchedOffVersionHidesNothing) {
  for (const char* off : {"--version=0", "--version=false"}) {
    const auto flags = read({off, "--leader-elect=1"});
    ASSERT_TRUE(flags) << flags.error().to_string();
    EXPECT_FALSE(flags->version);
    EXPECT_TRUE(options.leader_election);
    options.leader_election.reset();
  }
}

TEST_F(FlagsTest, TheDrainOfTheWebhooksIsUnsetByDefault) {
  ASSERT_TRUE(read({}));
  EXPECT_FALSE(options.webhooks.drain);
  ASSERT_TRUE(read({"--webhook-drain=7s"}));
  EXPECT_EQ(options.webhooks.drain.value_or(Duration()), std::chrono::seconds(7));
}

TEST_F(FlagsTest, LeaderElectionOfTheCodeIsKeptOrSwitchedOff) {
  options.leader_election = LeaderElectionOptions{.name = "from-code", .retry_period = std::chrono::seconds(1)};
  ASSERT_TRUE(read({"--leader-elect-resource-namespace", "n"}));
  EXPECT_EQ(options.leader_election->name, "from-code");
  EXPECT_EQ(options.leader_election->namespace_, "n");
  EXPECT_EQ(options.leader_election->retry_period, std::chrono::seconds(1));

  ASSERT_TRUE(read({"--no-leader-elect"}));
  EXPECT_FALSE(options.leader_election);
}

TEST_F(FlagsTest, HelpNamesTheProgramAndForEveryFlagItsVariableAndDefault) {
  std::string greeting = "Hello";
  options.flags = {{"greeting", "What to say", &greeting}};
  environment = {"PINTLE_LOG_LEVEL=loud", "PINTLE_CONFIG=/nowhere"};
  const auto flags = read({"--help"});
  ASSERT_TRUE(flags) << "errors in other settings do not matter";
  for (const char* part : {"hello-operator 1.2.3",
                           "-h,--help",
                           "--config FILE",
                           "PINTLE_CONFIG\n",
                           "--kubeconfig FILE",
                           "PINTLE_KUBECONFIG\n",
                           "--context NAME",
                           "--namespace NAME,...",
                           "--listen HOST:PORT",
                           "--crds POLICY",
                           "PINTLE_CRDS, default if_missing\n",
                           "--log-level LEVEL",
                           "PINTLE_LOG_LEVEL, default info\n",
                           "--log-format FORMAT",
                           "PINTLE_LOG_FORMAT\n",
                           "--print-crds ",
                           "--print-rbac ",
                           "--plan KIND/NAME",
                           "Leader election:",
                           "--[no-]leader-elect ",
                           "--leader-elect-resource-name NAME",
                           "--leader-elect-resource-namespace NAME",
                           "--leader-elect-identity NAME",
                           "--leader-elect-lease-duration DURATION",
                           "--leader-elect-renew-deadline DURATION",
                           "PINTLE_LEADER_ELECT_RETRY_PERIOD, default 2s\n",
                           "Flags of hello-operator:",
                           "--greeting TEXT",
                           "What to say\n",
                           "PINTLE_GREETING, default Hello\n",
                           "The command line takes precedence over the environment"}) {
    EXPECT_NE(flags->text.find(part), std::string::npos) << part << "\n" << flags->text;
  }
  for (const char* part : {"PINTLE_PRINT_CRDS", "PINTLE_HELP"}) EXPECT_EQ(flags->text.find(part), std::string::npos);
}

TEST_F(FlagsTest, RefusesUnknownFlagsAndInvalidValues) {
  struct {
    std::vector<std::string> arguments;
    const char* error;
  } const cases[] = {
      {{"--nope"}, "unknown flag --nope"},
      {{"--simulate"},
       "this program contains no simulation for --simulate; link it with the CMake target pintle::simulated, and write "
       "--simulate as the first argument"},
      {{"--log-levle", "debug"}, "unknown flag --log-levle; did you mean --log-level?"},
      {{"--no-leader-elected=1"}, "unknown flag --no-leader-elected; did you mean --no-leader-elect?"},
      {{"stray"}, "\"stray\" is not a flag; remove it, or write a flag as --NAME"},
      {{"--crds", "sometimes"}, "--crds: \"sometimes\" is not one of never, if_missing, upgrade, adopt"},
      {{"--log-level", "loud"}, "--log-level: \"loud\" is not one of debug, info, warning, error, off"},
      {{"--debug=maybe"}, "--debug: \"maybe\" is not true or false"},
      {{"--leader-elect", "--leader-elect-retry-period", "-2s"},
       "--leader-elect-retry-period: \"-2s\" is not a duration such as 15s, 500ms or 1m30s"},
      {{"--leader-elect-resource-name", "l"}, "--leader-elect-resource-name requires --leader-elect"},
      {{"--no-leader-elect", "--leader-elect-resource-name", "l"},
       "--leader-elect-resource-name requires --leader-elect"},
      {{"--config", "/nowhere"}, "--config: /nowhere: No such file or directory; specify a readable file"},
  };
  for (const auto& one : cases) EXPECT_EQ(error_of(one.arguments), one.error);
  EXPECT_NE(error_of({"--crds"}).find("--crds"), std::string::npos);
}

TEST_F(FlagsTest, NamespacesAreAListOfNames) {
  ASSERT_TRUE(read({"--namespace", "b,a", "--namespace=c"}));
  EXPECT_EQ(options.namespaces, (NameList{"b", "a", "c"}));
  environment = {"PINTLE_NAMESPACE=d,e"};
  ASSERT_TRUE(read({}));
  EXPECT_EQ(options.namespaces, (NameList{"d", "e"}));
  EXPECT_EQ(error_of({"--namespace", "a,,b"}),
            "--namespace: the name of a namespace is empty; remove it, or name no namespace to watch all");
  EXPECT_EQ(error_of({"--namespace", "a", "--namespace", "a"}), "--namespace: namespace a is there twice; remove one");
  EXPECT_NE(error_of({"--namespace", "a b"}).find("--namespace: \"a b\" is not the name of a namespace: it "),
            std::string::npos);
  EXPECT_EQ(options.namespaces, (NameList{"d", "e"}));
}

TEST_F(FlagsTest, TheNamespaceAllMeansAllNamespaces) {
  environment = {"PINTLE_NAMESPACE=d,e"};
  ASSERT_TRUE(read({"--namespace", "all"}));
  EXPECT_EQ(options.namespaces, NameList());
  for (const char* list : {"all,b", "b,all", "all,all"}) {
    EXPECT_EQ(error_of({"--namespace", list}),
              "--namespace: \"" + std::string(list) +
                  "\" has names and \"all\", which means all namespaces; use either. A namespace that is called all "
                  "can be named in ManagerOptions::namespaces only");
  }
  EXPECT_NE(error_of({"--namespace", "b", "--namespace=all"}).find("\"b,all\" has names"), std::string::npos);
}

TEST_F(FlagsTest, EveryFlagMayComeFromTheEnvironmentOrAFile) {
  environment = {"PINTLE_NAMESPACE=n", "PINTLE_LEADER_ELECT=true", "PINTLE_LEADER_ELECT_LEASE_DURATION=1m", "HOME=/h"};
  const auto flags =
      read({"--config", write("# of this cluster\nlog-level: off\ndebug: true\nleader-elect-resource-name: \"010\"\n"
                              "listen: :8080\n")});
  ASSERT_TRUE(flags) << flags.error().to_string();
  EXPECT_TRUE(flags->warnings.empty()) << flags->warnings.front();
  EXPECT_EQ(options.namespaces, NameList{"n"});
  EXPECT_EQ(options.log_level, LogLevel::off);
  EXPECT_TRUE(options.debug);
  EXPECT_EQ(options.listen, ":8080");
  ASSERT_TRUE(options.leader_election);
  EXPECT_EQ(options.leader_election->name, "010");
  EXPECT_EQ(options.leader_election->lease_duration, std::chrono::minutes(1));
}

TEST_F(FlagsTest, CommandLinePrecedesEnvironmentFileAndCode) {
  options.context = "code";
  options.kubeconfig = "code";
  options.namespaces = {"code"};
  options.listen = "code";
  write("namespace: file\nkubeconfig: file\nlisten: file\ndebug: true\n");
  environment = {"PINTLE_CONFIG=" + file, "PINTLE_KUBECONFIG=environment", "PINTLE_LISTEN=environment",
                 "PINTLE_NAMESPACE="};
  ASSERT_TRUE(read({"--listen", "line", "--no-debug"}));
  EXPECT_EQ(options.listen, "line");
  EXPECT_FALSE(options.debug);
  EXPECT_EQ(options.kubeconfig, "environment");
  EXPECT_EQ(options.namespaces, NameList{"file"}) << "an empty variable counts as not set";
  EXPECT_EQ(options.context, "code");
}

TEST_F(FlagsTest, NamesTheInvalidVariable) {
  environment = {"PINTLE_LOG_LEVEL=loud"};
  EXPECT_EQ(error_of({}), "PINTLE_LOG_LEVEL: \"loud\" is not one of debug, info, warning, error, off");
  EXPECT_EQ(error_of({"--log-level=info"}), "none") << "a flag overrides the variable";
  environment = {"PINTLE_LEADER_ELECT_RESOURCE_NAME=l"};
  EXPECT_EQ(error_of({}), "PINTLE_LEADER_ELECT_RESOURCE_NAME requires --leader-elect");
  EXPECT_EQ(error_of({"--no-leader-elect"}), "none") << "settings of a Pod in a local run";
  environment = {"PINTLE_CONFIG=/nowhere"};
  EXPECT_EQ(error_of({}), "PINTLE_CONFIG: /nowhere: No such file or directory; specify a readable file");
}

TEST_F(FlagsTest, WarnsAboutUnknownVariables) {
  environment = {"PINTLE_LOG_LEVLE=debug", "PINTLE_LONG=1", "PINTLE_PRINT_CRDS=true", "PINT=1", "PINTLE_EMPTY="};
  const auto flags = read({});
  ASSERT_TRUE(flags);
  EXPECT_FALSE(flags->print_crds);
  EXPECT_EQ(flags->warnings, (std::vector<std::string>{
                                 "PINTLE_LOG_LEVLE is set, but it belongs to no flag; did you mean PINTLE_LOG_LEVEL?",
                                 "PINTLE_LONG is set, but it belongs to no flag",
                                 "PINTLE_PRINT_CRDS is set, but it belongs to no flag"}));
}

// A script may write --context=$CONTEXT for a variable that is not set.
TEST_F(FlagsTest, AnEmptyValueAfterAnEqualsSignIsTheValue) {
  const auto flags = read({"--kubeconfig=", "--log-level=debug", "--context="});
  ASSERT_TRUE(flags) << flags.error().to_string();
  EXPECT_EQ(options.kubeconfig, "");
  EXPECT_EQ(options.context, "");
  EXPECT_EQ(options.log_level, LogLevel::debug);
  EXPECT_EQ(error_of({"--log-level=", "--debug"}), "--log-level: \"\" is not one of debug, info, warning, error, off");
}

TEST_F(FlagsTest, NamesTheInvalidLineOfTheFile) {
  struct {
    const char* text;
    const char* error;
  } const cases[] = {
      {"\n\nlog-levle: debug\n", ": line 3: unknown key log-levle; did you mean log-level?"},
      {"debug: true\nlog-level: loud\n",
       ": line 2: log-level: \"loud\" is not one of debug, info, warning, error, off"},
      {"namespace:\n", ": line 1: namespace has no value; set one, or remove the line"},
      {"config: other.yaml\n", ": line 1: unknown key config"},
      {"print-crds: true\n", ": line 1: unknown key print-crds"},
      {"leader-elect-resource-name: l\n", ": line 1: leader-elect-resource-name requires --leader-elect"},
  };
  for (const auto& one : cases) EXPECT_EQ(error_of({"--config", write(one.text)}), file + one.error);
  const std::string nested = error_of({"--config", write("leader-elect:\n  name: l\n")});
  EXPECT_TRUE(nested.ends_with("line 2, column 3: leader-elect must have a single value, not a mapping")) << nested;
  EXPECT_NE(nested.find(file), std::string::npos);
  const std::string list = error_of({"--config", write("namespace: [a, b]\n")});
  EXPECT_TRUE(list.ends_with("namespace must have a single value, not a list; separate several values by commas"))
      << list;
}

TEST_F(FlagsTest, AnOperatorCanAddFlags) {
  std::string greeting = "Hello";
  bool loud = false;
  std::int64_t times = 1;
  double share = 0.5;
  Duration patience = std::chrono::seconds(1);
  options.flags = {{"greeting", "What to say", &greeting},
                   {"loud", "Whether to shout", &loud},
                   {"times", "How often", &times},
                   {"share", "Of all", &share},
                   {"patience", "How long", &patience}};
  environment = {"PINTLE_LOUD=1", "PINTLE_TIMES=-3"};
  ASSERT_TRUE(read({"--greeting=Moin", "--config", write("share: 0.25\npatience: 2m\ntimes: 7\n")}));
  EXPECT_EQ(greeting, "Moin");
  EXPECT_TRUE(loud);
  EXPECT_EQ(times, -3);
  EXPECT_EQ(share, 0.25);
  EXPECT_EQ(patience, std::chrono::minutes(2));

  environment = {"PINTLE_TIMES=3x"};
  EXPECT_EQ(error_of({}), "PINTLE_TIMES: \"3x\" is not a whole number");
  environment = {"PINTLE_TIMES=9223372036854775808"};
  EXPECT_EQ(error_of({}), "PINTLE_TIMES: \"9223372036854775808\" is not a whole number");
  environment = {"PINTLE_SHARE=half"};
  EXPECT_EQ(error_of({}), "PINTLE_SHARE: \"half\" is not a number");
}

TEST_F(FlagsTest, AddedListsComeFromEachSource) {
  std::vector<std::string> zones{"a", "b"};
  options.flags = {{"zones", "Zones to use", &zones}};
  EXPECT_NE(read({"--help"})->text.find("PINTLE_ZONES, default a,b\n"), std::string::npos);
  ASSERT_TRUE(read({}));
  EXPECT_EQ(zones, (NameList{"a", "b"}));
  ASSERT_TRUE(read({"--zones", "c,d", "--zones=e"}));
  EXPECT_EQ(zones, (NameList{"c", "d", "e"}));
  environment = {"PINTLE_ZONES=f,g"};
  ASSERT_TRUE(read({}));
  EXPECT_EQ(zones, (NameList{"f", "g"}));
  environment = {};
  ASSERT_TRUE(read({"--config", write("zones: h,i\n")}));
  EXPECT_EQ(zones, (NameList{"h", "i"}));
  EXPECT_EQ(error_of({"--zones=a,,b"}), "--zones: \"a,,b\" has an empty element; separate elements by commas");
}

TEST_F(FlagsTest, ARequiredFlagMayComeFromEachSource) {
  std::string zone;
  std::int64_t size = 0;
  options.flags = {{.name = "zone", .help = "Zone to use", .value = &zone, .required = true},
                   {.name = "size", .help = "Its size", .value = &size, .required = true}};
  EXPECT_EQ(error_of({}), "these flags are required: --zone (or PINTLE_ZONE), --size (or PINTLE_SIZE)");
  EXPECT_EQ(error_of({"--zone=a"}), "these flags are required: --size (or PINTLE_SIZE)");
  environment = {"PINTLE_SIZE=3"};
  ASSERT_TRUE(read({"--config", write("zone: b\n")}));
  EXPECT_EQ(zone, "b");
  EXPECT_EQ(size, 3);
  environment = {"PINTLE_SIZE="};
  EXPECT_EQ(error_of({"--zone=a"}), "these flags are required: --size (or PINTLE_SIZE)") << "empty counts as not set";
  EXPECT_TRUE(read({"--version"}));
  EXPECT_NE(read({"--help"})->text.find("PINTLE_SIZE, default 3, required\n"), std::string::npos);
}

TEST_F(FlagsTest, FlagsOfManifestsRequirePrintDeploy) {
  EXPECT_EQ(error_of({"--format=helm"}), "--format requires --print-deploy");
  EXPECT_EQ(error_of({"--deploy-namespace", "a"}), "--deploy-namespace requires --print-deploy");
  EXPECT_EQ(error_of({"--print-crds", "--print-rbac"}),
            "use only one of --print-crds and --print-rbac; --print-deploy prints all manifests");
  EXPECT_TRUE(read({"--print-deploy", "--format=helm"}));
}

TEST_F(FlagsTest, VariablesHaveThePrefixOfTheOperator) {
  options.environment_prefix = "HELLO_";
  environment = {"HELLO_LOG_LEVEL=debug", "PINTLE_LOG_FORMAT=json", "HELLO_LOG_LEVLE=x"};
  const auto flags = read({});
  ASSERT_TRUE(flags);
  EXPECT_EQ(options.log_level, LogLevel::debug);
  EXPECT_EQ(options.log_format, LogFormat::automatic) << "a variable with another prefix";
  ASSERT_EQ(flags->warnings.size(), 1U);
  EXPECT_NE(flags->warnings[0].find("did you mean HELLO_LOG_LEVEL"), std::string::npos) << flags->warnings[0];
  EXPECT_NE(read({"--help"})->text.find("HELLO_LOG_LEVEL, default debug\n"), std::string::npos);
  for (const char* wrong : {"", "_", "hello_", "HELLO", "1_", "HE-_"}) {
    options.environment_prefix = wrong;
    EXPECT_NE(error_of({}).find(".environment_prefix \"" + std::string(wrong) + "\" is invalid"), std::string::npos);
  }
}

TEST_F(FlagsTest, RefusesInvalidAddedFlags) {
  bool value = false;
  for (const char* name : {"namespace", "no-debug", "help"}) {
    options.flags = {{name, "Taken", &value}};
    EXPECT_NE(error_of({}).find("there are two flags --"), std::string::npos) << name;
  }
  for (const char* name : {"", "Greeting", "a_b", "-a", "a-", "a b", "1a"}) {
    options.flags = {{name, "Odd", &value}};
    EXPECT_NE(error_of({}).find("is invalid; use lower-case letters"), std::string::npos) << name;
  }
  options.flags = {{"greeting", "Nowhere", static_cast<bool*>(nullptr)}};
  EXPECT_EQ(error_of({}), "flag greeting has a null .value; set it to the address of a variable");
}

static_assert(!std::is_constructible_v<decltype(Flag::value), int*>, "an int may be too small for what is given");

TEST_F(FlagsTest, WithoutArgumentsTheCodeApplies) {
  environment = {"PINTLE_NAMESPACE=n"};
  ASSERT_TRUE(read({}));
  EXPECT_EQ(options.namespaces, NameList{"n"});
  options.namespaces = {"code"};
  options.args.argc = 0;
  const auto flags = read_flags(options);
  ASSERT_TRUE(flags);
  EXPECT_TRUE(flags->text.empty());
  EXPECT_EQ(options.namespaces, NameList{"code"});
}

// A controller that is declared after the manager can use the values: `.workers = workers`.
TEST_F(FlagsTest, AreReadByTheConstructorOfTheManager) {
  std::int64_t workers = 1;
  Texts arguments;
  Texts variables;
  char** argv = arguments.set({"hello-operator", "--workers", "4", "--namespace", "n"});
  const Manager manager{
      {.args = {arguments.count(), argv, variables.set({})}, .flags = {{"workers", "Number of workers", &workers}}}};
  EXPECT_EQ(workers, 4);
  EXPECT_EQ(manager.options().namespaces, NameList{"n"});
}

TEST_F(FlagsTest, ErrorsEndTheStartAndNotTheConstructor) {
  Texts arguments;
  Texts variables;
  char** argv = arguments.set({"hello-operator", "--workers", "4"});
  Manager manager{{.args = {arguments.count(), argv, variables.set({})}}};
  const auto started = manager.start();
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().code, ErrorCode::invalid);
  EXPECT_NE(started.error().message.find("--workers"), std::string::npos) << started.error().message;
}

}  // namespace
}  // namespace pintle
