// SPDX-License-Identifier: Apache-2.0
// The network implementation of Transport: HTTP/1.1 over TCP and TLS with a pool of persistent connections.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>

#include <pintle/base/annotations.hpp>
#include <pintle/base/executor.hpp>
#include <pintle/http/transport.hpp>

namespace pintle {
class MetricsRegistry;  ///< base/metrics.hpp
}  // namespace pintle

namespace pintle::http {

struct NetworkOptions {
  /// The maximum number of connections to all servers together; further requests wait. Each watch needs one connection,
  /// and so does each thread that sends requests. Connections through proxies have a separate limit of the same size.
  /// The limit of open files of the process (ulimit -n) is often lower; at that limit an idle connection is closed, and
  /// if there is none, the request fails.
  std::size_t max_connections = 16'384;
  Duration connect_timeout = std::chrono::seconds(10);  ///< for name lookup, TCP and TLS together
  /// The maximum number of idle connections that are kept for one server and client certificate. It should be the
  /// number of threads that send requests to a server at the same time. Not applied to connections through proxies.
  std::size_t max_idle_per_server = 1'024;
  Duration max_life = std::chrono::minutes(10);  ///< a connection carries no request after 90 to 100 % of this time
  /// Contains the number of open connections as pintle_client_connections. Default: none. Must exist until the
  /// transport is stopped or destroyed.
  MetricsRegistry* metrics = nullptr;
};

/// A connection is reused only for the same server, trusted certificates and client certificate. Requests with
/// different bearer tokens may share a connection, because a token is a header of one request. An idle connection is
/// closed after 90 seconds; through a proxy, it stays open but is not used again. A connection carries no request after
/// 9 to 10 minutes, so that requests follow changes of a load balancer. If the server has just closed a reused
/// connection, a GET or HEAD is sent again; requests with other methods are not. The transport does not follow
/// redirects, store cookies or read the environment (proxy variables, .netrc). Every request needs an endpoint.
///
/// send() does its input and output on the calling thread. start() does it on the I/O thread, which also looks
/// up names and opens connections.
///
/// Errors: unreachable (no response, or an incomplete one), timeout, cancelled, invalid (an unusable request or PEM
/// text). Each message states what failed, where, and what to do. Requires a real executor, which must outlive the
/// transport.
[[nodiscard]] PINTLE_EXPORT std::unique_ptr<Transport> make_network_transport(Executor& executor,
                                                                              NetworkOptions options = {});

}  // namespace pintle::http
