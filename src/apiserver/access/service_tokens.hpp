// SPDX-License-Identifier: Apache-2.0
// ServiceTokens: the tokens of service accounts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/executor.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/base/result.hpp>
#include <pintle/object/object.hpp>

#include "apiserver/registry/user.hpp"
#include "apiserver/storage/storage.hpp"
#include "signing_key.hpp"

namespace pintle::apiserver {

// The issuer of the tokens, and the audience of this server.
inline constexpr std::string_view token_issuer = "https://kubernetes.default.svc";

// The holder of a token, and those of the requested audiences for which it is valid.
struct TokenHolder {
  User user{};
  std::vector<std::string> audiences{};
};

// A token is valid until it expires, or until its service account or the object to which it is bound is deleted. The
// key is kept with the objects if the storage has a journal. Thread-safe.
class ServiceTokens {
 public:
  struct Order {
    Object account{};
    std::vector<std::string> audiences{};
    std::int64_t seconds = 0;  // until it expires
    Object bound{};            // a Pod, a Secret or a Node; none: only to the service account
    Object node{};             // of the Pod, if there is one
  };

  ServiceTokens(Executor& executor, Storage& storage) : executor_(executor), storage_(storage), mutex_(executor) {}

  // Error: the key could not be kept.
  [[nodiscard]] Result<std::string> issue(const Order& order) const;
  // A token without an end for a Secret that will contain it. It is valid as long as the Secret does. Error: as above.
  [[nodiscard]] Result<std::string> issue_for_secret(const Object& account, std::string_view secret) const;
  // Returns nothing if the token is not valid for any of the audiences.
  [[nodiscard]] std::optional<TokenHolder> holder(std::string_view token,
                                                  const std::vector<std::string>& audiences) const;
  // Returns the JSON Web Key Set.
  [[nodiscard]] json::Value public_keys() const { return key().public_keys(); }

 private:
  // The key that was kept, or one that is made at the first use.
  [[nodiscard]] const SigningKey& key() const;
  [[nodiscard]] bool has_key() const;
  [[nodiscard]] std::optional<SigningKey> kept_key() const;
  [[nodiscard]] Result<void> keep_key() const;
  [[nodiscard]] std::optional<TokenHolder> holder_of_secret(std::string_view token, const json::Value& claims,
                                                            const std::vector<std::string>& audiences) const;

  Executor& executor_;
  Storage& storage_;
  mutable Mutex mutex_;
  mutable std::optional<SigningKey> key_ PINTLE_GUARDED_BY(mutex_);
};

// Those of `audiences` that are in `valid`.
[[nodiscard]] std::vector<std::string> common_audiences(const std::vector<std::string>& audiences,
                                                        const std::vector<std::string>& valid);

}  // namespace pintle::apiserver
