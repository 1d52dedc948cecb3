// SPDX-License-Identifier: Apache-2.0
#include "connection_pool.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include <gtest/gtest.h>

#include <pintle/sim/simulated_executor.hpp>

namespace pintle::http {
namespace {

using namespace std::chrono_literals;

class ConnectionPoolTest : public ::testing::Test {
 protected:
  // The other end of a connection. Closes it when it is destroyed.
  struct Peer {
    explicit Peer(int of) : socket(of) {}
    Peer(Peer&& other) noexcept : socket(std::exchange(other.socket, -1)) {}
    Peer& operator=(Peer&&) = delete;
    ~Peer() {
      if (socket >= 0) ::close(socket);
    }
    [[nodiscard]] bool is_closed() const {
      char byte = 0;
      return ::recv(socket, &byte, 1, MSG_DONTWAIT) == 0;
    }
    int socket;
  };

  std::pair<ConnectionPool::Connection, Peer> open(const std::shared_ptr<const Endpoint>& endpoint) {
    std::array<int, 2> ends{};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends.data()), 0);
    auto slot = pool_.reserve();
    EXPECT_TRUE(slot);
    return {pool_.open(std::move(*slot), Wire(ends[0], nullptr, nullptr), endpoint), Peer(ends[1])};
  }
  // Opens a connection, ends its request, and returns the other end.
  Peer open_idle(const std::shared_ptr<const Endpoint>& endpoint) {
    auto [connection, peer] = open(endpoint);
    (void)pool_.put(std::move(connection));
    return std::move(peer);
  }

  // Returns the metric of the connections in this state.
  double shown(const std::string& state) { return connections_gauge(&metrics_, state).value(); }

  SimulatedExecutor executor_{{.seed = 1}};
  int releases_ = 0;
  MetricsRegistry metrics_;
  ConnectionPool pool_{
      executor_, {.max_connections = 3, .max_idle_per_server = 2, .metrics = &metrics_}, [this] { ++releases_; }};
  const std::shared_ptr<const Endpoint> here_ = std::make_shared<Endpoint>(Endpoint{.host = "here", .port = 1});
  const std::shared_ptr<const Endpoint> there_ = std::make_shared<Endpoint>(Endpoint{.host = "there", .port = 1});
};

TEST_F(ConnectionPoolTest, ReturnsTheLastUsedConnectionOfTheEndpoint) {
  const Peer first = open_idle(here_);
  const Peer second = open_idle(here_);
  const Peer other = open_idle(there_);

  const auto taken = pool_.take(std::make_shared<Endpoint>(*here_));

  ASSERT_TRUE(taken);
  taken->wire.interrupt();
  EXPECT_TRUE(second.is_closed());
  EXPECT_FALSE(first.is_closed() || other.is_closed());
  EXPECT_EQ(pool_.idle_connections(), 2U);
}

TEST_F(ConnectionPoolTest, SharesNoConnectionBetweenDifferentCredentials) {
  const Peer peer = open_idle(here_);
  Endpoint other = *here_;
  other.client_certificate = "of another user";

  EXPECT_FALSE(pool_.take(std::make_shared<Endpoint>(other)));

  other = *here_;
  other.base_path = "/clusters/a";
  EXPECT_TRUE(pool_.take(std::make_shared<Endpoint>(other)));
}

TEST_F(ConnectionPoolTest, ReturnsNoConnectionThatThePeerHasClosedOrWrittenTo) {
  { const Peer closed = open_idle(here_); }
  const Peer early = open_idle(here_);
  ASSERT_EQ(::send(early.socket, "x", 1, 0), 1);

  EXPECT_FALSE(pool_.take(here_));

  EXPECT_EQ(pool_.open_connections(), 0U);
}

TEST_F(ConnectionPoolTest, ClosesAConnectionThatWasIdleForLong) {
  const Peer peer = open_idle(here_);
  executor_.sleep_for(89s);
  EXPECT_TRUE(pool_.close_expired());
  EXPECT_FALSE(peer.is_closed());

  executor_.sleep_for(1s);
  EXPECT_FALSE(pool_.close_expired()) << "nothing is left to close";

  EXPECT_TRUE(peer.is_closed());
}

