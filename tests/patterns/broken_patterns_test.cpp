// SPDX-License-Identifier: Apache-2.0
// Each test for all patterns must fail for an operator that does nothing; otherwise it proves nothing. A test that
// succeeds with an operator that always fails must be only about the calls.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <unistd.h>

#include <pintle/json/value.hpp>

#include "test_support.hpp"

namespace pintle::every_pattern {
namespace {

constexpr const char* broken_patterns_variable = "PINTLE_BROKEN_PATTERNS";

// These tests are expected to fail, so they run only in a process that the test BrokenPatterns starts.
std::vector<Pattern> broken_patterns_if_requested() {
  return std::getenv(broken_patterns_variable) == nullptr ? std::vector<Pattern>() : broken_patterns();
}

INSTANTIATE_TEST_SUITE_P(Broken, EveryPattern, ::testing::ValuesIn(broken_patterns_if_requested()), name_of);

// Runs the tests of this program with the broken operators. Returns their results as JSON.
json::Value run_with_broken_patterns() {
  const std::string program = std::filesystem::read_symlink("/proc/self/exe");
  const std::string report = ::testing::TempDir() + "broken-patterns-" + std::to_string(::getpid()) + ".json";
  const std::string command = "env -u GTEST_TOTAL_SHARDS -u GTEST_SHARD_INDEX -u GTEST_SHARD_STATUS_FILE " +
                              std::string(broken_patterns_variable) + "=1 '" + program +
                              "' --gtest_filter='Broken/EveryPattern.*' --gtest_output='json:" + report +
                              "' >/dev/null 2>&1";
  EXPECT_NE(std::system(command.c_str()), 0) << "broken operators pass every test";
  std::ostringstream text;
  text << std::ifstream(report).rdbuf();
  std::filesystem::remove(report);
  auto parsed = json::parse(text.str());
  EXPECT_TRUE(parsed) << "no report of " << command;
  return parsed ? std::move(*parsed) : json::Value();
}

TEST(BrokenPatterns, FailEachTestForEveryPattern) {
  const json::Value report = run_with_broken_patterns();
  ASSERT_TRUE(report.is_object());
  std::map<std::string, std::set<std::string>> failed_by;  // the operators for which a test fails, by test
  for (const json::Value& suite : report.at("testsuites").as_array()) {
    for (const json::Value& test : suite.at("testsuite").as_array()) {
      const std::string name(test.at("name").as_string());
      std::set<std::string>& operators = failed_by[name.substr(0, name.find('/'))];
      if (test.as_object().contains("failures")) operators.insert(name.substr(name.find('/') + 1));
    }
  }
  EXPECT_GE(failed_by.size(), 20U) << "TX-01 to TX-20";
  std::set<std::string> operators_that_fail;
  for (const auto& [test, operators] : failed_by) {
    EXPECT_TRUE(operators.contains("idle")) << test << " passes with an operator that does nothing";
    operators_that_fail.insert(operators.begin(), operators.end());
  }
  EXPECT_EQ(operators_that_fail, (std::set<std::string>{"failing", "idle"}));
}

}  // namespace
}  // namespace pintle::every_pattern
