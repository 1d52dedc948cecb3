// SPDX-License-Identifier: Apache-2.0
#include "stream.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "connection_pool.hpp"
#include "http/net/test_support.hpp"
#include "http/test_support.hpp"

namespace pintle::http {
namespace {

int wakes_at(int socket) {
  int bytes = 0;
  socklen_t size = sizeof(bytes);
  EXPECT_EQ(::getsockopt(socket, SOL_SOCKET, SO_RCVLOWAT, &bytes, &size), 0);
  return bytes;
}

class StreamTest : public ::testing::Test {
 protected:
  StreamTest() {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_in address = loopback(listener_.port());
    EXPECT_EQ(::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
    EXPECT_EQ(::fcntl(socket, F_SETFL, O_NONBLOCK), 0);
    EXPECT_TRUE(stream_.begin({pool_.open(*pool_.reserve(), Wire(socket, nullptr, nullptr), endpoint_)}));
  }
  // Continues until the response is complete, or nothing of it is left and its body has this many bytes.
  RoundTrip::State read(std::size_t body) {
    while (true) {
      const RoundTrip::State state = stream_.step(buffer_);
      if (state == RoundTrip::State::complete) return state;
      if (state != RoundTrip::State::wants_read) continue;
      if (recorder_->body().size() >= body) return state;
      pollfd socket{.fd = stream_.socket(), .events = POLLIN, .revents = 0};
      ::poll(&socket, 1, -1);
    }
  }

  std::unique_ptr<Executor> executor_ = make_real_executor();
  Loop loop_{*executor_, [] {}};
  ConnectionPool pool_{*executor_, {}, [] {}};
  RawListener listener_;
  std::shared_ptr<Endpoint> endpoint_ = plain_endpoint(listener_.port());
  std::shared_ptr<Recorder> recorder_ = std::make_shared<Recorder>(*executor_);
  Stream stream_{std::make_shared<Exchange>(loop_, Request{.endpoint = endpoint_}, recorder_),
                 "GET / HTTP/1.1\r\n\r\n"};
  std::vector<char> buffer_ = std::vector<char>(std::size_t{64} << 10U);
};

TEST_F(StreamTest, AConnectionIsReleasedAsItWas) {
  constexpr std::size_t much = 2 * ReadPace::size;
  RawPeer peer = listener_.accept();
  peer.send("HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(much + 2) + "\r\n\r\n" + std::string(much, 'x'));
  ASSERT_EQ(read(much), RoundTrip::State::wants_read);
  ASSERT_TRUE(stream_.gathers(executor_->now()));
  EXPECT_EQ(wakes_at(stream_.socket()), static_cast<int>(ReadPace::size));
  peer.send("ok");
  peer.finish();
  ASSERT_EQ(read(much + 2), RoundTrip::State::complete);

  const auto released = stream_.release();
  ASSERT_TRUE(released);
  EXPECT_EQ(wakes_at(released->wire.socket()), 1);
}

}  // namespace
}  // namespace pintle::http
