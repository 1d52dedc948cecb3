// SPDX-License-Identifier: Apache-2.0
#include <pintle/http/server_url.hpp>

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace pintle::http {
namespace {

struct UrlCase {
  std::string url;
  bool secure;
  std::string means;
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
      {"hTtP://A.b", true, "http://A.b:80"},
      {"https://a:", false, "https://a:443"},
      {"https://a:00443", false, "https://a:443"},
      {"https://a./", false, "https://a.:443"},
      {"https://my_host-1", false, "https://my_host-1:443"},
      {"127.1", false, "http://127.0.0.1:80"},
      {"[::1]", true, "https://[::1]:443"},
      {"[::ffff:10.0.0.1]:80/x", false, "http://[::ffff:10.0.0.1]:80/x"},
      {"https://[fe80::1%eth0]:1", false, "https://[fe80::1%eth0]:1"},
      {"https://[fe80::1%25eth0]:1", false, "https://[fe80::1%eth0]:1"},
      {"https://a/x//y///", false, "https://a:443/x//y"},
      {"https://a/x/../%2e%2e/y%20z", false, "https://a:443/x/../%2e%2e/y%20z"},
      {"https://a/x:/y://z@w", false, "https://a:443/x:/y://z@w"},
      {"localhost:8080/x://y", false, "http://localhost:8080/x://y"},
      {"localhost/x:/y", false, "http://localhost:80/x:/y"},
  };
  for (const UrlCase& c : cases) {
    const auto endpoint = parse_server_url(c.url, c.secure);
    ASSERT_TRUE(endpoint) << c.url << ": " << endpoint.error().message;
    EXPECT_EQ(endpoint->url(), c.means);
  }
}

TEST(ServerUrl, RefusesInvalidUrls) {
  const std::string space = "has a space, control or non-ASCII character; percent-encode it";
  const std::string host = "has no valid host; it must be a DNS name or an IP address, IPv6 in brackets";
  const std::string port = "has a port that is not a number from 1 to 65535, or an IPv6 address without brackets";
  const std::string user = "contains a user name or password; remove it";
  const std::string scheme = "must begin with https:// or http://";
  const std::string query = "must not contain \"?\" or \"#\"";
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", host},
      {"https://", host},
      {"https://:443", host},
      {"https:///a", host},
      {"https:////a", host},
      {"https://[::1", host},
      {"https://[a]", host},
      {"https://[1::2::3]", host},
      {"https://::1", port},
      {"https://fd00::1:443", port},
      {"https://a%2fb", host},
      {"https://a,b", host},
      {"https://a..b", host},
      {"https://.", host},
      {"https://-a", host},
      {"https://*.a", host},
      {"https://a\\b", host},
      {"https://" + std::string(64, 'a'), host},
      {"ssh://a", scheme},
      {"ftp://a", scheme},
      {"https:/a", scheme},
      {"HTTP:/a", scheme},
      {"https://a:0", port},
      {"https://a:x", port},
      {"https://a:65536", port},
      {"https://a:99999999999999999999", port},
      {"https://a:+1", port},
      {"https://a:-1", port},
      {"https://a:1:2", port},
      {"https://[::1]x:1", port},
      {"https:a", port},
      {"https://u:p@a", user},
      {"https://u:p@w@a", user},
      {"https://u@a", user},
      {"https://@a", user},
      {"u:p@a", user},
      {"https://a/?q", query},
      {"https://a?q", query},
      {"https://a?", query},
      {"https://a/#f", query},
      {"https://a#", query},
      {"https://a b", space},
      {" https://a", space},
      {"https://a ", space},
      {"https://a\nb", space},
      {"https://a:4 43", space},
      {"https://a/b c", space},
      {"https://a/b\r\nX: y", space},
      {"https://a\x7f", space},
      {std::string("https://a\0b", 11), space},
      {"https://a/\xc3\xa4", space},
      {"https://\xc3\xa4", space},
  };
  for (const auto& [url, reason] : cases) {
    const auto endpoint = parse_server_url(url, true);
    ASSERT_FALSE(endpoint) << url << " means " << endpoint->url();
    EXPECT_EQ(endpoint.error().message, reason) << url;
    EXPECT_EQ(endpoint.error().code, ErrorCode::invalid);
  }
}

TEST(ServerName, IsADnsNameOrAnAddress) {
  for (const char* name :
       {"kubernetes.example", "a", "kubernetes.default.svc", "my_host-1.", "10.0.0.1", "::1", "fd00::1"}) {
    EXPECT_TRUE(validate_server_name(name)) << name;
  }
  for (const std::string& name : std::vector<std::string>{"",
                                                          ".",
                                                          "a..b",
                                                          "-a",
                                                          "a b",
                                                          "a/b",
                                                          "evil.example/x?",
                                                          "evil.example#",
                                                          "u@evil.example",
                                                          "a:443",
                                                          "[::1]",
                                                          "1::2::3",
                                                          ":::",
                                                          "a\r\nHost: b",
                                                          "a%2fb",
                                                          "*.a",
                                                          std::string(64, 'a'),
                                                          std::string(300, 'a'),
                                                          "fe80::1%eth0",
                                                          "\xc3\xa4"}) {
    EXPECT_FALSE(validate_server_name(name)) << name;
  }
}

TEST(ProxyUrl, AcceptsUserAndPasswordAndRefusesInvalidText) {
  EXPECT_TRUE(validate_proxy_url("http://proxy:3128"));
  EXPECT_TRUE(validate_proxy_url("https://me:p%40ss@proxy"));
  EXPECT_TRUE(validate_proxy_url("SOCKS5://[::1]:1080"));
  EXPECT_TRUE(validate_proxy_url("socks5h://proxy/"));
  for (const char* url : {"proxy:3128", "proxy", "http:/proxy", "ftp://proxy", "http://", "http:///proxy",
                          "http://proxy:0", "http://a..b", "http://proxy\r\nX: y", "http://a/b c"}) {
    EXPECT_FALSE(validate_proxy_url(url)) << url;
  }
}

// libcurl cannot use such a URL, so that each connection would fail.
TEST(ProxyUrl, AnAtSignInAPasswordMustBeEncoded) {
  const auto refused = validate_proxy_url("https://me:p@ss@proxy");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "has an \"@\" in its user name or password; write it as %40");
  EXPECT_TRUE(validate_proxy_url("http://me:pw@proxy/@@"));
}

TEST(Address, IsWrittenInAUrlWithBrackets) {
  EXPECT_EQ(host_in_url("::1"), "[::1]");
  EXPECT_EQ(host_in_url("a.example"), "a.example");
  EXPECT_EQ(join_host_port("fd00::1", 80), "[fd00::1]:80");
  EXPECT_EQ(join_host_port("10.0.0.1", 0), "10.0.0.1:0");
}

TEST(Address, IsAnIpAddressWithoutBracketsAndZone) {
  for (const char* host : {"10.0.0.1", "::1", "::ffff:10.0.0.1"}) EXPECT_TRUE(is_ip_address(host)) << host;
  for (const char* host : {"", "10.0.0", "10.0.0.256", "a", "[::1]", "fe80::1%eth0", "1::2::3"}) {
    EXPECT_FALSE(is_ip_address(host)) << host;
  }
}

}  // namespace
}  // namespace pintle::http
