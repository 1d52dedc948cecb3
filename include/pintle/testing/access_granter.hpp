// AccessGranter: the platform side of a service provider, for tests: it answers ClusterRequests and AccessRequests.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>

#include <pintle/base/mutex.hpp>
#include <pintle/patterns/service/requests.hpp>
#include <pintle/testing/simulation.hpp>

namespace pintle::testing {

enum class GrantDecision {
  grant,
  deny,
  hold,  // leave the status of the request as it is
};

struct AccessGranterOptions {
  // The cluster that a ClusterRequest of each purpose gets. A request with another purpose is held.
  std::map<std::string, SimulatedCluster*> clusters{};
  GrantDecision decision = GrantDecision::grant;  // for requests that decide() does not name
  Duration delay{};                               // from the appearance or change of a request to the answer
};

// Watches the requests in the platform cluster of a simulation and does what a cluster provider does:
// - It sets the phase of a ClusterRequest to Granted, or to Denied.
// - It grants an AccessRequest once the ClusterRequest that spec.requestRef names is granted: it writes a Secret
//   "<name>-kubeconfig" that leads to the cluster of that purpose, then the phase and status.secretRef.
// - It answers again when the generation of a request changes.
// - It puts a finalizer of its own on each request. When a request is deleted it deletes the Secret and removes that
//   finalizer, unless deletions are held.
// It installs the definitions of both kinds if they are missing. Its requests do not count as those of an operator.
// Use it from the thread that made the simulation; it must end before the simulation.
//
//   testing::AccessGranter granter(simulation, platform, {.clusters = {{"mcp", &mcp}}});
//   ASSERT_TRUE(granter.start());
//   granter.decide(service::AccessRequest::type, {home, "buckets--a--mcp"}, testing::GrantDecision::deny);
class AccessGranter {
 public:
  AccessGranter(Simulation& simulation, SimulatedCluster& platform, AccessGranterOptions options);
  // The platform cluster is that of the simulation itself.
  AccessGranter(Simulation& simulation, AccessGranterOptions options);
  ~AccessGranter();
  AccessGranter(const AccessGranter&) = delete;
  AccessGranter& operator=(const AccessGranter&) = delete;

  // Starts to work and returns once it watches. Errors: those of Manager::start(); invalid, for a purpose whose cluster
  // is null.
  [[nodiscard]] Result<void> start();

  // How to answer this request, ClusterRequest::type or AccessRequest::type, from now on; an answer that differs is
  // written at once, also if the request was answered before.
  void decide(Type kind, const ObjectKey& request, GrantDecision decision);
  // Does this for requests that are not answered yet.
  void set_delay(Duration delay);
  // While true, the Secret and the finalizer of a deleted request stay.
  void hold_deletions(bool hold);
  // Writes a new version of the Secret of a granted AccessRequest: after the n-th rotation its kubeconfig has the
  // bearer token "token-<n>"; before the first it has none.
  void rotate(const ObjectKey& access_request);

  // Secrets that were written, rotations included.
  [[nodiscard]] int secrets_written() const;

 private:
  class State;
  AccessGranter(Simulation& simulation, std::optional<Cluster> platform, AccessGranterOptions options);

  std::shared_ptr<State> state_;
  Manager manager_;
};

}  // namespace pintle::testing
