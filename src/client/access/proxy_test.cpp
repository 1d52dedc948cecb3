// SPDX-License-Identifier: Apache-2.0
// The choice of a proxy, and requests through real proxies on this machine.
#include "proxy.hpp"

#include <sys/socket.h>

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <pintle/client/client.hpp>
#include <pintle/http/certificates.hpp>
#include <pintle/http/net_transport.hpp>
#include <pintle/http/server.hpp>

#include "client/client_test_support.hpp"
#include "http/net/test_support.hpp"

namespace pintle {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// The rules are those of golang.org/x/net/http/httpproxy.
TEST(Proxy, IsNotUsedForExcludedServers) {
  struct Case {
    const char* no_proxy;
    const char* host;
    bool excluded;
  };
  const Case cases[] = {
      {"", "localhost", true},
      {"", "127.0.0.1", true},
      {"", "127.8.9.1", true},
      {"", "::1", true},
      {"", "LOCALHOST.", true},
      {"", "10.0.0.1", false},
      {"", "localhost.example", false},
      {"*", "10.0.0.1", true},
      {"example.com", "example.com", true},
      {"example.com", "api.example.com", true},
      {"example.com", "API.Example.COM", true},
      {"EXAMPLE.com", "api.example.com", true},
      {"example.com", "notexample.com", false},
      {".example.com", "api.example.com", true},
      {".example.com", "example.com", false},
      {"*.example.com", "api.example.com", true},
      {"*.example.com", "example.com", false},
      {"a, ,example.com ,b", "example.com", true},
      {"example.com:6443", "example.com", true},
      {"example.com:443", "example.com", false},
      {"10.1.2.3", "10.1.2.3", true},
      {"10.1.2.3:6443", "10.1.2.3", true},
      {"10.1.2.3:443", "10.1.2.3", false},
      {"10.1.2.3", "10.1.2.30", false},
      {"10.1.0.0/16", "10.1.200.3", true},
      {"10.1.0.0/16", "10.2.0.1", false},
      {"10.1.128.0/17", "10.1.127.255", false},
      {"10.1.128.0/17", "10.1.128.0", true},
      {"0.0.0.0/0", "8.8.8.8", true},
      {"0.0.0.0/0", "fd00::1", false},
      {"fd00::/8", "fd12::1", true},
      {"fd00::/8", "fe00::1", false},
      {"[fd00::1]:6443", "fd00::1", true},
      {"[fd00::1]:1", "fd00::1", false},
      {"fd00::1", "fd00::1", true},
      {"10.1.0.0/33", "10.1.0.1", false},
      {":6443", "example.com", false},
      {"com", "example.com", true},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(is_excluded(one.no_proxy, one.host, 6443), one.excluded) << one.no_proxy << " for " << one.host;
  }
}

TEST(Proxy, IsThatOfTheSchemeInTheEnvironment) {
  std::map<std::string, std::string> environment;
  const auto proxy = [&](bool tls) {
    const auto selected = select_proxy({.tls = tls, .host = "api.example", .port = 6443},
                                       [&](const std::string& name) { return environment[name]; });
    return selected ? *selected : selected.error().message;
  };

  EXPECT_EQ(proxy(true), "");
  environment = {{"HTTP_PROXY", "http://plain:1"}};
  EXPECT_EQ(proxy(true), "");
  EXPECT_EQ(proxy(false), "http://plain:1");
  environment = {{"https_proxy", "lower:3128"}};
  EXPECT_EQ(proxy(true), "http://lower:3128");
  environment["HTTPS_PROXY"] = "socks5://upper:1080";
  EXPECT_EQ(proxy(true), "socks5://upper:1080");
  environment["no_proxy"] = "api.example:6443";
  EXPECT_EQ(proxy(true), "");
  environment["NO_PROXY"] = "other.example";
  EXPECT_EQ(proxy(true), "socks5://upper:1080");
  environment["HTTPS_PROXY"] = "ftp://me:hidden@a";
  EXPECT_EQ(proxy(true), "the proxy in $HTTPS_PROXY must begin with http://, https:// or socks5://");
}

TEST(Proxy, OfTheKubeconfigTakesPrecedence) {
  const ScopedVariable environment("HTTPS_PROXY", "http://from-environment:1");
  const ScopedVariable none("NO_PROXY", nullptr);
  const ScopedVariable none_lower("no_proxy", nullptr);
  const TemporaryFolder folder;
  const auto proxy_with = [&](const std::string& cluster) {
    const std::string file = folder.write("config",
                                          "current-context: c\ncontexts: [{name: c, context: {cluster: c, user: u}}]\n"
                                          "clusters: [{name: c, cluster: {" +
                                              cluster + "}}]\nusers: [{name: u, user: {token: t}}]\n");
    return load_kubeconfig(file)->endpoint->proxy;
  };

  EXPECT_EQ(proxy_with("server: \"https://a\", proxy-url: \"http://own:2\""), "http://own:2");
  EXPECT_EQ(proxy_with("server: \"https://a\""), "http://from-environment:1");
  EXPECT_EQ(proxy_with("server: \"https://127.0.0.1:6443\""), "");
}

// A proxy on this machine for one connection after another. It leads each of them to the same port, so names of servers
// need no name service.
class TestProxy {
 public:
  using Handshake = std::function<std::string(http::RawPeer&)>;