// Clients follow a load balancer only if they open new connections from time to time.
TEST_F(ConnectionPoolTest, ABusyConnectionLivesTenMinutesAtMost) {
  auto [connection, peer] = open(here_);
  std::optional<ConnectionPool::Connection> current = std::move(connection);
  const Instant opened = executor_.now();
  while (current) {
    executor_.sleep_for(1s);
    (void)pool_.put(std::move(*current));
    current = pool_.take(here_);
  }

  EXPECT_TRUE(peer.is_closed());
  EXPECT_GE(executor_.now() - opened, 9min);
  EXPECT_LE(executor_.now() - opened, 10min);
}

TEST_F(ConnectionPoolTest, ConnectionsThatWereOpenedTogetherDoNotCloseTogether) {
  const auto first = open(here_);
  const auto second = open(here_);

  EXPECT_NE(first.first.expires, second.first.expires);
}

TEST_F(ConnectionPoolTest, MakesRoomByClosingTheLongestIdleConnection) {
  const Peer oldest = open_idle(there_);
  const Peer newer = open_idle(there_);
  const auto busy = open(here_);

  const auto slot = pool_.reserve();

  ASSERT_TRUE(slot);
  EXPECT_TRUE(oldest.is_closed());
  EXPECT_FALSE(newer.is_closed());
  EXPECT_EQ(pool_.open_connections(), 3U);
}

// After a burst, no more connections stay open than its regular users need.
TEST_F(ConnectionPoolTest, KeepsALimitedNumberForEachServer) {
  auto [first, first_peer] = open(here_);
  auto [second, second_peer] = open(here_);
  auto [third, third_peer] = open(here_);

  (void)pool_.put(std::move(first));
  (void)pool_.put(std::move(second));
  (void)pool_.put(std::move(third));

  EXPECT_TRUE(first_peer.is_closed());
  EXPECT_FALSE(second_peer.is_closed() || third_peer.is_closed());
  const Peer other = open_idle(there_);
  EXPECT_FALSE(second_peer.is_closed()) << "another server has a limit of its own";
  EXPECT_EQ(pool_.idle_connections(), 3U);
}

TEST_F(ConnectionPoolTest, ClosesTheLongestIdleConnectionOnRequest) {
  EXPECT_FALSE(pool_.close_idle());
  const Peer oldest = open_idle(there_);
  const Peer newer = open_idle(here_);

  EXPECT_TRUE(pool_.close_idle());

  EXPECT_TRUE(oldest.is_closed());
  EXPECT_FALSE(newer.is_closed());
}

TEST_F(ConnectionPoolTest, ShowsItsConnectionsAsMetrics) {
  const Peer idle = open_idle(there_);
  auto busy = std::optional(open(here_));
  EXPECT_EQ(shown("in_use"), 1);
  EXPECT_EQ(shown("idle"), 1);

  auto taken = pool_.take(there_);
  EXPECT_EQ(shown("in_use"), 2);
  EXPECT_EQ(shown("idle"), 0);

  busy.reset();
  (void)pool_.put(std::move(*taken));
  EXPECT_EQ(shown("in_use"), 0);
  EXPECT_EQ(shown("idle"), 1);

  executor_.sleep_for(2min);
  (void)pool_.close_expired();
  EXPECT_EQ(shown("idle"), 0);
  EXPECT_EQ(shown("in_use"), 0);
}

TEST_F(ConnectionPoolTest, ReportsWhenAConnectionBecomesPossibleAgain) {
  auto first = std::optional(open(here_));
  const auto second = open(here_);
  const auto third = open(there_);
  EXPECT_FALSE(pool_.reserve());
  EXPECT_EQ(releases_, 0);

  first.reset();

  EXPECT_EQ(releases_, 1);
  EXPECT_TRUE(pool_.reserve());
}

TEST_F(ConnectionPoolTest, KeepsNoConnectionAfterItWasClosed) {
  const Peer idle = open_idle(here_);
  auto [busy, peer] = open(here_);

  pool_.close();
  EXPECT_TRUE(idle.is_closed());
  EXPECT_FALSE(peer.is_closed());

  (void)pool_.put(std::move(busy));
  EXPECT_TRUE(peer.is_closed());
}

}  // namespace
}  // namespace pintle::http
