// SPDX-License-Identifier: Apache-2.0
// For tests of ApiReconciler: an operator with one ApiReconciler, and the bucket that it serves.
#pragma once

#include <limits>
#include <string>
#include <utility>

#include "test_support.hpp"

namespace pintle::service {

class ApiReconcilerTest : public ServiceTest {
 protected:
  void run_with_config(const BucketReconciler& provider, BucketConfig::Spec spec = {}) {
    run(provider);
    create_config("buckets", std::move(spec));
    ASSERT_TRUE(simulation.run_until_idle());
  }
  // Creates a bucket and waits until the simulation is idle.
  void serve(const std::string& name = "a", Metadata metadata = {}) {
    create_bucket(name, std::move(metadata));
    ASSERT_TRUE(simulation.run_until_idle());
  }
  // The bucket has a finalizer of another owner, so that its last status can be read.
  void serve_held_bucket() { serve("a", {.finalizers = {"test.pintle.dev/held"}}); }
  void request_reconcile() {
    change_bucket(
        "a", {{"metadata", {{"annotations", {{operation_annotation, "reconcile"}, {"test.pintle.dev/kept", "yes"}}}}}});
    ASSERT_TRUE(simulation.run_until_idle());
  }
  void fail_status_writes(int status, std::uint64_t times = std::numeric_limits<std::uint64_t>::max()) {
    const std::string reason = status == 409 ? "Conflict" : status == 404 ? "NotFound" : "InternalError";
    instance->transport().set_faults(
        {{.effect = http::ErrorResponse{.status = status, .reason = reason},
          .only = http::requests("PATCH", "/apis/test.pintle.dev/v1/namespaces/default/buckets/a/status"),
          .times = times}});
  }
  [[nodiscard]] bool is_cleaned_up() { return is_condition_true(bucket(), cleaned_up_condition(Bucket::finalizer)); }
  [[nodiscard]] bool has_finalizer() {
    const Object found = bucket();
    for (const json::View one : found.finalizers().elements()) {
      if (one == Bucket::finalizer) return true;
    }
    return false;
  }
};

}  // namespace pintle::service
