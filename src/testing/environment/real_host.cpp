// SPDX-License-Identifier: Apache-2.0
// The modes in real time: an embedded API server, and a cluster.
#include <utility>

#include <pintle/http/net_transport.hpp>
#include <pintle/sim/in_process_transport.hpp>

#include "environment_host.hpp"
#include "hosted_process.hpp"

namespace pintle::testkit {
namespace {

constexpr std::size_t deferred_at_once = 16;  // a webhook may send requests while others wait for it
const std::string process_host = "10.0.0.1";  // in the network of webhooks

ClientOptions user_options(std::shared_ptr<http::Transport> transport, Cluster cluster) {
  return {
      .transport = std::move(transport), .cluster = std::move(cluster), .field_manager = "user", .user_agent = "user"};
}

// The part that both modes share.
class RealHost : public EnvironmentHost {
 public:
  [[nodiscard]] Executor& executor() noexcept override { return *executor_; }
  [[nodiscard]] Client& user() noexcept override { return *user_; }
  [[nodiscard]] bool is_ready() override { return process_ && process_->is_ready(); }
  [[nodiscard]] std::optional<std::string> end() override { return process_ ? process_->end() : std::nullopt; }

 protected:
  RealHost() : executor_(make_real_executor()) {}
  void set_user(ClientOptions options) {
    transport_ = options.transport;
    user_ = std::make_unique<Client>(std::move(options));
  }
  void run(std::function<int()> program, std::function<void(ManagerOptions&)> adjust) {
    process_.emplace(*executor_, std::move(program), std::move(adjust));
    process_->start();
  }
  void end_process() { process_.reset(); }
  void end_user() {
    user_.reset();
    transport_->stop();
  }

 private:
  const std::unique_ptr<Executor> executor_;
  std::shared_ptr<http::Transport> transport_;  // of the user
  std::unique_ptr<Client> user_;
  std::optional<HostedProcess> process_;
};

class RealTimeHost final : public RealHost {
 public:
  explicit RealTimeHost(ApiServerOptions options)
      : network_(executor()), server_(executor(), with_network(std::move(options))) {
    set_user(user_options(connect(), {.endpoint = std::make_shared<http::Endpoint>(), .origin = "embedded server"}));
  }
  ~RealTimeHost() override {
    stop();
    end_user();
    server_.stop();
  }
  RealTimeHost(const RealTimeHost&) = delete;
  RealTimeHost& operator=(const RealTimeHost&) = delete;

  [[nodiscard]] EnvironmentMode mode() const noexcept override { return EnvironmentMode::real_time; }
  [[nodiscard]] std::optional<std::uint64_t> writes() const override { return server_.writes(); }
  void start(std::function<int()> program, std::function<void(ManagerOptions&)> adjust) override {
    operator_transport_ = connect();
    run(std::move(program), [this, adjust = std::move(adjust)](ManagerOptions& options) {
      options.executor = &executor();
      options.transport = operator_transport_;
      if (!options.webhooks.serve) options.webhooks.serve = network_.server_factory(place(options));
      adjust(options);
    });
  }
  void stop() override {
    end_process();
    if (operator_transport_ != nullptr) operator_transport_->stop();
  }

 private:
  [[nodiscard]] std::shared_ptr<http::Transport> connect() {
    return std::make_shared<http::InProcessTransport>(executor(), server_, http::FaultPlan(), deferred_at_once);
  }
  [[nodiscard]] ApiServerOptions with_network(ApiServerOptions options) {
    if (options.webhooks.transport != nullptr) return options;
    options.webhooks.transport = network_.transport();
    options.webhooks.find_service = [this](std::string_view service) { return network_.find_service(service); };
    return options;
  }
  [[nodiscard]] static http::InProcessNetwork::Place place(const ManagerOptions& options) {
    const WebhookOptions& webhooks = options.webhooks;
    const std::string service = webhooks.service.empty() ? options.name : webhooks.service;
    const std::string space = webhooks.service_namespace.empty() ? "default" : webhooks.service_namespace;
    return {.host = process_host, .service = service + "." + space};
  }

  http::InProcessNetwork network_;
  ApiServer server_;
  std::shared_ptr<http::Transport> operator_transport_;
};

class ClusterHost final : public RealHost {
 public:
  ClusterHost(std::string kubeconfig, std::string context, const Cluster& cluster)
      : kubeconfig_(std::move(kubeconfig)), context_(std::move(context)) {
    set_user(user_options(http::make_network_transport(executor()), cluster));
  }
  ~ClusterHost() override {
    stop();
    end_user();
  }
  ClusterHost(const ClusterHost&) = delete;
  ClusterHost& operator=(const ClusterHost&) = delete;

  [[nodiscard]] EnvironmentMode mode() const noexcept override { return EnvironmentMode::cluster; }
  void start(std::function<int()> program, std::function<void(ManagerOptions&)> adjust) override {
    run(std::move(program), [this, adjust = std::move(adjust)](ManagerOptions& options) {
      options.executor = &executor();
      options.kubeconfig = kubeconfig_;
      options.context = context_;
      options.transport = nullptr;
      adjust(options);
    });
  }
  void stop() override { end_process(); }

 private:
  const std::string kubeconfig_;
  const std::string context_;
};

}  // namespace

std::unique_ptr<EnvironmentHost> make_real_time_host(ApiServerOptions options) {
  return std::make_unique<RealTimeHost>(std::move(options));
}

Result<std::unique_ptr<EnvironmentHost>> make_cluster_host(const std::string& kubeconfig, const std::string& context) {
  const auto cluster = load_kubeconfig(kubeconfig, context);
  if (!cluster) return fail(cluster.error());
  return std::unique_ptr<EnvironmentHost>(std::make_unique<ClusterHost>(kubeconfig, context, *cluster));
}

}  // namespace pintle::testkit
