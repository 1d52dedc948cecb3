// SPDX-License-Identifier: Apache-2.0
// Deletes an object, or marks it as being deleted.
#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "apiserver/conversion/forms.hpp"
#include "apiserver/registry/values.hpp"
#include "write.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;

constexpr std::string_view orphan_finalizer = "orphan";
constexpr std::string_view foreground_finalizer = "foregroundDeletion";

StatusOr<void> check_preconditions(const Object& object, const Resource& resource, const DeleteOptions& options) {
  const auto failed = [&](std::string_view what, std::string_view wanted, std::string_view is) {
    return refuse(
        conflict(resource.kind_named(object.name()),
                 fmt::format("the {} in the precondition ({}) does not match the {} in record ({}). The object might "
                             "have been deleted and then recreated",
                             what, wanted, what, is)));
  };
  if (!options.uid.empty() && options.uid != object.uid()) return failed("UID", options.uid, object.uid());
  if (!options.resource_version.empty() && options.resource_version != object.resource_version()) {
    return failed("ResourceVersion", options.resource_version, object.resource_version());
  }
  return {};
}

bool is_immortal(const Resource& resource, std::string_view name) {
  return resource.collection == "namespaces" && (name == "default" || name == "kube-system" || name == "kube-public");
}

// Returns the finalizers that an object has after this delete request.
json::array finalizers_after(const Object& object, const Resource& resource, const DeleteOptions& options) {
  json::array out;
  const bool decides = options.propagation != DeletionPropagation::unset;
  for (const json::View finalizer : object.finalizers().elements()) {
    const std::string_view name = finalizer.text();
    if (decides && (name == orphan_finalizer || name == foreground_finalizer)) continue;
    if (resource.strategy->gives_up(name)) continue;
    out.emplace_back(name);
  }
  if (options.propagation == DeletionPropagation::orphan) out.emplace_back(orphan_finalizer);
  if (options.propagation == DeletionPropagation::foreground) out.emplace_back(foreground_finalizer);
  const bool is_definition = resource.collection == "customresourcedefinitions.apiextensions.k8s.io";
  constexpr std::string_view cleanup = "customresourcecleanup.apiextensions.k8s.io";
  if (is_definition && std::find(out.begin(), out.end(), Value(cleanup)) == out.end() && !object.is_deleting()) {
    out.emplace_back(cleanup);
  }
  return out;
}

// Moves a time by at most 100 years, which avoids an overflow.
WallTime moved_by(WallTime begin, std::int64_t grace) {
  constexpr std::int64_t most = 100LL * 365 * 24 * 3600;
  return begin + std::chrono::seconds(std::clamp(grace, -most, most));
}

// Returns the end of the grace period. A later request can only shorten it, and not to a time in the past.
WallTime end_of(const Object& object, std::int64_t grace, WallTime now) {
  const auto end = parse_time(object["/metadata/deletionTimestamp"].text());
  if (!object.is_deleting() || !end) return moved_by(now, grace);
  if (grace >= grace_of(object)) return *end;
  return std::max(now, moved_by(moved_by(*end, -grace_of(object)), grace));
}

// Returns the object marked as being deleted. A repeated request may set another end.
Value marked(const Object& object, const Resource& resource, json::array finalizers, std::optional<std::int64_t> grace,
             WallTime now) {
  Value next = object.to_value();
  json::object& metadata = metadata_in(next);
  if (!object.is_deleting() || grace) {
    metadata["deletionTimestamp"] = format_time(end_of(object, grace.value_or(0), now));
    metadata["deletionGracePeriodSeconds"] = grace.value_or(0);
  }
  if (!object.is_deleting() && object.generation() > 0) metadata["generation"] = object.generation() + 1;
  if (finalizers.empty()) {
    metadata.erase("finalizers");
  } else {
    metadata["finalizers"] = std::move(finalizers);
  }
  if (resource.has_finalize) object_in(next, "status")["phase"] = "Terminating";
  return next;
}