  // `handshake` returns the requested server, or "" to close the connection.
  TestProxy(Executor& executor, std::uint16_t to, Handshake handshake)
      : executor_(executor),
        to_(to),
        handshake_(std::move(handshake)),
        thread_(executor.spawn({.name = "proxy"}, [this] { run(); })) {}
  ~TestProxy() { (void)wait(); }
  TestProxy(const TestProxy&) = delete;
  TestProxy& operator=(const TestProxy&) = delete;

  [[nodiscard]] std::uint16_t port() const { return listener_.port(); }
  // The requested servers, after the connections have ended.
  [[nodiscard]] std::vector<std::string> wait() {
    is_stopping_ = true;
    (void)http::RawPeer::connect(port());  // ends the wait for a connection
    thread_.join();
    return requested_;
  }

 private:
  void run() {
    while (true) {
      http::RawPeer client = listener_.accept();
      if (is_stopping_) return;
      requested_.push_back(handshake_(client));
      if (requested_.back().empty()) continue;
      const http::RawPeer server = http::RawPeer::connect(to_);
      relay(client.descriptor(), server.descriptor());
    }
  }
  void relay(int one, int other) {
    const Thread back = executor_.spawn({.name = "proxy-back"}, [=] { pass(other, one); });
    pass(one, other);
  }
  // Passes bytes until one side closes, then closes both.
  static void pass(int from, int to) {
    char buffer[16384];
    ssize_t size = 0;
    while ((size = ::recv(from, buffer, sizeof(buffer), 0)) > 0) {
      if (::send(to, buffer, static_cast<std::size_t>(size), MSG_NOSIGNAL) != size) break;
    }
    for (const int end : {from, to}) ::shutdown(end, SHUT_RDWR);
  }

  Executor& executor_;
  http::RawListener listener_;
  const std::uint16_t to_;
  const Handshake handshake_;
  std::vector<std::string> requested_;
  std::atomic<bool> is_stopping_ = false;
  Thread thread_;
};

std::string accept_connect(http::RawPeer& client) {
  const std::string head = client.read_until("\r\n\r\n");
  client.send("HTTP/1.1 200 Connection established\r\n\r\n");
  return head.substr(0, head.find(" HTTP/"));
}

std::string accept_socks(http::RawPeer& client) {
  const std::string greeting = client.read_exactly(2);
  (void)client.read_exactly(static_cast<unsigned char>(greeting[1]));
  client.send(std::string("\x05\x00", 2));  // no authentication
  const std::string request = client.read_exactly(4);
  if (request != std::string("\x05\x01\x00\x03", 4)) return "no connection to a name";
  const auto size = static_cast<unsigned char>(client.read_exactly(1)[0]);
  std::string name = client.read_exactly(size);
  (void)client.read_exactly(2);
  client.send(std::string("\x05\x00\x00\x01\x7f\x00\x00\x01\x00\x00", 10));
  return name;
}

// A TLS server with the name api.pintle.test, which no name service resolves.
class RealProxy : public ::testing::Test {
 protected:
  RealProxy() {
    const auto identity = authority_.server({"api.pintle.test", "0.0.0.0"});
    server_ = std::make_unique<http::Server>(
        *executor_, scripted_, http::ServerOptions{.certificate = identity.certificate, .key = identity.key});
    scripted_.then([] { return config_map_response(); });
    EXPECT_TRUE(server_->start());
    folder_.write("ca.crt", authority_.certificate());
  }
  std::string file_with(const std::string& cluster, const std::string& server = "https://api.pintle.test:6443") const {
    return folder_.write("config",
                         "current-context: c\ncontexts: [{name: c, context: {cluster: c, user: u}}]\n"
                         "clusters: [{name: c, cluster: {server: \"" +
                             server + "\", certificate-authority: ca.crt" + cluster +
                             "}}]\nusers: [{name: u, user: {token: t}}]\n");
  }
  Result<Object> get(const Cluster& cluster) {
    const std::shared_ptr<http::Transport> transport = http::make_network_transport(*executor_);
    auto object = Client({.transport = transport, .cluster = cluster}).get(config_map, key_a);
    transport->stop();  // closes the connections, which ends the proxy
    return object;
  }

