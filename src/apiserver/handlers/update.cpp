// SPDX-License-Identifier: Apache-2.0
// update: replaces a whole object.
#include <utility>

#include "apiserver/objects/write.hpp"
#include "apiserver/registry/values.hpp"
#include "handlers.hpp"
#include "present.hpp"

namespace pintle::apiserver {

StatusOr<http::Response> handle_update(Service& service, const Call& call) {
  auto options = call.write_options("UpdateOptions");
  if (!options) return refuse(std::move(options.error()));
  auto body = call.body();
  if (!body) return refuse(std::move(body.error()));
  if (auto typed = check_type(*body, *call.resource); !typed) return refuse(typed.error());
  if (text_at(*body, "/metadata/name") != call.name) {
    return refuse(bad_request("the name of the object does not match the name on the URL"));
  }
  if (auto placed = check_namespace(*body, call.namespace_); !placed) return refuse(placed.error());

  Edit edit{.make = [&](const json::Value& current) -> StatusOr<json::Value> {
              return json::Value(*body, current.storage());
            },
            .subresource = call.subresource,
            .creates = call.resource->takes_create_on_update && call.subresource.empty(),
            .replaces = true};
  if (call.subresource == "finalize") {
    edit.make = [&](const json::Value& current) -> StatusOr<json::Value> {
      json::Value next(current, current.storage());
      copy_member(next, *body, "spec");
      copy_member(next.as_object()["metadata"], body->as_object()["metadata"], "resourceVersion");
      return next;
    };
  }
  auto written = edit_object(service, *call.resource, call.namespace_, call.name, edit, *options);
  if (!written) return refuse(std::move(written.error()));
  const int status = written->created ? 201 : 200;
  return respond(service, call, status, std::move(*written));
}

}  // namespace pintle::apiserver
