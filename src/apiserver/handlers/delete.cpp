// SPDX-License-Identifier: Apache-2.0
// delete: one object.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "apiserver/call/query_values.hpp"
#include "apiserver/call/undecodable.hpp"
#include "apiserver/objects/write.hpp"
#include "apiserver/registry/table/decoding.hpp"
#include "apiserver/registry/values.hpp"
#include "delete_options.hpp"
#include "handlers.hpp"
#include "present.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;

using Propagation = DeletionPropagation;

Propagation propagation_in(std::string_view policy) {
  if (policy == "Background") return Propagation::background;
  if (policy == "Foreground") return Propagation::foreground;
  return policy == "Orphan" ? Propagation::orphan : Propagation::unset;
}

// Converts the options in the query to those of a body.
StatusOr<Value> options_of_query(const Call& call) {
  json::object body;
  const auto grace = integer_parameter(call.target, "gracePeriodSeconds");
  if (!grace) return refuse(grace.error());
  if (*grace) body["gracePeriodSeconds"] = **grace;
  if (call.target.parameter("orphanDependents")) body["orphanDependents"] = call.flag("orphanDependents");
  if (const auto policy = call.target.parameter("propagationPolicy")) body["propagationPolicy"] = *policy;
  const std::vector<std::string> dry_run = all_values(call.target, "dryRun");
  if (!dry_run.empty()) body["dryRun"] = json::array(dry_run.begin(), dry_run.end());
  json::object preconditions;
  for (const char* name : {"uid", "resourceVersion"}) {
    if (const std::string_view value = call.query(name); !value.empty()) preconditions[name] = value;
  }
  if (!preconditions.empty()) body["preconditions"] = std::move(preconditions);
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

StatusOr<void> validate_options(const Value& body) {
  std::vector<StatusCause> causes;
  const Value* policy = member(body, "propagationPolicy");
  if (policy != nullptr && policy->is_string()) {
    const Value* orphans = member(body, "orphanDependents");
    if (orphans != nullptr && orphans->is_bool()) {
      causes.push_back(
          invalid_value("propagationPolicy", *policy, "orphanDependents and deletionPropagation cannot be both set"));
    }
    if (propagation_in(text_at(body, "/propagationPolicy")) == Propagation::unset) {
      causes.push_back(not_supported("propagationPolicy", *policy, {"Foreground", "Background", "Orphan", "nil"}));
    }
  }
  std::vector<std::string> dry_run;
  if (const Value* values = member(body, "dryRun"); values != nullptr && values->is_array()) {
    for (const Value& value : values->get_array()) dry_run.emplace_back(text_at(value, ""));
  }
  validate_dry_run(dry_run, causes);
  if (causes.empty()) return {};
  return refuse(invalid({.group = "meta.k8s.io", .kind = "DeleteOptions"}, std::move(causes)));
}

}  // namespace

StatusOr<DeleteOptions> delete_options_in(const Value& body) {
  if (const std::string why = type_error(body); !why.empty()) return refuse(bad_request(why));
  const std::string_view kind = text_at(body, "/kind");
  if (!kind.empty() && kind != "DeleteOptions") {
    const std::string_view version = text_at(body, "/apiVersion");
    return refuse(
        bad_request(fmt::format("no kind \"{}\" is registered for version \"{}\" in scheme "
                                "\"pkg/apis/meta/internalversion/scheme/register.go:27\"",
                                kind, version.empty() ? "meta.k8s.io/v1" : version)));
  }
  if (std::string why = decoding_error(body, "meta.v1.DeleteOptions"); !why.empty())
    return refuse(bad_request(std::move(why)));
  if (auto valid = validate_options(body); !valid) return refuse(std::move(valid.error()));

  DeleteOptions options{.given = body.get_object()};
  options.propagation = propagation_in(text_at(body, "/propagationPolicy"));
  if (const Value* orphans = member(body, "orphanDependents"); orphans != nullptr && orphans->is_bool())
    options.propagation = orphans->get_bool() ? Propagation::orphan : Propagation::background;
  // A negative number counts as one second.
  if (const Value* grace = member(body, "gracePeriodSeconds"); grace != nullptr && grace->is_int64())
    options.grace = grace->get_int64() < 0 ? 1 : grace->get_int64();
  options.uid = text_at(body, "/preconditions/uid");
  options.resource_version = text_at(body, "/preconditions/resourceVersion");
  const Value* dry_run = member(body, "dryRun");
  options.dry_run = dry_run != nullptr && dry_run->is_array() && !dry_run->get_array().empty();
  return options;
}

// A kube-apiserver ignores the query if there is a body.
StatusOr<DeleteOptions> delete_options(const Call& call) {
  auto body = call.request.body.empty() ? options_of_query(call) : call.body("");
  if (!body) return refuse(std::move(body.error()));
  auto options = delete_options_in(*body);
  if (options) options->user = &call.user;
  if (options) options->deadline = call.deadline;
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
