// SPDX-License-Identifier: Apache-2.0
// Manager::State: the implementation of Manager.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <pintle/base/mutex.hpp>
#include <pintle/client/write_recorder.hpp>
#include <pintle/http/net_transport.hpp>
#include <pintle/manager/manager.hpp>
#include <pintle/manager/manager_cache.hpp>
#include <pintle/manager/plan.hpp>
#include <pintle/webhook/admission.hpp>

#include "base/output/progress_sink.hpp"
#include "cache_health.hpp"
#include "controller/clusters/cluster_follower.hpp"
#include "controller/runner/controller_runner.hpp"
#include "definition_keeper.hpp"
#include "election/elector.hpp"
#include "health.hpp"
#include "health_check_runner.hpp"
#include "manager/debug/debug_pages.hpp"
#include "manager/flags/flags.hpp"
#include "manager/pages/page_server.hpp"
#include "manager/pages/profile_pages.hpp"
#include "manager/process_metrics.hpp"
#include "manager/webhooks/declared_conversions.hpp"
#include "runnable_runner.hpp"
#include "telemetry/otlp_exporter.hpp"
#include "telemetry/tracing.hpp"
#include "webhook/certificates/serving_certificates.hpp"
#include "webhook/webhook_configurations.hpp"
#include "webhook/webhook_server.hpp"

namespace pintle {

class WebhookInstaller;

// Returns the first of these errors, of which there is at least one, with the messages of the others appended.
[[nodiscard]] Error joined(std::vector<Error> errors);

// Returns the options of the transport of a manager with these controllers.
[[nodiscard]] http::NetworkOptions network_options(const ManagerOptions& options,
                                                   const std::vector<AnyController>& controllers,
                                                   MetricsRegistry& metrics);

class [[gnu::visibility("hidden")]] Manager::State {
 public:
  explicit State(ManagerOptions given);

  Result<void> start();
  Result<void> wait();
  // Implements Manager::plan().
  Result<Plan> plan(const std::string& which);
  void request_stop() noexcept { stop_.request_stop(); }
  // `on_ignored` is called with an error if reconciles, and again if webhooks, still run after their time has ended,
  // before stop() waits for them.
  void stop(Duration grace, const std::function<void(const Error&)>& on_ignored = {});
  bool is_ready() const;
  // Whether the start waits only for caches of kinds that this process converts. Their first lists may need it, and in
  // a cluster the calls reach it only if it is ready.
  [[nodiscard]] bool is_ready_to_convert() const;
  [[nodiscard]] std::vector<std::string> readiness_problems() const;
  bool is_leading() const;
  bool has_lost_lease() const;
  bool is_idle() const;
  Result<std::string> print_crds() const;
  // Returns the text of --print-deploy, or writes the files and returns "". Changes the options, so the manager cannot
  // be started afterwards.
  Result<std::string> print_deployment();
  // Whether the flags request a text instead of a run, or are invalid; output() then returns the text or the error, and
  // the manager cannot be started afterwards.
  [[nodiscard]] bool has_output() const;
  Result<std::string> output();
  [[nodiscard]] std::vector<RbacRole> roles() const;
  Result<std::string> print_webhooks() const;
  Result<std::shared_ptr<Client>> client(std::string_view cluster) const;
  Result<ManagerCache> cache(std::string_view cluster) const;

  // Returns all errors of the declaration.
  std::vector<Error> declaration_errors() const;

  ManagerOptions options;
  std::unique_ptr<Executor> own_executor;
  Executor& executor;
  const Result<Flags> flags;  // they are in `options` too
  MetricsRegistry metrics;
  std::vector<AnyController> specs;
  std::vector<Error> refused;  // errors that refuse() stored
  std::vector<Runnable> runnables;
  std::vector<HealthCheck> checks;
  std::vector<Page> pages;
  std::vector<AnyAdmission> admissions;
  std::vector<AnyConversion> conversions;  // those that were added; see declared_conversions()
  std::string listen_address;
  std::string webhook_listen_address;
  bool owns_process = false;  // the manager may set signal handlers; must be set before start()

 private:
  // A manager goes through these phases once.
  enum class Phase { made, starting, running, stopping, ended };

