// SPDX-License-Identifier: Apache-2.0
// A simulated cluster with an operator in one of the patterns.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <pintle/testing/recording_log_sink.hpp>
#include <pintle/testing/seeds.hpp>
#include <pintle/testing/simulation.hpp>

#include "patterns.hpp"

namespace pintle::every_pattern {

inline const GroupVersionKind widget_kind{Widget::type};

// The number of attempts in the first hour if the work always fails: after 5 ms, 10 ms and so on up to 1000 s, or fewer
// if the pattern stops retrying.
inline std::size_t failures_of_an_hour(const Pattern& pattern) {
  return pattern.gives_up_after != 0 ? pattern.gives_up_after : 21;
}

// The same for a clean-up, which goes on every five minutes after the last retry.
inline std::size_t failures_of_a_cleanup_of_an_hour(const Pattern& pattern) {
  return pattern.gives_up_after != 0 ? pattern.gives_up_after + 10 : failures_of_an_hour(pattern);
}

inline Outcome outage() { return failed(make_error(ErrorCode::unavailable, "not now")); }

using testkit::RecordingLogSink;

// One cluster, and the actions of a user in it.
class Stage {
 public:
  explicit Stage(std::uint64_t seed = 1) : simulation({.seed = seed}) {}

  // Returns an operator that is not started yet.
  [[nodiscard]] std::unique_ptr<testkit::Instance> make(const Pattern& pattern, const Job& job,
                                                        ManagerOptions options = {}, http::FaultPlan faults = {}) {
    if (options.name == ManagerOptions{}.name) options.name = "op";
    if (!options.log_sink) options.log_sink = log;
    options.stop_timeout = std::chrono::seconds(5);
    return std::make_unique<testkit::Instance>(
        simulation, std::move(options), [pattern, job](Manager& manager) { pattern.add(manager, job); },
        std::move(faults));
  }
  // Returns a running operator.
  [[nodiscard]] std::unique_ptr<testkit::Instance> run(const Pattern& pattern, const Job& job,
                                                       ManagerOptions options = {}) {
    auto instance = make(pattern, job, std::move(options));
    instance->start();
    EXPECT_TRUE(simulation.wait_until([&] { return instance->manager().is_ready(); }));
    return instance;
  }

  void create(const std::string& name, const std::string& text = "x") {
    const auto created =
        simulation.user().create(Widget{.metadata = {.name = name, .namespace_ = "default"}, .spec = {.text = text}});
    EXPECT_TRUE(created) << created.error().to_string();
  }
  void set_text(const std::string& name, const std::string& text) {
    const auto set = simulation.user().patch(widget_kind, {"default", name}, json::Value{{"spec", {{"text", text}}}});
    EXPECT_TRUE(set) << set.error().to_string();
  }
  void remove(const std::string& name) {
    const auto removed = simulation.user().remove(widget_kind, {"default", name});
    EXPECT_TRUE(removed) << removed.error().to_string();
  }
  // The names and texts of the existing widgets.
  [[nodiscard]] std::map<std::string, std::string> there() const {
    std::map<std::string, std::string> all;
    for (const Object& widget : simulation.server().objects("widgets.patterns.dev")) {
      all[std::string(widget.name())] = widget["/spec/text"].text();
    }
    return all;
  }

  std::shared_ptr<RecordingLogSink> log = std::make_shared<RecordingLogSink>();
  mutable testkit::Simulation simulation;
};

// Each test runs for each pattern. A number such as TX-01 in a comment is that of the test in the common list of tests.
class EveryPattern : public ::testing::TestWithParam<Pattern> {
 protected:
  void TearDown() override { instance.reset(); }  // its reconciles use members of this object

  void run(const Job& job, ManagerOptions options = {}) { instance = stage.run(GetParam(), job, std::move(options)); }

  // Creates an object, and waits for its finalizer and its first status, whose events cause reconciles too.
  void create_and_wait(const std::string& name) {
    stage.create(name);
    ASSERT_TRUE(simulation.run_until_idle());
  }
  // The sum of a metric of the controllers over all labels, or over the series whose labels contain `label`, such as
  // "result=\"error\"".
  [[nodiscard]] double counted(const std::string& metric, const std::string& label = "") const {
    const std::string page = instance->manager().metrics().text();
    double sum = 0;
    for (std::size_t at = page.find("\n" + metric); at != std::string::npos; at = page.find("\n" + metric, at + 1)) {
      const std::size_t end = page.find('\n', at + 1);
      const std::string line = page.substr(at + 1, end - at - 1);
      const char after = line.size() > metric.size() ? line[metric.size()] : '\0';
      const bool is_requested = line.find(label) != std::string::npos;
      if (is_requested && (after == '{' || after == ' ')) sum += std::stod(line.substr(line.rfind(' ') + 1));
    }
    return sum;
  }

  Stage stage;
  testkit::Simulation& simulation = stage.simulation;
  std::unique_ptr<testkit::Instance> instance;
};

inline std::string name_of(const ::testing::TestParamInfo<Pattern>& info) { return info.param.name; }

}  // namespace pintle::every_pattern
