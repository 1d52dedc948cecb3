// SPDX-License-Identifier: Apache-2.0
// A K8sReconciler and phases whose steps do what a test sets, and an operator with them.
#pragma once

#include <pintle/patterns/phased.hpp>

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../operator_test_support.hpp"

namespace pintle::phased {

using namespace std::chrono_literals;
using Calls = std::vector<std::string>;

// The behaviour of the steps, and a record of their calls: "read", "B.create".
struct Script {
  Outcome step(const std::string& name, Context& context) {
    calls.push_back(name);
    const auto found = on.find(name);
    return found == on.end() ? done : found->second(context);
  }

  std::map<std::string, std::function<Outcome(Context&)>> on{};  // default: return `done`
  std::map<std::string, std::function<ErrorDecision(const Error&)>> verdicts{};
  Calls calls{};
  Calls errors{};     // for example "on_error: …" and "B.on_error: …"
  Calls leftovers{};  // data of another phase or reconcile; must stay empty
};

class Parent final : public K8sReconciler<Bucket> {
 public:
  explicit Parent(Script& script) : script_(script) {}

  Outcome configure(const Bucket&, Context& context) override { return script_.step("configure", context); }
  Outcome read(const Bucket&, Context& context, Scratch& data) override {
    if (!data.empty()) script_.leftovers.emplace_back("read");
    data.set("of", std::string("parent"));
    return script_.step("read", context);
  }
  Outcome remove(const Bucket&, Context& context, Scratch&) override { return script_.step("remove", context); }
  ErrorDecision on_error(const Bucket&, Context&, Scratch&, const Error& error) override {
    script_.errors.push_back("on_error: " + error.to_string());
    const auto found = script_.verdicts.find("parent");
    return found == script_.verdicts.end() ? propagate(error) : found->second(error);
  }
  Outcome on_success(const Bucket&, Context& context, Scratch& data) override {
    if (data.get<std::string>("of").value_or("") != "parent") script_.leftovers.emplace_back("on_success");
    return script_.step("on_success", context);
  }

 private:
  Script& script_;
};

class Named final : public K8sPhaseReconciler<Bucket> {
 public:
  Named(Script& script, std::string name) : script_(script), name_(std::move(name)) {}

  std::string name() const override { return name_; }
  Outcome configure(const Bucket&, Context& context) override { return step("configure", context); }
  Outcome read(const Bucket&, Context& context, Scratch& data) override {
    if (!data.empty()) script_.leftovers.push_back(name_ + ".read");
    data.set("of", name_);
    return step("read", context);
  }
  K8sDiffOutcome diff(const Bucket&, Context& context, Scratch&) override {
    if (const Outcome outcome = step("diff", context); !outcome.is_done()) return outcome;
    return needed;
  }
  Outcome create(const Bucket&, Context& context, Scratch&) override { return step("create", context); }
  Outcome update(const Bucket&, Context& context, Scratch&) override { return step("update", context); }
  Outcome remove(const Bucket&, Context& context, Scratch&) override { return step("remove", context); }
  ErrorDecision on_error(const Bucket&, Context&, Scratch&, const Error& error) override {
    script_.errors.push_back(name_ + ".on_error: " + error.to_string());
    const auto found = script_.verdicts.find(name_);
    return found == script_.verdicts.end() ? propagate(error) : found->second(error);
  }
  Outcome on_success(const Bucket&, Context& context, Scratch& data, K8sDiff diff) override {
    if (data.get<std::string>("of").value_or("") != name_) script_.leftovers.push_back(name_ + ".on_success");
    diff.diff += " and more";
    last_diff = diff;
    return step("on_success", context);
  }

  K8sDiff needed{};
  K8sDiff last_diff{};

 private:
  Outcome step(const std::string& name, Context& context) { return script_.step(name_ + "." + name, context); }

  Script& script_;
  const std::string name_;
};

inline std::function<Outcome(Context&)> failing(const std::string& message) {
  return [=](Context&) -> Outcome { return fail(ErrorCode::unavailable, message); };
}
inline std::function<Outcome(Context&)> waiting(Duration delay) {
  return [=](Context&) -> Outcome { return requeue_after(delay); };
}
inline Duration delay_of(const Outcome& outcome) {
  return outcome.as_requeue_after() == nullptr ? -1s : outcome.as_requeue_after()->delay;
}

class PhasedReconcilerTest : public BucketOperatorTest {
 protected:
  [[nodiscard]] StdK8sReconciler<Parent> with(const std::string& name = "") const {
    return {.finalizer = name, .reconciler = parent, .phases = {a, b, c}};
  }
  // Creates an object and waits for its first reconcile. A failure is retried only after an hour.
  void run_over_one(Controller<Bucket> controller) {
    controller.backoff = {.base = 1h, .cap = 1h};
    run(std::move(controller));
    create("x");
    ASSERT_TRUE(simulation.wait_until([this] { return !outcomes.empty(); }));
  }
  void run_over_one() { run_over_one(with().controller()); }

  Script script;
  std::shared_ptr<Parent> parent = std::make_shared<Parent>(script);
  std::shared_ptr<Named> a = std::make_shared<Named>(script, "A");
  std::shared_ptr<Named> b = std::make_shared<Named>(script, "B");
  std::shared_ptr<Named> c = std::make_shared<Named>(script, "C");
};

}  // namespace pintle::phased
