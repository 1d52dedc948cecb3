// SPDX-License-Identifier: Apache-2.0
// HTTP messages as values.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/result.hpp>
#include <pintle/base/time.hpp>

namespace pintle::http {

/// Header fields in order. Names are compared case-insensitively. Thread-safety: as a plain value.
class PINTLE_EXPORT Headers {
 public:
  Headers() = default;
  Headers(std::initializer_list<std::pair<std::string, std::string>> fields) : fields_(fields) {}

  /// The first value of the name, if any. The view is valid until the headers change.
  [[nodiscard]] std::optional<std::string_view> get(std::string_view name) const noexcept;
  [[nodiscard]] std::vector<std::string_view> get_all(std::string_view name) const;
  void set(std::string_view name, std::string value);  ///< replaces all values of the name
  void add(std::string_view name, std::string value);

  [[nodiscard]] auto begin() const noexcept { return fields_.begin(); }
  [[nodiscard]] auto end() const noexcept { return fields_.end(); }
  [[nodiscard]] bool empty() const noexcept { return fields_.empty(); }

 private:
  std::vector<std::pair<std::string, std::string>> fields_;
};

/// How a client reaches a server: the address, the trusted certificates and the client's own certificate. Certificates
/// and keys are PEM texts, not file names.
struct PINTLE_EXPORT Endpoint {
  bool tls = false;
  std::string host = "localhost";  ///< a name or an IP address, IPv6 without brackets
  std::uint16_t port = 0;
  std::string base_path{};  ///< prefix of every target: "" or "/clusters/a"
  std::string ca{};         ///< trusted: roots, intermediates or the server's certificate; empty: those of the system
  std::string client_certificate{};
  std::string client_key{};
  std::string server_name{};  ///< expected in the server's certificate; empty: host
  bool insecure = false;      ///< do not verify the server's certificate
  std::string proxy{};        ///< URL; empty: none
  /// When these certificates replaced others for the same server. For two minutes, requests with this endpoint close
  /// idle connections to the server that use other certificates.
  std::optional<Instant> replaced_at{};

  /// "https://host:port/base", for messages.
  [[nodiscard]] std::string url() const;
};

/// The subject of a client certificate. Kubernetes uses the common name as the user and the organizations as the
/// groups.
struct CertificateSubject {
  std::string common_name{};
  std::vector<std::string> organizations{};
};

struct Request {
  std::string method = "GET";
  std::string target = "/";  ///< path and query, percent-encoded
  Headers headers{};
  std::string body{};

  /// Only on the client side:
  std::shared_ptr<const Endpoint> endpoint{};
  Duration timeout = std::chrono::seconds(30);  ///< of the whole exchange; zero: none
  Instant deadline = Instant::max();            ///< of the whole exchange; the earlier of both limits applies
  Duration idle_timeout{};                      ///< maximum time without data from the peer; zero: none
  /// Called on the sending thread immediately before the request is sent, after any wait for a connection, and again
  /// before each repetition. If it returns an error, nothing more is sent and the exchange ends with that error. Empty:
  /// always send.
  std::function<Result<void>()> before_send{};
  unsigned resend_count = 0;  ///< how often the caller has already sent this request

  /// Only on the server side: the subject of the certificate that the peer presented; null without a certificate.
  std::shared_ptr<const CertificateSubject> peer{};
  /// Only on the server side: the IP address of the peer, without a port. Behind proxies, the address of the last
  /// proxy. Empty: unknown.
  std::string peer_address{};
};

struct ResponseHead {
  int status = 200;
  Headers headers{};
  /// Duration of the DNS lookup of the server's name. None if there was no lookup, for example on an open connection.
  std::optional<Duration> name_lookup{};
};

/// Percent-encodes all characters except the unreserved ones (RFC 3986), for one path segment or one query value.
[[nodiscard]] PINTLE_EXPORT std::string percent_encode(std::string_view text);
/// Reverses percent_encode(). A malformed escape stays as it is. `plus_is_space` decodes "+" as a space, for queries.
[[nodiscard]] PINTLE_EXPORT std::string percent_decode(std::string_view text, bool plus_is_space = false);

/// The parts of a target.
struct PINTLE_EXPORT Target {
  std::string path{};                                             ///< decoded
  std::vector<std::pair<std::string, std::string>> parameters{};  ///< decoded, in order

  [[nodiscard]] std::optional<std::string_view> parameter(std::string_view name) const noexcept;
};
[[nodiscard]] PINTLE_EXPORT Target parse_target(std::string_view target);

}  // namespace pintle::http
