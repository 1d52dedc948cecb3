// SPDX-License-Identifier: Apache-2.0
// get: one object.
#include "apiserver/registry/values.hpp"
#include "handlers.hpp"
#include "present.hpp"
#include "selection.hpp"

namespace pintle::apiserver {

StatusOr<http::Response> handle_get(Service& service, const Call& call) {
  const Resource& resource = *call.resource;
  const std::string_view requested = call.query("resourceVersion");
  const Version at = call.version_read(service);
  if (call.flag("export"))
    return refuse(bad_request("the export parameter, deprecated since v1.14, is no longer supported"));
  if (!requested.empty()) {
    const auto version = parse_version(requested);
    if (!version) return refuse(internal_error(version_error(requested)));
    if (*version > at) return refuse(version_too_large(*version, at));
  }
  const Object object = service.storage.get(resource.collection, storage_key(call.namespace_, call.name),
                                            call.faults.lag == nullptr ? 0 : at);
  if (!object) return refuse(not_found(resource.named(call.name)));
  return respond(service, call, 200, {.object = object});
}

}  // namespace pintle::apiserver
