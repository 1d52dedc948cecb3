// Connection: a cluster that a mode measures, and the kinds it measures with.
#pragma once

#include <memory>
#include <string>

#include <pintle/client/client.hpp>
#include <pintle/http/net_transport.hpp>

#include "bench.hpp"

namespace pintle::benchmarks {

struct Connection {
  std::unique_ptr<Executor> executor;
  std::shared_ptr<http::Transport> transport;
  std::unique_ptr<Client> client;
  Resource resource;  // of the kind that is measured
};
// Errors: invalid, no cluster; unreachable; unsupported, the server lacks the kind.
[[nodiscard]] Result<Connection> connect(const BenchOptions& options, const GroupVersionKind& kind);

// The same error with where the definition of a kind of ours is that is missing.
[[nodiscard]] Error with_advice(Error error);

// "pods", "widgets", "gadgets".
[[nodiscard]] GroupVersionKind kind_named(const std::string& name);
// The n-th object of it, as it is created.
[[nodiscard]] std::string object_of(const std::string& kind, std::size_t n);

}  // namespace pintle::benchmarks
