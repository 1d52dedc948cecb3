// SPDX-License-Identifier: Apache-2.0
#include "admission_context.hpp"

#include <utility>

#include <fmt/format.h>

#include "apiserver/registry/fit.hpp"
#include "apiserver/registry/values.hpp"

namespace pintle::apiserver {

using json::Value;

StatusOr<Value> AdmissionContext::to_version(const Value& object, const Resource& from, const Resource& to) const {
  if (object.is_null() || !attributes.is_whole()) return object;
  return converter.between(from, to, object);
}

StatusOr<void> read_admitted(Value& object, const Resource& resource, std::vector<std::string>& unknown) {
  if (text_at(object, "/apiVersion") != resource.api_version() || text_at(object, "/kind") != resource.kind) {
    return refuse({.code = 500,
                   .message = fmt::format("converting ({}.{}) to ({}.{}): unknown conversion", resource.version,
                                          text_at(object, "/kind"), resource.group.empty() ? "core" : resource.group,
                                          resource.kind)});
  }
  if (auto fitted = fit_metadata(object, unknown); !fitted) return refuse(internal_failure(fitted.error().message));
  auto accepted =
      resource.custom ? resource.strategy->accept_admitted(object) : resource.strategy->accept(object, {}, unknown);
  if (!accepted) return refuse(internal_failure(accepted.error().message));
  return {};
}

}  // namespace pintle::apiserver
