// What the pattern adds to a pass: one over an object for which there is nothing to do, in a bare controller and in an
// ApiReconciler, from waking the key to the end of the reconcile.
#include <atomic>
#include <memory>

#include <benchmark/benchmark.h>

#include <pintle/http/memory_transport.hpp>
#include <pintle/runtime/manager.hpp>
#include <pintle/testing/simulation.hpp>

#include "bucket_test_support.hpp"

namespace pintle::service {
namespace {

// An operator over one bucket, which it has served before.
class Operator {
 public:
  explicit Operator(ControllerSpec controller) {
    controller.channels.push_back(channel_);
    manager_.add(std::move(controller));
    if (auto started = manager_.start(); !started) failure_ = started.error().to_string();
    (void)user_.create(BucketConfig{.metadata = {.name = "buckets"}});
    (void)user_.create(Bucket{.metadata = {.name = key_.name, .namespace_ = key_.namespace_}});
    pass_again();
    while (!manager_.is_quiet()) runtime_->sleep_for(std::chrono::milliseconds(1));
  }
  ~Operator() {
    manager_.stop();
    transport_->shutdown();
    server_.stop();
  }

  static void count_pass() {
    ++passes;
    passes.notify_one();
  }
  void pass_again() {
    const std::uint64_t before = passes;
    channel_->send(key_);
    passes.wait(before);
  }
  [[nodiscard]] const std::string& failure() const { return failure_; }

  static inline std::atomic<std::uint64_t> passes = 0;

 private:
  const ObjectKey key_{"default", "a"};
  std::unique_ptr<Runtime> runtime_ = make_real_runtime(1);
  ApiServer server_{*runtime_};
  std::shared_ptr<http::MemoryTransport> transport_ = std::make_shared<http::MemoryTransport>(*runtime_, server_);
  std::shared_ptr<EventChannel> channel_ = std::make_shared<EventChannel>(*runtime_);
  Client user_{{.transport = transport_}};
  Manager manager_{{.name = "bench", .log_level = LogLevel::error, .runtime = runtime_.get(), .transport = transport_}};
  std::string failure_;
};

class HomeAccess final : public ClusterAccessProvider {
 public:
  AccessOutcome reconcile(const ObjectKey&, Context&) override { return {}; }
  AccessOutcome reconcile_delete(const ObjectKey&, Context&) override { return {}; }
  Result<std::optional<ClusterContext>> mcp_cluster(const ObjectKey&, Context& ctx) override {
    return std::optional<ClusterContext>(ctx);
  }
  Result<std::optional<ClusterContext>> workload_cluster(const ObjectKey&, Context&) override { return std::nullopt; }
  Result<std::optional<AccessRequest>> mcp_access_request(const ObjectKey&, Context&) override { return std::nullopt; }
  Result<std::optional<AccessRequest>> workload_access_request(const ObjectKey&, Context&) override {
    return std::nullopt;
  }
};

ControllerSpec bare() {
  return erase_type(Controller<Bucket>{.reconcile = [](const Bucket&, Context&) -> Outcome {
    Operator::count_pass();
    return settled;
  }});
}

ControllerSpec service() {
  const auto nothing = [](const Bucket&, const BucketConfig&, RequestClusters&, Context&) -> Outcome {
    Operator::count_pass();
    return settled;
  };
  return ApiReconciler<Bucket, BucketConfig>{
      .onboarding_cluster = std::string(home_cluster),
      .config = {.platform_cluster = std::string(home_cluster), .provider_name = "buckets"},
      .cluster_access = std::make_shared<HomeAccess>(),
      .reconciler = {.create_or_update = nothing, .remove = nothing}};
}

void pass(benchmark::State& state, ControllerSpec (*controller)()) {
  Operator one(controller());
  if (!one.failure().empty()) state.SkipWithError(one.failure().c_str());
  for (auto _ : state) one.pass_again();
}
BENCHMARK_CAPTURE(pass, bare, &bare)->UseRealTime();
BENCHMARK_CAPTURE(pass, service, &service)->UseRealTime();

}  // namespace
}  // namespace pintle::service
