// SPDX-License-Identifier: Apache-2.0
// Manager: runs the controllers, caches, leader election and pages of one operator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/log.hpp>
#include <pintle/base/metrics.hpp>
#include <pintle/base/trace.hpp>
#include <pintle/cache/cache_projection.hpp>
#include <pintle/cache/list_mode.hpp>
#include <pintle/client/client.hpp>
#include <pintle/controller/clusters.hpp>
#include <pintle/controller/controller.hpp>
#include <pintle/controller/controller_defaults.hpp>
#include <pintle/election/leader_election.hpp>
#include <pintle/manager/feature_gate.hpp>
#include <pintle/manager/flag.hpp>
#include <pintle/manager/health_check.hpp>
#include <pintle/manager/page.hpp>
#include <pintle/manager/runnable.hpp>
#include <pintle/manager/serving.hpp>
#include <pintle/object/conversion.hpp>
#include <pintle/webhook/fwd.hpp>
#include <pintle/webhook/webhook_options.hpp>

namespace pintle {

class Programs;  ///< base/programs.hpp

/// The arguments of main(), from which flags are read.
struct Args {
  int argc = 0;
  char** argv = nullptr;
  /// As the third argument of main(): texts "NAME=text", followed by null. Default: the environment of the process.
  char** environment = nullptr;
};

/// Which CRDs of watched custom kinds the manager writes when it starts. A CRD that already has the same content is not
/// written. The CRD of a foreign type (see crd_of()) is never written: the start waits for it and fails after
/// sync_timeout with an error that names it.
enum class CrdPolicy {
  never,  ///< writes no CRD
  /// Installs missing CRDs. An existing CRD is used if it serves the watched version with the same kind and scope.
  if_missing,
  /// Also replaces a CRD that the same manager installed, unless a later version of the operator installed it. The
  /// start fails if the CRD belongs to another manager or to none, or serves or stores a version that the new one does
  /// not have. The conversion of the CRD is kept unless the new one defines a conversion.
  upgrade,
  /// As upgrade; also takes over a CRD that no manager installed, for example one that kubectl or a chart applied: it
  /// is replaced and marked as installed by this manager.
  adopt,
};

class ManagerCache;  ///< manager/manager_cache.hpp
struct Plan;         ///< manager/plan.hpp

struct ManagerOptions {
  std::string name = "operator";  ///< field manager, user agent, owner of installed CRDs
  /// Enables the flags that --help lists. Each flag can also be set by an environment variable PINTLE_… or by a line in
  /// the file of --config. The command line takes precedence over the environment, the environment over the file, and
  /// the file over these options. If `args` is empty, none of the three is read.
  Args args{};
  /// The prefix of these variables: upper-case letters, digits and underscores, with an underscore at the end. Do not
  /// use the name of a Service of the operator as prefix, because Kubernetes sets variables such as OP_PORT in pods.
  std::string environment_prefix = "PINTLE_";
  std::string version = "0.0.0";  ///< semantic version of the operator; for --version and installed CRDs
  /// Path of the kubeconfig. Default: $KUBECONFIG, then the service account of the pod, then ~/.kube/config.
  std::string kubeconfig{};
  std::string context{};                  ///< context of the kubeconfig; default: its current context
  std::vector<std::string> namespaces{};  ///< to watch; default: all
  /// Instead of `namespaces`: watches the namespaces of the home cluster that have these labels, "team in (a,b)", and
  /// follows changes of the labels. A namespace that loses them is no longer watched: its caches become empty, but its
  /// objects do not count as deleted.
  std::string namespace_selector{};
  std::vector<NamedCluster> clusters{};  ///< clusters in addition to the home cluster
  /// The parts of the objects of watched kinds that the caches keep. Default: all but managedFields; see also
  /// OwnsOptions::metadata_only and Watches::metadata_only. The cache must keep the fields that a controller applies to
  /// a child; otherwise each reconcile applies them again. Do not replace() an object of which the cache keeps only
  /// parts.
  std::map<GroupVersionKind, CacheProjection> cache_projections{};
  CrdPolicy crds = CrdPolicy::if_missing;
  std::optional<LeaderElectionOptions> leader_election{};  ///< default: every instance works
  /// HOST:PORT for /healthz, /readyz and /metrics; default: off. ":8080" accepts connections from this machine only,
  /// "0.0.0.0:8080" or "[::]:8080" from all machines.
  std::string listen{};
  /// Also serves the console at / and the debug API at /debug/v1/ (docs/debugging.md): controllers, queues, objects
  /// with their last reconciles, caches, the log, and commands to reconcile or pause an object and to set the log
  /// level. Requires `listen`.
  bool debug = false;
  /// The number of reconciles that the debug API keeps, of all controllers, with at most 20 of one object: 1 to
  /// 1,000,000. They use at most 4 KiB each on average.
  std::int64_t debug_history = 1'000;
  ServingOptions serving = default_serving_options();  ///< TLS, access control, profiling; default: none
  bool client_metrics_by_kind = false;  ///< kubernetes_client_* in addition to rest_client_*, see ClientOptions
  bool protobuf = true;                 ///< caches of built-in kinds request protobuf, see ClientOptions
  LogLevel log_level = LogLevel::info;
  LogFormat log_format = LogFormat::automatic;
  std::shared_ptr<LogSink> log_sink{};  ///< default: standard error
  /// The limit of each step of the start: installing one CRD, discovering one kind, receiving all initial lists. Within
  /// it, transient errors (no response, 429, 5xx, conflict) are retried after growing pauses of at most 10 seconds.
  Duration sync_timeout = std::chrono::minutes(2);
  /// The number of clients that are kept between reconciles for clusters whose kubeconfig is in a Secret
  /// (ClusterContext::cluster_of). Each has a few connections and its discovery results. A client that was dropped
  /// because of this limit is created anew when it is used again; the log contains one warning about it.
  std::size_t max_secret_clusters = 1'000;
  /// The time that running reconciles have to end when the manager stops. Afterwards the waiting Events of each cluster
  /// are sent, then the waiting traces. The Events of one cluster, and the traces, have at most two seconds each, or
  /// this time if it is shorter; the argument of stop() does not change these limits. Events and traces that are not
  /// sent by then are dropped.
  Duration stop_timeout = std::chrono::seconds(30);
  std::vector<Flag> flags{};                     ///< flags that this operator defines
  Executor* executor = nullptr;                  ///< default: the threads and clocks of this machine
  std::shared_ptr<http::Transport> transport{};  ///< default: the network; a given transport stays open after stop()
  /// A directory that outlives the process; each process needs its own. Default: off. The manager creates it if its
  /// parent exists, and stores in it which keys are being reconciled. If the process terminated three times in a row
  /// during the reconcile of an object, that object is quarantined: it is delayed by a minute at first and by an hour
  /// at most, while others are reconciled. A change of its spec resets the delay to a minute. A full or failing disk is
  /// not an error: it is logged and counted in pintle_state_dir_failures_total, and the operator continues without this
  /// protection.
  std::string state_dir{};
  /// Receives a span for each reconcile, for each request of a reconcile, and for each call of a webhook. Default: an
  /// OpenTelemetry collector, if
  /// OTEL_EXPORTER_OTLP_ENDPOINT or OTEL_EXPORTER_OTLP_TRACES_ENDPOINT names one and no `transport` is set; otherwise
  /// none.
  std::shared_ptr<Tracer> tracer{};
  /// If a CRD is deleted while the operator runs, this is logged, /readyz fails, and the CRD is installed again unless
  /// `crds` is `never`. If this option is false, the CRD is not installed again. A foreign CRD is never installed
  /// again.
  bool restore_crds = true;
  /// After the start, stores the objects of the operator's CRDs in their current storage version, and removes the other
  /// versions from status.storedVersions; see migrate_storage(). Failures are logged and repeated. With leader
  /// election, the instance with the lease does it.
  bool migrate_storage = false;
  /// Runs the credential plugins of kubeconfigs. Default: programs of this machine, and no programs in a simulation.
  std::shared_ptr<Programs> programs{};
  ControllerDefaults defaults{};             ///< options of the controllers that do not set their own
  std::vector<FeatureGate> feature_gates{};  ///< for --feature-gates
  /// /readyz is 503 if a server has sent nothing for a cache for this time: no event, no bookmark, no list. A server
  /// sends a bookmark each minute. 0: /readyz does not depend on it.
  Duration max_cache_silence = std::chrono::minutes(5);
  /// How the caches read all objects.
  ListMode list_mode = ListMode::streaming;
  WebhookOptions webhooks = default_webhook_options();  ///< how admissions and conversions are served; default: not
  /// Called at the beginning and at the end of each reconcile, on the thread of its worker, for tests and measurements.
  /// It must not throw.
  std::function<void(const ReconcileReport& report)> on_reconcile{};
  /// The maximum number of open connections to all clusters together; further requests wait. Each watch needs one, and
  /// so does each reconcile while it sends a request. As many idle connections to one cluster are kept as there are
  /// workers, and 16 for the other parts. A given `transport` has limits of its own.
  std::size_t max_connections = 16'384;
};

/// The constructor reads the flags. The constructor and add() do not fail: errors are stored, and start() returns them.
/// After start() all functions except add() and add_error() are thread-safe.
class PINTLE_EXPORT Manager {
 public:
  explicit Manager(ManagerOptions options);
  ~Manager();  ///< calls stop()
  Manager(const Manager&) = delete;
  Manager& operator=(const Manager&) = delete;

