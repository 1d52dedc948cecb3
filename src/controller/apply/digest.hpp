// SPDX-License-Identifier: Apache-2.0
// sha256: the SHA-256 digest of a text.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include <openssl/sha.h>

namespace pintle {

// Returns the 32 bytes of the digest.
[[nodiscard]] inline std::string sha256(std::string_view text) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data());
  return {digest.begin(), digest.end()};
}

}  // namespace pintle
