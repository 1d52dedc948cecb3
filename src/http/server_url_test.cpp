#include <pintle/http/server_url.hpp>

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pintle::http {
namespace {

using ::testing::HasSubstr;

struct UrlCase {
  std::string url;
  bool secure;
  std::string means;  // empty: refused
};

TEST(ServerUrl, ReadsUrlsLikeKubectl) {
  const std::vector<UrlCase> cases{
      {"https://a", false, "https://a:443"},
      {"HTTPS://a.b:6443/", false, "https://a.b:6443"},
      {"http://127.0.0.1:8001/base/x/", true, "http://127.0.0.1:8001/base/x"},
      {"https://[fd00::1]:6443", false, "https://[fd00::1]:6443"},
      {"https://[fd00::1]", false, "https://[fd00::1]:443"},
      {"localhost:8080", false, "http://localhost:8080"},
      {"localhost:8443", true, "https://localhost:8443"},
  };
  for (const UrlCase& c : cases) {
    const auto endpoint = parse_server_url(c.url, c.secure);
    ASSERT_TRUE(endpoint) << c.url << ": " << endpoint.error().message;
    const std::string port = ":" + std::to_string(endpoint->port);
    EXPECT_THAT(c.means, HasSubstr(port));
    EXPECT_EQ(endpoint->tls, c.means.starts_with("https:"));
    EXPECT_THAT(c.means, HasSubstr(endpoint->host));
    EXPECT_TRUE(c.means.ends_with(endpoint->base_path)) << endpoint->base_path;
  }
}

TEST(ServerUrl, RefusesInvalidUrls) {
  for (const char* url : {"",
                          "https://",
                          "https://:443",
                          "ssh://a",
                          "https://a:0",
                          "https://a:x",
                          "https://a:65536",
                          "https://u:p@a",
                          "https://[::1",
                          "https://[::1]x:1",
                          "https://a/?q",
                          "https://a/#f",
                          "https://a b",
                          "https://a\nb",
                          "https://a%2fb",
                          "https://a,b",
                          "https://a..b",
                          "https://[a]",
                          "https://a/b c",
                          "https://a/b\r\nX: y",
                          "https://a/\xc3\xa4"}) {
    EXPECT_FALSE(parse_server_url(url, true)) << url;
  }
}

TEST(ServerName, IsADnsNameOrAnAddress) {
  for (const char* name :
       {"kubernetes.example", "a", "kubernetes.default.svc", "my_host-1.", "10.0.0.1", "::1", "fd00::1"}) {
    EXPECT_TRUE(validate_server_name(name)) << name;
  }
  for (const std::string& name : std::vector<std::string>{
           "", ".", "a..b", "-a", "a b", "a/b", "evil.example/x?", "evil.example#", "u@evil.example", "a:443", "[::1]",
           "a\r\nHost: b", "a%2fb", "*.a", std::string(64, 'a'), std::string(300, 'a'), "fe80::1%eth0", "\xc3\xa4"}) {
    EXPECT_FALSE(validate_server_name(name)) << name;
  }
}

TEST(ProxyUrl, AcceptsUserAndPasswordAndRefusesInvalidText) {
  EXPECT_TRUE(validate_proxy_url("http://proxy:3128"));
  EXPECT_TRUE(validate_proxy_url("https://me:p@ss@proxy"));
  EXPECT_TRUE(validate_proxy_url("socks5://[::1]:1080"));
  EXPECT_FALSE(validate_proxy_url("proxy:3128"));
  EXPECT_FALSE(validate_proxy_url("http://"));
  EXPECT_FALSE(validate_proxy_url("http://proxy\r\nX: y"));
  EXPECT_FALSE(validate_proxy_url("http://a/b c"));
}

}  // namespace
}  // namespace pintle::http
