// SPDX-License-Identifier: Apache-2.0
#include "connection_pool.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <tuple>

#include <pintle/base/random.hpp>

namespace pintle::http {
namespace {

constexpr Duration max_idle = std::chrono::seconds(90);
constexpr Duration old_identity_time = std::chrono::minutes(2);  // longer than a connection is idle
constexpr Duration sweep_period = std::chrono::seconds(30);

}  // namespace

bool shares_connections(const Endpoint& one, const Endpoint& other) {
  const auto identity = [](const Endpoint& of) {
    return std::tie(of.tls, of.port, of.insecure, of.host, of.server_name, of.ca, of.client_certificate, of.client_key);
  };
  return &one == &other || identity(one) == identity(other);
}

bool has_replaced_identity(const Endpoint& endpoint, Instant now) {
  return endpoint.replaced_at && now < after(*endpoint.replaced_at, old_identity_time);
}

Gauge connections_gauge(MetricsRegistry* metrics, const std::string& state) {
  if (metrics == nullptr) return {};
  return metrics->gauge("pintle_client_connections",
                        "Open connections to servers: in use, idle, or through a proxy (both).", {{"state", state}});
}

Duration jittered_life(Executor& executor, Duration max_life) {
  const double share = 0.9 + 0.1 * Random::to_unit(executor.random());
  return std::chrono::duration_cast<Duration>(max_life * share);
}

ConnectionPool::ConnectionPool(Executor& executor, const NetworkOptions& options, std::function<void()> on_release)
    : executor_(executor),
      max_connections_(options.max_connections),
      max_idle_per_server_(options.max_idle_per_server),
      max_life_(options.max_life),
      in_use_gauge_(connections_gauge(options.metrics, "in_use")),
      idle_gauge_(connections_gauge(options.metrics, "idle")),
      on_release_(std::move(on_release)),
      mutex_(executor) {}

void ConnectionPool::show() const {
  in_use_gauge_.set(static_cast<double>(open_ - idle_.size()));
  idle_gauge_.set(static_cast<double>(idle_.size()));
}

bool ConnectionPool::is_expired(const Connection& connection, Instant now) {
  return now >= connection.expires || now >= after(connection.idle_since, max_idle);
}

// Prefers the connection that was used last; its peer is the least likely to have closed it.
std::optional<ConnectionPool::Connection> ConnectionPool::take(const std::shared_ptr<const Endpoint>& endpoint) {
  const Instant now = executor_.now();
  if (has_replaced_identity(*endpoint, now)) close_others(*endpoint);
  while (true) {
    std::optional<Connection> found;
    {
      const MutexLock lock(mutex_);
      const auto last = std::find_if(idle_.rbegin(), idle_.rend(), [&](const Connection& one) {
        return shares_connections(*one.endpoint, *endpoint);
      });
      if (last == idle_.rend()) return {};
      found = std::move(*last);
      idle_.erase(std::next(last).base());
      show();
    }
    if (!is_expired(*found, now) && found->wire.is_usable()) return found;
  }
}

// Closes the idle connections to the same server that have another identity.
void ConnectionPool::close_others(const Endpoint& endpoint) {
  std::vector<Connection> closed;  // after the lock is released
  const MutexLock lock(mutex_);
  const auto others = std::stable_partition(idle_.begin(), idle_.end(), [&](const Connection& one) {
    const bool is_same_server = one.endpoint->host == endpoint.host && one.endpoint->port == endpoint.port;
    return !is_same_server || shares_connections(*one.endpoint, endpoint);
  });
  closed.assign(std::make_move_iterator(others), std::make_move_iterator(idle_.end()));
  idle_.erase(others, idle_.end());
  show();
}

std::optional<ConnectionPool::Slot> ConnectionPool::reserve() {
  std::optional<Connection> closed;  // after the lock is released
  const MutexLock lock(mutex_);
  if (open_ >= max_connections_ && idle_.empty()) return {};
  if (open_ >= max_connections_) {
    closed = std::move(idle_.front());
    idle_.erase(idle_.begin());
  }
  ++open_;
  show();
  return Slot(*this);
}

bool ConnectionPool::close_idle() {
  std::optional<Connection> closed;  // after the lock is released
  const MutexLock lock(mutex_);
  if (idle_.empty()) return false;
  closed = std::move(idle_.front());
  idle_.erase(idle_.begin());
  show();
  return true;
}

ConnectionPool::Connection ConnectionPool::open(Slot slot, Wire wire, std::shared_ptr<const Endpoint> endpoint) {
  const Instant now = executor_.now();
  return {.slot = std::move(slot),
          .wire = std::move(wire),
          .endpoint = std::move(endpoint),
          .expires = after(now, jittered_life(executor_, max_life_)),
          .idle_since = now};
}

std::optional<Instant> ConnectionPool::put(Connection connection) {
  const Instant now = executor_.now();
  connection.idle_since = now;
  connection.was_used = true;
  std::optional<Connection> closed;  // after the lock is released
  const MutexLock lock(mutex_);
  if (closed_ || is_expired(connection, now) || max_idle_per_server_ == 0) return {};
  const auto is_alike = [&](const Connection& one) { return shares_connections(*one.endpoint, *connection.endpoint); };
  if (static_cast<std::size_t>(std::ranges::count_if(idle_, is_alike)) >= max_idle_per_server_) {
    const auto oldest = std::ranges::find_if(idle_, is_alike);
    closed = std::move(*oldest);
    idle_.erase(oldest);
  }
  idle_.push_back(std::move(connection));
  show();
  if (std::exchange(is_swept_, true)) return {};
  return after(now, sweep_period);
}

std::optional<Instant> ConnectionPool::close_expired() {
  std::vector<Connection> expired;  // closed after the lock is released
  const Instant now = executor_.now();
  const MutexLock lock(mutex_);
  const auto kept =
      std::stable_partition(idle_.begin(), idle_.end(), [now](const Connection& one) { return !is_expired(one, now); });
  expired.assign(std::make_move_iterator(kept), std::make_move_iterator(idle_.end()));
  idle_.erase(kept, idle_.end());
  show();
  is_swept_ = !idle_.empty();
  if (!is_swept_) return {};
  return after(now, sweep_period);
}

void ConnectionPool::close() {
  std::vector<Connection> closed;
  const MutexLock lock(mutex_);
  if (std::exchange(closed_, true)) return;
  closed.swap(idle_);
  show();
}

std::size_t ConnectionPool::open_connections() const {
  const MutexLock lock(mutex_);
  return open_;
}

std::size_t ConnectionPool::idle_connections() const {
  const MutexLock lock(mutex_);
  return idle_.size();
}

void ConnectionPool::release() {
  {
    const MutexLock lock(mutex_);
    --open_;
    show();
  }
  if (on_release_) on_release_();
}

}  // namespace pintle::http
