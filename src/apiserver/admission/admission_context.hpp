// SPDX-License-Identifier: Apache-2.0
// AdmissionContext: what the steps of admission of one request share.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <pintle/base/executor.hpp>
#include <pintle/base/log.hpp>
#include <pintle/json/value.hpp>
#include <pintle/object/object.hpp>

#include "apiserver/access/authorizer.hpp"
#include "apiserver/conversion/converter.hpp"
#include "apiserver/registry/catalog.hpp"
#include "apiserver/registry/refusal.hpp"
#include "apiserver/storage/storage.hpp"
#include "attributes.hpp"
#include "audit_trail.hpp"

namespace pintle::apiserver {

// Valid as long as the request.
struct AdmissionContext {
  Executor& executor;
  const Storage& storage;
  Converter& converter;
  const Authorizer& authorizer;
  const Log& log;
  AuditTrail& audit;
  const Attributes& attributes;
  std::shared_ptr<const Catalog> catalog{};
  Object space{};  // the namespace of the object; none for a cluster-scoped object
  std::vector<std::string>& warnings;

  // Converts an object that has the kind of the resource. Null remains null.
  [[nodiscard]] StatusOr<json::Value> to_version(const json::Value& object, const Resource& from,
                                                 const Resource& to) const;
};

// Fits an object that a webhook or a policy has changed, as a server does that decodes it into a struct. Adds the
// places of unknown members, which are removed, to `unknown`; those of a custom resource stay.
[[nodiscard]] StatusOr<void> read_admitted(json::Value& object, const Resource& resource,
                                           std::vector<std::string>& unknown);

}  // namespace pintle::apiserver
