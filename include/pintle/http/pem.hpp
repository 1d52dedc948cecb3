// SPDX-License-Identifier: Apache-2.0
// Checks certificates and private keys in PEM text, so that a wrong file is reported when it is read, not when a
// connection fails.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/result.hpp>
#include <pintle/base/time.hpp>

namespace pintle::http {

/// A PEM text and its name, with which messages begin: "/etc/tls/tls.crt", "client-certificate-data".
struct PemText {
  std::string_view name{};
  std::string_view text{};
};

/// The time during which a certificate is valid. A time that WallTime cannot represent becomes the minimum or maximum
/// of WallTime.
struct Validity {
  WallTime not_before{};
  WallTime not_after{};

  [[nodiscard]] bool has_begun(WallTime now) const noexcept { return not_before <= now; }
  [[nodiscard]] bool has_ended(WallTime now) const noexcept { return not_after < now; }
};

/// Returns the validity of each certificate, in order. Other text, and blocks that are not certificates, are ignored.
/// Error: invalid, if there is no certificate, or one of them is incomplete or malformed. Thread-safe.
[[nodiscard]] PINTLE_EXPORT Result<std::vector<Validity>> validate_certificates(PemText pem);

/// Returns the validity of the first certificate; the others are its chain. Error: invalid, unless `key` contains a
/// private key without a passphrase that belongs to the first certificate. Thread-safe.
[[nodiscard]] PINTLE_EXPORT Result<Validity> validate_key_pair(PemText certificate, PemText key);

}  // namespace pintle::http
