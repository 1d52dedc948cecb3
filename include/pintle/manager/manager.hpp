// Manager: everything that runs in one operator, from its flags to its last thread.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <pintle/base/log.hpp>
#include <pintle/base/metrics.hpp>
#include <pintle/base/trace.hpp>
#include <pintle/cache/kept_parts.hpp>
#include <pintle/client/client.hpp>
#include <pintle/controller/clusters.hpp>
#include <pintle/controller/controller.hpp>
#include <pintle/election/leader_election.hpp>
#include <pintle/manager/flag.hpp>
#include <pintle/manager/serving.hpp>

namespace pintle {

// The arguments of main, for flags.
struct Args {
  int argc = 0;
  char** argv = nullptr;
  char** environment = nullptr;  // as the third of main, "NAME=text" and null at the end; default: that of the process
};

// What to do about the definitions of the custom kinds that controllers watch. A definition that already says the same
// is not written. The definition of a foreign type (crd_of()) is never written: the start waits for it, and fails at
// sync_timeout with an error that names it.
enum class Crds {
  never,       // they are somebody else's
  if_missing,  // install what is not there; use what is if it serves our version with the same kind and scope
  upgrade,     // also replace what the same manager installed with a version that is not greater
  // Also take over what no manager installed, such as a definition that kubectl or a chart applied: it is replaced and
  // marked as this manager's. Refused if it serves or stores a version that ours does not have. Its conversion stays
  // unless ours names one.
  adopt,
};

struct ManagerOptions {
  std::string name = "operator";  // field manager, user agent, owner of the CRDs it installs
  // With them come the flags that --help lists; each may also be a variable PINTLE_… of the environment, or a line of
  // the file of --config. The command line counts first, then the environment, the file, and what is set here. Without
  // arguments none of them is read.
  Args args{};
  std::string version = "0.0.0";         // semantic version of the operator, written on the CRDs it installs
  std::string kubeconfig{};              // file; default: $KUBECONFIG, the pod's service account, ~/.kube/config
  std::string context{};                 // of the kubeconfig; default: the current one
  std::string namespace_{};              // watch only this one; default: all
  std::vector<NamedCluster> clusters{};  // others than its own
  // Of kinds that controllers watch, where it is not everything but managedFields. What a controller applies to a
  // child, its cache should keep, or each pass applies it again; and do not replace() an object that was read in part.
  std::map<GroupVersionKind, KeptParts> kept{};
  Crds crds = Crds::if_missing;
  std::optional<LeaderElectionOptions> leader_election{};  // default: every instance works
  // HOST:PORT for /healthz, /readyz and /metrics; default: off. ":8080" is for this machine alone, "0.0.0.0:8080" or
  // "[::]:8080" for everybody who gets there.
  std::string listen{};
  // Also /debug/ there: controllers, queues with causes, the last passes, log level, "now". Needs `listen`.
  bool debug = false;
  ServingOptions serving = default_serving();  // TLS, who may see it, profiling; default: none of them
  bool client_metrics_by_kind = false;         // kubernetes_client_* beside rest_client_*: see ClientOptions
  LogLevel log_level = LogLevel::info;
  LogFormat log_format = LogFormat::automatic;
  std::shared_ptr<LogSink> log_sink{};  // default: standard error
  // Limit of each step of a start: to install one definition, to discover one kind, to receive all first lists. Within
  // it, transient errors (no answer, 429, 5xx, a conflict) are tried again with growing pauses of at most 10 seconds.
  Duration sync_timeout = std::chrono::minutes(2);
  // Clients of clusters that Secrets lead to (ClusterContext::cluster_of) which are kept between reconciles, each with
  // a few connections and what it knows of its server. Beyond that a client is made anew when it is used again, and the
  // log says so once.
  std::size_t max_secret_clusters = 1'000;
  // For passes that run when it stops. Events and traces that wait then to be sent have as long, but two seconds at
  // most each, whatever stop() is given; the rest of them is lost.
  Duration stop_grace = std::chrono::seconds(30);
  std::vector<Flag> flags{};                     // settings of your own beside these
  Runtime* runtime = nullptr;                    // default: this machine
  std::shared_ptr<http::Transport> transport{};  // default: the network; one that is given stays open after stop()
  // A directory that outlives the process, one for each process. There it keeps which keys are in work; an object on
  // which it died three times in a row is held back, a minute at first and an hour at most, while others are worked on.
  // An edit of its spec makes that a minute again. Made if its parent is there; default: off. A disk that is
  // full or fails is no error: it is logged and counted in pintle_state_dir_failures_total, and the work goes on
  // without.
  std::string state_dir{};
  // Takes a span of each pass and of each request that a pass makes. Default: a collector of OpenTelemetry, when
  // OTEL_EXPORTER_OTLP_ENDPOINT or OTEL_EXPORTER_OTLP_TRACES_ENDPOINT says where one is and no transport is given; else
  // nobody.
  std::shared_ptr<Tracer> tracer{};
  // A definition that is deleted while the operator runs is logged, fails /readyz and, unless `crds` is `never`, is
  // installed again. Off: it is only reported. A foreign one is only reported, always.
  bool restore_definitions = true;
};

// Construction and add() never fail: what is wrong is kept, and start() answers it. Thread-safe after start() but for
// add().
class Manager {
 public:
  explicit Manager(ManagerOptions options);
  ~Manager();  // stops
  Manager(const Manager&) = delete;
  Manager& operator=(const Manager&) = delete;

