// SPDX-License-Identifier: Apache-2.0
// A kind and an operator for the tests of patterns that maintain a ReadyStatus.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <pintle/controller/ready_status.hpp>
#include <pintle/manager/manager.hpp>
#include <pintle/object/fields.hpp>
#include <pintle/testing/recording_log_sink.hpp>
#include <pintle/testing/simulation.hpp>

namespace pintle {

struct Bucket {
  static constexpr Type type{"test.pintle.dev/v1", "Bucket"};
  struct Spec {
    std::int64_t size = 1;
    static constexpr auto fields() { return pintle::fields(field("size", &Spec::size, "How much is in it.")); }
  };
  Metadata metadata{};
  Spec spec{};
  ReadyStatus status{};
};

using testkit::RecordingLogSink;

// A simulated cluster with one operator. Its reconciles are counted by their results.
class BucketOperatorTest : public ::testing::Test {
 protected:
  static constexpr const char* finalizer = "test.pintle.dev/cleanup";

  void TearDown() override { instance.reset(); }  // its reconciles use members of this object

  // Starts an operator with one controller and waits until it is ready.
  void run(Controller<Bucket> controller) {
    start(std::move(controller));
    ASSERT_TRUE(simulation.wait_until([this] { return instance->manager().is_ready(); }));
  }
  void start(Controller<Bucket> controller) {
    controller.reconcile = counted(controller.reconcile);
    if (controller.finalize) controller.finalize = counted(controller.finalize);
    const auto add = [&](Manager& manager) { manager.add(std::move(controller)); };
    ManagerOptions options{.name = "test-operator", .log_level = LogLevel::debug, .log_sink = log};
    instance = std::make_unique<testkit::Instance>(simulation, std::move(options), add);
    instance->start();
  }

  void create(const std::string& name, std::vector<std::string> finalizers = {}) {
    const auto created = simulation.user().create(
        Bucket{.metadata = {.name = name, .namespace_ = "default", .finalizers = std::move(finalizers)}});
    ASSERT_TRUE(created) << created.error().to_string();
  }
  void erase(const std::string& name) {
    const auto removed = simulation.user().remove(GroupVersionKind(Bucket::type), {"default", name});
    ASSERT_TRUE(removed) << removed.error().to_string();
  }
  void touch(const std::string& name) {
    const json::Value again = {{"metadata", {{"labels", json::object{{"touched", std::to_string(++touched_)}}}}}};
    const auto patched = simulation.user().patch(Bucket::type, {"default", name}, again);
    ASSERT_TRUE(patched) << patched.error().to_string();
  }
  // Returns a null object if the object does not exist.
  [[nodiscard]] Object stored(const std::string& name) {
    return simulation.user().get(GroupVersionKind(Bucket::type), {"default", name}).value_or(Object());
  }
  // For example "Normal Added Object finalizer is added".
  [[nodiscard]] std::vector<std::string> events() {
    std::vector<std::string> all;
    for (const Object& event : simulation.server().objects("events")) {
      all.push_back(std::string(event["/type"].text()) + " " + std::string(event["/reason"].text()) + " " +
                    std::string(event["/message"].text()));
    }
    return all;
  }
  // From now on, these faults apply to the requests of the operator.
  void set_faults(http::FaultPlan faults) { instance->transport().set_faults(std::move(faults)); }
  static bool is_status_write(const http::Request& request) {
    return request.method == "PATCH" && request.target.find("/status") != std::string::npos;
  }
  static bool is_object_write(const http::Request& request) {
    return request.method == "PATCH" && request.target.find("/buckets/") != std::string::npos &&
           request.target.find("/status") == std::string::npos;
  }
  [[nodiscard]] double reconciles(const std::string& result) {
    return instance->manager()
        .metrics()
        .counter("controller_runtime_reconcile_total", "", {{"controller", "bucket"}, {"result", result}})
        .value();
  }

  std::shared_ptr<RecordingLogSink> log = std::make_shared<RecordingLogSink>();
  testkit::Simulation simulation{
      {.seed = 1, .on_missing_permission = [](const std::string& what) { ADD_FAILURE() << what; }}};
  std::vector<Outcome> outcomes;  // of reconcile and finalize, before the status is written
  std::unique_ptr<testkit::Instance> instance;

 private:
  using Function = std::function<Outcome(const Bucket&, Context&)>;
  Function counted(Function function) {
    return [this, function = std::move(function)](const Bucket& bucket, Context& context) {
      Outcome outcome = function(bucket, context);
      outcomes.push_back(outcome);
      return outcome;
    };
  }

  int touched_ = 0;
};

}  // namespace pintle