  std::unique_ptr<Executor> executor_ = make_real_executor();
  http::TestAuthority authority_{*executor_};
  ScriptedServer scripted_{*executor_};
  std::unique_ptr<http::Server> server_;
  TemporaryFolder folder_;
};

TEST_F(RealProxy, OfTheKubeconfigIsUsed) {
  TestProxy proxy(*executor_, server_->port(), accept_connect);
  const auto cluster =
      load_kubeconfig(file_with(", proxy-url: \"http://127.0.0.1:" + std::to_string(proxy.port()) + "\""));

  const auto object = get(*cluster);

  EXPECT_TRUE(object) << object.error().to_string();
  EXPECT_THAT(proxy.wait(), ElementsAre("CONNECT api.pintle.test:6443"));
}

TEST_F(RealProxy, OfTheEnvironmentIsUsed) {
  TestProxy proxy(*executor_, server_->port(), accept_connect);
  const ScopedVariable environment("HTTPS_PROXY", ("127.0.0.1:" + std::to_string(proxy.port())).c_str());
  const ScopedVariable exclusions("NO_PROXY", "other.pintle.test");

  const auto object = get(find_cluster(file_with("")).value());

  EXPECT_TRUE(object) << object.error().to_string();
  EXPECT_THAT(proxy.wait(), ElementsAre("CONNECT api.pintle.test:6443"));
}

// Unlike 127.0.0.1, the address 0.0.0.0 is not excluded without NO_PROXY, but it also leads to this machine.
TEST_F(RealProxy, IsNotAskedForAServerOfNoProxy) {
  TestProxy proxy(*executor_, server_->port(), accept_connect);
  const ScopedVariable environment("HTTPS_PROXY", ("127.0.0.1:" + std::to_string(proxy.port())).c_str());
  const std::string server = "0.0.0.0:" + std::to_string(server_->port());
  const std::string file = file_with("", "https://" + server);
  scripted_.then([] { return config_map_response(); });
  const auto get_with = [&](const char* exclusions) {
    const ScopedVariable no_proxy("NO_PROXY", exclusions);
    return get(find_cluster(file).value());
  };

  const auto excluded = get_with("other.pintle.test,0.0.0.0/8");
  const auto included = get_with("other.pintle.test");

  EXPECT_TRUE(excluded) << excluded.error().to_string();
  EXPECT_TRUE(included) << included.error().to_string();
  EXPECT_THAT(proxy.wait(), ElementsAre("CONNECT " + server)) << "only the second request";
}

// A body that stays open after its beginning.
class OpenBody final : public http::BodyStream {
 public:
  explicit OpenBody(std::string beginning) : rest_(std::move(beginning)) {}
  State read(std::string& out) override {
    out += std::exchange(rest_, {});
    return State::waiting;
  }
  void on_ready(std::function<void()>) override {}

 private:
  std::string rest_;
};

// Events pass at once, although the response does not end, and the end of the watch is that of the connection.
TEST_F(RealProxy, PassesTheEventsOfAWatch) {
  TestProxy proxy(*executor_, server_->port(), accept_connect);
  const auto cluster =
      load_kubeconfig(file_with(", proxy-url: \"http://127.0.0.1:" + std::to_string(proxy.port()) + "\""));
  const std::shared_ptr<http::Transport> transport = http::make_network_transport(*executor_);
  Client client({.transport = transport, .cluster = *cluster});
  ASSERT_TRUE(client.get(config_map, key_a));
  scripted_.then([] {
    http::Response response = json_response(200, "");
    response.stream = std::make_unique<OpenBody>(
        R"({"type":"ADDED","object":{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"b"}}})"
        "\n");
    return response;
  });
  std::vector<std::string> names;

  const auto watched = client.watch(config_map, {.namespace_ = "default"}, [&](const WatchEvent& event) {
    names.emplace_back(event.object.name());
    return false;  // ends the watch
  });
  transport->stop();

  EXPECT_TRUE(watched) << watched.error().to_string();
  EXPECT_THAT(names, ElementsAre("b"));
  EXPECT_THAT(proxy.wait(), ElementsAre("CONNECT api.pintle.test:6443"));
}

// As for Go programs, the proxy resolves the name.
TEST_F(RealProxy, BySocksResolvesTheName) {
  TestProxy proxy(*executor_, server_->port(), accept_socks);
  const auto cluster =
      load_kubeconfig(file_with(", proxy-url: \"socks5://127.0.0.1:" + std::to_string(proxy.port()) + "\""));

  const auto object = get(*cluster);

  EXPECT_TRUE(object) << object.error().to_string();
  EXPECT_THAT(proxy.wait(), ElementsAre("api.pintle.test"));
}

TEST_F(RealProxy, ThatRefusesIsNamed) {
  TestProxy proxy(*executor_, server_->port(), [](http::RawPeer& client) {
    (void)client.read_until("\r\n\r\n");
    client.send("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n");
    return "";
  });
  const auto cluster =
      load_kubeconfig(file_with(", proxy-url: \"http://me:hidden@127.0.0.1:" + std::to_string(proxy.port()) + "\""));

  const auto object = get(*cluster);

  ASSERT_FALSE(object);
  EXPECT_EQ(object.error().code, ErrorCode::unreachable);
  EXPECT_THAT(object.error().to_string(),
              AllOf(HasSubstr("the proxy failed"), HasSubstr("403"),
                    HasSubstr("check proxy-url of the kubeconfig, or $HTTPS_PROXY"), Not(HasSubstr("hidden"))));
}

}  // namespace
}  // namespace pintle
