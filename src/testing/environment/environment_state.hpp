// SPDX-License-Identifier: Apache-2.0
// EnvironmentState: the implementation of TestEnvironment.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <pintle/testing/recording_log_sink.hpp>
#include <pintle/testing/test_environment.hpp>

#include "environment_host.hpp"

namespace pintle::testkit {

// The place of an object on the server.
struct PlacedObject {
  GroupVersionKind kind{};
  ObjectKey key{};

  [[nodiscard]] std::string describe() const { return kind.to_string() + " " + key.to_string(); }
};

// The functions that return no Result throw TestFailure.
class EnvironmentState {
 public:
  explicit EnvironmentState(TestEnvironmentOptions options);

  void create_namespace();
  void start();
  void stop();
  Object create(const json::Value& object);
  void install(const json::Value& crd);
  [[nodiscard]] CheckResult clean_up();

  // Error: unsupported, if the server does not serve the kind.
  [[nodiscard]] Result<PlacedObject> find_place(const GroupVersionKind& kind, const ObjectName& name);
  [[nodiscard]] PlacedObject place(const GroupVersionKind& kind, const ObjectName& name);
  [[nodiscard]] Result<Object> read(const PlacedObject& placed);
  // Calls the condition until it holds, or until the limit.
  [[nodiscard]] CheckResult wait(const std::function<CheckResult()>& condition, Duration limit);
  // Calls the condition until it does not hold, or until the time has passed.
  [[nodiscard]] CheckResult observe(const std::function<CheckResult()>& condition, Duration time);
  // Why a check failed: the end of the operator, and its last warnings and errors. It begins with a line break.
  [[nodiscard]] std::string describe_operator();
  [[nodiscard]] Duration limit() const;
  [[nodiscard]] Duration observation() const;

  const TestEnvironmentOptions options;
  const std::function<int()> program;  // empty: the environment has no operator
  const std::unique_ptr<EnvironmentHost> host;
  const std::string namespace_;

 private:
  void adapt(ManagerOptions& options);
  void wait_until_served(const Object& crd);
  [[nodiscard]] CheckResult remove_and_wait(const PlacedObject& placed);
  // Sleeps until the condition is evaluated again, `elapsed` after its first evaluation.
  void pause(Duration elapsed);

  const std::shared_ptr<RecordingLogSink> log_ = std::make_shared<RecordingLogSink>();  // warnings and errors
  std::vector<PlacedObject> outside_{};  // created by the test outside of the namespace
  bool has_namespace_ = false;
  bool is_running_ = false;
  char* no_environment_ = nullptr;
};

}  // namespace pintle::testkit
