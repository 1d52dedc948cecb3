// SPDX-License-Identifier: Apache-2.0
#include "read_pace.hpp"

#include <chrono>

#include <gtest/gtest.h>
#include <poll.h>

#include "http/net/test_support.hpp"
#include "wire.hpp"

namespace pintle::http {
namespace {

constexpr std::size_t record_size = 4096;

// Reads one record after the other until the stream gathers, at most `most`. Returns their number.
int records_until_it_gathers(ReadPace& pace, Instant& now, Duration pause, int most) {
  int count = 1;
  while (!pace.after_read(record_size, now += pause) && count < most) ++count;
  return count;
}

TEST(ReadPace, GathersAfterABurst) {
  ReadPace pace;
  Instant now{};

  EXPECT_EQ(records_until_it_gathers(pace, now, ReadPace::wait, 100), 16);
  EXPECT_TRUE(pace.gathers());
}

TEST(ReadPace, NeverGathersWhileDataArrivesSlowly) {
  ReadPace pace;
  Instant now{};

  EXPECT_EQ(records_until_it_gathers(pace, now, ReadPace::wait + Duration(1), 1000), 1000);
  EXPECT_FALSE(pace.gathers());
}

TEST(ReadPace, GathersUntilLittleArrives) {
  ReadPace pace;
  Instant now{};
  records_until_it_gathers(pace, now, Duration::zero(), 100);

  EXPECT_TRUE(pace.after_read(ReadPace::size, now += 2 * ReadPace::wait));
  EXPECT_TRUE(pace.after_read(ReadPace::size / 2, now += 2 * ReadPace::wait));
  EXPECT_FALSE(pace.after_read(record_size, now += ReadPace::wait));
  EXPECT_EQ(records_until_it_gathers(pace, now, Duration::zero(), 100), 15);  // a new burst is as long as the first one
}

TEST(Wire, IsReadableOnceItHoldsTheGivenNumberOfBytes) {
  const RawListener listener;
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_in address = loopback(listener.port());
  ASSERT_EQ(::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
  const Wire wire(socket, nullptr, nullptr);
  RawPeer peer = listener.accept();
  pollfd readable{.fd = socket, .events = POLLIN, .revents = 0};

  wire.wake_at(8);
  peer.send("1234567");
  EXPECT_EQ(::poll(&readable, 1, 0), 0);
  peer.send("8");
  EXPECT_EQ(::poll(&readable, 1, -1), 1);
}

}  // namespace
}  // namespace pintle::http
