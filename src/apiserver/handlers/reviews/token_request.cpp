// SPDX-License-Identifier: Apache-2.0
// token_request: a token for a service account; create of serviceaccounts/NAME/token.
#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <pintle/json/document.hpp>

#include "../handlers.hpp"
#include "../present.hpp"
#include "apiserver/objects/sent_type.hpp"
#include "apiserver/objects/write.hpp"
#include "apiserver/registry/values.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;

constexpr std::int64_t default_seconds = 3600;
constexpr std::int64_t min_seconds = 600;
constexpr std::int64_t max_seconds = std::int64_t{1} << 32U;

StatusOr<std::int64_t> seconds_in(const Value& body) {
  const Value* given = json::find(body, "/spec/expirationSeconds");
  if (given == nullptr || given->is_null()) return default_seconds;
  const std::int64_t seconds = given->is_int64() ? given->get_int64() : 0;
  if (seconds >= min_seconds && seconds <= max_seconds) return seconds;
  const std::string_view why = seconds < min_seconds ? "may not specify a duration less than 10 minutes"
                                                     : "may not specify a duration larger than 2^32 seconds";
  return refuse(invalid({.group = "authentication.k8s.io", .kind = "TokenRequest"},
                        {invalid_value("spec.expirationSeconds", *given, why)}));
}

// Finds the object to which the token is bound, and the node of a Pod.
StatusOr<void> bind_token(Service& service, const Call& call, const Value& reference, ServiceTokens::Order& order) {
  const std::string_view kind = text_at(reference, "/kind");
  const std::string_view name = text_at(reference, "/name");
  const bool is_known = (kind == "Pod" || kind == "Secret" || kind == "Node") &&
                        (text_at(reference, "/apiVersion") == "v1" || text_at(reference, "/apiVersion").empty());
  if (!is_known) {
    const std::string_view version = text_at(reference, "/apiVersion");
    return refuse(bad_request(fmt::format("cannot bind token to object of type {}{}, Kind={}",
                                          version.find('/') == std::string_view::npos ? "/" : "", version, kind)));
  }
  const std::string_view plural = kind == "Pod" ? "pods" : kind == "Secret" ? "secrets" : "nodes";
  order.bound = service.storage.get(plural, storage_key(kind == "Node" ? "" : call.namespace_, name));
  if (!order.bound) return refuse(not_found({.kind = plural, .name = name}));
  const std::string_view uid = text_at(reference, "/uid");
  if (!uid.empty() && uid != order.bound.uid()) {
    return refuse(conflict({.kind = kind, .name = name},
                           fmt::format("the UID in the bound object reference ({}) does not match the UID in record. "
                                       "The object might have been deleted and then recreated",
                                       uid)));
  }
  if (kind != "Pod") return {};
  const std::string_view account = order.bound["/spec/serviceAccountName"].text();
  if ((account.empty() ? "default" : account) != call.name) {
    return refuse(bad_request(fmt::format(
        "cannot bind token for serviceaccount \"{}\" to pod running with different serviceaccount name.", call.name)));
  }
  if (const std::string_view node = order.bound["/spec/nodeName"].text(); !node.empty()) {
    order.node = service.storage.get("nodes", storage_key("", node));
  }
  return {};
}

StatusOr<ServiceTokens::Order> order_of(Service& service, const Call& call, const Value& body) {
  ServiceTokens::Order order{
      .account = service.storage.get(call.resource->collection, storage_key(call.namespace_, call.name))};
  if (!order.account) return refuse(not_found(call.resource->named(call.name)));
  auto seconds = seconds_in(body);
  if (!seconds) return refuse(std::move(seconds.error()));
  order.seconds = *seconds;
  const json::Document document(body);
  for (const json::View audience : document.root()["/spec/audiences"].elements()) {
    order.audiences.emplace_back(audience.text());
  }
  if (order.audiences.empty()) order.audiences.emplace_back(token_issuer);
  const Value* reference = json::find(body, "/spec/boundObjectRef");
  if (reference == nullptr || reference->is_null()) return order;
  if (auto bound = bind_token(service, call, *reference, order); !bound) return refuse(std::move(bound.error()));
  return order;
}

}  // namespace

StatusOr<http::Response> handle_token_request(Service& service, const Call& call) {
  auto options = call.write_options("CreateOptions");
  if (!options) return refuse(std::move(options.error()));
  auto body = call.body("TokenRequest");
  if (!body) return refuse(std::move(body.error()));
  constexpr TypeName wanted{.api_version = "authentication.k8s.io/v1", .kind = "TokenRequest"};
  if (auto typed = check_builtin_type(*body, wanted); !typed) return refuse(std::move(typed.error()));
  if (const std::string_view given = text_at(*body, "/metadata/name"); !given.empty() && given != call.name) {
    return refuse(
        invalid({.group = "authentication.k8s.io", .kind = "TokenRequest", .name = call.name},
                {invalid_value("metadata.name", Value(given), "must match the service account name if specified")}));
  }
  auto order = order_of(service, call, *body);
  if (!order) return refuse(std::move(order.error()));
  Attributes attributes = attributes_of(*call.resource, call.namespace_, call.name, "CREATE", *options);
  attributes.subresource = "token";
  attributes.api_version = "authentication.k8s.io/v1";
  attributes.kind = "TokenRequest";
  std::vector<std::string> warnings;
  if (auto admitted = admit(service, attributes, *body, warnings); !admitted) {
    return refuse(with_warnings(std::move(admitted.error()), warnings));
  }

  const WallTime now = service.executor.wall_now();
  const Value* reference = json::find(*body, "/spec/boundObjectRef");
  json::object status{{"expirationTimestamp", format_time(now + std::chrono::seconds(order->seconds))}};
  if (options->dry_run) {
    status["token"] = "";
  } else {
    auto token = service.tokens.issue(*order);
    if (!token) return refuse(not_kept(token.error()));
    status["token"] = std::move(*token);
  }
  const Value request{
      {"kind", "TokenRequest"},
      {"apiVersion", "authentication.k8s.io/v1"},
      {"metadata", {{"name", call.name}, {"namespace", call.namespace_}, {"creationTimestamp", format_time(now)}}},
      {"spec",
       {{"audiences", json::array(order->audiences.begin(), order->audiences.end())},
        {"expirationSeconds", order->seconds},
        {"boundObjectRef", reference == nullptr ? Value() : *reference}}},
      {"status", std::move(status)}};
  http::Response response = respond(201, request, call.format);
  add_warnings(response, warnings);
  return response;
}

}  // namespace pintle::apiserver
