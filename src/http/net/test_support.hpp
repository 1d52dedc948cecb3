// SPDX-License-Identifier: Apache-2.0
// Plain sockets for tests: a client and a server that send given texts, and identities for TLS.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include <pintle/base/executor.hpp>
#include <pintle/http/certificates.hpp>
#include <pintle/http/message.hpp>
#include <pintle/http/server.hpp>

namespace pintle::http {

inline sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

// One end of a TCP connection, with blocking calls.
class RawPeer {
 public:
  explicit RawPeer(int descriptor) : descriptor_(descriptor) {}
  RawPeer(RawPeer&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)), text_(std::move(other.text_)) {}
  RawPeer& operator=(RawPeer&&) = delete;
  ~RawPeer() { close(); }

  // Connects from an address other than 127.0.0.1, such as 127.0.0.2.
  static RawPeer connect_from(const char* host, std::uint16_t port) {
    const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in own = loopback(0);
    EXPECT_EQ(::inet_pton(AF_INET, host, &own.sin_addr), 1);
    EXPECT_EQ(::bind(descriptor, reinterpret_cast<const sockaddr*>(&own), sizeof(own)), 0);
    const sockaddr_in address = loopback(port);
    (void)!::connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof(address));
    return RawPeer(descriptor);
  }
  static RawPeer connect(std::uint16_t port, int receive_buffer = 0) {
    const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (receive_buffer != 0) {
      ::setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof(receive_buffer));
    }
    const sockaddr_in address = loopback(port);
    (void)!::connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof(address));
    return RawPeer(descriptor);
  }

  void send(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t sent = ::send(descriptor_, text.data(), text.size(), MSG_NOSIGNAL);
      if (sent <= 0) return;
      text.remove_prefix(static_cast<std::size_t>(sent));
    }
  }
  // Reads up to and including `end`, or to the end of the connection.
  std::string read_until(std::string_view end) {
    std::size_t at = std::string::npos;
    while ((at = text_.find(end)) == std::string::npos && receive()) {}
    const std::size_t size = at == std::string::npos ? text_.size() : at + end.size();
    std::string read = text_.substr(0, size);
    text_.erase(0, size);
    return read;
  }
  std::string read_exactly(std::size_t size) {
    while (text_.size() < size && receive()) {}
    std::string read = text_.substr(0, size);
    text_.erase(0, read.size());
    return read;
  }
  std::string read_to_end() {
    while (receive()) {}
    return std::exchange(text_, {});
  }
  [[nodiscard]] int descriptor() const noexcept { return descriptor_; }
  void close() {
    if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
  }
  // Closes the sending direction.
  void finish() const { ::shutdown(descriptor_, SHUT_WR); }
  // Returns whether the other side closed with a reset, after everything was read.
  [[nodiscard]] bool was_reset() const { return was_reset_; }
  // Closes so that the other side receives a reset.
  void reset() {
    const linger now{.l_onoff = 1, .l_linger = 0};
    ::setsockopt(descriptor_, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
    close();
  }

 private:
  bool receive() {
    char buffer[16384];
    const ssize_t size = ::recv(descriptor_, buffer, sizeof(buffer), 0);
    was_reset_ = size < 0 && errno == ECONNRESET;
    if (size > 0) text_.append(buffer, static_cast<std::size_t>(size));
    return size > 0;
  }

  int descriptor_;
  std::string text_;
  bool was_reset_ = false;
};

class RawListener {
 public:
  explicit RawListener(int backlog = 16) : descriptor_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address = loopback(0);
    (void)!::bind(descriptor_, reinterpret_cast<const sockaddr*>(&address), sizeof(address));
    ::listen(descriptor_, backlog);
    socklen_t size = sizeof(address);
    ::getsockname(descriptor_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
  }
  RawListener(const RawListener&) = delete;
  RawListener& operator=(const RawListener&) = delete;
  ~RawListener() { close(); }

  [[nodiscard]] std::uint16_t port() const noexcept { return port_; }
  [[nodiscard]] RawPeer accept() const { return RawPeer(::accept4(descriptor_, nullptr, nullptr, SOCK_CLOEXEC)); }
  void close() {
    if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
  }

 private:
  int descriptor_;
  std::uint16_t port_ = 0;
};

inline std::shared_ptr<Endpoint> plain_endpoint(std::uint16_t port) {
  return std::make_shared<Endpoint>(Endpoint{.host = "127.0.0.1", .port = port});
}

// A certificate authority and the identities that it signs, valid for a day before and after now.
class TestAuthority {
 public:
  explicit TestAuthority(const Clock& clock, std::string name = "test authority")
      : now_(clock.wall_now()), identity_(make_authority(validity(std::move(name))).value()) {}

  [[nodiscard]] const std::string& certificate() const noexcept { return identity_.certificate; }
  [[nodiscard]] const KeyPair& identity() const noexcept { return identity_; }
  [[nodiscard]] KeyPair server(std::vector<std::string> names) const {
    CertificateOptions options = validity("server");
    options.names = std::move(names);
    return make_server_certificate(identity_, options).value();
  }
  [[nodiscard]] KeyPair expired_server() const {
    CertificateOptions options = validity("server");
    options.names = {"127.0.0.1"};
    options.not_after = now_ - std::chrono::minutes(1);
    return make_server_certificate(identity_, options).value();
  }
  [[nodiscard]] KeyPair client(std::string name, std::vector<std::string> groups = {}) const {
    CertificateOptions options = validity(std::move(name));
    options.organizations = std::move(groups);
    return make_client_certificate(identity_, options).value();
  }
  [[nodiscard]] std::shared_ptr<Endpoint> endpoint(std::uint16_t port) const {
    return std::make_shared<Endpoint>(
        Endpoint{.tls = true, .host = "127.0.0.1", .port = port, .ca = identity_.certificate});
  }

 private:
  [[nodiscard]] CertificateOptions validity(std::string name) const {
    return {.common_name = std::move(name),
            .not_before = now_ - std::chrono::hours(24),
            .not_after = now_ + std::chrono::hours(24)};
  }

  WallTime now_;
  KeyPair identity_;
};

// Raises the limit of open descriptors of this process to `count`; returns false if that is not permitted.
inline bool allow_descriptors(rlim_t count) {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  if (limit.rlim_cur >= count) return true;
  limit.rlim_cur = count;
  return limit.rlim_max >= count && ::setrlimit(RLIMIT_NOFILE, &limit) == 0;
}

// Limits the number of open files of the process for a scope.
class DescriptorLimit {
 public:
  explicit DescriptorLimit(rlim_t count) {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    rlimit lower = before_;
    lower.rlim_cur = count;
    EXPECT_EQ(::setrlimit(RLIMIT_NOFILE, &lower), 0);
  }
  ~DescriptorLimit() { ::setrlimit(RLIMIT_NOFILE, &before_); }
  DescriptorLimit(const DescriptorLimit&) = delete;
  DescriptorLimit& operator=(const DescriptorLimit&) = delete;

 private:
  rlimit before_{};
};

}  // namespace pintle::http
