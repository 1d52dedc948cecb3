// SPDX-License-Identifier: Apache-2.0
// The formats of strings that Kubernetes checks.
#include <algorithm>

#include <re2/re2.h>

#include <pintle/base/time.hpp>
#include <pintle/object/bytes.hpp>

#include "schema_node.hpp"

namespace pintle {
namespace {

struct Format {
  std::string_view name;
  const char* pattern;
};

constexpr const char* octet = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";

bool matches(std::string_view text, const std::string& pattern) {
  return RE2::FullMatch(re2::StringPiece(text.data(), text.size()), RE2(pattern));
}

bool is_ipv4(std::string_view text) {
  const std::string part(octet);
  return matches(text, part + "\\." + part + "\\." + part + "\\." + part);
}

// Eight groups, or fewer around one "::"; the last two may be an IPv4 address.
bool is_ipv6(std::string_view text) {
  const std::size_t last = text.rfind(':');
  if (last == std::string_view::npos) return false;
  std::string address(text);
  if (text.find('.') != std::string_view::npos) {
    if (!is_ipv4(text.substr(last + 1))) return false;
    address = std::string(text.substr(0, last + 1)) + "0:0";
  }
  const std::size_t gap = address.find("::");
  if (gap != std::string::npos && address.find("::", gap + 1) != std::string::npos) return false;
  if (!matches(address, "(([0-9a-fA-F]{1,4})?:)*([0-9a-fA-F]{1,4})?")) return false;
  const auto colons = std::count(address.begin(), address.end(), ':');
  if (gap == std::string::npos) return colons == 7 && address.front() != ':' && address.back() != ':';
  const bool edge_is_gap = (address.front() != ':' || gap == 0) && (address.back() != ':' || gap + 2 == address.size());
  return edge_is_gap && colons <= 7;
}

bool is_cidr(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return false;
  const std::string_view address = text.substr(0, slash);
  const std::string_view length = text.substr(slash + 1);
  if (is_ipv4(address)) return matches(length, "3[0-2]|[12]?[0-9]");
  return is_ipv6(address) && matches(length, "12[0-8]|1[01][0-9]|[1-9]?[0-9]");
}

bool is_date(std::string_view text) {
  return matches(text, "[0-9]{4}-[0-9]{2}-[0-9]{2}") && parse_time(std::string(text) + "T00:00:00Z").has_value();
}

}  // namespace

bool has_format(std::string_view format, std::string_view text) {
  static constexpr Format formats[] = {
      {"uuid", "(?i)[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}"},
      {"uuid3", "(?i)[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}"},
      {"uuid4", "(?i)[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}"},
      {"uuid5", "(?i)[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}"},
      {"duration",
       "-?([0-9]*\\.?[0-9]+(ns|us|µs|ms|s|m|h))+|0|(?i)[0-9]+ ?(ns|us|ms|s|m|h|d|w|second|minute|hour|day|week)s?"},
      {"mac", "(?i)[0-9a-f]{2}([:-][0-9a-f]{2}){5}([:-][0-9a-f]{2}){0,2}"},
      {"email", "[^\\s@<>]+@[^\\s@<>]+"},
      {"hostname", "(?i)[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)*"},
      {"uri", "(?i)[a-z][a-z0-9+.-]*:\\S+|/\\S*"},
  };
  if (format == "date-time") return parse_time(text).has_value();
  if (format == "date") return is_date(text);
  if (format == "byte") return Bytes::from_base64(text).has_value();
  if (format == "ipv4") return is_ipv4(text);
  if (format == "ipv6") return is_ipv6(text);
  if (format == "cidr") return is_cidr(text);
  const auto* found =
      std::find_if(std::begin(formats), std::end(formats), [&](const Format& one) { return one.name == format; });
  return found == std::end(formats) || matches(text, found->pattern);
}

}  // namespace pintle
