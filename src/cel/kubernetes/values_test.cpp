// SPDX-License-Identifier: Apache-2.0
// Addresses, URLs, quantities, versions, formats and regular expressions.
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "cel/test_support.hpp"

namespace pintle::cel {
namespace {

void expect_values(const std::vector<std::pair<const char*, const char*>>& table) {
  const auto environment = make_environment();
  for (const auto& [text, expected] : table) EXPECT_EQ(run(environment, text), expected) << text;
}

TEST(KubernetesValues, AddressesHaveACanonicalText) {
  expect_values(
      {{"string(ip('2001:DB8:0:0:1:0:0:1'))", "\"2001:db8::1:0:0:1\""},
       {"string(ip('::'))", "\"::\""},
       {"string(ip('1::'))", "\"1::\""},
       {"string(ip('1:0:2:3:4:5:6:7'))", "\"1:0:2:3:4:5:6:7\""},
       {"string(ip('64:ff9b::1.2.3.4'))", "\"64:ff9b::102:304\""},
       {"ip.isCanonical('::1')", "true"},
       {"ip.isCanonical('0::1')", "false"},
       {"ip('::1') == ip('0:0::1')", "true"},
       {"ip('127.0.0.1').family()", "4"},
       {"type(ip('::1')) == net.IP", "true"},
       {"isIP('1.2.3.4') && isIP('::') && !isIP('1.2.3') && !isIP('fe80::1%a') && !isIP('::ffff:1.2.3.4')", "true"}});
}

TEST(KubernetesValues, MalformedAddressesHaveAReason) {
  const auto prefix = [](const std::string& text) {
    return "error: IP Address \"" + text + "\" parse error during conversion from string: ParseAddr(\"" + text +
           "\"): ";
  };
  const std::vector<std::pair<const char*, const char*>> table = {
      {"", "unable to parse IP"},
      {"1.2.3.256", "IPv4 field has value >255"},
      {"1.2.3", "IPv4 address too short"},
      {"1.2.3.4.5", "IPv4 address too long"},
      {"1..3.4", "IPv4 field must have at least one digit (at \".3.4\")"},
      {"1.2.3.a", "unexpected character (at \"a\")"},
      {"01.2.3.4", "IPv4 field has octet with leading zero"},
      {"1:2", "address string too short"},
      {"1::2::3", "multiple :: in address (at \":3\")"},
      {"12345::", "each group must have 4 or less digits (at \"12345::\")"},
      {"1:2:3:4:5:6:7:8:9", "trailing garbage after address (at \"9\")"},
      {"1:2:3:4:5:6:7:", "colon must be followed by more characters (at \":\")"},
      {"%eth0", "missing IPv6 address"}};
  for (const auto& [text, why] : table) {
    EXPECT_EQ(run("ip('" + std::string(text) + "')"), prefix(text) + why) << text;
  }
}

TEST(KubernetesValues, AddressesHaveProperties) {
  expect_values({{"ip('0.0.0.0').isUnspecified() && ip('::').isUnspecified()", "true"},
                 {"ip('127.9.9.9').isLoopback() && ip('::1').isLoopback() && !ip('::2').isLoopback()", "true"},
                 {"ip('224.0.0.1').isLinkLocalMulticast() && !ip('224.0.1.1').isLinkLocalMulticast()", "true"},
                 {"ip('ff02::1').isLinkLocalMulticast() && !ip('fd00::1').isLinkLocalMulticast()", "true"},
                 {"ip('169.254.1.1').isLinkLocalUnicast() && ip('fe80::1').isLinkLocalUnicast()", "true"},
                 {"ip('10.0.0.1').isGlobalUnicast() && ip('2001:db8::1').isGlobalUnicast()", "true"},
                 {"ip('255.255.255.255').isGlobalUnicast() || ip('ff00::1').isGlobalUnicast()", "false"}});
}

TEST(KubernetesValues, NetworksContainAddresses) {
  expect_values(
      {{"cidr('10.0.0.0/8').containsIP('10.1.2.3')", "true"},
       {"cidr('10.0.0.0/9').containsIP(ip('10.128.0.1'))", "false"},
       {"cidr('::/0').containsIP('10.1.2.3')", "false"},
       {"cidr('10.0.0.0/8').containsIP('x')", "error: no such overload"},
       {"cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16')", "true"},
       {"cidr('10.1.0.0/16').containsCIDR(cidr('10.0.0.0/8'))", "false"},
       {"string(cidr('2001:db8:ffff::1/33').masked())", "\"2001:db8:8000::/33\""},
       {"cidr('10.1.2.3/8').ip() == ip('10.1.2.3')", "true"},
       {"cidr('10.1.2.3/8') == cidr('10.1.2.3/8').masked()", "false"},
       {"cidr('::1/128').prefixLength()", "128"},
       {"isCIDR('10.0.0.1/08') || isCIDR('10.0.0.0/33') || isCIDR('10.0.0.0/-1')", "false"},
       {"isCIDR('10.0.0.0/0') && type(cidr('::/1')) == net.CIDR", "true"},
       {"cidr('1.2.3.4/x')",
        "error: network address parse error during conversion from string: network address parse error during "
        "conversion from string: netip.ParsePrefix(\"1.2.3.4/x\"): bad bits after slash: \"x\""}});
}

TEST(KubernetesValues, UrlsHaveParts) {
  expect_values(
      {{"url('HTTPS://u:p@example.com:80/a/b?k=1#f').getScheme()", "\"https\""},
       {"url('https://u:p@example.com:80/a').getHost()", "\"example.com:80\""},
       {"url('https://[::1]:80/').getHost()", "\"[::1]:80\""},
       {"url('https://[::1]:80/').getHostname()", "\"::1\""},
       {"url('https://example.com:8080').getPort()", "\"8080\""},
       {"url('https://example.com').getPort()", "\"\""},
       {"url('/with space').getEscapedPath()", "\"/with%20space\""},
       {"url('/a%2Fb').getEscapedPath()", "\"/a%2Fb\""},
       {"url('https://h?k1=a&k2=b&k2=c+d%21&bad=%zz').getQuery()", R"({"k1":["a"],"k2":["b","c d!"]})"},
       {"url('https://h/p#f').getEscapedPath()", "\"/p\""},
       {"url('http://h/a') == url('HTTP://h/a') && url('http://h/a') != url('http://h/a?')", "true"},
       {"isURL('https://a/b') && isURL('/p') && isURL('mailto:a@b')", "true"},
       {"isURL('a/b') || isURL('http://[::1') || isURL('http://a:b/') || isURL('/%zz') || isURL('http://a b/')",
        "false"},
       {"url('http://h:x/')",
        "error: URL parse error during conversion from string: parse \"http://h:x/\": invalid port \":x\" "
        "after host"}});
}

TEST(KubernetesValues, QuantitiesAreExact) {
  expect_values(
      {{"quantity('1Gi').compareTo(quantity('1073741824'))", "0"},
       {"quantity('0.1').add(quantity('0.2')) == quantity('300m')", "true"},
       {"quantity('1e3') == quantity('1k')", "true"},
       {"quantity('9999999999999999999999G').isGreaterThan(quantity('9e30'))", "true"},
       {"quantity('1e1000').isGreaterThan(quantity('1e999')) && quantity('-1e1000').isLessThan(quantity('0'))", "true"},
       {"quantity('1e1000000').add(quantity('1')).isInteger()", "error: the quantities differ too much in size"},
       {"quantity('9Ei') == quantity('9223372036854775807')", "true"},
       {"quantity('0.1n') == quantity('1n')", "true"},
       {"quantity('1.0').isInteger()", "false"},
       {"quantity('10k').isInteger() && quantity('10k').asInteger() == 10000", "true"},
       {"quantity('9223372036854775807k').isInteger()", "false"},
       {"quantity('1.5').asInteger()", "error: cannot convert value to integer"},
       {"quantity('500m').asApproximateFloat()", "0.5"},
       {"sign(quantity('-1')) + sign(quantity('0')) + sign(quantity('2'))", "0"},
       {"quantity('3').sub(5).asInteger()", "-2"},
       {"quantity('3').sub(quantity('1')).add(2).asInteger()", "4"},
       {"quantity('5000000000000000000').add(quantity('5000000000000000000')) == quantity('10E')", "true"},
       {"isQuantity('1.Gi') || isQuantity('.5') || isQuantity('-1e-3')", "true"},
       {"isQuantity('1K') || isQuantity('Gi1') || isQuantity('1e') || isQuantity('') || isQuantity('1.2.3')", "false"},
       {"quantity('1K')", "error: unable to parse quantity's suffix"}});
}

TEST(KubernetesValues, VersionsAreCompared) {
  expect_values({{"semver('1.2.3').major() * 100 + semver('1.2.3').minor() * 10 + semver('1.2.3').patch()", "123"},
                 {"semver('1.0.0-alpha.1').isLessThan(semver('1.0.0-alpha.beta'))", "true"},
                 {"semver('1.0.0-rc.2').isLessThan(semver('1.0.0-rc.10'))", "true"},
                 {"semver('1.0.0').isGreaterThan(semver('1.0.0-rc.1'))", "true"},
                 {"semver('1.0.0-a').isLessThan(semver('1.0.0-a.1'))", "true"},
                 {"semver('1.0.0+b1').compareTo(semver('1.0.0+b2'))", "0"},
                 {"semver('v01.2', true) == semver('1.2.0')", "true"},
                 {"isSemver('1.2.3-rc.1+build.5') && isSemver('v1', true)", "true"},
                 {"isSemver('1.2') || isSemver('1.2.3-01') || isSemver('1.2.3-') || isSemver('1.2.3+a_b')", "false"},
                 {"semver('1.x.3')", "error: Invalid character(s) found in minor number \"x\""},
                 {"semver('1.2.03')", "error: Patch number must not contain leading zeroes \"03\""},
                 {"semver('1-a', true)", "error: short version cannot contain PreRelease/Build meta data"}});
}

TEST(KubernetesValues, FormatsAreValidated) {
  const std::vector<std::pair<const char*, std::pair<const char*, const char*>>> table = {
      {"dns1123Label", {"a-1", "a.b"}},
      {"dns1123Subdomain", {"a.b-c", "a..b"}},
      {"dns1035Label", {"a1", "1a"}},
      {"qualifiedName", {"example.com/My_Name", "a/b/c"}},
      {"dns1123LabelPrefix", {"a-", "-a"}},
      {"dns1123SubdomainPrefix", {"a.b-", "a.-b"}},
      {"dns1035LabelPrefix", {"a-", "1a-"}},
      {"labelValue", {"", "a/b"}},
      {"uri", {"/p", "p"}},
      {"uuid", {"123E4567-e89b-12d3-a456-426614174000", "123"}},
      {"byte", {"aGk=", "aGk"}},
      {"date", {"2024-02-29", "2023-02-29"}},
      {"datetime", {"2024-01-01T23:59:59.5Z", "2024-01-01T24:00:00Z"}}};
  const auto environment = make_environment();
  for (const auto& [name, texts] : table) {
    const auto call = [&](const std::string& text) {
      return "format." + std::string(name) + "().validate('" + text + "')";
    };
    EXPECT_EQ(run(environment, call(texts.first)), "none") << name;
    EXPECT_NE(run(environment, call(texts.second)), "none") << name;
    EXPECT_EQ(run(environment, "format.named('" + std::string(name) + "').value() == format." + name + "()"), "true");
  }
  EXPECT_EQ(run(environment, "format.named('other')"), "none");
  EXPECT_EQ(run(environment, "format.dns1123Label().validate('a.b').value()"), R"(["must not contain dots"])");
  EXPECT_EQ(run(environment, "format.qualifiedName().validate('/').value()[0]"), "\"prefix part must be non-empty\"");
}

TEST(KubernetesValues, RegularExpressionsFindText) {
  expect_values({{"'a12b3'.find('[0-9]+')", "\"12\""},
                 {"'abc'.find('[0-9]+')", "\"\""},
                 {"'a12b3'.findAll('[0-9]+')", R"(["12","3"])"},
                 {"'a12b3'.findAll('[0-9]', 2)", R"(["1","2"])"},
                 {"'a1'.findAll('[0-9]', 0)", "[]"},
                 {"'ab1'.findAll('[0-9]*')", R"(["","","1"])"},
                 {"'\u00e9'.findAll('x*').size()", "2"},
                 {"'a'.find(dyn('['))", "error: Illegal regex: error parsing regexp: missing closing ]: `[`"},
                 {"'a'.find('[')", "error parsing regexp: missing closing ]: `[`"},
                 {"'a'.findAll(')')", "error parsing regexp: unexpected ): `)`"},
                 {"'a'.find(dyn('(a'))", "error: Illegal regex: error parsing regexp: missing closing ): `(a`"},
                 {"'a'.find(dyn('*'))",
                  "error: Illegal regex: error parsing regexp: missing argument to repetition operator: `*`"},
                 {"'a'.find(dyn('a\\\\'))",
                  "error: Illegal regex: error parsing regexp: trailing backslash at end of expression: ``"}});
}

}  // namespace
}  // namespace pintle::cel
