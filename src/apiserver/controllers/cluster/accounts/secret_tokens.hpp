// SPDX-License-Identifier: Apache-2.0
// SecretTokens: fills in Secrets of the type kubernetes.io/service-account-token, and deletes them with their account.
#pragma once

#include <string>

#include "../cluster_controller.hpp"
#include "../cluster_objects.hpp"
#include "apiserver/access/service_tokens.hpp"

namespace pintle::apiserver {

class SecretTokens final : public ClusterController {
 public:
  SecretTokens(ClusterObjects& objects, const ServiceTokens& tokens, std::string ca_certificate)
      : objects_(objects), tokens_(tokens), ca_certificate_(std::move(ca_certificate)) {}

  Instant reconcile(const Object& secret) override;

 private:
  void fill(const Object& secret, const Object& account);

  ClusterObjects& objects_;
  const ServiceTokens& tokens_;
  const std::string ca_certificate_;
};

// True if a Secret is for the token of this account, or of one with the same name.
[[nodiscard]] bool is_token_of(const Object& secret, const Object& account);

}  // namespace pintle::apiserver
