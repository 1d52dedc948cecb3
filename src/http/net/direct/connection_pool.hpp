// SPDX-License-Identifier: Apache-2.0
// ConnectionPool: the open connections of a transport, and those among them that wait for another request.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <pintle/base/executor.hpp>
#include <pintle/base/metrics.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/http/message.hpp>
#include <pintle/http/net_transport.hpp>

#include "wire.hpp"

namespace pintle::http {

// Whether a connection to one endpoint can carry the requests of the other.
[[nodiscard]] bool shares_connections(const Endpoint& one, const Endpoint& other);

// Whether idle connections to the server may have an identity that this endpoint has replaced, and must be closed.
[[nodiscard]] bool has_replaced_identity(const Endpoint& endpoint, Instant now);

// Returns the number of open connections in this state as a metric; one that ignores all calls without a registry.
[[nodiscard]] Gauge connections_gauge(MetricsRegistry* metrics, const std::string& state);

// Returns 90 to 100 % of the time for which a connection may carry requests, so that connections that were opened
// together are not closed together.
[[nodiscard]] Duration jittered_life(Executor& executor, Duration max_life);

// Thread-safe. It must outlive all its slots and connections.
class ConnectionPool {
 public:
  // Counts as an open connection until it is destroyed.
  class Slot {
   public:
    explicit Slot(ConnectionPool& pool) noexcept : pool_(&pool) {}
    Slot(Slot&& other) noexcept : pool_(std::exchange(other.pool_, nullptr)) {}
    Slot& operator=(Slot&& other) noexcept {
      std::swap(pool_, other.pool_);
      return *this;
    }
    ~Slot() {
      if (pool_ != nullptr) pool_->release();
    }

   private:
    ConnectionPool* pool_;
  };

  struct Connection {
    Slot slot;  // declared first, so that it is released after the socket is closed
    Wire wire;
    std::shared_ptr<const Endpoint> endpoint{};
    Instant expires{};     // it carries no further request after this time
    Instant idle_since{};  // since the end of its last request
    bool was_used = false;
  };

  // `on_release` is called without a lock when a connection was closed.
  ConnectionPool(Executor& executor, const NetworkOptions& options, std::function<void()> on_release);

  // Returns an idle connection that can be used for the endpoint, or nothing. Closes idle connections with an identity
  // that the endpoint has replaced.
  [[nodiscard]] std::optional<Connection> take(const std::shared_ptr<const Endpoint>& endpoint);
  // Returns nothing if all connections that are allowed are in use. Closes an idle connection if that is necessary.
  [[nodiscard]] std::optional<Slot> reserve();
  [[nodiscard]] Connection open(Slot slot, Wire wire, std::shared_ptr<const Endpoint> endpoint);
  // Closes the connection that has been idle for the longest time. Returns false if none is idle.
  [[nodiscard]] bool close_idle();
  // Keeps the connection for another request; of too many to one server, the longest idle one is closed. Returns the
  // time of the next close_expired(), if it is not known yet.
  [[nodiscard]] std::optional<Instant> put(Connection connection);
  // Closes idle connections that have expired. Returns the time of the next call, or nothing if none is idle.
  [[nodiscard]] std::optional<Instant> close_expired();
  // Closes all idle connections, and from now on each connection after its request.
  void close();

  [[nodiscard]] std::size_t open_connections() const;
  [[nodiscard]] std::size_t idle_connections() const;

 private:
  void release();
  void show() const PINTLE_REQUIRES(mutex_);
  void close_others(const Endpoint& endpoint);
  [[nodiscard]] static bool is_expired(const Connection& connection, Instant now);

  Executor& executor_;
  const std::size_t max_connections_;
  const std::size_t max_idle_per_server_;
  const Duration max_life_;
  const Gauge in_use_gauge_;
  const Gauge idle_gauge_;
  const std::function<void()> on_release_;
  mutable Mutex mutex_;
  std::vector<Connection> idle_ PINTLE_GUARDED_BY(mutex_);  // the last used one at the end
  std::size_t open_ PINTLE_GUARDED_BY(mutex_) = 0;
  bool is_swept_ PINTLE_GUARDED_BY(mutex_) = false;
  bool closed_ PINTLE_GUARDED_BY(mutex_) = false;
};

}  // namespace pintle::http
