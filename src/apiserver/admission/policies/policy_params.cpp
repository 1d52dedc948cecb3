// SPDX-License-Identifier: Apache-2.0
#include "policy_params.hpp"

#include <utility>

#include "apiserver/conversion/forms.hpp"

namespace pintle::apiserver {
namespace {

using Params = tl::expected<std::vector<PolicyParams>, std::string>;

tl::unexpected<std::string> problem(std::string why) { return tl::unexpected<std::string>(std::move(why)); }

std::vector<Object> find_params(const Storage& storage, const Resource& resource, std::string_view space,
                                const PolicyBinding::ParamRef& ref) {
  std::vector<Object> out;
  if (!ref.name.empty()) {
    if (Object found = storage.get(resource.collection, storage_key(space, ref.name))) out.push_back(std::move(found));
    return out;
  }
  for (Object& one : storage.objects(resource.collection, space)) {
    if (ref.selector.matches(one.labels())) out.push_back(std::move(one));
  }
  return out;
}

}  // namespace

Params policy_params(const AdmissionContext& context, const Resource& resource, const PolicyBinding::ParamRef& ref) {
  std::string_view space;
  if (resource.namespaced) {
    space = ref.namespace_.empty() ? context.attributes.namespace_ : std::string_view(ref.namespace_);
    if (space.empty()) {
      return problem("cannot use namespaced paramRef in policy binding that matches cluster-scoped resources");
    }
  } else if (!ref.namespace_.empty()) {
    return problem("paramRef.namespace must not be provided for a cluster-scoped `paramKind`");
  }
  const auto found = find_params(context.storage, resource, space, ref);
  if (found.empty() && ref.denies_if_missing) {
    return problem("no params found for policy binding with `Deny` parameterNotFoundAction");
  }
  Params out = std::vector<PolicyParams>();
  for (const Object& one : found) {
    auto presentable = context.converter.presentable(resource, one);
    if (!presentable) return problem(std::move(presentable.error().message));
    out->push_back({.object = shown(resource, *presentable), .key = storage_key(space, one.name())});
  }
  return out;
}

}  // namespace pintle::apiserver
