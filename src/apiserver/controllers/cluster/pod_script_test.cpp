// SPDX-License-Identifier: Apache-2.0
#include "pod_script.hpp"

#include <gtest/gtest.h>

namespace pintle::apiserver {
namespace {

using namespace std::chrono_literals;

TEST(PodScript, ContainsStepsInAnyOrder) {
  const auto script = parse_pod_script("fail after 10s with 3;  ready after 1m30s ;").value();
  EXPECT_EQ(script.ready_after, 90s);
  EXPECT_EQ(script.end_after, 10s);
  EXPECT_EQ(script.exit_code, 3);
}

TEST(PodScript, IsReadyAtOnceWithoutAStep) {
  EXPECT_EQ(parse_pod_script("")->ready_after, 0s);
  EXPECT_FALSE(parse_pod_script("")->end_after);
  EXPECT_EQ(parse_pod_script("succeed after 5s")->exit_code, 0);
  EXPECT_EQ(parse_pod_script("fail after 5s")->exit_code, 1);
  EXPECT_FALSE(parse_pod_script("never ready")->ready_after);
}

TEST(PodScript, WithAMistakeNamesTheStep) {
  for (const char* text : {"ready", "ready after", "ready after 2", "ready in 2s", "never", "explode after 2s",
                           "fail after 2s with", "fail after 2s with 0", "fail after 2s with 256",
                           "succeed after 2s with 1", "ready after 2s with 1", "fail after 1s; succeed after 2s"}) {
    const auto script = parse_pod_script(text);
    ASSERT_FALSE(script) << text;
    EXPECT_NE(script.error().message.find("ready after 2s"), std::string::npos) << text;
  }
  EXPECT_EQ(parse_pod_script("ready after 1s; run  away").error().message.substr(0, 11), "\"run away\":");
}

}  // namespace
}  // namespace pintle::apiserver
