// SPDX-License-Identifier: Apache-2.0
#include "secret_tokens.hpp"

#include <utility>

#include <pintle/object/bytes.hpp>

#include "apiserver/registry/values.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;

constexpr std::string_view token_type = "kubernetes.io/service-account-token";
constexpr std::string_view account_name = "kubernetes.io/service-account.name";
constexpr std::string_view account_uid = "kubernetes.io/service-account.uid";

}  // namespace

bool is_token_of(const Object& secret, const Object& account) {
  return secret["/type"] == token_type && secret.annotation(account_name) == account.name() &&
         secret.namespace_() == account.namespace_();
}

Instant SecretTokens::reconcile(const Object& secret) {
  if (secret["/type"] != token_type) return Instant::max();
  const std::string_view name = secret.annotation(account_name);
  const std::string_view uid = secret.annotation(account_uid);
  const Object account = objects_.get({"serviceaccounts", storage_key(secret.namespace_(), name)});
  if (!account || (!uid.empty() && uid != account.uid())) {
    objects_.remove("secrets", secret);
  } else {
    fill(secret, account);
  }
  return Instant::max();
}

// The values of a client stay as they are, apart from the certificate.
void SecretTokens::fill(const Object& secret, const Object& account) {
  const std::string certificate = Bytes(ca_certificate_).to_base64();
  const json::View data = secret["/data"];
  const bool is_filled = !data.member("token").text().empty() && data.member("namespace").exists() &&
                         data.member("ca.crt") == std::string_view(certificate) &&
                         !secret.annotation(account_uid).empty();
  if (is_filled) return;
  const auto token = tokens_.issue_for_secret(account, secret.name());
  if (!token) return;  // after a failed write to the data file, all objects are reconciled again
  objects_.edit("secrets", secret, [&](Value& next) {
    metadata_in(next);
    object_in(next.get_object()["metadata"], "annotations")[account_uid] = account.uid();
    json::object& filled = object_in(next, "data");
    set_default(filled, "token", Value(Bytes(*token).to_base64()));
    set_default(filled, "namespace", Value(Bytes(std::string(account.namespace_())).to_base64()));
    filled["ca.crt"] = certificate;
  });
}

}  // namespace pintle::apiserver
