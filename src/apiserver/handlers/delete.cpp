// SPDX-License-Identifier: Apache-2.0
// delete: one object.
#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "apiserver/objects/write.hpp"
#include "apiserver/registry/values.hpp"
#include "delete_options.hpp"
#include "handlers.hpp"
#include "present.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;

Refusal invalid_delete(StatusCause cause) {
  return invalid({.group = "meta.k8s.io", .kind = "DeleteOptions"}, {std::move(cause)});
}

StatusOr<DeletionPropagation> parse_propagation(std::string_view policy) {
  if (policy.empty()) return DeletionPropagation::unset;
  if (policy == "Background") return DeletionPropagation::background;
  if (policy == "Foreground") return DeletionPropagation::foreground;
  if (policy == "Orphan") return DeletionPropagation::orphan;
  return refuse(
      invalid_delete(not_supported("propagationPolicy", Value(policy), {"Background", "Foreground", "Orphan"})));
}

// Converts the options in the query to those of a body.
StatusOr<Value> options_of_query(const Call& call) {
  auto write = call.write_options("DeleteOptions");
  if (!write) return refuse(std::move(write.error()));
  json::object body;
  if (write->dry_run) body["dryRun"] = json::array{"All"};
  if (const std::string_view policy = call.query("propagationPolicy"); !policy.empty())
    body["propagationPolicy"] = policy;
  if (const std::string_view grace = call.query("gracePeriodSeconds"); !grace.empty()) {
    std::int64_t seconds = 0;
    const auto [end, error] = std::from_chars(grace.data(), grace.data() + grace.size(), seconds);
    const bool is_integer = error == std::errc{} && end == grace.data() + grace.size();
    body["gracePeriodSeconds"] = is_integer ? Value(seconds) : Value(grace);  // grace_in() refuses a string
  }
  if (call.target.parameter("orphanDependents")) body["orphanDependents"] = call.flag("orphanDependents");
  return Value(std::move(body));
}

Value status_of(const Resource& resource, const Object& gone) {
  json::object details{{"name", gone.name()}};
  if (!resource.group.empty()) details["group"] = resource.group;
  details["kind"] = resource.plural;
  details["uid"] = gone.uid();
  return {{"kind", "Status"},
          {"apiVersion", "v1"},
          {"metadata", json::object()},
          {"status", "Success"},
          {"details", std::move(details)}};
}

// A negative number counts as one second.
StatusOr<std::optional<std::int64_t>> grace_in(const Value* seconds) {
  if (seconds == nullptr || seconds->is_null()) return std::nullopt;
  if (!seconds->is_int64()) return refuse(bad_request("gracePeriodSeconds is not an integer"));
  return seconds->get_int64() < 0 ? 1 : seconds->get_int64();
}

}  // namespace

StatusOr<DeleteOptions> delete_options_in(const Value& body) {
  if (!body.is_object()) return refuse(bad_request("the delete options are not an object"));
  DeleteOptions options{.given = body.get_object()};
  const std::string_view kind = text_at(body, "/kind");
  if (!kind.empty() && kind != "DeleteOptions") {
    return refuse(bad_request(fmt::format("{} cannot be handled as a DeleteOptions", kind)));
  }
  auto propagation = parse_propagation(text_at(body, "/propagationPolicy"));
  if (!propagation) return refuse(std::move(propagation.error()));
  options.propagation = *propagation;
  if (const Value* orphans = member(body, "orphanDependents"); orphans != nullptr && orphans->is_bool()) {
    if (options.propagation != DeletionPropagation::unset) {
      return refuse(invalid_delete(invalid_value("propagationPolicy", Value(text_at(body, "/propagationPolicy")),
                                                 "orphanDependents and deletionPropagation cannot be both set")));
    }
    options.propagation = orphans->get_bool() ? DeletionPropagation::orphan : DeletionPropagation::background;
  }
  auto grace = grace_in(member(body, "gracePeriodSeconds"));
  if (!grace) return refuse(std::move(grace.error()));
  options.grace = *grace;
  options.uid = text_at(body, "/preconditions/uid");
  options.resource_version = text_at(body, "/preconditions/resourceVersion");
  if (const Value* dry = member(body, "dryRun"); dry != nullptr && dry->is_array() && !dry->get_array().empty()) {
    if (dry->get_array() != json::array{"All"}) return refuse(invalid_delete(not_supported("dryRun", *dry, {"All"})));
    options.dry_run = true;
  }
  return options;
}

// A kube-apiserver ignores the query if there is a body.
StatusOr<DeleteOptions> delete_options(const Call& call) {
  auto body = call.request.body.empty() ? options_of_query(call) : call.body();
  if (!body) return refuse(std::move(body.error()));
  auto options = delete_options_in(*body);
  if (options) options->user = &call.user;
  return options;
}

StatusOr<http::Response> handle_delete(Service& service, const Call& call) {
  auto options = delete_options(call);
  if (!options) return refuse(std::move(options.error()));
  auto deleted = delete_object(service, *call.resource, call.namespace_, call.name, *options);
  if (!deleted) return refuse(std::move(deleted.error()));
  if (!deleted->gone || deleted->graceful) {
    return respond(service, call, 200, {.object = deleted->object, .warnings = std::move(deleted->warnings)});
  }
  http::Response response = respond(200, status_of(*call.resource, deleted->object), call.format);
  add_warnings(response, deleted->warnings);
  return response;
}

}  // namespace pintle::apiserver
