// SPDX-License-Identifier: Apache-2.0
// Reads facts from certificates, and verifies the certificate of a server as its clients do.
#pragma once

#include <string>
#include <vector>

#include <pintle/base/result.hpp>
#include <pintle/base/time.hpp>
#include <pintle/http/pem.hpp>

namespace pintle::http {

struct CertificateInfo {
  std::string pem{};          // this certificate only, as OpenSSL writes it, so equal certificates have equal texts
  std::string common_name{};  // of the subject; empty if it has none
  std::vector<std::string> names{};  // DNS names and IP addresses of the subjectAltName
  Validity validity{};
};

// Returns the facts of each certificate, in order. Error: that of validate_certificates(). Thread-safe.
[[nodiscard]] Result<std::vector<CertificateInfo>> describe_certificates(PemText pem);

// Whether the first certificate is valid for `host`, a DNS name or an IP address. False for a text that cannot be
// parsed. Thread-safe.
[[nodiscard]] bool is_valid_for_host(std::string_view certificate, const std::string& host);

// Whether the key of the first certificate of `authority` signed the first one of `certificate`. Dates are ignored.
// False for a text that cannot be parsed. Thread-safe.
[[nodiscard]] bool is_signed_by(std::string_view certificate, std::string_view authority);

// Verifies the first certificate as a client at the time `now` does: the other ones are its chain, which must end at
// one of the `trusted` authorities; dates, purpose and `host` must fit. Error: invalid, with the reason. Thread-safe.
[[nodiscard]] Result<void> verify_server_certificate(PemText certificate, PemText trusted, const std::string& host,
                                                     WallTime now);

// The same with the authorities that the system trusts, as OpenSSL finds them.
[[nodiscard]] Result<void> verify_with_system_trust(PemText certificate, const std::string& host, WallTime now);

}  // namespace pintle::http
