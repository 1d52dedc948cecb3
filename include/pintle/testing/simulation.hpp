// SPDX-License-Identifier: Apache-2.0
// Simulation: an unchanged operator on virtual time against an embedded API server; the same seed gives the same run.
//
// The namespace of this layer is testkit, because GoogleTest has a namespace testing: with a pintle::testing, the name
// testing::Test would be ambiguous after `using namespace pintle;`.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/apiserver/server.hpp>
#include <pintle/base/annotations.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/base/random.hpp>
#include <pintle/client/client.hpp>
#include <pintle/manager/manager.hpp>
#include <pintle/object/schema/crd.hpp>
#include <pintle/sim/in_process_network.hpp>
#include <pintle/sim/in_process_transport.hpp>
#include <pintle/sim/simulated_executor.hpp>
#include <pintle/testing/rbac_recorder.hpp>

namespace pintle::testkit {

/// Calls main() of an operator, as Instance does, and returns the options of its manager, as its flags have set them.
/// Does not start the manager. Error: invalid, if it constructs no manager.
[[nodiscard]] PINTLE_EXPORT Result<ManagerOptions> options_of_program(const std::function<int()>& program);

struct SimulationOptions {
  std::uint64_t seed = 1;
  std::string replay{};  ///< the command that repeats this run, printed if it fails
  /// With ApiServerOptions::authorization rbac, the servers evaluate roles as a cluster does. Each instance is the
  /// service account default/NAME, where NAME is that of its manager. It has the roles that its manager prints: they
  /// are stored and bound to the account when the manager is made, in the clusters that on_missing_permission covers. A
  /// server that refuses a role is reported to on_missing_permission. A request without credentials that no instance
  /// sent is that of an administrator.
  ApiServerOptions server{};
  /// Called when an instance stops, once for each permission that its requests needed and the roles of its manager do
  /// not contain, with the text of RbacRecorder::missing(). Covers the home cluster and ManagerOptions::clusters, but
  /// not clusters from Secrets. Example: [](const std::string& what) { ADD_FAILURE() << what; }
  std::function<void(const std::string& what)> on_missing_permission{};
  bool enforce_roles = false;  ///< requests that the roles do not allow return 403 Forbidden
  Scheduling scheduling{};     ///< how the next thread is chosen
  /// Called for each request of an instance that has reached the server, with the response before faults of the
  /// transport change it. Instances have the numbers 1, 2, … in the order of their construction.
  std::function<void(int instance, const http::Request& request, const http::Response& response)> on_request{};
  /// Called for each request of an instance at the moment at which its bytes leave the process.
  std::function<void(int instance, const http::Request& request)> on_send{};
  /// Called at the beginning and at the end of each reconcile of an instance; see ManagerOptions::on_reconcile, which
  /// is called too.
  std::function<void(int instance, const ReconcileReport& report)> on_reconcile{};
  std::shared_ptr<FiberStacks> stacks{};  ///< see SimulatedExecutorOptions::stacks
};

/// Another cluster in a simulation.
class PINTLE_EXPORT SimulatedCluster {
 public:
  SimulatedCluster(SimulatedExecutor& executor, ApiServerOptions options, const std::string& name);
  ~SimulatedCluster();
  SimulatedCluster(const SimulatedCluster&) = delete;
  SimulatedCluster& operator=(const SimulatedCluster&) = delete;

  [[nodiscard]] ApiServer& server() noexcept { return server_; }
  [[nodiscard]] Client& user() noexcept { return *user_; }
  /// The address of the cluster for NamedCluster::address, and as a kubeconfig for a Secret.
  [[nodiscard]] const Cluster& address() const noexcept { return address_; }
  [[nodiscard]] std::string kubeconfig() const;

 private:
  // Passes requests without credentials on as those of an administrator, if the server evaluates roles.
  class Entrance final : public http::Handler {
   public:
    Entrance(ApiServer& server, bool evaluates_roles) : server_(server), evaluates_roles_(evaluates_roles) {}
    [[nodiscard]] http::Response handle(const http::Request& request) override;

   private:
    ApiServer& server_;
    const bool evaluates_roles_;
  };

