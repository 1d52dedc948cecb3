// Connection: a cluster that a mode measures, and the kinds it measures with.
#pragma once

#include <memory>
#include <string>

#include <pintle/client/client.hpp>
#include <pintle/http/net_transport.hpp>

#include "bench.hpp"

namespace pintle::benchmarks {

struct Connection {
  std::unique_ptr<Runtime> runtime;
  std::shared_ptr<http::Transport> transport;
  std::unique_ptr<Client> client;
};
[[nodiscard]] Result<Connection> connect(const BenchOptions& options);

// "pods", "widgets", "gadgets". Error: invalid for another.
[[nodiscard]] Result<GroupVersionKind> kind_named(const std::string& name);
// The n-th object of it, as it is created. The kind must be one of those.
[[nodiscard]] std::string object_of(const std::string& kind, std::size_t n);

}  // namespace pintle::benchmarks
