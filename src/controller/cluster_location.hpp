// ClusterLocation: where a cluster is by now, for clients that live longer than its credentials or its server.
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

// Thread-safe. All LocatedTransports of a cluster share one.
class ClusterLocation {
 public:
  enum class Move {
    none,
    credentials,  // or what the server is trusted by
    server,
  };

  ClusterLocation(Executor& executor, Cluster cluster) : mutex_(executor), cluster_(std::move(cluster)) {}

  // From now on requests go there. If the server is another one, the watches that are open end with `expired`, so that
  // their copies begin anew.
  Move move_to(Cluster cluster);

 private:
  friend class LocatedTransport;

  class WatchHandler;
  struct Watch {
    std::shared_ptr<http::Transport> transport;
    http::Transport::ExchangeId exchange = 0;
    std::weak_ptr<WatchHandler> handler;
  };

  // Puts the address and the credentials into a request, and returns which server it is for.
  [[nodiscard]] std::uint64_t direct(http::Request& request) const;
  // False if the server has changed since.
  [[nodiscard]] bool add(Watch watch, std::uint64_t server);

  mutable Mutex mutex_;
  Cluster cluster_ PINTLE_GUARDED_BY(mutex_);
  std::uint64_t server_ PINTLE_GUARDED_BY(mutex_) = 0;  // counts the servers
  std::vector<Watch> watches_ PINTLE_GUARDED_BY(mutex_);
};

// Sends each request to where the cluster is, whatever the client that made it was told. Thread-safe.
class LocatedTransport final : public http::ForwardingTransport {
 public:
  LocatedTransport(std::shared_ptr<http::Transport> inner, std::shared_ptr<ClusterLocation> location)
      : ForwardingTransport(inner), inner_(std::move(inner)), location_(std::move(location)) {}

  ExchangeId start(http::Request request, std::shared_ptr<http::ExchangeHandler> handler) override;

 private:
  const std::shared_ptr<http::Transport> inner_;
  const std::shared_ptr<ClusterLocation> location_;
};

}  // namespace pintle