  ApiServer server_;
  Entrance entrance_;
  Cluster address_;
  std::shared_ptr<http::InProcessTransport> transport_;
  std::unique_ptr<Client> user_;
};

/// A cluster with a user, and optionally further clusters. Use it on the thread that created it, which is the "driver"
/// of its executor.
class PINTLE_EXPORT Simulation {
 public:
  explicit Simulation(SimulationOptions setup);
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  [[nodiscard]] SimulatedExecutor& executor() noexcept { return executor_; }
  /// Valid until restart_server().
  [[nodiscard]] ApiServer& server() noexcept { return *server_; }
  /// Replaces the server by an empty one and ends all watches. The versions of the new server are above those of the
  /// old one, unless `first_version` is set (see ApiServerOptions::first_version). To restore a server from a backup,
  /// use ApiServer::rewind().
  void restart_server(std::uint64_t first_version = 0);
  /// The network in which instances serve their webhooks and the server calls them, unless
  /// ApiServerOptions::webhooks has a transport. Its faults hit these calls.
  [[nodiscard]] http::InProcessNetwork& network() noexcept { return network_; }
  /// The client of a user who changes objects.
  [[nodiscard]] Client& user() noexcept { return *user_; }
  /// Random numbers for choices of the test, from the seed.
  [[nodiscard]] Random& random() noexcept { return random_; }

  /// Creates a further cluster with the address http://NAME. Call it before the start of instances that use the
  /// cluster.
  SimulatedCluster& add_cluster(const std::string& name);

  /// Returns a new transport to all clusters, for one instance of an operator, with its own faults.
  [[nodiscard]] std::shared_ptr<http::InProcessTransport> connect(http::FaultPlan faults = {});

  /// Installs the CRD of a described struct and waits until the kind is served, for a test that creates objects before
  /// an operator starts. It is not an error if the CRD exists.
  template <Described T>
  [[nodiscard]] Result<void> install() {
    return install(crd_of<T>());
  }
  [[nodiscard]] Result<void> install(const json::Value& crd);

  /// Lets virtual time pass until the condition is true. Returns false if that takes longer than `limit`.
  bool wait_until(const std::function<bool()>& condition, Duration limit = std::chrono::minutes(10));
  /// Lets virtual time pass until the clusters are idle: no write for `quiet`, and no server has anything left to do.
  /// Returns false if that takes longer than `limit`.
  bool run_until_idle(Duration quiet = std::chrono::seconds(30), Duration limit = std::chrono::hours(1));

 private:
  friend class Instance;
  using Others = std::map<std::string, std::unique_ptr<SimulatedCluster>>;

  // Passes a request to the cluster whose name is the host of the request, or to the first cluster if there is no such
  // cluster.
  class ClusterRouter final : public http::Handler {
   public:
    ClusterRouter(const std::unique_ptr<ApiServer>& first, const Others& others, bool evaluates_roles)
        : first_(first), others_(others), evaluates_roles_(evaluates_roles) {}
    [[nodiscard]] http::Response handle(const http::Request& request) override;

   private:
    const std::unique_ptr<ApiServer>& first_;
    const Others& others_;
    const bool evaluates_roles_;
  };

  [[nodiscard]] std::uint64_t writes() const;
  [[nodiscard]] bool is_idle() const;
  [[nodiscard]] ApiServerOptions with_network(ApiServerOptions options);

  const std::function<void(const std::string&)> on_missing_permission_;
  const std::function<void(int, const http::Request&, const http::Response&)> on_request_;
  const std::function<void(int, const http::Request&)> on_send_;
  const std::function<void(int, const ReconcileReport&)> on_reconcile_;
  const bool enforce_roles_;
  SimulatedExecutor executor_;
  http::InProcessNetwork network_;
  int instances_ = 0;  // number of instances so far, each with its own host in the network
  ApiServerOptions server_options_;
  std::unique_ptr<ApiServer> server_;
  std::vector<std::unique_ptr<ApiServer>> ended_;  // kept because their streams may still exist
  Others others_;
  ClusterRouter switchboard_;
  Random random_;
  std::shared_ptr<http::InProcessTransport> transport_;
  std::unique_ptr<Client> user_;
};

/// One process of an operator in a simulation. After a stop or a crash it can be started again. It serves its webhooks
/// in Simulation::network() as an endpoint of the service of its manager, at a host of its own.
class PINTLE_EXPORT Instance {
 public:
  /// `add_controllers` does what main() does between the construction and the start of the manager. Objects to which it
  /// refers must outlive the last start(). A Crash in `faults` crashes this instance: wait for
  /// transport().is_crashed(), then call crash() to destroy the rest of the process.
  Instance(Simulation& simulation, ManagerOptions options, const std::function<void(Manager&)>& add_controllers,
           http::FaultPlan faults = {});
  /// `program` does what main() does: it constructs a manager, adds controllers, and returns the result of
  /// run_until_signal(), all on the thread on which it is called. It must not start threads except with
  /// Manager::executor(). Each start() calls it again. `adjust` changes the options that it gives to its manager.
  Instance(Simulation& simulation, std::function<int()> program, std::function<void(ManagerOptions&)> adjust = {},
           http::FaultPlan faults = {});
  ~Instance();  ///< as stop()
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  /// Starts the manager on a separate thread, as a new process would. Returns immediately; for an instance with a
  /// program, returns when the program has called run_until_signal() or has ended. After stop() or crash() it creates a
  /// new manager in the same way as the first one, and a new transport() without faults.
  void start();
  /// Waits until Manager::start() has returned.
  void join();
  /// Ends the process as SIGTERM does.
  void stop();
  /// Ends the process as SIGKILL does: from now on it sends no request to a server and receives no response.
  void crash();
  /// The process gets no processor for this time, as after SIGSTOP or in a virtual machine that is suspended: none of
  /// its threads runs, and deadlines of its waits expire. stop() waits for the end of this time, and crash() ends it.
  void freeze(Duration time);
  /// Ends a freeze() before its time.
  void thaw();

