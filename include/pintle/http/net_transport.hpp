// The network half of Transport: HTTP/1.1 over TCP and TLS with a pool of kept connections.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>

#include <pintle/base/runtime.hpp>
#include <pintle/http/transport.hpp>

namespace pintle::http {

struct NetworkOptions {
  std::size_t max_connections = 1024;                   // to all servers together; what does not fit waits
  Duration connect_timeout = std::chrono::seconds(10);  // name, TCP and TLS together
};

// A connection is reused only for the same server with the same trust and client certificate; bearer tokens are headers
// and belong to a request. A GET or HEAD that meets a connection the server has just closed is sent again, another
// method never. Redirects are not followed, cookies not kept, the environment (proxy variables, .netrc) not read. The
// endpoint of a request is required. Its errors: unreachable (no answer, or one that broke off), timeout, cancelled,
// invalid (a request or PEM text that cannot be used), each saying what, where and what to do. Needs a real Runtime,
// which must outlive it.
[[nodiscard]] std::unique_ptr<Transport> make_network_transport(Runtime& runtime, NetworkOptions options = {});

}  // namespace pintle::http
