// SPDX-License-Identifier: Apache-2.0
#include "process_metrics.hpp"

#include <chrono>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace pintle {
namespace {

class ProcessMetricsTest : public ::testing::Test {
 protected:
  double gauge(const char* name) { return metrics_.gauge(name, "").value(); }

  const std::unique_ptr<Executor> executor_ = make_real_executor();
  MetricsRegistry metrics_;
  ProcessMetrics process_{*executor_, metrics_, "op", "1.2.3"};
};

TEST_F(ProcessMetricsTest, MeasureThisProcess) {
  process_.measure();
  EXPECT_GT(gauge("process_resident_memory_bytes"), 1e6);
  EXPECT_GT(gauge("process_virtual_memory_bytes"), gauge("process_resident_memory_bytes"));
  EXPECT_GE(gauge("process_open_fds"), 3);
  EXPECT_GE(gauge("process_max_fds"), gauge("process_open_fds"));
  EXPECT_GE(gauge("process_threads"), 1);
  const std::chrono::duration<double> now = executor_->wall_now().time_since_epoch();
  EXPECT_LE(gauge("process_start_time_seconds"), now.count() + 1);
  EXPECT_GT(gauge("process_start_time_seconds"), now.count() - 24 * 3600) << "in seconds, not in ticks";
}

TEST_F(ProcessMetricsTest, FollowMemoryAndCpuTime) {
  process_.measure();
  const double memory = gauge("process_resident_memory_bytes");
  const auto cpu = [this] { return metrics_.counter("process_cpu_seconds_total", "").value(); };
  const double before = cpu();
  const std::vector<char> touched(64'000'000, 'x');
  while (cpu() <= before + 0.02) process_.measure();
  EXPECT_GT(gauge("process_resident_memory_bytes"), memory + 50e6) << touched.size();
  EXPECT_LT(cpu(), before + 10);
}

TEST_F(ProcessMetricsTest, NameTheVersions) {
  const std::string text = metrics_.text();
  EXPECT_NE(text.find(R"(pintle_build_info{framework_version=")"), std::string::npos) << text;
  EXPECT_NE(text.find(R"(",name="op",version="1.2.3"} 1)"), std::string::npos) << text;
}

}  // namespace
}  // namespace pintle
