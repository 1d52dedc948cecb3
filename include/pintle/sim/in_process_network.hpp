// SPDX-License-Identifier: Apache-2.0
// InProcessNetwork: TLS servers in this process that are reached by their addresses, without sockets.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <pintle/base/annotations.hpp>
#include <pintle/base/executor.hpp>
#include <pintle/http/handler.hpp>
#include <pintle/http/running_server.hpp>
#include <pintle/http/transport.hpp>
#include <pintle/sim/fault_plan.hpp>

namespace pintle::http {

/// A network in this process. Its transport() reaches the servers that server_factory() starts, with the checks of TLS.
/// A request to an address at which nothing listens ends with `unreachable`, and the message contains "connection
/// refused". The certificate of the server is verified with OpenSSL against Endpoint::ca at the time of the executor:
/// chain, name and dates. Without `ca`, it is verified against the authorities that the system trusts. If it cannot be
/// trusted, the request ends with the reason `untrusted_certificate`. An endpoint without TLS, or with `insecure`, is
/// not verified. The stop of a server ends its responses in progress at once.
///
/// With a simulated executor, all runs with the same seed are equal. The executor must outlive the network, and the
/// network must outlive the transport and the servers. Thread-safe.
class PINTLE_EXPORT InProcessNetwork {
 public:
  explicit InProcessNetwork(Executor& executor);
  ~InProcessNetwork();
  InProcessNetwork(const InProcessNetwork&) = delete;
  InProcessNetwork& operator=(const InProcessNetwork&) = delete;

  /// Sends requests to the servers of this network. All calls return the same transport.
  [[nodiscard]] std::shared_ptr<Transport> transport() const;

  /// Where the servers of a factory are found.
  struct Place {
    std::string host = "127.0.0.1";  ///< replaces the host of ServerOptions::listen if that is "", "0.0.0.0" or "::"
    std::string service{};           ///< the service to which each server belongs, "NAME.NAMESPACE"; empty: none
  };
  /// Starts servers at the address of ServerOptions::listen. For port 0, the network selects a port. The options
  /// `certificate`, `key` and `is_ready` apply too, and all others are ignored. Error: unavailable, if another server
  /// listens at the address.
  [[nodiscard]] ServerFactory server_factory(Place place);
  [[nodiscard]] ServerFactory server_factory() { return server_factory({}); }
  /// Returns the URL of a server of the service that is ready (ServerOptions::is_ready) and does not drain, at random.
  /// If there is none, a server that drains is returned, as kube-proxy does, otherwise nothing. For
  /// ApiServerWebhooks::find_service.
  [[nodiscard]] std::optional<std::string> find_service(std::string_view service) const;
  /// Simulates a crash of the machine: the servers with this host neither receive requests nor respond any more, and
  /// nothing listens at their addresses.
  void crash(std::string_view host);

  /// Sets the faults of all servers, for requests that are sent from now on. The counts of the plan start at zero for
  /// each server.
  void set_faults(FaultPlan faults);
  /// Number of faults injected so far by the servers that run now.
  [[nodiscard]] std::uint64_t injected_faults() const;

 private:
  class Servers;
  class Link;
  const std::shared_ptr<Servers> servers_;
  const std::shared_ptr<Link> link_;
};

}  // namespace pintle::http
