// SPDX-License-Identifier: Apache-2.0
// review: returns the object of the request with a status; nothing is stored.
#include "apiserver/objects/write.hpp"
#include "apiserver/registry/values.hpp"
#include "handlers.hpp"
#include "present.hpp"

namespace pintle::apiserver {

StatusOr<http::Response> handle_review(Service& service, const Users& users, const Call& call) {
  const Resource& resource = *call.resource;
  auto options = call.write_options("CreateOptions");
  if (!options) return refuse(std::move(options.error()));
  auto body = call.body();
  if (!body) return refuse(std::move(body.error()));
  if (auto typed = check_type(*body, resource); !typed) return refuse(std::move(typed.error()));
  Written written{.created = true};
  if (auto fitted = fit_body(*body, {}, resource, *options, written.warnings); !fitted) {
    return refuse(std::move(fitted.error()));
  }
  Attributes attributes =
      attributes_of(resource, call.namespace_, text_at(*body, "/metadata/name"), "CREATE", *options);
  if (auto admitted = admit(service, attributes, *body, written.warnings); !admitted) {
    return refuse(with_warnings(std::move(admitted.error()), written.warnings));
  }
  std::vector<StatusCause> causes;
  resource.strategy->validate(*body, nullptr, causes);
  if (!causes.empty()) {
    return refuse(with_warnings(invalid(resource.kind_named(""), std::move(causes)), written.warnings));
  }
  json::Value status = resource.strategy->evaluate(*body, users, call.user);
  body->get_object()["status"] = std::move(status);
  if (resource.kind == "SelfSubjectReview") {
    metadata_in(*body)["creationTimestamp"] = format_time(service.executor.wall_now());
  }
  written.object = Object(*body);
  return respond(call, 201, written, {});
}

}  // namespace pintle::apiserver
