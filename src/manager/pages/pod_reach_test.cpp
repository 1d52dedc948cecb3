// SPDX-License-Identifier: Apache-2.0
#include "pod_reach.hpp"

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "controller/test_support.hpp"

namespace pintle {
namespace {

// Returns the number of warnings, and checks their content.
std::size_t warnings(std::string_view origin, const std::string& listen) {
  const auto executor = make_real_executor();
  const auto log = std::make_shared<RecordingLogSink>();
  warn_of_unreachable_pages({.origin = std::string(origin)}, listen, Log(log, *executor));
  if (log->count("only this pod can connect to --listen") > 0) {
    EXPECT_TRUE(log->has("listen=" + listen));
    EXPECT_TRUE(log->has("use 0.0.0.0:8080"));
  }
  return log->count("only this pod can connect to --listen");
}

TEST(PodReach, WarnsOfPagesThatTheKubeletCannotReach) {
  EXPECT_EQ(warnings(in_cluster_origin, "127.0.0.1:8080"), 1U);
  EXPECT_EQ(warnings(in_cluster_origin, "[::1]:8080"), 1U);
}

TEST(PodReach, DoesNotWarnOtherwise) {
  EXPECT_EQ(warnings(in_cluster_origin, "0.0.0.0:8080"), 0U);
  EXPECT_EQ(warnings("context dev of /root/.kube/config", "127.0.0.1:8080"), 0U);
}

}  // namespace
}  // namespace pintle
