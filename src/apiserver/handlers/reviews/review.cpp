// SPDX-License-Identifier: Apache-2.0
// review: returns the object of the request with a status; nothing is stored.
#include "../handlers.hpp"
#include "../present.hpp"
#include "access_review.hpp"
#include "apiserver/objects/sent_type.hpp"
#include "apiserver/objects/write.hpp"
#include "apiserver/registry/values.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;

StatusOr<Value> token_status(const Service& service, const Value& review) {
  const std::string_view token = text_at(review, "/spec/token");
  if (token.empty()) return refuse(bad_request("token is required for TokenReview in authentication"));
  std::vector<std::string> audiences;
  const json::Document document(review);
  for (const json::View audience : document.root()["/spec/audiences"].elements()) {
    audiences.emplace_back(audience.text());
  }
  if (audiences.empty()) audiences.emplace_back(token_issuer);
  const auto holder = service.users.holder(token, audiences);
  if (!holder) return Value{{"user", json::object()}, {"error", "invalid bearer token"}};
  return Value{{"authenticated", true},
               {"user", to_json(holder->user)},
               {"audiences", json::array(holder->audiences.begin(), holder->audiences.end())}};
}

// Returns the status, and completes the rest of the review.
StatusOr<Value> status_of(const Service& service, const Call& call, Value& review) {
  const std::string& kind = call.resource->kind;
  if (kind == "TokenReview") return token_status(service, review);
  if (kind == "SelfSubjectReview") {
    metadata_in(review)["creationTimestamp"] = format_time(service.executor.wall_now());
    return Value{{"userInfo", to_json(call.user)}};
  }
  if (kind != "SelfSubjectRulesReview") return access_status(service, call, review);
  auto status = rules_status(service, call, review);
  object_in(review, "spec").clear();  // kube-apiserver does not repeat it
  return status;
}

}  // namespace

StatusOr<http::Response> handle_review(Service& service, const Call& call) {
  const Resource& resource = *call.resource;
  auto options = call.write_options("CreateOptions");
  if (!options) return refuse(std::move(options.error()));
  auto body = call.body(resource.kind);
  if (!body) return refuse(std::move(body.error()));
  if (auto typed = check_sent_type(call, *body, options->validation); !typed) return refuse(std::move(typed.error()));
  Written written{.created = true};
  if (auto fitted = fit_body(*body, {}, resource, *options, written.warnings); !fitted) {
    return refuse(std::move(fitted.error()));
  }
  Attributes attributes =
      attributes_of(resource, call.namespace_, text_at(*body, "/metadata/name"), "CREATE", *options);
  if (auto admitted = admit(service, attributes, *body, written.warnings); !admitted) {
    return refuse(with_warnings(std::move(admitted.error()), written.warnings));
  }
  auto status = status_of(service, call, *body);
  if (!status) return refuse(with_warnings(std::move(status.error()), written.warnings));
  body->get_object()["status"] = std::move(*status);
  written.object = Object(*body);
  return respond(call, 201, written, {});
}

}  // namespace pintle::apiserver