  template <Watchable T>
  void add(Controller<T> controller) {
    add(erase_type(std::move(controller)));
  }
  void add(AnyController controller);
  /// Adds admission webhooks. Every instance serves them, with or without the lease, from before the caches are filled
  /// until running reconciles have ended. Requires WebhookOptions::listen. Admission is defined in
  /// <pintle/webhook/admission.hpp>.
  template <Admissible T>
  void add(Admission<T> admission) {
    add(erase_type(std::move(admission)));
  }
  void add(AnyAdmission admission);
  /// Adds the conversion between the versions of a kind, which is served like admissions, and installs its CRD with the
  /// address of the webhook. A controller of a struct with `using versions` adds its conversion by itself. Without
  /// WebhookOptions::listen, start() fails, except in two cases in which the conversions of controllers are not served:
  /// `crds` is `never`, so that another program serves them, or the operator runs in a simulation, whose CRDs then have
  /// no conversion.
  void add(AnyConversion conversion);
  void add(Runnable runnable);
  void add(HealthCheck check);
  void add(Page page);
  /// Stores a validation error of a declaration; start() returns it.
  void add_error(Error error);

  /// Finds the cluster, installs CRDs, fills the caches and starts the workers. Returns when the workers run. With
  /// leader election it returns when the caches are filled; they are kept up to date, and the workers start as soon as
  /// the lease is held. A manager can be started only once. After an error nothing is left running. Errors: all invalid
  /// declarations and flags (invalid); the cluster is not available (unreachable, unauthorized, …); cancelled. A
  /// transient error ends the start after ManagerOptions::sync_timeout, any other error immediately.
  [[nodiscard]] Result<void> start();
  /// Blocks until the manager must stop, because a stop was requested or because it failed. Returns immediately if it
  /// does not run. The caller must call stop() afterwards. Error: the first failure, with later failures in its
  /// message. If the lease was lost (Error::reason is "LeaseLost"), running reconciles have been requested to stop and
  /// none of their writes is sent any more; the caller should end the process, or at least call stop(). After stop()
  /// the error may also be that a reconcile, a poll, a runnable or a webhook ignored its stop token.
  [[nodiscard]] Result<void> wait();
  /// Requests a stop and returns immediately. A start() or wait() that is blocked returns.
  void request_stop() noexcept;
  /// Stops the manager in the reverse order of start(): no further reconcile begins, running reconciles end or are
  /// cancelled, the lease is released, threads are joined. Idempotent; each caller waits until the stop is complete. If
  /// a reconcile, poll or runnable still runs after `grace`, or when a lost lease expires, the log names it, and stop()
  /// continues to wait for it; a lease that is still held is renewed meanwhile. A function of a webhook that still runs
  /// after `grace` is named too; stop() waits for it after the lease is released. Must not be called by a reconcile.
  void stop();  ///< with ManagerOptions::stop_timeout
  void stop(Duration grace);