  /// Must not be called between stop() or crash() and the next start(). A program has a manager after start(), unless
  /// it has_ended() before run_until_signal().
  [[nodiscard]] Manager& manager() noexcept { return *manager_; }
  [[nodiscard]] bool has_manager() const noexcept { return manager_ != nullptr; }
  /// The transport of the instance: it counts calls, and its faults can be replaced. Valid until the next start().
  [[nodiscard]] http::InProcessTransport& transport() noexcept { return *transport_; }
  /// The recorder of the permissions in one cluster of the manager; null unless
  /// SimulationOptions::on_missing_permission or enforce_roles is set. Several names of one cluster share a recorder.
  [[nodiscard]] const RbacRecorder* rbac(std::string_view cluster = home_cluster) const noexcept;
  /// The result of Manager::start(); valid after it has returned.
  [[nodiscard]] const Result<void>& started() const noexcept { return started_; }
  /// Whether the process would have ended by itself: start() failed, or the running manager did, for example because
  /// the lease was lost, or the program returned. A cluster would then start it again: call stop() and start().
  [[nodiscard]] bool has_ended() const noexcept { return has_ended_; }

 private:
  // Passes each request through the recorder of its host, if there is one.
  class Recorders final : public http::Handler {
   public:
    Recorders(Simulation& simulation, int instance) : simulation_(simulation), instance_(instance) {}
    [[nodiscard]] http::Response handle(const http::Request& request) override;

    std::map<std::string, RbacRecorder, std::less<>> by_host;
    std::shared_ptr<const http::CertificateSubject> account;  // the sender; null: the server does not evaluate roles

   private:
    [[nodiscard]] http::Response pass_on(const http::Request& request);
    [[nodiscard]] http::Response served(const http::Request& request);

    Simulation& simulation_;
    const int instance_;
  };

  class Host;

  // The process of its threads, for SimulatedExecutor::freeze().
  [[nodiscard]] std::uint64_t process_number() const noexcept { return static_cast<std::uint64_t>(number_); }
  void connect(http::FaultPlan faults);
  [[nodiscard]] ManagerOptions simulated(ManagerOptions options);
  [[nodiscard]] std::string webhook_service();
  void make_manager();
  void use(Manager& manager);
  void run_manager();
  void run_program();
  void wait_for_stop();
  // The roles of the manager, by the hosts of its clusters.
  [[nodiscard]] std::map<std::string, std::vector<RbacRole>> roles_by_host(const Manager& manager);
  void hold_to_roles(const Manager& manager);
  void grant_roles(const Manager& manager);

  Simulation& simulation_;
  const int number_;
  const std::string host_;  // in the network
  const ManagerOptions options_;
  const std::function<void(Manager&)> add_controllers_;
  const std::function<int()> program_;  // or nothing
  const std::function<void(ManagerOptions&)> adjust_;
  std::map<std::string, std::string, std::less<>> hosts_;  // by the names of the manager's clusters
  Recorders recorders_;
  std::shared_ptr<http::InProcessTransport> transport_;
  std::vector<std::unique_ptr<http::Handler>> webhook_fronts_;  // of the servers so far
  bool is_connected_ = false;                                   // the transport belongs to the current or next process
  std::unique_ptr<Manager> own_manager_;                        // null with a program
  std::atomic<Manager*> manager_ = nullptr;
  Result<void> started_;
  bool has_started_ PINTLE_GUARDED_BY(mutex_) = false;  // start() of the manager has returned
  bool must_stop_ PINTLE_GUARDED_BY(mutex_) = false;
  Mutex mutex_;
  CondVar changed_;
  std::atomic<bool> has_ended_ = false;
  Thread process_;
};

}  // namespace pintle::testkit
