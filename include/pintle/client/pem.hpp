// Basic checks of PEM text, so that a wrong file is reported when it is read, not when a connection fails. Thread-safe.
#pragma once

#include <string_view>

#include <pintle/base/annotations.hpp>
#include <pintle/base/result.hpp>

namespace pintle {

/// Error: invalid, "is not a PEM certificate: …", unless the text has at least one certificate and all are complete.
[[nodiscard]] PINTLE_EXPORT Result<void> validate_certificates(std::string_view pem);

/// Error: invalid unless `certificate` contains a certificate and `key` contains a private key without a passphrase.
[[nodiscard]] PINTLE_EXPORT Result<void> validate_key_pair(std::string_view certificate, std::string_view key);

}  // namespace pintle
