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

// An Ed25519 key (RFC 8037), whose signatures are deterministic. The key depends on Executor::secure_random() only, so
// that a simulation is repeatable. Immutable.
class SigningKey {
 public:
  explicit SigningKey(Executor& executor);

  // Returns a JSON Web Token with these claims.
  [[nodiscard]] std::string sign(const json::Value& claims) const;
  // Returns the claims of a token that this key has signed. Their content is not checked.
  [[nodiscard]] std::optional<json::Value> claims_of(std::string_view token) const;
  // Returns the JSON Web Key Set with the public key.
  [[nodiscard]] json::Value public_keys() const;

 private:
  [[nodiscard]] std::string public_key() const;
  [[nodiscard]] std::string id() const;

  std::shared_ptr<EVP_PKEY> key_;
};

}  // namespace pintle::apiserver
