// SPDX-License-Identifier: Apache-2.0
#include <pintle/base/metrics.hpp>

#include <gtest/gtest.h>

namespace pintle {
namespace {

TEST(MetricsRegistry, SameNameAndLabelsAreTheSameMetric) {
  MetricsRegistry registry;
  registry.counter("passes_total", "Passes.", {{"controller", "a"}}).add(2);
  registry.counter("passes_total", "Passes.", {{"controller", "a"}}).add();
  registry.counter("passes_total", "Passes.", {{"controller", "b"}}).add();
  EXPECT_EQ(registry.counter("passes_total", "Passes.", {{"controller", "a"}}).value(), 3);
}

TEST(MetricsRegistry, SumsTheCountersOfOneName) {
  MetricsRegistry registry;
  EXPECT_EQ(registry.total("passes_total"), 0);
  registry.counter("passes_total", "Passes.", {{"controller", "a"}}).add(2);
  registry.counter("passes_total", "Passes.", {{"controller", "b"}}).add();
  registry.counter("passes_total", "Passes.", {{"controller", "a"}}).add(4);
  registry.counter("failures_total", "Failures.").add(8);
  EXPECT_EQ(registry.total("passes_total"), 7);
}

TEST(MetricsRegistry, PrintsTheTextFormat) {
  MetricsRegistry registry;
  registry.gauge("depth", "Keys waiting.", {{"name", "q"}}).set(4);
  registry.histogram("seconds", "Time.", {}, {0.1, 1}).observe(0.5);
  const std::string text = registry.text();
  EXPECT_NE(text.find("# HELP depth Keys waiting.\n# TYPE depth gauge\ndepth{name=\"q\"} 4\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("seconds_bucket{le=\"0.1\"} 0\nseconds_bucket{le=\"1\"} 1\nseconds_bucket{le=\"+Inf\"} 1\n"),
            std::string::npos)
      << text;
}

TEST(MetricsRegistry, ADefaultHandleCountsNothing) {
  Counter().add();
  Gauge().set(1);
  Histogram().observe(1);
  EXPECT_EQ(Counter().value(), 0);
}

}  // namespace
}  // namespace pintle
