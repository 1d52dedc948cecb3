// SPDX-License-Identifier: Apache-2.0
// A reconciler whose steps do what a test sets, and an operator with it.
#pragma once

#include <pintle/patterns/external.hpp>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "../operator_test_support.hpp"

namespace pintle::external {

using namespace std::chrono_literals;
using Calls = std::vector<std::string>;

// Runs the function that a test has set for a step, and records all calls.
class Buckets final : public Reconciler<Bucket, std::string> {
 public:
  Result<std::string> configure(const Bucket& bucket, Context& context) override {
    if (const Outcome outcome = step("configure", bucket, context); outcome.as_failed() != nullptr) {
      return fail(*outcome.as_failed());
    }
    return std::string("driver");
  }
  Outcome read(const Bucket& bucket, Context& context, Scratch& data, std::string& meta) override {
    EXPECT_TRUE(data.empty()) << "data of another reconcile";
    data.set("found", bucket.metadata.name);
    return step("read", bucket, context, data, meta);
  }
  Result<Diff> diff(const Bucket& bucket, Context& context, Scratch& data, std::string& meta) override {
    if (const Outcome outcome = step("diff", bucket, context, data, meta); outcome.as_failed() != nullptr) {
      return fail(*outcome.as_failed());
    }
    return needed;
  }
  Outcome create(const Bucket& bucket, Context& context, Scratch& data, std::string& meta) override {
    return step("create", bucket, context, data, meta);
  }
  Outcome update(const Bucket& bucket, Context& context, Scratch& data, std::string& meta) override {
    return step("update", bucket, context, data, meta);
  }
  Outcome remove(const Bucket& bucket, Context& context, Scratch& data, std::string& meta) override {
    return step("remove", bucket, context, data, meta);
  }
  ErrorDecision on_error(const Bucket& bucket, Context& context, Scratch& data, std::string& meta,
                         const Error& error) override {
    errors.push_back(error.message);
    (void)step("on_error", bucket, context, data, meta);
    return verdict ? verdict(error) : propagate(error);
  }
  Outcome on_success(const Bucket& bucket, Context& context, Scratch& data, std::string& meta,
                     const Diff& diff) override {
    last_diff = diff;
    return step("on_success", bucket, context, data, meta);
  }

  Diff needed{.diff = "size: 1 -> 2"};
  Diff last_diff{};
  std::map<std::string, std::function<Outcome(Context&)>> on{};  // functions of the steps; default: return `done`
  std::function<ErrorDecision(const Error&)> verdict{};
  Calls calls{};
  Calls errors{};
  std::set<std::string> handed_on{};  // for example "read driver a": the step, its meta and its data

 private:
  Outcome step(const std::string& name, const Bucket& bucket, Context& context, const Scratch& data,
               const std::string& meta) {
    handed_on.insert(name + " " + meta + " " + data.get<std::string>("found").value_or("-"));
    return step(name, bucket, context);
  }
  Outcome step(const std::string& name, const Bucket& bucket, Context& context) {
    calls.push_back(name);
    context.log().info("step " + name, {{"bucket", bucket.metadata.name}});
    const auto found = on.find(name);
    return found == on.end() ? done : found->second(context);
  }
};

inline std::function<Outcome(Context&)> failing(const std::string& message, ErrorCode code = ErrorCode::unavailable) {
  return [=](Context&) -> Outcome { return fail(code, message); };
}
inline std::function<Outcome(Context&)> waiting(Duration delay) {
  return [=](Context&) -> Outcome { return requeue_after(delay); };
}
// Fails once, so that the following steps show that the reconcile was retried.
inline std::function<Outcome(Context&)> failing_once(const std::string& message) {
  return [message, is_first = true](Context&) mutable -> Outcome {
    if (!std::exchange(is_first, false)) return done;
    return fail(ErrorCode::unavailable, message);
  };
}
inline std::function<Outcome(Context&)> with_message(const std::string& message) {
  return [=](Context& context) -> Outcome {
    context.status().set("/lastErrorMessage", message);
    return done;
  };
}
inline Duration delay_of(const Outcome& outcome) {
  return outcome.as_requeue_after() == nullptr ? -1s : outcome.as_requeue_after()->delay;
}

class ExternalReconcilerTest : public BucketOperatorTest {
 protected:
  [[nodiscard]] StdReconciler<Buckets> with(const std::string& name = "") const {
    return {.finalizer = name, .reconciler = buckets};
  }
  // Creates one object, and waits until its reconciles are done.
  void run_over_one() {
    run(with().controller());
    create("a");
    ASSERT_TRUE(simulation.run_until_idle());
  }

  std::shared_ptr<Buckets> buckets = std::make_shared<Buckets>();
};

}  // namespace pintle::external
