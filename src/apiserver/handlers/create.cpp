// SPDX-License-Identifier: Apache-2.0
// create: a new object from a body.
#include "apiserver/objects/sent_type.hpp"
#include "apiserver/objects/write.hpp"
#include "handlers.hpp"
#include "present.hpp"

namespace pintle::apiserver {

StatusOr<http::Response> handle_create(Service& service, const Call& call) {
  if (auto readable = call.check_content_type(); !readable) return refuse(std::move(readable.error()));
  auto options = call.write_options("CreateOptions");
  if (!options) return refuse(std::move(options.error()));
  json::Arena memory;
  auto body = call.body(call.resource->kind, memory);
  if (!body) return refuse(std::move(body.error()));
  if (auto typed = check_sent_type(call, *body, options->validation); !typed) return refuse(std::move(typed.error()));
  auto written = create_object(service, *call.resource, call.namespace_, std::move(*body), *options);
  if (!written) return refuse(std::move(written.error()));
  return respond(service, call, 201, std::move(*written));
}

}  // namespace pintle::apiserver
