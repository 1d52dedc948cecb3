// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/crud/crd_client.hpp>

#include <pintle/http/transport.hpp>
#include <pintle/object/schema/crd.hpp>

#include "failures.hpp"

namespace pintle::crud {
namespace {

const GroupVersionKind& definition_kind() {
  static const GroupVersionKind kind("apiextensions.k8s.io/v1", "CustomResourceDefinition");
  return kind;
}

std::string name_of(const json::Value& crd) { return std::string(Object(crd).name()); }

json::View condition(const Object& definition, std::string_view type) {
  for (const json::View one : definition["/status/conditions"].elements()) {
    if (one.member("type") == type) return one;
  }
  return {};
}

}  // namespace

Result<void> CrdClient::ensure_created(const json::Value& crd, const RetryPolicy& policy, const std::stop_token& stop) {
  const std::string name = name_of(crd);
  // Each attempt creates the CRD again, because an existing CRD that is being deleted must disappear first.
  return retry(client_.transport().executor(), stop, policy, [&]() -> Result<void> {
    auto made = client_.create(crd, {}, stop);
    if (!made && made.error().code != ErrorCode::already_exists) return fail(std::move(made.error()));
    return check_established(name, stop);
  });
}

Result<void> CrdClient::check_established(const std::string& name, const std::stop_token& stop) {
  const auto definition = client_.get(definition_kind(), {.name = name}, stop);
  if (!definition) return fail(definition.error());
  if (definition->is_deleting()) return fail(not_established("the CRD " + name + " is being deleted"));
  if (condition(*definition, "Established").member("status") == "True") return {};
  const json::View names = condition(*definition, "NamesAccepted");
  if (names.member("status") == "False") {
    return fail(
        name_conflict("the names of the CRD " + name + " are taken: " + std::string(names.member("message").text())));
  }
  return fail(not_established("the CRD " + name + " is not established"));
}

Result<void> CrdClient::ensure_deleted(const json::Value& crd, const RetryPolicy& policy, const std::stop_token& stop) {
  return retry(client_.transport().executor(), stop, policy, [&]() -> Result<void> {
    auto removed = client_.remove(definition_kind(), {.name = name_of(crd)}, {}, stop);
    if (!removed) return fail(std::move(removed.error()));
    return {};
  });
}

}  // namespace pintle::crud
