// SPDX-License-Identifier: Apache-2.0
// Url: a parsed URL, as Kubernetes parses it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pintle/base/result.hpp>

namespace pintle::cel {

struct Url {
  std::string scheme{};  // in lower case
  std::string opaque{};  // what follows the scheme if it is no path
  std::string user{};
  std::string host{};  // with the port
  std::string path{};  // escaped
  bool has_query = false;
  std::string query{};  // as in the text
  std::optional<std::string> fragment{};

  // Without the port and without the brackets of an IPv6 address.
  [[nodiscard]] std::string hostname() const;
  [[nodiscard]] std::string port() const;
  // The parameters of the query in the order of the text, without escapes.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> parameters() const;

  friend bool operator==(const Url&, const Url&) = default;
};

// Parses an absolute URL or an absolute path. Error: invalid; the message is `parse "x": …`.
[[nodiscard]] Result<Url> parse_url(std::string_view text);
// Whether a text is valid as the target of a request, without a fragment.
[[nodiscard]] Result<void> check_request_url(std::string_view text);

}  // namespace pintle::cel
