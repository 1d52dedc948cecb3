// get: one object.
#include "../values.hpp"
#include "handlers.hpp"
#include "present.hpp"

namespace pintle::apiserver {

Answer<http::Response> handle_get(Service& service, const Call& call) {
  const Resource& resource = *call.resource;
  if (const std::string_view asked = call.query("resourceVersion"); !asked.empty()) {
    const auto version = parse_version(asked);
    if (!version) return refuse(bad_request("resourceVersion: invalid"));
    const Version current = service.storage.version();
    if (*version > current) return refuse(version_too_large(*version, current));
  }
  const Object object = service.storage.get(resource.collection, storage_key(call.namespace_, call.name));
  if (!object) return refuse(not_found(resource.named(call.name)));
  return respond(call, 200, {.object = object}, service.runtime.wall_now());
}

}  // namespace pintle::apiserver
