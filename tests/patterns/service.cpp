// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/service.hpp>

#include "patterns.hpp"

namespace pintle::every_pattern {
namespace {

using namespace std::chrono_literals;

// The finalizer is a property of the kind, so there is one struct for each finalizer that a test needs.
template <int finalizer_of>
struct Api {
  static constexpr Type type = Widget::type;
  static constexpr std::string_view finalizer = finalizer_of == 0   ? "patterns.dev/cleanup"
                                                : finalizer_of == 1 ? "first.dev/cleanup"
                                                                    : "second.dev/cleanup";
  Metadata metadata{};
  Widget::Spec spec{};
  Widget::Status status{};
};

struct Settings {
  static constexpr Type type{"patterns.dev/v1", "Settings"};
  static constexpr std::string_view plural = "settings";
  static constexpr Scope scope = Scope::cluster;
  struct Spec {
    std::int64_t poll_seconds = 0;
    static constexpr auto fields() { return pintle::fields(field("pollSeconds", &Spec::poll_seconds)); }
  };
  Metadata metadata{};
  Spec spec{};
  [[nodiscard]] Duration poll_interval() const { return std::chrono::seconds(spec.poll_seconds); }
};

// There is only one cluster, which all objects use.
class OneCluster final : public service::ClusterAccessProvider {
 public:
  service::AccessOutcome reconcile(const ObjectKey&, Context&) override { return {}; }
  service::AccessOutcome reconcile_delete(const ObjectKey&, Context&) override { return {}; }
  Result<std::optional<ClusterContext>> mcp_cluster(const ObjectKey&, Context& ctx) override {
    auto home = ctx.cluster(home_cluster);
    if (!home) return fail(std::move(home.error()));
    return std::optional<ClusterContext>(std::move(*home));
  }
  Result<std::optional<ClusterContext>> workload_cluster(const ObjectKey& key, Context& ctx) override {
    return mcp_cluster(key, ctx);
  }
  Result<std::optional<service::AccessRequest>> mcp_access_request(const ObjectKey&, Context&) override {
    return std::optional<service::AccessRequest>(service::AccessRequest{});
  }
  Result<std::optional<service::AccessRequest>> workload_access_request(const ObjectKey& key, Context& ctx) override {
    return mcp_access_request(key, ctx);
  }
};

Outcome reported_as_service(Context& ctx, const std::function<Outcome()>& work) {
  service::status_progressing(ctx.status(), "Working", "");
  Outcome outcome = work();
  if (const Error* error = outcome.as_failed()) {
    service::status_progressing(ctx.status(), service::reason_reconcile_error, error->to_string());
  } else if (!outcome.is_requeue()) {
    service::status_ready(ctx.status());
  }
  return outcome;
}

template <class A>
void add_as(Manager& manager, const Job& job) {
  AnyController controller = service::ApiReconciler<A, Settings>{
      .onboarding_cluster = std::string(home_cluster),
      .config = {.platform_cluster = std::string(home_cluster),
                 .provider_name = "widgets",
                 .provider_config = Settings{}},
      .cluster_access = std::make_shared<OneCluster>(),
      .reconciler = {
          .create_or_update = [job](const A& api, const Settings&, service::ObjectClusters&, Context& ctx) -> Outcome {
            const auto reconcile = [&] { return job.reconcile(api.metadata.key(), api.spec.text, ctx); };
            return job.reports ? reported_as_service(ctx, reconcile) : reconcile();
          },
          .remove = [job](const A& api, const Settings&, service::ObjectClusters&, Context& ctx) -> Outcome {
            if (!job.clean_up) return done;
            return job.clean_up(api.metadata.key(), ctx);
          }},
      .workers = job.workers};
  if (job.owns_config_maps) controller.owns.emplace_back(ConfigMap::type);
  manager.add(std::move(controller));
}

// "Domain Service is ready" is not a failure.
Readiness service_status(const Object& widget) {
  const auto ready = find_condition(widget, service::ready_condition);
  const bool is_ready = is_condition_true(widget, service::ready_condition);
  return {.is_ready = is_ready, .failure = is_ready || !ready ? "" : ready->message};
}

void add_service_job(Manager& manager, Job job) {
  if (job.finalizer == Api<1>::finalizer) return add_as<Api<1>>(manager, job);
  if (job.finalizer == Api<2>::finalizer) return add_as<Api<2>>(manager, job);
  add_as<Api<0>>(manager, job);
}

}  // namespace

Pattern service() {
  return {.name = "service", .add = add_service_job, .first_waits = {5ms, 10ms, 20ms}, .readiness = service_status};
}

}  // namespace pintle::every_pattern