// Calls the webhooks of both phases. None may change the object.
StatusOr<void> admit(Service& service, const Resource& resource, const Object& object, const DeleteOptions& options,
                     std::vector<std::string>& warnings) {
  if (options.user == nullptr) return {};
  auto seen = service.converter.presentable(resource, object);
  if (!seen) return refuse(std::move(seen.error()));
  if (!service.admission.is_configured()) return {};
  json::object given = options.given;
  given["kind"] = "DeleteOptions";
  given["apiVersion"] = "meta.k8s.io/v1";
  if (options.dry_run) given["dryRun"] = json::array{"All"};
  const Attributes attributes{.resource = resource,
                              .namespace_ = resource.namespaced ? object.namespace_() : std::string_view{},
                              .name = options.of_collection ? std::string() : std::string(object.name()),
                              .operation = "DELETE",
                              .options = std::move(given),
                              .dry_run = options.dry_run,
                              .deadline = options.deadline,
                              .user = *options.user};
  const Value old_object = shown(resource, *seen);
  Value none;
  if (auto mutated = service.admission.mutate(attributes, none, old_object, warnings); !mutated) return mutated;
  return service.admission.validate(attributes, none, old_object, warnings);
}

// Removes a marked object without finalizers. If another write came first, that write has removed it: every change of
// such an object does.
StatusOr<Deleted> take_away(Service& service, const Resource& resource, const std::string& key, const Object& object) {
  const auto gone = service.storage.erase(resource.collection, key, object, object.to_value());
  if (!gone) return refuse(not_kept(gone.error()));
  return Deleted{.object = gone->value_or(object), .gone = true, .graceful = true};
}

StatusOr<Deleted> try_delete(Service& service, const Resource& resource, std::string_view namespace_,
                             std::string_view name, const DeleteOptions& options, std::vector<std::string>& warnings) {
  const std::string key = storage_key(resource.namespaced ? namespace_ : std::string_view{}, name);
  while (true) {
    const Object object = service.storage.get(resource.collection, key);
    if (!object) return refuse(not_found(resource.named(name)));
    if (auto met = check_preconditions(object, resource, options); !met) return refuse(met.error());
    if (is_immortal(resource, name))
      return refuse(forbidden(resource.named(name), "this namespace may not be deleted"));

    auto grace = resource.strategy->grace_period(object.root(), options.grace);
    const bool graceful = grace.has_value();
    if (graceful && object.is_deleting()) {
      // The remaining time can only be shortened.
      const std::int64_t left = grace_of(object);
      grace = std::min(left, options.grace.value_or(left));
      if (left > 0 && *grace == left) return Deleted{.object = object, .graceful = true};
    }
    if (auto admitted = admit(service, resource, object, options, warnings); !admitted) {
      return refuse(std::move(admitted.error()));
    }

    json::array finalizers = finalizers_after(object, resource, options);
    const bool has_finalizers = !finalizers.empty() || (resource.has_finalize && !object["/spec/finalizers"].empty());
    if (!has_finalizers && !graceful) {
      if (options.dry_run) return Deleted{.object = object, .gone = true};
      auto gone = service.storage.erase(resource.collection, key, object, object.to_value());
      if (!gone) return refuse(not_kept(gone.error()));
      if (*gone) return Deleted{.object = std::move(**gone), .gone = true};
      continue;
    }
    const bool goes = !has_finalizers && *grace == 0;
    Object next(marked(object, resource, std::move(finalizers), grace, service.executor.wall_now()));
    if (next == object && !goes) return Deleted{.object = object, .graceful = graceful};
    if (options.dry_run) return Deleted{.object = std::move(next), .gone = goes, .graceful = graceful};
    auto put = service.storage.put(resource.collection, key, object, next.to_value());
    if (!put) return refuse(not_kept(put.error()));
    if (!*put) continue;
    if (goes) return take_away(service, resource, key, **put);
    return Deleted{.object = **put, .graceful = graceful};
  }
}

}  // namespace

std::int64_t grace_of(const Object& object) {
  return object["/metadata/deletionGracePeriodSeconds"].as_integer().value_or(0);
}

StatusOr<Deleted> delete_object(Service& service, const Resource& resource, std::string_view namespace_,
                                std::string_view name, const DeleteOptions& options) {
  std::vector<std::string> warnings;
  auto deleted = try_delete(service, resource, namespace_, name, options, warnings);
  if (!deleted) return refuse(with_warnings(std::move(deleted.error()), warnings));
  deleted->warnings = std::move(warnings);
  return deleted;
}

}  // namespace pintle::apiserver
