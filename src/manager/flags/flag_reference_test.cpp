// SPDX-License-Identifier: Apache-2.0
#include "flag_reference.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "flags.hpp"

namespace pintle {
namespace {

class FlagReferenceTest : public ::testing::Test {
 protected:
  Result<Flags> read(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "/usr/bin/greeter");
    std::vector<char*> argv;
    for (std::string& one : arguments) argv.push_back(one.data());
    argv.push_back(nullptr);
    char* environment[] = {variable.data(), nullptr};
    options.args = {static_cast<int>(arguments.size()), argv.data(), environment};
    return read_flags(options);
  }
  std::string text_of(std::vector<std::string> arguments) {
    const auto flags = read(std::move(arguments));
    return flags ? flags->text : "error: " + flags.error().to_string();
  }

  std::string variable = "PINTLE_LOG_LEVEL=loud";
  bool fast = false;
  std::string greeting = "Hello";
  ManagerOptions options{.name = "hello-operator", .version = "1.2.3"};
};

TEST_F(FlagReferenceTest, HasTheValuesDefaultsAndVariablesOfTheTable) {
  CrdPolicy policy = CrdPolicy::upgrade;
  bool on = true;
  const Names<CrdPolicy> names{{"never", CrdPolicy::never}, {"upgrade", CrdPolicy::upgrade}};
  const FlagTable table{{"Options",
                         {{"crds", one_of(names, policy, "POLICY"), "CRDs"},
                          {"print-it", on_or_off(on), "Print", FlagSource::command_line}}},
                        {"Empty", {}}};
  const CommandReference made = reference_of(table, options);

  EXPECT_EQ(made.name, "hello-operator");
  EXPECT_EQ(made.version, "hello-operator 1.2.3");
  ASSERT_EQ(made.groups.size(), 1U);
  const auto& rows = made.groups.front().options;
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0].name, "help");
  EXPECT_EQ(rows[1].choices, (std::vector<std::string>{"never", "upgrade"}));
  EXPECT_EQ(rows[1].initial, "upgrade");
  EXPECT_EQ(rows[1].variable, "PINTLE_CRDS");
  EXPECT_EQ(rows[2].variable, "");
  EXPECT_FALSE(rows[2].is_negatable) << "a switch that is only on the command line has no --no- form";
}

TEST_F(FlagReferenceTest, CompletionsHaveTheNameOfTheFileAndTheFlagsOfTheOperator) {
  options.flags = {{"greeting", "What to say", &greeting}};
  EXPECT_NE(text_of({"--print-completion", "bash"}).find("complete -F _greeter_completion 'greeter'"),
            std::string::npos);
  EXPECT_NE(text_of({"--print-completion=zsh"}).find("'*--greeting=[What to say]:TEXT: '"), std::string::npos);
  EXPECT_NE(text_of({"--print-completion", "fish"}).find(" -l greeting -x -d 'What to say'"), std::string::npos);
}

TEST_F(FlagReferenceTest, TheManPageListsFlagsAndExitCodes) {
  options.flags = {{"greeting", "What to say", &greeting}};
  options.feature_gates = {{"FastSync", "Skips the checks.", &fast}};
  const std::string page = text_of({"--print-man"});
  for (const char* part : {".TH \"GREETER\" 1 \"\" \"hello\\-operator 1.2.3\"", "\\fB\\-\\-greeting\\fR=\\fITEXT\\fR",
                           "Environment variable: \\fBPINTLE_GREETING\\fR", "FastSync (alpha, default false)",
                           ".SS Leader election\n", ".TP\n130\n"}) {
    EXPECT_NE(page.find(part), std::string::npos) << part << "\n" << page;
  }
  EXPECT_EQ(page.find("Other clusters"), std::string::npos) << "a group without flags";
}

TEST_F(FlagReferenceTest, OnlyKnownShellsAreAccepted) {
  EXPECT_EQ(text_of({"--print-completion", "tcsh"}),
            "error: --print-completion: \"tcsh\" is not one of bash, zsh, fish (--help lists the flags)");
  EXPECT_EQ(text_of({"--no-print-man"}).substr(0, 34), "error: unknown flag --no-print-man");
}

}  // namespace
}  // namespace pintle
