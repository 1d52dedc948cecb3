// SPDX-License-Identifier: Apache-2.0
#include "exec_plugin.hpp"

#include <map>
#include <memory>
#include <string>

#include <pintle/http/certificates.hpp>
#include <pintle/json/value.hpp>
#include <pintle/sim/simulated_programs.hpp>

#include "client/test_support.hpp"

namespace pintle {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string v1 = "client.authentication.k8s.io/v1";

std::string credential_with(const std::string& status, const std::string& version = v1) {
  return R"({"kind":"ExecCredential","apiVersion":")" + version + R"(","status":)" + status + "}";
}

std::string info_of(const ProgramCall& call) {
  const std::map<std::string, std::string> variables(call.environment.begin(), call.environment.end());
  return variables.at("KUBERNETES_EXEC_INFO");
}

std::string failure_of(const std::string& output) {
  const auto read = read_exec_credential({}, output);
  return read ? "it did not fail" : read.error().message;
}

// A plugin receives its request in KUBERNETES_EXEC_INFO (trap 47).
TEST(ExecPlugin, GetsArgumentsEnvironmentAndInformation) {
  const ExecPlugin plugin{.command = "login",
                          .arguments = {"get", "token"},
                          .environment = {{"PROFILE", "dev"}, {"KUBERNETES_EXEC_INFO", "forged"}},
                          .cluster_info = R"({"server":"https://a"})"};

  const auto call = exec_plugin_call(plugin, false);

  ASSERT_TRUE(call);
  EXPECT_EQ(call->program, "login");
  EXPECT_EQ(call->arguments, plugin.arguments);
  ASSERT_EQ(call->environment.size(), 2U);
  EXPECT_EQ(call->environment.front(), plugin.environment.front());
  EXPECT_TRUE(json::equal(*json::parse(info_of(*call)),
                          json::Value{{"kind", "ExecCredential"},
                                      {"apiVersion", v1},
                                      {"spec", {{"cluster", {{"server", "https://a"}}}, {"interactive", false}}}}));
}

// provideClusterInfo is off by default, and the version is that of the kubeconfig (trap 47).
TEST(ExecPlugin, GetsNoClusterUnlessItIsProvided) {
  const std::string beta = "client.authentication.k8s.io/v1beta1";

  EXPECT_TRUE(
      json::equal(*json::parse(info_of(*exec_plugin_call({.api_version = beta}, false))),
                  json::Value{{"kind", "ExecCredential"}, {"apiVersion", beta}, {"spec", {{"interactive", false}}}}));
}

// The plugin may use the terminal if interactiveMode permits it (trap 47).
TEST(ExecPlugin, IsInteractiveByItsModeAndTheTerminal) {
  const auto call_of = [](InteractiveMode mode, bool has_terminal) {
    return exec_plugin_call({.interactive_mode = mode}, has_terminal);
  };

  EXPECT_FALSE(call_of(InteractiveMode::never, true)->inherit_input);
  EXPECT_FALSE(call_of(InteractiveMode::if_available, false)->inherit_input);
  EXPECT_TRUE(call_of(InteractiveMode::if_available, true)->inherit_input);
  EXPECT_THAT(info_of(*call_of(InteractiveMode::if_available, true)), HasSubstr(R"("interactive":true)"));
  EXPECT_TRUE(call_of(InteractiveMode::always, true)->inherit_input);
  const auto refused = call_of(InteractiveMode::always, false);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, AllOf(HasSubstr("interactiveMode is Always"), HasSubstr("not a terminal")));
}

TEST(ExecPlugin, ReturnsATokenWithItsExpiry) {
  const auto read =
      read_exec_credential({}, credential_with(R"({"token":"t","expirationTimestamp":"2026-01-02T03:04:05Z"})"));

  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->token, "t");
  EXPECT_EQ(read->expires, *parse_time("2026-01-02T03:04:05Z"));
  EXPECT_FALSE(read_exec_credential({}, credential_with(R"({"token":"t"})"))->expires);
}

// A plugin can return a client certificate (trap 47).
TEST(ExecPlugin, ReturnsAClientCertificate) {
  const auto pair = http::make_authority({.common_name = "a", .not_before = WallTime(), .not_after = WallTime::max()});
  const json::Value status{{"clientCertificateData", pair->certificate}, {"clientKeyData", pair->key}};

  const auto read = read_exec_credential({}, credential_with(json::print(status)));

  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->certificate, pair->certificate);
  EXPECT_EQ(read->key, pair->key);
}

