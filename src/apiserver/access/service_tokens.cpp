// SPDX-License-Identifier: Apache-2.0
#include "service_tokens.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include <pintle/base/text.hpp>
#include <pintle/object/bytes.hpp>

#include "apiserver/registry/values.hpp"
#include "apiserver/storage/uid.hpp"
#include "service_account.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;

constexpr std::string_view extra_key_prefix = "authentication.kubernetes.io/";
// The issuer of tokens in Secrets.
constexpr std::string_view secret_issuer = "kubernetes/serviceaccount";
// No kind has a collection with such a name, so no request can read the key.
constexpr std::string_view key_collection = "(signing keys)";
constexpr std::string_view key_name = "service-accounts";

// The kinds to which a token may be bound.
struct BoundKind {
  std::string_view claim{};
  std::string_view collection{};
  bool is_namespaced = true;
};
constexpr BoundKind bound_kinds[] = {{"pod", "pods"}, {"secret", "secrets"}, {"node", "nodes", false}};

std::int64_t unix_seconds(WallTime time) {
  return std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
}

Value reference_to(const Object& object) { return {{"name", object.name()}, {"uid", object.uid()}}; }

std::int64_t number_in(const Value& claims, std::string_view name) {
  const Value* found = member(claims, name);
  return found != nullptr && found->is_int64() ? found->get_int64() : 0;
}

std::vector<std::string> texts_in(const Value& claims, std::string_view name) {
  std::vector<std::string> out;
  const Value* found = member(claims, name);
  if (found == nullptr || !found->is_array()) return out;
  for (const Value& text : found->get_array()) {
    if (text.is_string()) out.emplace_back(text.get_string());
  }
  return out;
}

bool is_stored(const Storage& storage, std::string_view collection, const std::string& key, std::string_view uid) {
  const Object found = storage.get(collection, key);
  return found && found.uid() == uid;
}

// The claim "kubernetes.io": the service account and the bound objects.
Value private_claims(const ServiceTokens::Order& order) {
  json::object out{{"namespace", order.account.namespace_()}, {"serviceaccount", reference_to(order.account)}};
  if (order.bound) out[to_lower_ascii(order.bound.kind())] = reference_to(order.bound);
  if (order.node) out["node"] = reference_to(order.node);
  return out;
}

}  // namespace

std::optional<SigningKey> ServiceTokens::kept_key() const {
  const Object kept = storage_.get(key_collection, key_name);
  return kept ? SigningKey::from_pem(kept["/key"].text()) : std::nullopt;
}

const SigningKey& ServiceTokens::key() const {
  const MutexLock lock(mutex_);
  if (!key_) key_ = kept_key();
  if (!key_) key_.emplace(executor_);
  return *key_;
}

bool ServiceTokens::has_key() const {
  const MutexLock lock(mutex_);
  if (!key_) key_ = kept_key();
  return key_.has_value();
}

// A key without a token need not be kept, so this runs when a token is issued.
Result<void> ServiceTokens::keep_key() const {
  const SigningKey& used = key();
  if (!storage_.has_journal() || storage_.get(key_collection, key_name)) return {};
  Value object{{"metadata", json::object{{"name", key_name}}}, {"key", used.to_pem()}};
  auto put = storage_.put(key_collection, std::string(key_name), Object(), std::move(object));
  if (!put) return fail(std::move(put.error()));
  return {};  // another thread may have kept the same key
}

Result<std::string> ServiceTokens::issue_for_secret(const Object& account, std::string_view secret) const {
  if (auto kept = keep_key(); !kept) return fail(std::move(kept.error()));
  const ServiceAccountName name{.namespace_ = std::string(account.namespace_()), .name = std::string(account.name())};
  return key().sign({{"iss", secret_issuer},
                     {"kubernetes.io/serviceaccount/namespace", name.namespace_},
                     {"kubernetes.io/serviceaccount/secret.name", secret},
                     {"kubernetes.io/serviceaccount/service-account.name", name.name},
                     {"kubernetes.io/serviceaccount/service-account.uid", account.uid()},
                     {"sub", name.user()}});
}

