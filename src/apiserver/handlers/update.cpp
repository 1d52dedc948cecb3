// SPDX-License-Identifier: Apache-2.0
// update: replaces a whole object.
#include <string>
#include <utility>
#include <vector>

#include "apiserver/objects/sent_type.hpp"
#include "apiserver/objects/write.hpp"
#include "apiserver/registry/values.hpp"
#include "handlers.hpp"
#include "present.hpp"

namespace pintle::apiserver {
namespace {

// Refuses a body for a reason that is found only after it was decoded. An error of the decoder comes first.
tl::unexpected<Refusal> refuse_decoded(const Call& call, json::Value body, const WriteOptions& options,
                                       Refusal refusal) {
  std::vector<std::string> warnings;
  if (auto fitted = fit_body(body, {}, *call.resource, options, warnings); !fitted)
    return refuse(std::move(fitted.error()));
  return refuse(with_warnings(std::move(refusal), warnings));
}

}  // namespace

StatusOr<http::Response> handle_update(Service& service, const Call& call) {
  auto options = call.write_options("UpdateOptions");
  if (!options) return refuse(std::move(options.error()));
  auto body = call.body(call.resource->kind);
  if (!body) return refuse(std::move(body.error()));
  if (auto typed = check_sent_type(call, *body, options->validation); !typed) return refuse(std::move(typed.error()));
  auto placed = check_namespace(*body, call.namespace_);
  if (placed) placed = check_name(*body, call.name);
  if (!placed) return refuse_decoded(call, *body, *options, std::move(placed.error()));

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
  if (!written && written.error().code == 404) return refuse_decoded(call, *body, *options, std::move(written.error()));
  if (!written) return refuse(std::move(written.error()));
  const int status = written->created ? 201 : 200;
  return respond(service, call, status, std::move(*written));
}

}  // namespace pintle::apiserver