  /// Returns whether all initial lists have been received and the workers run or wait for the lease.
  [[nodiscard]] bool is_ready() const;
  /// Returns whether the workers run: the lease is held, or there is no leader election.
  [[nodiscard]] bool is_leading() const;
  /// Returns whether at this moment no key is due, no change is being delivered and no reconcile runs. Keys that are
  /// due later may be waiting.
  [[nodiscard]] bool is_idle() const;

  [[nodiscard]] MetricsRegistry& metrics() noexcept;
  [[nodiscard]] const ManagerOptions& options() const noexcept;
  [[nodiscard]] Executor& executor() noexcept;
  /// The address at which health and metrics are served, "127.0.0.1:8080"; empty if they are not served.
  [[nodiscard]] std::string listen_address() const;
  /// The address at which webhooks are served, "0.0.0.0:9443"; empty if they are not served. Valid after start().
  [[nodiscard]] std::string webhook_listen_address() const;

  /// Reconciles one object once and returns the writes that the reconcile would make, without carrying them out. To do
  /// so, it starts the manager without leader election, pages, state directory and CRD installation, reads the cluster,
  /// sends writes as dry runs (see WriteRecorder), and stops. Effects outside the clusters of the manager are not
  /// prevented, and nothing prevents the writes of a client that the operator creates by itself. Call it instead of
  /// start(). `object`: KIND/NAME or KIND/NAMESPACE/NAME; the kind may be a plural or short name, and the default
  /// namespace is that of --namespace or of the context. Errors: those of start(); invalid if no controller watches the
  /// kind; not_found. Plan is defined in <pintle/manager/plan.hpp>.
  [[nodiscard]] Result<Plan> plan(const std::string& object);
  /// Returns the client of a cluster, for the code of the host program. With leader election its writes do not require
  /// the lease. With leader election, a tracer or ManagerOptions::debug, the caches contain its writes only when the
  /// watches deliver them. Calls fail after stop(). Error: invalid, before start() has returned, after stop(), or for
  /// an unknown cluster.
  [[nodiscard]] Result<std::shared_ptr<Client>> client(std::string_view cluster = home_cluster) const;
  /// Returns read access to the caches of a cluster. Errors as for client(). ManagerCache is defined in
  /// <pintle/manager/manager_cache.hpp>.
  [[nodiscard]] Result<ManagerCache> cache(std::string_view cluster = home_cluster) const;

