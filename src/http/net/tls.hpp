// SPDX-License-Identifier: Apache-2.0
// Sets up TLS contexts of OpenSSL for servers and clients.
#pragma once

#include <vector>

#include <openssl/ssl.h>

#include "http/pem_parts.hpp"

namespace pintle::http {

// Sets the first certificate with its key, and the others as its chain. Returns false after an error of OpenSSL.
[[nodiscard]] bool use_key_pair(SSL_CTX* context, const ParsedKeyPair& identity);

// Trusts these certificates: authorities, which need not be roots, or those of peers. Returns false after an error of
// OpenSSL.
[[nodiscard]] bool trust(SSL_CTX* context, const std::vector<Certificate>& authorities);

}  // namespace pintle::http