TEST(ExecPlugin, WithAWrongOutputNamesTheMistakeAndNoSecret) {
  const std::pair<std::string, std::string> cases[] = {
      {"hidden", "is not a JSON object"},
      {"[]", "is not a JSON object"},
      {"{}", "has kind \"\" instead of ExecCredential"},
      {credential_with("{}", "v9"), "has apiVersion \"v9\", but the kubeconfig has \"" + v1},
      {credential_with("null"), "has no status"},
      {credential_with("{}"), "neither a status.token nor a certificate"},
      {credential_with(R"({"token":"hidden\nX: y"})"), "characters that are not allowed"},
      {credential_with(R"({"token":"hidden","expirationTimestamp":"soon"})"), "expirationTimestamp"},
      {credential_with(R"({"token":"hidden","clientKeyData":"hidden"})"), "only one of"},
      {credential_with(R"({"clientCertificateData":"hidden","clientKeyData":"hidden"})"), "is not usable"},
  };
  for (const auto& [output, expected] : cases) {
    EXPECT_THAT(failure_of(output), AllOf(HasSubstr(expected), Not(HasSubstr("hidden")), Not(HasSubstr("\n"))));
  }
}

class ExecPluginRun : public ::testing::Test {
 protected:
  std::string failure(const ExecPlugin& plugin) {
    const auto obtained = run_exec_plugin(plugin, &programs_, "context dev of F", {});
    EXPECT_FALSE(obtained);
    code_ = obtained.error().code;
    return obtained.error().message;
  }

  SimulatedExecutor executor_;
  SimulatedPrograms programs_{executor_};
  ErrorCode code_{};
};

// For the caller of a request, the code not_found means that the object does not exist.
TEST_F(ExecPluginRun, OfAMissingProgramGivesTheHint) {
  EXPECT_EQ(failure({.command = "login", .install_hint = "Get it at\nhttps://a\n"}),
            "credential plugin login of context dev of F gave no credential: program \"login\" does not exist; Get it "
            "at\\nhttps://a");
  EXPECT_EQ(code_, ErrorCode::invalid);
  EXPECT_THAT(failure({.command = "login"}), HasSubstr("install it, or correct the command"));
}

TEST_F(ExecPluginRun, ThatFailsReportsStatusAndMessages) {
  programs_.add("login", [](const ProgramCall&) {
    return SimulatedPrograms::Run{.result = {.status = 7, .output = "hidden", .errors = "session\nexpired\n"}};
  });

  EXPECT_THAT(failure({.command = "login"}), HasSubstr("it ended with status 7: session\\nexpired"));
  EXPECT_EQ(code_, ErrorCode::unavailable);
}

TEST_F(ExecPluginRun, ThatHangsIsEnded) {
  programs_.add("login", [](const ProgramCall&) {
    return SimulatedPrograms::Run{.result = {.errors = "open https://login\n"}, .takes = std::chrono::hours(1)};
  });

  EXPECT_THAT(failure({.command = "login"}), HasSubstr("did not end within 1m and was killed: open https://login"));
  EXPECT_EQ(code_, ErrorCode::unavailable);
}

// Such as that the version of the plugin is deprecated.
TEST_F(ExecPluginRun, ThatSucceedsHasItsMessagesInTheLog) {
  programs_.add("login", [](const ProgramCall&) {
    return SimulatedPrograms::Run{
        .result = {.output = credential_with(R"({"token":"hidden"})"), .errors = "update\nme\n"}};
  });
  const auto sink = std::make_shared<LineSink>(executor_);
  const auto run_once = [&] {
    return run_exec_plugin({.command = "login"}, &programs_, "", {}, ExecPluginMetrics(nullptr), Log(sink, executor_));
  };

  EXPECT_TRUE(run_once());
  programs_.set_terminal(true);  // the message appears there
  EXPECT_TRUE(run_once());

  EXPECT_THAT(sink->lines(), testing::ElementsAre("the credential plugin wrote to its standard error: update\\nme "
                                                  "plugin=login"));
}

TEST_F(ExecPluginRun, WithoutProgramsInASimulationSaysWhatToSet) {
  const auto obtained = run_exec_plugin({.command = "login"}, nullptr, "", {});

  EXPECT_THAT(obtained.error().message, HasSubstr("set ClientOptions::programs"));
}

}  // namespace
}  // namespace pintle