  /// Returns the CRDs of the custom kinds that the controllers watch and of the added conversions, except foreign ones,
  /// as YAML documents. Error: invalid, if a CRD has a conversion, and the namespace of the service is not set or the
  /// file with the authorities cannot be read.
  [[nodiscard]] Result<std::string> print_crds() const;
  /// Returns the configurations of the admission webhooks as YAML documents. Error: invalid, if the namespace of the
  /// service is not set, or the file with the authorities cannot be read.
  [[nodiscard]] Result<std::string> print_webhooks() const;
  /// Returns the minimal roles for the controllers and options. testkit::RbacRecorder compares the requests of an
  /// operator with them.
  [[nodiscard]] std::vector<RbacRole> roles() const;
  /// Returns the kinds whose objects the controllers of the home cluster reconcile, in the order of add(); a kind with
  /// several controllers is contained once. The kinds that controllers only own or watch in addition are not contained.
  [[nodiscard]] std::vector<GroupVersionKind> reconciled_kinds() const;

 private:
  friend PINTLE_EXPORT int run_until_signal(Manager& manager);
  class State;
  std::unique_ptr<State> state_;
};

/// Runs an operator as a program: handles --help, --version, --plan and all flags --print-…, starts the manager, waits
/// for SIGINT, SIGTERM or a failure, and stops the manager. Each error is printed on one line. Returns the exit code: 0
/// stopped, 1 failed while running, 2 invalid usage or declaration, 3 the start failed, for example because the cluster
/// cannot be reached or refuses access, 4 lease lost.
///
/// In three cases the function does not return but ends the process: at a second signal (exit code 130); if a
/// reconcile, a poll, a runnable or a function of a webhook ignores its stop token for longer than the grace time (exit
/// code 1, or 4 if the lease was lost; the message names it); if a reconcile, a poll or a runnable still runs when a
/// lost lease expires (exit code 4), because another instance may begin then.
///
/// Threads that the program starts before this call must block SIGINT and SIGTERM; otherwise these signals end the
/// process. The soft limit of open files is raised to the hard limit, because each watch is a connection; credential
/// plugins get the limit from before. With a state directory, a fatal signal (SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT)
/// first writes a report with a backtrace to that directory. The signal action that was set before the manager started
/// then takes effect.
[[nodiscard]] PINTLE_EXPORT int run_until_signal(Manager& manager);

}  // namespace pintle
