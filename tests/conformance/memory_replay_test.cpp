// SPDX-License-Identifier: Apache-2.0
// Replays the recorded scenarios in memory on virtual time: the same steps as over HTTP, without a socket.
#include <algorithm>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include <pintle/apiserver/server.hpp>
#include <pintle/sim/in_process_network.hpp>
#include <pintle/sim/simulated_executor.hpp>

#include "replayer.hpp"

namespace pintle::conformance {
namespace {

const std::string scenarios = "tests/data/conformance/scenarios/";

std::vector<std::string> passing() {
  std::vector<std::string> names;
  std::ifstream file("tests/conformance/passing.txt");
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line.front() != '#') names.push_back(line);
  }
  return names;
}

// The users of the server that was recorded.
std::vector<ApiServerUser> recorded_users() {
  std::ifstream file("tests/data/conformance/tokens.csv");
  std::stringstream text;
  text << file.rdbuf();
  return parse_token_file(text.str()).value();
}

class Scenario : public testing::TestWithParam<std::string> {};

TEST_P(Scenario, PassesInMemory) {
  std::ifstream file(scenarios + GetParam() + ".json");
  ASSERT_TRUE(file);
  std::stringstream text;
  text << file.rdbuf();
  const auto scenario = json::parse(text.str());
  ASSERT_TRUE(scenario) << scenario.error().message;

  SimulatedExecutor executor;
  http::InProcessNetwork network(executor);
  ScriptedWebhooks webhooks(executor, network, GetParam());
  ApiServer server(executor, {.users = recorded_users(),
                              .authorization = ApiServerAuthorization::rbac,
                              .webhooks = {.transport = network.transport()}});
  const auto differences = Replayer(executor, server, &webhooks).run(*scenario);
  for (const std::string& difference : differences) ADD_FAILURE() << difference;
}

std::string test_name(const testing::TestParamInfo<std::string>& tested) {
  std::string name = tested.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Recorded, Scenario, testing::ValuesIn(passing()), test_name);

// Guards against an empty list of scenarios and against a comparison that cannot fail.
TEST(Replay, HasScenariosAndDetectsDifferences) {
  EXPECT_GE(passing().size(), 10U);
  Comparison comparison;
  std::vector<std::string> out;
  const auto diff = [&](const char* want, const char* got) {
    out.clear();
    comparison.diff(json::parse(want).value(), json::parse(got).value(), "", {"/skip", "*/noise"}, out);
    return out.size();
  };
  EXPECT_EQ(diff(R"({"a":"<rv:1>","b":"<uid:1>","t":"<time>"})", R"({"a":"5","b":"5","t":"2026-01-01T00:00:00Z"})"),
            0U);
  EXPECT_EQ(diff(R"({"a":"<rv:1>"})", R"({"a":"6"})"), 1U) << "the same placeholder is the same value";
  EXPECT_EQ(diff(R"({"a":"<rv:2>"})", R"({"a":"5"})"), 1U) << "another placeholder is another value";
  EXPECT_EQ(diff(R"({"a":1})", R"({"a":2})"), 1U);
  EXPECT_EQ(diff(R"({"a":1})", R"({"b":1})"), 2U);
  EXPECT_EQ(diff(R"([1,2])", R"([1])"), 1U);
  EXPECT_EQ(diff(R"({"skip":1,"x":{"noise":1}})", R"({"skip":2,"x":{"noise":2}})"), 0U);
}

}  // namespace
}  // namespace pintle::conformance
