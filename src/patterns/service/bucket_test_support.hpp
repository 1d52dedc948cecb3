// SPDX-License-Identifier: Apache-2.0
// The kinds of a provider of buckets, and an access to clusters that a test controls.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include <pintle/patterns/service.hpp>

namespace pintle::service {

struct Bucket {
  static constexpr Type type{"test.pintle.dev/v1", "Bucket"};
  static constexpr std::string_view finalizer = "test.pintle.dev/finalizer";
  struct Spec {
    std::string size = "1Gi";
    static constexpr auto fields() { return pintle::fields(field("size", &Spec::size, "How much fits in.")); }
  };
  Metadata metadata{};
  Spec spec{};
  Status status{};
};

struct BucketConfig {
  static constexpr Type type{"test.pintle.dev/v1", "BucketConfig"};
  static constexpr Scope scope = Scope::cluster;
  struct Spec {
    std::string region = "x";
    std::int64_t poll_seconds = 0;
    static constexpr auto fields() {
      return pintle::fields(field("region", &Spec::region, "Where buckets are."),
                            field("pollSeconds", &Spec::poll_seconds, "How often they are looked at."));
    }
  };
  Metadata metadata{};
  Spec spec{};

  [[nodiscard]] Duration poll_interval() const { return std::chrono::seconds(spec.poll_seconds); }
};

using BucketReconciler = ApiReconciler<Bucket, BucketConfig>;

// Returns the values that a test has set.
class FakeAccess final : public ClusterAccessProvider {
 public:
  using Cluster = Result<std::optional<ClusterContext>>;
  using Request = Result<std::optional<AccessRequest>>;

  static AccessRequest granted(const std::string& name) {
    AccessRequest request{.metadata = {.name = name, .namespace_ = "mcp--a"}};
    request.status.phase = request_granted;
    request.status.secret_ref = AccessRequest::SecretRef{name + "-kubeconfig"};
    return request;
  }

  AccessOutcome reconcile(const ObjectKey&, Context& ctx) override {
    ++reconciles;
    if (on_reconcile) on_reconcile(ctx);
    return outcome;
  }
  AccessOutcome reconcile_delete(const ObjectKey&, Context&) override {
    ++deletes;
    if (on_delete) on_delete();
    return delete_outcome;
  }
  Cluster mcp_cluster(const ObjectKey&, Context& ctx) override { return cluster(ctx, "mcp", has_mcp); }
  Cluster workload_cluster(const ObjectKey&, Context& ctx) override {
    ++workload_calls;
    return cluster(ctx, "workload", has_workload);
  }
  Request mcp_access_request(const ObjectKey&, Context&) override { return mcp_request; }
  Request workload_access_request(const ObjectKey&, Context&) override {
    ++workload_calls;
    return workload_request;
  }

  AccessOutcome outcome{};
  AccessOutcome delete_outcome{};
  std::function<void(Context&)> on_reconcile{};
  std::function<void()> on_delete{};
  bool has_mcp = true;
  bool has_workload = true;
  Request mcp_request = std::optional(granted("mcp"));
  Request workload_request = std::optional(granted("wl"));
  int reconciles = 0;
  int deletes = 0;
  int workload_calls = 0;

 private:
  static Cluster cluster(Context& ctx, const std::string& name, bool is_there) {
    if (!is_there) return std::nullopt;
    auto found = ctx.cluster(name);
    if (!found) return fail(std::move(found.error()));
    return std::optional<ClusterContext>(std::move(*found));
  }
};

}  // namespace pintle::service
