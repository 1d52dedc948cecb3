// SPDX-License-Identifier: Apache-2.0
// Parses certificates and private keys from PEM text.
#pragma once

#include <vector>

#include <pintle/base/result.hpp>
#include <pintle/http/pem.hpp>

#include "openssl.hpp"

namespace pintle::http {

// The errors of these functions are those of validate_certificates() and validate_key_pair().
[[nodiscard]] Result<std::vector<Certificate>> parse_certificates(PemText pem);

struct ParsedKeyPair {
  std::vector<Certificate> certificates{};  // the key belongs to the first
  Key key{};
};
[[nodiscard]] Result<ParsedKeyPair> parse_key_pair(PemText certificate, PemText key);

[[nodiscard]] Validity validity_of(const X509& certificate);

}  // namespace pintle::http
