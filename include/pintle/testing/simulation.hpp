// Simulation: an operator, unchanged, on virtual time against an API server in this process; one seed, one run.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/apiserver/server.hpp>
#include <pintle/base/random.hpp>
#include <pintle/client/client.hpp>
#include <pintle/manager/manager.hpp>
#include <pintle/sim/memory_transport.hpp>
#include <pintle/sim/simulated_runtime.hpp>
#include <pintle/testing/rbac_recorder.hpp>

namespace pintle::testing {

struct SimulationSetup {
  std::uint64_t seed = 1;
  std::string replay{};  // the line that repeats this run, printed when it fails
  ApiServerOptions server{};
  // Told, as an instance stops, each thing it asked for that its manager's roles do not allow, as RbacRecorder says it;
  // at home and in each of ManagerOptions::clusters, but not where a Secret leads it:
  // [](const std::string& what) { ADD_FAILURE() << what; }
  std::function<void(const std::string& what)> on_lacking{};
  bool enforce_roles = false;  // such a request is answered 403 Forbidden
};

// Another cluster in a simulation.
class SimulatedCluster {
 public:
  SimulatedCluster(SimulatedRuntime& runtime, ApiServerOptions options, const std::string& name);
  ~SimulatedCluster();
  SimulatedCluster(const SimulatedCluster&) = delete;
  SimulatedCluster& operator=(const SimulatedCluster&) = delete;

  [[nodiscard]] ApiServer& server() noexcept { return server_; }
  [[nodiscard]] Client& user() noexcept { return *user_; }
  // Where it is, for NamedCluster::address; and the same as a kubeconfig, to be put into a Secret.
  [[nodiscard]] const Cluster& address() const noexcept { return address_; }
  [[nodiscard]] std::string kubeconfig() const;

 private:
  ApiServer server_;
  Cluster address_;
  std::shared_ptr<http::MemoryTransport> transport_;
  std::unique_ptr<Client> user_;
};

// A cluster with a user, and others beside it. Used by the thread that made it, the "driver" of its runtime.
class Simulation {
 public:
  explicit Simulation(SimulationSetup setup);
  ~Simulation();
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  [[nodiscard]] SimulatedRuntime& runtime() noexcept { return runtime_; }
  // Valid until restart_server().
  [[nodiscard]] ApiServer& server() noexcept { return *server_; }
  // Ends the server; a new one, with nothing in it, has its place. Every watch ends. The versions of the new one are
  // above all of the old one's, unless `first_version` is given: ApiServerOptions::first_version. For a server that is
  // restored from a backup see ApiServer::rewind().
  void restart_server(std::uint64_t first_version = 0);
  // Somebody at a keyboard.
  [[nodiscard]] Client& user() noexcept { return *user_; }
  // Numbers for the test's own choices, from the seed.
  [[nodiscard]] Random& random() noexcept { return random_; }

  // Makes one that is reached by this name, http://NAME; before an instance that goes there starts.
  SimulatedCluster& add_cluster(const std::string& name);

  // A way into the clusters of its own, for one instance of an operator, with what goes wrong on it.
  [[nodiscard]] std::shared_ptr<http::MemoryTransport> connect(http::FaultPlan faults = {});

  // Lets time pass until the condition holds; false when it does not within `limit` of virtual time.
  bool wait_until(const std::function<bool()>& condition, Duration limit = std::chrono::minutes(10));
  // Lets time pass until nobody has written for `quiet` of virtual time and no server has anything left to do.
  bool settle(Duration quiet = std::chrono::seconds(30), Duration limit = std::chrono::hours(1));

 private:
  friend class Instance;
  using Others = std::map<std::string, std::unique_ptr<SimulatedCluster>>;

  // Each request to the cluster whose name is its host; any other to the first.
  class Switchboard final : public http::Handler {
   public:
    Switchboard(const std::unique_ptr<ApiServer>& first, const Others& others) : first_(first), others_(others) {}
    [[nodiscard]] http::Response handle(const http::Request& request) override;

   private:
    const std::unique_ptr<ApiServer>& first_;
    const Others& others_;
  };

  [[nodiscard]] std::uint64_t writes() const;
  [[nodiscard]] bool idle() const;

  const std::function<void(const std::string&)> on_lacking_;
  const bool enforce_roles_;
  SimulatedRuntime runtime_;
  ApiServerOptions server_options_;
  std::unique_ptr<ApiServer> server_;
  std::vector<std::unique_ptr<ApiServer>> ended_;  // streams of theirs may be left
  Others others_;
  Switchboard switchboard_;
  Random random_;
  std::shared_ptr<http::MemoryTransport> transport_;
  std::unique_ptr<Client> user_;
};

// An operator in a simulation: one life of it, from start to stop or to its death, and then perhaps the next one.
class Instance {
 public:
  // `add_controllers` is what main does between making the manager and running it. A Crash in `faults` is the death of
  // this instance: wait for transport().is_crashed(), then crash() takes down what is left. What `add_controllers`
  // refers to must outlive the last start().
  Instance(Simulation& simulation, ManagerOptions options, const std::function<void(Manager&)>& add_controllers,
           http::FaultPlan faults = {});
  ~Instance();  // as stop()
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  // Starts on a thread of its own, as a process does; waits for nothing. After stop() or crash() it is a new process:
  // with a new manager, made as the first was, and a new transport() without faults.
  void start();
  // Waits until start() has answered.
  void join();
  // Ends as at SIGTERM.
  void stop();
  // Ends as at SIGKILL: from this instant nothing it does reaches the server, and it hears nothing.
  void crash();

  // Not between stop() or crash() and the next start().
  [[nodiscard]] Manager& manager() noexcept { return *manager_; }
  // Its way into the cluster, where calls are counted and faults can be changed. Valid until the next start().
  [[nodiscard]] http::MemoryTransport& transport() noexcept { return *transport_; }
  // What it asked for in a cluster of its manager, held against the roles for that; null unless the simulation was set
  // up for it. Names of one and the same cluster have it in common.
  [[nodiscard]] const RbacRecorder* rbac(std::string_view cluster = home_cluster) const noexcept;
  // What start() answered, once it has.
  [[nodiscard]] const Result<void>& started() const noexcept { return started_; }

 private:
  // Has each request to a host that there is a recorder for go through that; any other passes.
  class Recorders final : public http::Handler {
   public:
    explicit Recorders(http::Handler& clusters) : clusters_(clusters) {}
    [[nodiscard]] http::Response handle(const http::Request& request) override;

    std::map<std::string, RbacRecorder, std::less<>> by_host;

   private:
    http::Handler& clusters_;
  };

  void make(http::FaultPlan faults);
  void hold_to_roles();

  Simulation& simulation_;
  const ManagerOptions options_;
  const std::function<void(Manager&)> add_controllers_;
  std::map<std::string, std::string, std::less<>> hosts_;  // by the names of the manager's clusters
  Recorders recorders_;
  std::shared_ptr<http::MemoryTransport> transport_;
  std::unique_ptr<Manager> manager_;
  Result<void> started_;
  Thread process_;
};

}  // namespace pintle::testing
