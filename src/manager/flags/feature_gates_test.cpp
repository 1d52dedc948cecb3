// SPDX-License-Identifier: Apache-2.0
#include "feature_gates.hpp"

#include <gtest/gtest.h>

#include "flags.hpp"

namespace pintle {
namespace {

class FeatureGatesTest : public ::testing::Test {
 protected:
  FeatureGatesTest() {
    options.feature_gates = {{"FastSync", "Skips the checks.", &fast},
                             {"NewLayout", "Writes version 2.", &layout, FeatureStage::beta},
                             {"OldBeta", "Is off.", &old, FeatureStage::beta, false},
                             {"Always", "Stays on.", &always, FeatureStage::stable}};
  }
  Result<Flags> read(std::vector<std::string> arguments, std::vector<std::string> environment = {}) {
    arguments.insert(arguments.begin(), "operator");
    std::vector<char*> argv;
    std::vector<char*> variables;
    for (std::string& one : arguments) argv.push_back(one.data());
    for (std::string& one : environment) variables.push_back(one.data());
    argv.push_back(nullptr);
    variables.push_back(nullptr);
    options.args = {static_cast<int>(arguments.size()), argv.data(), variables.data()};
    return read_flags(options);
  }
  std::string error_of(const std::string& gates) {
    const auto flags = read({"--feature-gates", gates});
    if (flags) return "none";
    return flags.error().message.substr(0, flags.error().message.find(" (--help"));
  }
  [[nodiscard]] std::string state() const {
    return std::string(fast ? "F" : "f") + (layout ? "L" : "l") + (old ? "O" : "o") + (always ? "A" : "a");
  }

  bool fast = false;
  bool layout = false;
  bool old = false;
  bool always = false;
  ManagerOptions options{.name = "operator", .version = "1.2.3"};
};

TEST_F(FeatureGatesTest, HaveTheDefaultOfTheirStage) {
  fast = old = true;
  ASSERT_TRUE(read({}));
  EXPECT_EQ(state(), "fLoA");
}

TEST_F(FeatureGatesTest, AreSetByTheFlagAndItsRepetitions) {
  ASSERT_TRUE(read({"--feature-gates", "FastSync=true,NewLayout=false", "--feature-gates=OldBeta=true"}));
  EXPECT_EQ(state(), "FlOA");
}

TEST_F(FeatureGatesTest, AreSetByTheEnvironment) {
  ASSERT_TRUE(read({}, {"PINTLE_FEATURE_GATES=FastSync=true"}));
  EXPECT_EQ(state(), "FLoA");
}

TEST_F(FeatureGatesTest, OfAStageAreSetTogetherExceptThoseThatAreNamed) {
  ASSERT_TRUE(read({"--feature-gates", "AllAlpha=true,AllBeta=true,NewLayout=false"}));
  EXPECT_EQ(state(), "FlOA");
}

TEST_F(FeatureGatesTest, RefuseWhatTheyDoNotKnow) {
  EXPECT_EQ(error_of("FastSink=true"), "--feature-gates: unknown feature gate \"FastSink\"; did you mean FastSync?");
  EXPECT_EQ(
      error_of("Zzz=true"),
      "--feature-gates: unknown feature gate \"Zzz\"; the gates are FastSync, NewLayout, OldBeta, Always, AllAlpha, "
      "AllBeta");
  EXPECT_EQ(error_of("FastSync"),
            "--feature-gates: \"FastSync\" does not set feature gate FastSync; write FastSync=true or FastSync=false");
  EXPECT_EQ(
      error_of("FastSync=1"),
      "--feature-gates: \"FastSync=1\" does not set feature gate FastSync; write FastSync=true or FastSync=false");
  EXPECT_EQ(error_of("Always=false"),
            "--feature-gates: feature gate Always is stable and cannot be set to false; remove the setting");
  EXPECT_EQ(error_of(""), "none");
}

TEST_F(FeatureGatesTest, WarnAboutASettingOfAStableGate) {
  const auto flags = read({"--feature-gates", "Always=true"});
  ASSERT_TRUE(flags);
  EXPECT_EQ(flags->warnings,
            std::vector<std::string>{"feature gate Always is stable and always on; remove its setting"});
}

TEST_F(FeatureGatesTest, AreListedInHelp) {
  const auto flags = read({"--help"});
  ASSERT_TRUE(flags);
  for (const char* part : {"--feature-gates NAME=BOOL,...", "FastSync (alpha, default false): Skips the checks.",
                           "OldBeta (beta, default false): Is off.", "PINTLE_FEATURE_GATES"}) {
    EXPECT_NE(flags->text.find(part), std::string::npos) << part << "\n" << flags->text;
  }
  options.feature_gates.clear();
  EXPECT_EQ(read({"--help"})->text.find("feature-gates"), std::string::npos);
}

TEST_F(FeatureGatesTest, RefuseInvalidDeclarations) {
  const auto invalid = [&](FeatureGate gate) {
    options.feature_gates = {{"FastSync", "", &fast}, std::move(gate)};
    const auto flags = read({});
    return flags ? "none" : flags.error().message.substr(0, flags.error().message.find(" (--help"));
  };
  EXPECT_EQ(invalid({"fast-sync", "", &old}),
            "feature gate name \"fast-sync\" is invalid; use letters and digits, beginning with an upper-case letter");
  EXPECT_EQ(invalid({"FastSync", "", &old}), "there are two feature gates FastSync; rename one of them");
  EXPECT_EQ(invalid({"AllAlpha", "", &old}), "there are two feature gates AllAlpha; rename one of them");
  EXPECT_EQ(invalid({"Null", "", nullptr}), "feature gate Null has a null .enabled; set it to the address of a bool");
  EXPECT_EQ(invalid({"Done", "", &old, FeatureStage::stable, false}),
            "feature gate Done is stable, so it is always on; remove its .default_enabled");
}

// Errors in other settings do not matter.
TEST_F(FeatureGatesTest, TheVersionIsPrintedWhateverElseIsSet) {
  const auto flags = read({"--version", "--log-level", "loud"}, {"PINTLE_CRDS=sometimes"});
  ASSERT_TRUE(flags) << flags.error().message;
  EXPECT_TRUE(flags->version);
  const std::string line = version_line(options);
  EXPECT_TRUE(line.starts_with("operator 1.2.3 (pintle 0.") && line.ends_with(")\n")) << line;
}

}  // namespace
}  // namespace pintle