Result<std::string> ServiceTokens::issue(const Order& order) const {
  if (auto kept = keep_key(); !kept) return fail(std::move(kept.error()));
  const std::int64_t now = unix_seconds(executor_.wall_now());
  const ServiceAccountName account{.namespace_ = std::string(order.account.namespace_()),
                                   .name = std::string(order.account.name())};
  return key().sign({{"aud", json::array(order.audiences.begin(), order.audiences.end())},
                     {"exp", now + order.seconds},
                     {"iat", now},
                     {"iss", token_issuer},
                     {"jti", make_uid(executor_)},
                     {"kubernetes.io", private_claims(order)},
                     {"nbf", now},
                     {"sub", account.user()}});
}

std::optional<TokenHolder> ServiceTokens::holder(std::string_view token,
                                                 const std::vector<std::string>& audiences) const {
  if (!has_key()) return std::nullopt;  // no token was issued
  const auto claims = key().claims_of(token);
  if (!claims) return std::nullopt;
  if (text_at(*claims, "/iss") == secret_issuer) return holder_of_secret(token, *claims, audiences);
  const std::int64_t now = unix_seconds(executor_.wall_now());
  if (now >= number_in(*claims, "exp") || now < number_in(*claims, "nbf")) return std::nullopt;
  const auto account = parse_service_account(text_at(*claims, "/sub"));
  const Value* about = member(*claims, "kubernetes.io");
  if (!account || about == nullptr) return std::nullopt;
  const std::string_view uid = text_at(*about, "/serviceaccount/uid");
  if (!is_stored(storage_, "serviceaccounts", storage_key(account->namespace_, account->name), uid))
    return std::nullopt;

  TokenHolder out{.user = {.name = account->user(), .uid = std::string(uid), .groups = account->groups()},
                  .audiences = common_audiences(audiences, texts_in(*claims, "aud"))};
  if (out.audiences.empty()) return std::nullopt;
  out.user.groups.emplace_back(authenticated_group);
  out.user.extra[std::string(extra_key_prefix) + "credential-id"] = {"JTI=" + std::string(text_at(*claims, "/jti"))};
  const bool has_pod = member(*about, "pod") != nullptr;
  for (const BoundKind& kind : bound_kinds) {
    const Value* bound = member(*about, kind.claim);
    if (bound == nullptr) continue;
    const std::string name(text_at(*bound, "/name"));
    const std::string bound_uid(text_at(*bound, "/uid"));
    const std::string key = storage_key(kind.is_namespaced ? std::string_view(account->namespace_) : "", name);
    // The node of a Pod only describes the token.
    const bool must_exist = kind.is_namespaced || !has_pod;
    if (must_exist && !is_stored(storage_, kind.collection, key, bound_uid)) return std::nullopt;
    if (kind.claim == "secret") continue;
    const std::string prefix = std::string(extra_key_prefix) + std::string(kind.claim);
    out.user.extra[prefix + "-name"] = {name};
    out.user.extra[prefix + "-uid"] = {bound_uid};
  }
  return out;
}

// A Secret must contain its token. The token has no audiences, so it is valid for this server.
std::optional<TokenHolder> ServiceTokens::holder_of_secret(std::string_view token, const Value& claims,
                                                           const std::vector<std::string>& audiences) const {
  const auto account = parse_service_account(text_at(claims, "/sub"));
  const Value* uid = member(claims, "kubernetes.io/serviceaccount/service-account.uid");
  const Value* name = member(claims, "kubernetes.io/serviceaccount/secret.name");
  if (!account || uid == nullptr || !uid->is_string() || name == nullptr || !name->is_string()) return std::nullopt;
  const std::string_view account_uid = uid->get_string();
  if (!is_stored(storage_, "serviceaccounts", storage_key(account->namespace_, account->name), account_uid))
    return std::nullopt;
  const Object secret = storage_.get("secrets", storage_key(account->namespace_, std::string_view(name->get_string())));
  if (!secret || secret.is_deleting() || secret["/data/token"] != Bytes(std::string(token)).to_base64())
    return std::nullopt;
  TokenHolder out{.user = {.name = account->user(), .uid = std::string(account_uid), .groups = account->groups()},
                  .audiences = common_audiences(audiences, {std::string(token_issuer)})};
  if (out.audiences.empty()) return std::nullopt;
  out.user.groups.emplace_back(authenticated_group);
  return out;
}

std::vector<std::string> common_audiences(const std::vector<std::string>& audiences,
                                          const std::vector<std::string>& valid) {
  std::vector<std::string> out;
  for (const std::string& audience : audiences) {
    if (std::find(valid.begin(), valid.end(), audience) != valid.end()) out.push_back(audience);
  }
  return out;
}

}  // namespace pintle::apiserver
