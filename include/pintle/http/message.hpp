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

#include <pintle/base/result.hpp>
#include <pintle/base/time.hpp>

namespace pintle::http {

// Header fields in order; names compare without case. Thread-safety: a plain value.
class Headers {
 public:
  Headers() = default;
  Headers(std::initializer_list<std::pair<std::string, std::string>> fields) : fields_(fields) {}

  // The first value of a name, if any. Valid until the headers change.
  [[nodiscard]] std::optional<std::string_view> get(std::string_view name) const noexcept;
  [[nodiscard]] std::vector<std::string_view> get_all(std::string_view name) const;
  void set(std::string_view name, std::string value);  // replaces every value of the name
  void add(std::string_view name, std::string value);

  [[nodiscard]] auto begin() const noexcept { return fields_.begin(); }
  [[nodiscard]] auto end() const noexcept { return fields_.end(); }
  [[nodiscard]] bool empty() const noexcept { return fields_.empty(); }

 private:
  std::vector<std::pair<std::string, std::string>> fields_;
};

// How a server is reached: where it is, whom to trust, who we are. PEM texts, not file names.
struct Endpoint {
  bool tls = false;
  std::string host = "localhost";  // a name or an address; IPv6 without brackets
  std::uint16_t port = 0;
  std::string base_path{};  // put before every target: "" or "/clusters/a"
  std::string ca{};         // certificates to trust; empty: the system's
  std::string client_certificate{};
  std::string client_key{};
  std::string server_name{};  // expected in the certificate; empty: host
  bool insecure = false;      // do not verify the server
  std::string proxy{};        // URL; empty: none

  // "https://host:port/base", for messages.
  [[nodiscard]] std::string url() const;
};

// Whom a client's certificate names; to Kubernetes these are a user and the groups of that user.
struct CertificateSubject {
  std::string common_name{};
  std::vector<std::string> organizations{};
};

struct Request {
  std::string method = "GET";
  std::string target = "/";  // path and query, percent-encoded
  Headers headers{};
  std::string body{};

  // Of the client side alone:
  std::shared_ptr<const Endpoint> endpoint{};
  Duration timeout = std::chrono::seconds(30);  // of the whole exchange; zero: none
  Instant deadline = Instant::max();            // of the whole exchange too; what comes first counts
  Duration idle_timeout{};                      // longest silence of the peer; zero: none
  // Asked on the I/O thread when the request is about to leave, after any wait for a connection, and again each time it
  // is sent again. An error ends the exchange with that error and without another byte. Empty: it may leave.
  std::function<Result<void>()> may_leave{};
  unsigned resends = 0;  // how often the caller has sent it before

  // Of the server side alone: of the certificate that the peer has shown; none without one.
  std::shared_ptr<const CertificateSubject> peer{};
  // Of the server side alone: the IP address of the peer, without a port; that of the last proxy on the way. Empty: not
  // known.
  std::string peer_address{};
};

struct ResponseHead {
  int status = 200;
  Headers headers{};
  // How long the server's name was looked up; none where it was not, as on a connection that was open.
  std::optional<Duration> name_lookup{};
};

// Percent-encodes everything but unreserved characters (RFC 3986), for one path segment or query value.
[[nodiscard]] std::string percent_encode(std::string_view text);
// Undoes it; a malformed escape stays as it is. `plus_is_space` for queries.
[[nodiscard]] std::string percent_decode(std::string_view text, bool plus_is_space = false);

// A target taken apart.
struct Target {
  std::string path{};                                             // decoded
  std::vector<std::pair<std::string, std::string>> parameters{};  // decoded, in order

  [[nodiscard]] std::optional<std::string_view> parameter(std::string_view name) const noexcept;
};
[[nodiscard]] Target parse_target(std::string_view target);

}  // namespace pintle::http
