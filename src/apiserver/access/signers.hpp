// SPDX-License-Identifier: Apache-2.0
// Signers: approving and signing a CertificateSigningRequest require rights on its signer.
#pragma once

#include <string_view>

#include <pintle/json/value.hpp>

#include "apiserver/registry/resource.hpp"
#include "authorizer.hpp"

namespace pintle::apiserver {

// A change of an object.
struct SubresourceWrite {
  const Resource& resource;
  std::string_view subresource{};
  std::string_view name{};
  const json::Value& next;
  const json::Value& old;
};

// Refuses an approval without the verb "approve" on the signer of the request, and a change of the certificate or of
// the conditions in the status without the verb "sign". A right on "domain/*" suffices. Allows all other writes.
[[nodiscard]] StatusOr<void> check_signer(const Authorizer& authorizer, const User& user,
                                          const SubresourceWrite& write);

}  // namespace pintle::apiserver