  Result<Plan> plan_reconciles(const std::string& kind, ObjectKey key);
  [[nodiscard]] Result<std::string> default_namespace(ManagedCluster& cluster) const;
  Result<void> open_state_dir();
  Result<void> connect();
  Result<void> trace();
  Result<void> connect(const NamedCluster& named);
  Result<Cluster> address_of(const NamedCluster& named);
  [[nodiscard]] ManagedCluster& home() const { return *clusters_.find(home_cluster)->second; }
  void add_cluster(std::string name, WatchedNamespaces home, const Cluster& cluster,
                   const std::shared_ptr<ClusterFinder>& finder = nullptr);
  Result<void> follow_clusters();
  void join_election(const Cluster& cluster);
  Result<void> serve_health();
  [[nodiscard]] std::unique_ptr<Replicas> make_replicas();
  [[nodiscard]] std::unique_ptr<Client> make_page_client();
  Result<void> serve_webhooks();
  // Whether API servers may call the webhooks of this process by their service.
  [[nodiscard]] bool receives_calls() const;
  [[nodiscard]] Result<void> check_webhooks_alive() const;
  // Begins to drain the webhooks, and returns the time until which they are served at least.
  [[nodiscard]] Instant drain_webhooks(Instant deadline);
  [[nodiscard]] std::shared_ptr<Tracer> webhook_tracer() const;
  Result<std::optional<http::KeyPair>> shared_certificate(const WebhookAddress& address);
  [[nodiscard]] std::vector<BundleTarget> targets_of_other_clusters() const;
  Result<void> install_webhooks();
  Result<void> install_webhooks(const Client& client, WebhookInstaller& installer);
  [[nodiscard]] std::vector<Error> admission_errors() const;
  [[nodiscard]] std::vector<Error> conversion_errors() const;
  // The conversions for which the webhook of this manager is used.
  [[nodiscard]] std::vector<AnyConversion> own_conversions() const;
  // Returns the CRD with the conversion that is installed now.
  [[nodiscard]] json::Value with_conversion(json::Value crd) const;
  Result<void> use_conversion(Client& client, const std::string& crd);
  Result<void> try_to_use_conversion(Client& client, const std::string& crd);
  [[nodiscard]] std::string webhook_authorities() const;
  [[nodiscard]] Result<WebhookAddress> printed_address() const;
  // Returns the CRDs that --print-crds prints.
  [[nodiscard]] Result<std::vector<json::Value>> printed_crds() const;
  // `namespace_` applies if the options have none.
  [[nodiscard]] WebhookAddress webhook_address(const std::string& namespace_, const std::string& ca) const;
  Result<void> install_definitions();
  Result<void> install(const DeclaredCrd& declared);
  [[nodiscard]] CrdInstaller installer(Client& client, Duration patience) const;
  void keep_definitions();
  Result<void> make_controllers();
  Result<void> make_runnables();
  [[nodiscard]] std::vector<std::string> migrated_crds() const;
  Result<void> fill_caches();
  Result<void> wait_for_sync(ManagedCluster& cluster, Instant deadline);
  [[nodiscard]] std::shared_ptr<LogSink> make_log_sink();
  [[nodiscard]] std::vector<std::string> missing_caches() const;
  Result<void> begin_work();
  void start_all_for(Leadership leadership);
  void start_controllers();
  void show_feature_gates();
  void start_checks();
  [[nodiscard]] std::vector<CheckResult> check_results(HealthProbe probe) const;
  [[nodiscard]] std::vector<Error> part_errors() const;
  [[nodiscard]] bool has_work_without_lease() const;
  [[nodiscard]] std::vector<ManagedCluster*> all_clusters() const;
  [[nodiscard]] Result<void> check_runs(std::string_view member) const;
  [[nodiscard]] std::vector<Error> cluster_errors() const;
  [[nodiscard]] std::vector<Error> kept_errors() const;
  [[nodiscard]] std::vector<Error> namespace_errors() const;
  [[nodiscard]] std::vector<Error> start_errors() const;
  [[nodiscard]] std::vector<ControllerRunner*> controllers_now() const;
  [[nodiscard]] Inspected inspected() const;
  void measure() const;
  void lease_lost(const Error& why);
  void request_reconciles_to_stop();
  void join_stop_requests();
  [[nodiscard]] std::optional<Error> await_reconciles(Instant deadline);
  void log_what_runs() const;
  [[nodiscard]] std::optional<Error> close_webhooks(Instant drained, Instant deadline);
  // `drained`: until then the webhooks are served. `deadline`: for the functions of webhooks. `report` is called with
  // an error if some of them still run then, before this function waits for them.
  void take_down(Instant drained, Instant deadline, const std::function<void(Error)>& report);
  void failed(Error error);
  void enter(Phase phase);
  [[nodiscard]] std::shared_ptr<Credentials> credentials_of(const Cluster& cluster);
  [[nodiscard]] ClientOptions client_options(std::shared_ptr<http::Transport> transport, const Cluster& cluster);
  [[nodiscard]] std::shared_ptr<http::Transport> traced(std::shared_ptr<http::Transport> transport) const;
  [[nodiscard]] LeaderElectionOptions election() const;

