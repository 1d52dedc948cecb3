// SPDX-License-Identifier: Apache-2.0
// SigningKey: the key with which the server signs the tokens of service accounts.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <pintle/base/executor.hpp>
#include <pintle/json/value.hpp>

typedef struct evp_pkey_st EVP_PKEY;  // NOLINT(modernize-use-using): as OpenSSL declares it

namespace pintle::apiserver {

// An RSA key of 2048 bits for RS256 (RFC 7518), whose signatures are deterministic. A new key depends on
// Executor::secure_random() only, so that a simulation is repeatable; to make one takes about 0.1 seconds. Immutable.
class SigningKey {
 public:
  explicit SigningKey(Executor& executor);

  // The private key as PEM, and back. Returns nothing for a text that is not an RSA key.
  [[nodiscard]] std::string to_pem() const;
  [[nodiscard]] static std::optional<SigningKey> from_pem(std::string_view pem);

  // Returns a JSON Web Token with these claims.
  [[nodiscard]] std::string sign(const json::Value& claims) const;
  // Returns the claims of a token that this key has signed. Their content is not checked.
  [[nodiscard]] std::optional<json::Value> claims_of(std::string_view token) const;
  // Returns the JSON Web Key Set with the public key.
  [[nodiscard]] json::Value public_keys() const;

 private:
  explicit SigningKey(std::shared_ptr<EVP_PKEY> key);

  std::shared_ptr<EVP_PKEY> key_;
  std::string id_;  // the hash of the public key
};

}  // namespace pintle::apiserver
