// SPDX-License-Identifier: Apache-2.0
// ClusterLocation: the current address of a cluster, for clients that outlive its credentials or its server.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <pintle/base/mutex.hpp>
#include <pintle/client/cluster.hpp>
#include <pintle/http/transport.hpp>

namespace pintle {

// All LocatedTransports of a cluster share one instance. Thread-safe.
class ClusterLocation {
 public:
  enum class Move {
    none,
    credentials,  // or the settings of the connection, such as the trusted authority or the proxy
    server,
  };

  ClusterLocation(Executor& executor, Cluster cluster) : mutex_(executor), cluster_(std::move(cluster)) {}

  // Sends all further requests to this address. If it belongs to another server, open watches end with the error
  // `expired`, so that their caches are filled anew.
  Move move_to(Cluster cluster);

 private:
  friend class LocatedTransport;

  class WatchHandler;
  struct Watch {
    std::shared_ptr<http::Transport> transport;
    http::Transport::ExchangeId exchange = 0;
    std::weak_ptr<WatchHandler> handler;
  };

  // Sets the address and the credentials of a request. Returns the number of the server.
  [[nodiscard]] std::uint64_t direct(http::Request& request) const;
  // Returns false if the server has changed since direct() returned `server`.
  [[nodiscard]] bool add(Watch watch, std::uint64_t server);

  mutable Mutex mutex_;
  Cluster cluster_ PINTLE_GUARDED_BY(mutex_);
  std::uint64_t server_ PINTLE_GUARDED_BY(mutex_) = 0;  // incremented at each move to another server
  std::vector<Watch> watches_ PINTLE_GUARDED_BY(mutex_);
};

// Sends each request to the current address of the cluster, regardless of the address that its client was created with.
// Thread-safe.
class LocatedTransport final : public http::ForwardingTransport {
 public:
  LocatedTransport(std::shared_ptr<http::Transport> inner, std::shared_ptr<ClusterLocation> location)
      : ForwardingTransport(inner), inner_(std::move(inner)), location_(std::move(location)) {}

  ExchangeId start(http::Request request, std::shared_ptr<http::ExchangeHandler> handler) override;
  [[nodiscard]] Result<http::BufferedResponse> send_and_wait(http::Request request, const std::stop_token& stop,
                                                             std::size_t limit) override;

 private:
  const std::shared_ptr<http::Transport> inner_;
  const std::shared_ptr<ClusterLocation> location_;
};

}  // namespace pintle
