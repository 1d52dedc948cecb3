// SPDX-License-Identifier: Apache-2.0
#include "shake128.hpp"

#include <memory>

#include <openssl/evp.h>

namespace pintle::service {

Result<std::string> shake128(std::string_view text, std::size_t bytes) {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> hash(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  std::string out(bytes, '\0');
  const bool done = hash != nullptr && EVP_DigestInit_ex(hash.get(), EVP_shake128(), nullptr) == 1 &&
                    EVP_DigestUpdate(hash.get(), text.data(), text.size()) == 1 &&
                    EVP_DigestFinalXOF(hash.get(), reinterpret_cast<unsigned char*>(out.data()), out.size()) == 1;
  if (!done) return fail(ErrorCode::unavailable, "OpenSSL does not provide SHAKE128: activate its default provider");
  return out;
}

}  // namespace pintle::service
