// SPDX-License-Identifier: Apache-2.0
#include "signers.hpp"

#include <string>

#include <fmt/format.h>

#include "apiserver/registry/values.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;

constexpr std::string_view certificates_group = "certificates.k8s.io";

bool differs_at(const SubresourceWrite& write, std::string_view pointer) {
  const Value* next = json::find(write.next, pointer);
  const Value* old = json::find(write.old, pointer);
  return next == nullptr || old == nullptr ? next != old : !json::equal(*next, *old);
}

// The verb that a write requires; "" if it requires none.
std::string_view verb_for(const SubresourceWrite& write) {
  if (write.resource.group != certificates_group || write.resource.plural != "certificatesigningrequests") return {};
  if (write.subresource == "approval") return "approve";
  const bool signs = write.subresource == "status" &&
                     (differs_at(write, "/status/certificate") || differs_at(write, "/status/conditions"));
  return signs ? "sign" : std::string_view{};
}

}  // namespace

StatusOr<void> check_signer(const Authorizer& authorizer, const User& user, const SubresourceWrite& write) {
  const std::string_view verb = verb_for(write);
  if (verb.empty()) return {};
  const std::string signer(text_at(write.old, "/spec/signerName"));
  for (const std::string& name : {signer, signer.substr(0, signer.find('/')) + "/*"}) {
    const Action action{
        .verb = std::string(verb), .group = std::string(certificates_group), .resource = "signers", .name = name};
    if (authorizer.authorize(user, action).is_allowed) return {};
  }
  return refuse(
      forbidden(write.resource.named(write.name),
                fmt::format("user not permitted to {} requests with signerName {}", verb, json::print(Value(signer)))));
}

}  // namespace pintle::apiserver
