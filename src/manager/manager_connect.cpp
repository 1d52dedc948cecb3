// SPDX-License-Identifier: Apache-2.0
// Connects a manager to its clusters: transports, clients, tracing and leader election.
#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <netdb.h>
#include <sys/socket.h>

#include <pintle/base/environment.hpp>
#include <pintle/base/exceptions.hpp>
#include <pintle/http/listen_address.hpp>
#include <pintle/http/net_transport.hpp>
#include <pintle/http/server_url.hpp>

#include "controller/clusters/cluster_location.hpp"
#include "election/fenced_transport.hpp"
#include "manager_state.hpp"
#include "telemetry/traced_transport.hpp"

namespace pintle {
namespace {

// The cluster behind ManagerOptions::transport. Its address is not looked up.
Cluster given_cluster() {
  return {.endpoint = std::make_shared<http::Endpoint>(), .origin = "the transport in ManagerOptions"};
}

bool is_found(const NamedCluster& named) {
  return !named.address && named.kubeconfig.empty() && named.finder != nullptr;
}

// Returns a unique identity. It contains the host name, so that a person can find the holder.
std::string make_identity(Executor& executor) {
  const std::string host = host_name();
  return fmt::format("{}_{:016x}", host.empty() ? "host" : host, executor.random());
}

// Returns the address of this machine to which its name resolves; "" if there is none. In a pod, it is that of the pod.
std::string own_address() {
  const addrinfo hints{.ai_flags = AI_ADDRCONFIG,
                       .ai_family = AF_UNSPEC,
                       .ai_socktype = SOCK_STREAM,
                       .ai_protocol = 0,
                       .ai_addrlen = 0,
                       .ai_addr = nullptr,
                       .ai_canonname = nullptr,
                       .ai_next = nullptr};
  addrinfo* found = nullptr;
  if (::getaddrinfo(host_name().c_str(), nullptr, &hints, &found) != 0) return {};
  std::array<char, NI_MAXHOST> text{};
  const int failed =
      ::getnameinfo(found->ai_addr, found->ai_addrlen, text.data(), text.size(), nullptr, 0, NI_NUMERICHOST);
  ::freeaddrinfo(found);
  return failed == 0 ? text.data() : "";
}

// Returns the URL at which other machines reach the pages of an instance with these options on a machine with the
// address `machine`; "" if they cannot.
std::string pages_url(const ManagerOptions& options, const std::string& machine) {
  const auto address = http::parse_listen_address(options.listen);
  if (!address || address->port == 0 || address->is_loopback() || address->host.empty()) return {};
  const bool is_wildcard = address->host == "0.0.0.0" || address->host == "::";
  const std::string host = is_wildcard ? machine : address->host;
  if (host.empty() || http::ListenAddress{.host = host}.is_loopback()) return {};
  const bool has_tls = options.serving.tls || !options.serving.certificate_file.empty();
  return (has_tls ? "https://" : "http://") + http::join_host_port(host, address->port);
}

}  // namespace

http::NetworkOptions network_options(const ManagerOptions& options, const std::vector<AnyController>& controllers,
                                     MetricsRegistry& metrics) {
  constexpr std::size_t of_other_parts = 16;  // the election, events, webhooks, runnables, pages
  std::size_t idle = of_other_parts;
  for (const AnyController& controller : controllers) {
    idle += static_cast<std::size_t>(std::max(controller.workers.value_or(1), 1));
  }
  return {.max_connections = options.max_connections, .max_idle_per_server = idle, .metrics = &metrics};
}

Result<void> Manager::State::connect() {
  const auto cluster = options.transport != nullptr
                           ? Result<Cluster>(given_cluster())
                           : find_cluster(options.kubeconfig, options.context, executor.wall_now());
  if (!cluster) return fail(cluster.error());
  transport_ = options.transport != nullptr ? options.transport
                                            : std::shared_ptr<http::Transport>(http::make_network_transport(
                                                  executor, network_options(options, specs, metrics)));
  // All clients of the manager use this transport, so no write can bypass the recorder.
  if (is_planning_) transport_ = recorder_ = std::make_shared<WriteRecorder>(transport_);
  if (auto done = trace(); !done) return done;
  reconcile_transport_ = traced(transport_);
  pool_ = std::make_unique<json::Pool>(executor);
  dispatcher_ = std::make_unique<Dispatcher>(executor);
  keep_definitions();
  if (options.leader_election) join_election(*cluster);
  add_cluster(std::string(home_cluster),
              WatchedNamespaces{.names = options.namespaces, .selector = options.namespace_selector}, *cluster);
  for (const NamedCluster& named : options.clusters) {
    if (auto connected = connect(named); !connected) {
      return std::move(connected).with_operation("connect to cluster " + named.name.value());
    }
  }
  const auto connect = [this](const Cluster& found) {
    return std::make_shared<Client>(client_options(reconcile_transport_, found));
  };
  secret_clusters_.emplace(executor, options.max_secret_clusters, connect, log_);
  if (fence_ && has_work_without_lease()) {
    const auto unfenced = [this](const Cluster& found) {
      return std::make_shared<Client>(client_options(traced(transport_), found));
    };
    unfenced_secret_clusters_.emplace(executor, options.max_secret_clusters, unfenced, log_);
  }
  return {};
}

Result<Cluster> Manager::State::address_of(const NamedCluster& named) {
  if (named.address) return *named.address;
  if (!is_found(named)) return load_kubeconfig(named.kubeconfig, named.context, executor.wall_now());
  try {
    return named.finder->find({.home = home().client(), .executor = executor, .log = log_, .stop = stop_.get_token()});
  } catch (...) {
    return fail(ErrorCode::unknown, "the cluster finder threw " + describe_exception());
  }
}

Result<void> Manager::State::connect(const NamedCluster& named) {
  const auto cluster = address_of(named);
  if (!cluster) return fail(cluster.error());
  add_cluster(named.name.value(), WatchedNamespaces{.names = named.namespaces}, *cluster,
              is_found(named) ? named.finder : nullptr);
  return {};
}

// Only the first client of a cluster logs the warnings about it.
void Manager::State::add_cluster(std::string name, WatchedNamespaces home, const Cluster& cluster,
                                 const std::shared_ptr<ClusterFinder>& finder) {
  std::shared_ptr<ClusterLocation> location;
  if (finder != nullptr && !finder->watches().empty()) {
    location = std::make_shared<ClusterLocation>(executor, cluster);
    followers_.push_back(std::make_unique<ClusterFollower>(executor, log_, name, finder, location));
  }
  const auto reached_by = [&](const std::shared_ptr<http::Transport>& transport) -> std::shared_ptr<http::Transport> {
    if (location == nullptr) return transport;
    return std::make_shared<LocatedTransport>(transport, location);
  };
  auto client = std::make_shared<Client>(client_options(reached_by(transport_), cluster));
  auto reconcile_client = client;
  if (reconcile_transport_ != transport_) {
    Cluster again = cluster;
    again.warnings.clear();
    reconcile_client = std::make_shared<Client>(client_options(reached_by(reconcile_transport_), again));
  }
  const ManagedCluster::Shared shared{
      .manager = options.name,
      .dispatcher = *dispatcher_,
      .metrics = metrics,
      .pool = *pool_,
      .cache_projections = options.cache_projections,
      .log = log_,
      .sync_timeout = options.sync_timeout,
      .watch_failed = [this](const std::string& of, const GroupVersionKind& kind) { definitions_->suspect(of, kind); },
      .list_mode = options.list_mode,
      .informer_added =
          [this](const std::string& of, std::shared_ptr<const Informer> informer, const InformerNeed& need) {
            caches_.add(of, {{.informer = std::move(informer), .need = need}});
          },
      .informer_released = [this](const Informer& informer) { caches_.remove(informer); }};
  if (fence_ && has_work_without_lease()) {
    Cluster again = cluster;
    again.warnings.clear();
    auto unfenced = std::make_shared<Client>(client_options(reached_by(traced(transport_)), again));
    unfenced_clusters_.emplace(name, std::make_unique<ManagedCluster>(name, home, unfenced, unfenced, shared));
  }
  clusters_.emplace(name, std::make_unique<ManagedCluster>(name, std::move(home), std::move(client),
                                                           std::move(reconcile_client), shared));
}

// The environment is read only if no transport is given, as for the address of the cluster.
Result<void> Manager::State::trace() {
  std::shared_ptr<Tracer> tracer = options.tracer;
  if (tracer == nullptr && options.transport == nullptr) {
    auto otlp = read_otlp_options(environment_variable, options.name, options.version);
    if (!otlp) return fail(std::move(otlp.error()).with_operation("export traces"));
    if (*otlp) {
      tracer = exporter_ = std::make_shared<OtlpExporter>(transport_, std::move(**otlp), log_, metrics);
    }
  }
  if (history_ != nullptr) tracer = spans_ = std::make_shared<NotedSpans>(executor, std::move(tracer));
  if (tracer != nullptr) tracing_ = std::make_shared<Tracing>(executor, std::move(tracer));
  return {};
}

std::shared_ptr<http::Transport> Manager::State::traced(std::shared_ptr<http::Transport> transport) const {
  if (tracing_ == nullptr) return transport;
  return std::make_shared<TracedTransport>(std::move(transport), tracing_);
}

LeaderElectionOptions Manager::State::election() const {
  LeaderElectionOptions made = *options.leader_election;
  if (made.name.empty()) made.name = options.name;
  return made;
}

void Manager::State::join_election(const Cluster& found) {
  Cluster cluster = found;
  cluster.warnings.clear();
  LeaderElectionOptions made = election();
  if (made.namespace_.empty()) made.namespace_ = cluster.namespace_;
  if (made.identity.empty()) made.identity = make_identity(executor);
  fence_.emplace(executor, made.namespace_ + "/" + made.name);
  elector_ = std::make_unique<Elector>(std::make_unique<Client>(client_options(transport_, cluster)), std::move(made),
                                       *fence_, log_, metrics,
                                       LeadershipCallbacks{.begin = [this] { start_controllers(); },
                                                           .lost = [this](const Error& why) { lease_lost(why); }},
                                       options.debug ? pages_url(options, own_address()) : std::string());
  reconcile_transport_ = traced(std::make_shared<FencedTransport>(transport_, *fence_));
}

std::unique_ptr<Replicas> Manager::State::make_replicas() {
  if (!options.leader_election) return nullptr;
  const Replicas::Options made{.own = {home().client().cluster().namespace_, host_name()},
                               .pages = [this](const std::string& address) { return pages_url(options, address); }};
  return std::make_unique<Replicas>(executor, make_page_client(), made);
}

// The timeout is short, because the client of a page waits for the result of the call.
std::unique_ptr<Client> Manager::State::make_page_client() {
  Cluster cluster = home().client().cluster();
  cluster.warnings.clear();
  ClientOptions made = client_options(transport_, cluster);
  made.timeout = std::chrono::seconds(10);
  return std::make_unique<Client>(std::move(made));
}

// All clients of one cluster share the credentials, so that a plugin runs once for them. The plugin or provider uses
// the transport without the fence: an instance that does not lead needs credentials, too.
std::shared_ptr<Credentials> Manager::State::credentials_of(const Cluster& cluster) {
  const bool has_files = !cluster.ca_file.empty() || !cluster.client_certificate_file.empty();
  if (cluster.exec == nullptr && cluster.oidc == nullptr && !has_files) return nullptr;
  const MutexLock lock(mutex_);
  const auto found = std::ranges::find(credentials_, cluster.endpoint, [](const auto& one) { return one.first; });
  if (found != credentials_.end()) return found->second;
  auto made = make_credentials(
      {.transport = transport_, .cluster = cluster, .log = log_, .metrics = &metrics, .programs = options.programs});
  credentials_.emplace_back(cluster.endpoint, made);
  return made;
}

ClientOptions Manager::State::client_options(std::shared_ptr<http::Transport> transport, const Cluster& cluster) {
  return {.transport = std::move(transport),
          .cluster = cluster,
          .field_manager = options.name,
          .user_agent = options.name + "/" + options.version,
          .log = log_,
          .metrics = &metrics,
          .metrics_by_kind = options.client_metrics_by_kind,
          .programs = options.programs,
          .credentials = credentials_of(cluster),
          .protobuf = options.protobuf};
}

}  // namespace pintle
