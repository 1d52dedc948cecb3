// SPDX-License-Identifier: Apache-2.0
// AccessGranter: the platform side of the service pattern, for tests. It grants ClusterRequests and AccessRequests.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>

#include <pintle/base/annotations.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/patterns/service/requests.hpp>
#include <pintle/testing/simulation.hpp>

namespace pintle::testkit {

enum class GrantDecision {
  grant,
  deny,
  leave_pending,  ///< leave the status of the request unchanged
};

struct AccessGranterOptions {
  /// The cluster for each purpose of a ClusterRequest. Requests with another purpose stay pending.
  std::map<std::string, SimulatedCluster*> clusters{};
  GrantDecision decision = GrantDecision::grant;  ///< for requests without a call of decide()
  /// The time until the decision. It begins when the granter first processes the request, or a new generation of it,
  /// with a decision other than leave_pending.
  Duration delay{};
};

/// Watches the requests in the platform cluster of a simulation and processes them as a cluster provider does:
/// - It sets the phase of a ClusterRequest to Granted or Denied.
/// - It grants an AccessRequest after the ClusterRequest in spec.requestRef is granted: it writes a Secret
///   "<name>-kubeconfig" for the cluster of that purpose, then the phase and status.secretRef.
/// - It processes a request again when its generation changes.
/// - It adds its own finalizer to each request. When a request is deleted, it deletes the Secret and removes that
///   finalizer, unless defer_deletions() prevents this.
///
/// It installs the CRDs of both kinds if they are missing. It has its own transport: an Instance neither counts its
/// requests nor compares them with roles. Use it on the thread that created the simulation, and destroy it before the
/// simulation.
///
///   testkit::AccessGranter granter(simulation, platform, {.clusters = {{"mcp", &mcp}}});
///   ASSERT_TRUE(granter.start());
///   granter.decide(service::AccessRequest::type, {home, "buckets--a--mcp"}, testkit::GrantDecision::deny);
class PINTLE_EXPORT AccessGranter {
 public:
  AccessGranter(Simulation& simulation, SimulatedCluster& platform, AccessGranterOptions options);
  /// Uses the first cluster of the simulation as the platform cluster.
  AccessGranter(Simulation& simulation, AccessGranterOptions options);
  ~AccessGranter();
  AccessGranter(const AccessGranter&) = delete;
  AccessGranter& operator=(const AccessGranter&) = delete;

  /// Starts the watches and returns when they are running. Errors: those of Manager::start(); invalid if the cluster of
  /// a purpose is null.
  [[nodiscard]] Result<void> start();

  /// Sets the decision for one request of the kind ClusterRequest::type or AccessRequest::type, and processes the
  /// request again. The decision is written at once if the delay of the request has passed, otherwise after the delay.
  void decide(Type kind, const ObjectKey& request, GrantDecision decision);
  /// Changes AccessGranterOptions::delay. For a request that is already waiting, the longer of the two delays applies,
  /// unless the request is processed again in the meantime, for example by decide().
  void set_delay(Duration delay);
  /// While true, a deleted request keeps its Secret and its finalizer.
  void defer_deletions(bool hold);
  /// Writes a new version of the Secret of a granted AccessRequest. After the n-th rotation its kubeconfig has the
  /// bearer token "token-<n>"; before the first rotation it has no token.
  void rotate(const ObjectKey& access_request);

  /// Number of Secrets that were written, including rotations.
  [[nodiscard]] int secrets_written() const;

 private:
  class State;
  AccessGranter(Simulation& simulation, std::optional<Cluster> platform, AccessGranterOptions options);

  std::shared_ptr<State> state_;
  Manager manager_;
};

}  // namespace pintle::testkit