  Log log_;
  std::shared_ptr<ProgressSink> progress_;  // null unless the log is on a terminal
  std::stop_source stop_;
  std::shared_ptr<http::Transport> transport_;
  bool is_planning_ = false;                 // no write is carried out, and no controller starts
  std::shared_ptr<WriteRecorder> recorder_;  // null unless is_planning_
  std::shared_ptr<OtlpExporter> exporter_;   // null with ManagerOptions::tracer
  std::shared_ptr<Tracing> tracing_;         // null without a tracer
  std::optional<Fence> fence_;
  std::unique_ptr<Elector> elector_;                      // null without leader election
  std::shared_ptr<http::Transport> reconcile_transport_;  // the transport of reconciles: traced, and fenced if elected
  std::unique_ptr<ReconcileHistory> history_;             // null without the debug API, like the next three
  std::shared_ptr<NotedSpans> spans_;
  std::shared_ptr<LogTail> log_tail_;
  std::unique_ptr<Replicas> replicas_;  // null without leader election or debug pages
  std::unique_ptr<DebugPages> debug_;
  std::unique_ptr<ProcessMetrics> process_metrics_;  // null without pages
  std::unique_ptr<Health> health_;
  std::unique_ptr<ProfilePages> profile_;
  std::unique_ptr<PageServer> page_server_;
  std::unique_ptr<WebhookServer> webhook_server_;      // null without admissions and conversions
  std::unique_ptr<ServingCertificates> certificates_;  // null if no authorities are kept
  std::unique_ptr<CrashGuard> crash_guard_;            // null without a state directory
  std::unique_ptr<json::Pool> pool_;
  std::unique_ptr<Dispatcher> dispatcher_;
  ManagedClusters clusters_;
  // The same clusters for controllers that run without the lease: their clients are not fenced. Empty if there are
  // none.
  ManagedClusters unfenced_clusters_;
  CacheHealth caches_;
  std::unique_ptr<DefinitionKeeper> definitions_;
  std::vector<std::unique_ptr<ClusterFollower>> followers_;  // one for each cluster whose address may change
  std::optional<SecretClusters> secret_clusters_;
  std::optional<SecretClusters> unfenced_secret_clusters_;
  std::vector<std::unique_ptr<ControllerRunner>> controllers_;
  std::vector<std::unique_ptr<RunnableRunner>> running_;
  std::vector<std::unique_ptr<HealthCheckRunner>> checks_;  // created before the page server starts
  ClusterHandles cache_readers_;                            // for cache()

  mutable Mutex mutex_;
  CondVar changed_;
  Phase phase_ PINTLE_GUARDED_BY(mutex_) = Phase::made;
  bool working_ PINTLE_GUARDED_BY(mutex_) = false;
  bool lost_lease_ PINTLE_GUARDED_BY(mutex_) = false;
  bool requested_reconciles_to_stop_ PINTLE_GUARDED_BY(mutex_) = false;
  // Group and kind of those that this process converts; empty until it waits for its caches.
  std::set<std::pair<std::string, std::string>> converted_kinds_ PINTLE_GUARDED_BY(mutex_);
  std::vector<Thread> stop_requests_ PINTLE_GUARDED_BY(mutex_);  // they use the controllers and the runnables
  std::optional<Error> error_ PINTLE_GUARDED_BY(mutex_);         // the first failure, with later ones in its message
  // The credentials that may change, of the clusters with these endpoints.
  std::vector<std::pair<std::shared_ptr<const http::Endpoint>, std::shared_ptr<Credentials>>> credentials_
      PINTLE_GUARDED_BY(mutex_);
};

}  // namespace pintle
