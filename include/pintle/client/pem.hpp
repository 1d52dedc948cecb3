// A first look at PEM text, so that a wrong file is named when it is read and not when a connection fails. Thread-safe.
#pragma once

#include <string_view>

#include <pintle/base/result.hpp>

namespace pintle {

// Error: invalid, "is not a PEM certificate: …", unless there is at least one whole certificate.
[[nodiscard]] Result<void> check_certificates(std::string_view pem);

// Error: invalid unless `certificate` has a certificate and `key` a private key that needs no passphrase.
[[nodiscard]] Result<void> check_key_pair(std::string_view certificate, std::string_view key);

}  // namespace pintle
