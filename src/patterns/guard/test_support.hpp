// SPDX-License-Identifier: Apache-2.0
// A workspace, a cluster, and an operator whose status writes are recorded in order, for the tests of this pattern.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <pintle/api/everyday.hpp>
#include <pintle/json/pointer.hpp>
#include <pintle/manager/manager.hpp>
#include <pintle/patterns/guard.hpp>
#include <pintle/testing/in_reconcile.hpp>
#include <pintle/testing/recording_log_sink.hpp>
#include <pintle/testing/simulation.hpp>

namespace pintle::guard {

struct Site {
  static constexpr Type type{"test.pintle.dev/v1", "Site"};
  struct Spec {
    std::string host = "example.com";
    static constexpr auto fields() { return pintle::fields(field("host", &Spec::host, "Where it is reached.")); }
  };
  struct Status {
    std::string phase{};
    std::string tunnel{};
    std::vector<Condition> conditions{};
    static constexpr auto fields() {
      return pintle::fields(field("phase", &Status::phase, "How far it is."),
                            field("tunnel", &Status::tunnel, "The remote tunnel.").max_length(20),
                            field("conditions", &Status::conditions, "What is so."));
    }
  };
  Metadata metadata{};
  Spec spec{};
  Status status{};
};

using testkit::RecordingLogSink;

class GuardTest : public ::testing::Test {
 protected:
  explicit GuardTest(std::uint64_t seed = 1) : simulation({.seed = seed}), locks(simulation.executor()) {}
  void TearDown() override { instance.reset(); }  // its reconciles use members of this object

  static constexpr const char* tunneling = "Tunneling";

  // Starts an operator that `add` sets up, and waits until it is ready.
  void start(const std::function<void(Manager&)>& add, http::FaultPlan faults = {}) {
    instance = make_instance(add, std::move(faults));
    instance->start();
    ASSERT_TRUE(simulation.wait_until([&] { return instance->manager().is_ready(); }));
  }
  std::unique_ptr<testkit::Instance> make_instance(const std::function<void(Manager&)>& add,
                                                   http::FaultPlan faults = {}) {
    faults.push_back({.effect = http::Delay{}, .only = [this](const http::Request& request) {
                        count_request(request);
                        return false;
                      }});
    return std::make_unique<testkit::Instance>(
        simulation, ManagerOptions{.name = "op", .log_level = LogLevel::debug, .log_sink = log}, add,
        std::move(faults));
  }
  void start(Pipeline<Site> pipeline, http::FaultPlan faults = {}) {
    start([&](Manager& manager) { manager.add(controller(manager.executor(), std::move(pipeline))); },
          std::move(faults));
  }
  // Runs one reconcile of site "a" with a controller of the condition Tunneling, and no further one.
  void run_in_reconcile(const std::function<void(ProviderController&)>& body, http::FaultPlan faults = {},
                        const std::vector<Owns>& owns = {}) {
    bool has_run = false;
    const auto reconcile = [&](const Site&, Context& context) -> Outcome {
      if (std::exchange(has_run, true)) return done;
      auto controller = make_controller(context);
      EXPECT_TRUE(controller);
      body(*controller);
      return done;
    };
    start([&](Manager& manager) { manager.add(Controller<Site>{.owns = owns, .reconcile = reconcile}); },
          std::move(faults));
    if (!is_prepared) create_site();
    ASSERT_TRUE(simulation.run_until_idle());
    ASSERT_TRUE(has_run);
    instance.reset();
  }
  Result<ProviderController> make_controller(Context& context) {
    const Object& site = context.status().object();
    const auto there = condition_of(site, tunneling);
    return ProviderController::make(there.value_or(Condition{.type = tunneling}), context, locks);
  }

  void create_site(std::vector<std::string> finalizers = {}) {
    const auto made = simulation.user().create(
        Site{.metadata = {.name = "a", .namespace_ = "default", .finalizers = std::move(finalizers)}});
    ASSERT_TRUE(made) << made.error().to_string();
  }
  // Creates the site before an operator is started.
  void prepare_site(const json::Value& status = json::object(), std::vector<std::string> finalizers = {}) {
    ASSERT_TRUE(simulation.install<Site>());
    create_site(std::move(finalizers));
    is_prepared = true;
    set_status(status);
  }
  void set_status(const json::Value& status) {
    const auto set =
        simulation.user().patch(Site::type, key, json::Value{{"status", status}}, {.subresource = "status"});
    ASSERT_TRUE(set) << set.error().to_string();
  }
  void delete_site() { ASSERT_TRUE(simulation.user().remove(Site::type, key)); }
  [[nodiscard]] Object stored() { return simulation.user().get(Site::type, key).value_or(Object()); }
  [[nodiscard]] std::string phase() { return std::string(stored()["/status/phase"].text()); }
  // The status and reason of a condition, for example "Created: done"; empty if there is none.
  [[nodiscard]] std::string condition(std::string_view type = tunneling) { return text(condition_of(stored(), type)); }
  static std::string text(const std::optional<Condition>& condition) {
    if (!condition) return "";
    return std::string(to_string(condition->status)) + ": " + condition->reason;
  }
  [[nodiscard]] json::Value condition_value(ConditionStatus status, const std::string& reason,
                                            std::optional<Lock> lock = {}) {
    const Condition condition{.type = tunneling,
                              .status = status,
                              .last_transition_time = simulation.executor().wall_now(),
                              .reason = reason,
                              .lock = std::move(lock)};
    return json::array{internal::Operations<Condition>::write(&condition)};
  }

  const ObjectKey key{"default", "a"};
  std::shared_ptr<RecordingLogSink> log = std::make_shared<RecordingLogSink>();
  testkit::Simulation simulation;
  LockRegistry locks;
  std::vector<std::string> story;  // each condition that was written, and the lines that a test adds
  int requests = 0;                // of the operator, for individual sites
  bool is_prepared = false;        // the site was created before an operator was started
  std::unique_ptr<testkit::Instance> instance;

 private:
  void count_request(const http::Request& request) {
    if (request.target.find("/sites/a") == std::string::npos) return;
    ++requests;
    if (request.method != "PATCH" || request.target.find("/status") == std::string::npos) return;
    const auto body = json::parse(request.body);
    const Object written(body ? json::Value(*body) : json::Value());
    std::string line = "write";
    for (const json::View one : written["/status/conditions"].elements()) {
      line += " " + std::string(one.member("type").text()) + " " + std::string(one.member("status").text()) + ": " +
              std::string(one.member("reason").text());
    }
    story.push_back(std::move(line));
  }
};

// A task that succeeds with this status and reason.
inline Task done_as(ConditionStatus status, std::string reason, std::function<void()> doing = {}) {
  return [=]() -> Result<TaskResult> {
    if (doing) doing();
    return TaskResult{.status = status, .reason = reason};
  };
}

// Fails the nth write of the status of site "a", and the following ones up to `times`.
inline http::Fault at_status_write(std::uint64_t nth, decltype(http::Fault::effect) effect, std::uint64_t times = 1) {
  return {.effect = std::move(effect),
          .only =
              [](const http::Request& request) {
                return request.method == "PATCH" && request.target.find("/sites/a/status") != std::string::npos;
              },
          .first = nth,
          .times = times};
}

}  // namespace pintle::guard
