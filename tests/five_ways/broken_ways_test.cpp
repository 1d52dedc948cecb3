// Each test for all patterns must fail for an operator that does nothing; otherwise it proves nothing. A test that
// succeeds with an operator that always fails must be only about the calls.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <unistd.h>

#include <pintle/json/value.hpp>

#include "test_support.hpp"

namespace pintle::five_ways {
namespace {

constexpr const char* ask_for_broken_ways = "PINTLE_BROKEN_WAYS";

// These tests are expected to fail, so they run only in a process that the test BrokenOperators starts.
std::vector<Way> broken_ways_if_asked() {
  return std::getenv(ask_for_broken_ways) == nullptr ? std::vector<Way>() : broken_ways();
}

INSTANTIATE_TEST_SUITE_P(Broken, EveryPattern, ::testing::ValuesIn(broken_ways_if_asked()), name_of);

// Runs the tests of this program with the broken operators. Returns their results as JSON.
json::Value run_with_broken_ways() {
  const std::string program = std::filesystem::read_symlink("/proc/self/exe");
  const std::string report = ::testing::TempDir() + "broken-ways-" + std::to_string(::getpid()) + ".json";
  const std::string command = "env -u GTEST_TOTAL_SHARDS -u GTEST_SHARD_INDEX -u GTEST_SHARD_STATUS_FILE " +
                              std::string(ask_for_broken_ways) + "=1 '" + program +
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

TEST(BrokenOperators, FailEveryTest) {
  const json::Value report = run_with_broken_ways();
  ASSERT_TRUE(report.is_object());
  std::map<std::string, std::set<std::string>> failed_by;  // the operators for which a test fails, by test
  for (const json::Value& suite : report.at("testsuites").as_array()) {
    for (const json::Value& test : suite.at("testsuite").as_array()) {
      const std::string name(test.at("name").as_string());
      std::set<std::string>& ways = failed_by[name.substr(0, name.find('/'))];
      if (test.as_object().contains("failures")) ways.insert(name.substr(name.find('/') + 1));
    }
  }
  EXPECT_GE(failed_by.size(), 20U) << "TX-01 to TX-20";
  std::set<std::string> ways_that_fail;
  for (const auto& [test, ways] : failed_by) {
    EXPECT_TRUE(ways.contains("idle")) << test << " passes with an operator that does nothing";
    ways_that_fail.insert(ways.begin(), ways.end());
  }
  EXPECT_EQ(ways_that_fail, (std::set<std::string>{"failing", "idle"}));
}

}  // namespace
}  // namespace pintle::five_ways