  template <Watchable T>
  void add(Controller<T> controller) {
    add(erase_type(std::move(controller)));
  }
  void add(ControllerSpec controller);
  // Keeps what is wrong with something that was meant for it, as add() does.
  void refuse(Error error);

  // Finds the cluster, installs what has to be installed, fills the caches, starts the workers; returns once they run.
  // With leader election it returns once the caches are filled; they are kept so, and the workers start as soon as the
  // lease is held. Once; a manager that has ended does not start again. On an error nothing is left running. Errors:
  // every wrong declaration and flag (invalid), no cluster (unreachable, unauthorized, …), cancelled. A transient error
  // ends it only after ManagerOptions::sync_timeout, any other at once.
  [[nodiscard]] Result<void> start();
  // Waits until it has to end: until somebody asks it to stop, or it fails while running; at once if it does not run.
  // Then call stop(). Error: the first failure, with those that followed it in the message. The lease was lost
  // (Error::reason is "LeaseLost"): passes are being stopped already, and no write of theirs leaves; have the process
  // end, or at least stop(). Or, after stop(): a pass ignored its stop token.
  [[nodiscard]] Result<void> wait();
  // Asks everything to stop and returns at once; also ends a start() or wait() that waits.
  void request_stop() noexcept;
  // Stops, in the reverse order: no new pass begins, passes that run finish or are cancelled, the lease is given back,
  // threads are joined. Idempotent, and every caller waits until it is done. A pass that ignores its stop token beyond
  // `grace`, or beyond the end of a lost lease, is named in the log and waited for: the lease is renewed meanwhile. Not
  // from a pass.
  void stop();  // with ManagerOptions::stop_grace
  void stop(Duration grace);

  // All first lists are in, and workers run, or stand by until the lease is held.
  [[nodiscard]] bool is_ready() const;
  // Workers run: it holds the lease, or needs none.
  [[nodiscard]] bool is_leading() const;
  // Nothing is due, delivered or running at this moment; what is scheduled for later may remain.
  [[nodiscard]] bool is_quiet() const;

  [[nodiscard]] MetricsRegistry& metrics() noexcept;
  [[nodiscard]] const ManagerOptions& options() const noexcept;
  [[nodiscard]] Runtime& runtime() noexcept;
  // Where health and metrics are served, "127.0.0.1:8080"; empty when they are not.
  [[nodiscard]] std::string listen_address() const;

  // The definitions of the custom kinds its controllers watch, as YAML documents.
  [[nodiscard]] std::string print_crds() const;
  // The least roles that its controllers and options need; testing::RbacRecorder holds an operator to them.
  [[nodiscard]] std::vector<RbacRole> roles() const;

 private:
  friend int run_until_signal(Manager& manager);
  class State;
  std::unique_ptr<State> state_;
};

// Runs an operator as a program: answers --help and --print-crds, starts, waits for SIGINT, SIGTERM or a failure,
// stops. What is wrong is printed, one line each. Answers the exit code: 0 stopped, 1 failed while running, 2 usage or
// wrong declaration, 3 cluster unreachable or refused, 4 lease lost, 130 second signal. It does not return, but ends
// the process with that code: at a second signal; when a pass ignores its stop token beyond the grace time (1), which
// it names; when a pass still runs as a lost lease ends (4), so that nothing of it is left when another instance
// begins. Threads that the program started before must block both signals, or they end the process. With a state
// directory a fatal signal (SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT) leaves a report with a backtrace there, and then
// does what it did before.
[[nodiscard]] int run_until_signal(Manager& manager);

}  // namespace pintle
