// SPDX-License-Identifier: Apache-2.0
// Requests of the network transport through a proxy with TLS.
#include <pintle/http/net_transport.hpp>

#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <openssl/ssl.h>

#include "http/openssl.hpp"
#include "http/pem_parts.hpp"
#include "http/test_support.hpp"
#include "test_support.hpp"
#include "tls.hpp"

namespace pintle::http {
namespace {

// An HTTP proxy with TLS, for one connection after another. It leads each of them to the same port.
class TlsProxy {
 public:
  TlsProxy(Executor& executor, const KeyPair& identity, std::uint16_t to)
      : context_(SSL_CTX_new(TLS_server_method())), to_(to) {
    const auto parsed = parse_key_pair({"the certificate", identity.certificate}, {"the key", identity.key});
    EXPECT_TRUE(use_key_pair(context_.get(), parsed.value()));
    thread_ = executor.spawn({.name = "proxy"}, [this] { run(); });
  }
  ~TlsProxy() { (void)wait(); }
  TlsProxy(const TlsProxy&) = delete;
  TlsProxy& operator=(const TlsProxy&) = delete;

  [[nodiscard]] std::string url() const { return "https://127.0.0.1:" + std::to_string(listener_.port()); }
  // The first lines of the requests, after the connections have ended.
  [[nodiscard]] std::vector<std::string> wait() {
    is_stopping_ = true;
    (void)RawPeer::connect(listener_.port());  // ends the wait for a connection
    thread_.join();
    return requested_;
  }

 private:
  using Session = std::unique_ptr<SSL, Freer<SSL_free>>;

  void run() {
    while (true) {
      const RawPeer client = listener_.accept();
      if (is_stopping_) return;
      const Session session(SSL_new(context_.get()));
      SSL_set_fd(session.get(), client.descriptor());
      if (SSL_accept(session.get()) == 1) serve(session.get(), client.descriptor());
    }
  }
  void serve(SSL* session, int client) {
    std::string head;
    while (head.find("\r\n\r\n") == std::string::npos) {
      const int size = SSL_read(session, buffer_.data(), static_cast<int>(buffer_.size()));
      if (size <= 0) return;
      head.append(buffer_.data(), static_cast<std::size_t>(size));
    }
    requested_.push_back(head.substr(0, head.find("\r\n")));
    constexpr std::string_view accepted = "HTTP/1.1 200 Connection established\r\n\r\n";
    if (SSL_write(session, accepted.data(), static_cast<int>(accepted.size())) <= 0) return;
    const RawPeer server = RawPeer::connect(to_);
    while (pass(session, client, server)) {}
  }
  // Passes bytes once. Returns false when one side has closed.
  bool pass(SSL* session, int client, const RawPeer& server) {
    std::array<pollfd, 2> ready{
        {{.fd = client, .events = POLLIN, .revents = 0}, {.fd = server.descriptor(), .events = POLLIN, .revents = 0}}};
    if (SSL_pending(session) == 0) ::poll(ready.data(), ready.size(), -1);
    if (SSL_pending(session) > 0 || ready[0].revents != 0) {
      const int size = SSL_read(session, buffer_.data(), static_cast<int>(buffer_.size()));
      if (size <= 0) return false;
      server.send({buffer_.data(), static_cast<std::size_t>(size)});
    }
    if (ready[1].revents == 0) return true;
    const ssize_t size = ::recv(server.descriptor(), buffer_.data(), buffer_.size(), 0);
    return size > 0 && SSL_write(session, buffer_.data(), static_cast<int>(size)) > 0;
  }

  const std::unique_ptr<SSL_CTX, Freer<SSL_CTX_free>> context_;
  const std::uint16_t to_;
  const RawListener listener_;
  std::array<char, 16384> buffer_{};
  std::vector<std::string> requested_;
  std::atomic<bool> is_stopping_ = false;
  Thread thread_;
};

class NetworkTransportProxy : public ::testing::Test {
 protected:
  NetworkTransportProxy() {
    const KeyPair identity = authority_.server({"127.0.0.1"});
    server_ = std::make_unique<Server>(*executor_, handler_,
                                       ServerOptions{.certificate = identity.certificate, .key = identity.key});
    EXPECT_TRUE(server_->start());
  }
  Result<BufferedResponse> send_through(const TlsProxy& proxy, bool insecure = false) {
    const auto transport = make_network_transport(*executor_);
    auto endpoint = authority_.endpoint(server_->port());
    endpoint->proxy = proxy.url();
    endpoint->insecure = insecure;
    auto response = send(*transport, {.endpoint = endpoint});
    transport->stop();  // closes the connection, which ends the proxy
    return response;
  }

  std::unique_ptr<Executor> executor_ = make_real_executor();
  TestAuthority authority_{*executor_};
  TestAuthority stranger_{*executor_, "stranger"};
  FunctionHandler handler_{[](const Request&) { return Response{.body = "reached"}; }};
  std::unique_ptr<Server> server_;
};

TEST_F(NetworkTransportProxy, WithTlsIsTrustedByTheAuthorityOfTheCluster) {
  TlsProxy proxy(*executor_, authority_.server({"127.0.0.1"}), server_->port());

  const auto response = send_through(proxy);

  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(response->body, "reached");
  EXPECT_EQ(proxy.wait(),
            std::vector<std::string>{"CONNECT 127.0.0.1:" + std::to_string(server_->port()) + " HTTP/1.1"});
}

TEST_F(NetworkTransportProxy, WithTlsOfAnotherAuthorityIsRefusedAndNamed) {
  TlsProxy proxy(*executor_, stranger_.server({"127.0.0.1"}), server_->port());

  const auto response = send_through(proxy);

  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code, ErrorCode::unreachable);
  EXPECT_NE(response.error().message.find("the certificate of the proxy cannot be trusted"), std::string::npos)
      << response.error().message;
  EXPECT_EQ(server_->stats().requests, 0U);
}

TEST_F(NetworkTransportProxy, WithTlsIsNotVerifiedForAnInsecureEndpoint) {
  TlsProxy proxy(*executor_, stranger_.server({"127.0.0.1"}), server_->port());

  EXPECT_TRUE(send_through(proxy, true));
}

}  // namespace
}  // namespace pintle::http
