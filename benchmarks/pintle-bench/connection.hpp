// SPDX-License-Identifier: Apache-2.0
// Connection: the cluster that a mode measures, and the measured kind.
#pragma once

#include <memory>
#include <string>
#include <vector>

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
// Errors: invalid, if there is no cluster; unreachable; unsupported, if the server does not serve the kind.
[[nodiscard]] Result<Connection> connect(const BenchOptions& options, const GroupVersionKind& kind);

// If the CRD of one of our kinds is missing, adds the folder of the CRD to the error.
[[nodiscard]] Error with_advice(Error error);

// Returns the keys of up to 500 gadgets. Error: invalid, if there are none.
[[nodiscard]] Result<std::vector<ObjectKey>> some_gadgets(Client& client, const GroupVersionKind& kind,
                                                          const BenchOptions& options);

// `name` is "pods", "widgets" or "gadgets".
[[nodiscard]] GroupVersionKind kind_named(const std::string& name);
// Returns the n-th object of this kind, as it is created. Each pod is of another deployment, because pods of one
// deployment share most of their content in a cache.
[[nodiscard]] std::string object_of(const std::string& kind, std::size_t n);

}  // namespace pintle::benchmarks
