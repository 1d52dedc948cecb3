// SPDX-License-Identifier: Apache-2.0
// The check finalizers: deletions of objects and namespaces that do not end.
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "doctor/checks/checks.hpp"
#include "doctor/conditions.hpp"
#include "doctor/custom_kinds.hpp"

namespace pintle::doctor {
namespace {

constexpr std::size_t max_named = 5;  // objects of a kind

// The time since the deletion was requested, if it is longer than --stuck-after.
std::optional<Duration> stuck_for(const Object& object, const CheckInput& input) {
  if (!object.is_deleting()) return std::nullopt;
  const auto since = parse_time(object.metadata().member("deletionTimestamp").text());
  if (!since) return std::nullopt;
  const Duration age = input.cluster.now() - *since;
  return age > input.options.stuck_after ? std::optional(age) : std::nullopt;
}

std::string minutes_of(Duration age) { return format_duration(std::chrono::floor<std::chrono::minutes>(age)); }

std::string finalizers_of(const Object& object) {
  std::string all;
  for (const json::View one : object.finalizers().elements()) {
    if (!all.empty()) all += ", ";
    all += one.text();
  }
  return all;
}

// The field managers that own the finalizers, from managedFields.
std::string finalizer_managers(const Object& object) {
  std::string all;
  const json::View managers = object.metadata().member("managedFields");
  for (const json::View one : managers.elements()) {
    if (!one["/fieldsV1/f:metadata/f:finalizers"]) continue;
    if (!all.empty()) all += ", ";
    all += one.member("manager").text();
  }
  return all;
}

std::string repair_of(const Object& object, const CustomKind& kind, const CheckInput& input) {
  const std::string in = object.namespace_().empty() ? "" : fmt::format(" -n {}", object.namespace_());
  const std::string managers = finalizer_managers(object);
  const bool is_own = input.program && managers.find(input.program->name) != std::string::npos;
  const std::string where =
      is_own ? fmt::format("look in the log of {} for {}", input.program->name, object.key().to_string())
             : fmt::format("look in the log of the program that owns them ({})",
                           managers.empty() ? "not in managedFields; see the domain of the finalizer" : managers);
  return fmt::format(
      "{}; if that program is gone, clean up by hand, then: kubectl patch {}{} {} --type json -p "
      R"('[{{"op": "remove", "path": "/metadata/finalizers"}}]')",
      where, kind.crd, in, object.name());
}

void report_stuck_objects(const CustomKind& kind, const Listing& listing, const CheckInput& input, Lines& lines) {
  std::size_t count = 0;
  for (const Object& object : listing.objects) {
    const auto age = stuck_for(object, input);
    if (!age || ++count > max_named) continue;
    lines.fail(object.describe(),
               fmt::format("was deleted {} ago and waits for finalizers: {}", minutes_of(*age), finalizers_of(object)),
               repair_of(object, kind, input));
  }
  if (count > max_named) {
    lines.fail(kind.kind.to_string(), fmt::format("{} more objects wait for finalizers", count - max_named),
               fmt::format("kubectl get {} --all-namespaces", kind.crd));
  }
}

std::string termination_problem(const Object& namespace_) {
  std::string all;
  for (const json::View one : namespace_["/status/conditions"].elements()) {
    if (!is_true(one)) continue;
    if (!all.empty()) all += "; ";
    all += one.member("message").text();
  }
  return all.empty() ? "its status has no condition that names the cause" : all;
}

void report_stuck_namespaces(const CheckInput& input, Lines& lines) {
  const auto& namespaces = input.cluster.list(namespace_type);
  if (!namespaces) return lines.unreadable("Namespaces", namespaces.error(), {"", "namespaces"});
  for (const Object& one : namespaces->objects) {
    const auto age = stuck_for(one, input);
    if (!age) continue;
    lines.fail(fmt::format("Namespace {}", one.name()),
               fmt::format("is Terminating for {}: {}", minutes_of(*age), termination_problem(one)),
               fmt::format("find the objects that are left: kubectl api-resources --verbs=list --namespaced -o name | "
                           "xargs -n 1 kubectl get -n {} --ignore-not-found; then let the owners of their finalizers "
                           "remove them",
                           one.name()));
  }
}

}  // namespace

void check_finalizers(const CheckInput& input, Lines& lines) {
  const std::size_t count = for_each_kind(input, lines, [&](const CustomKind& kind, const Listing& listing) {
    report_stuck_objects(kind, listing, input, lines);
  });
  report_stuck_namespaces(input, lines);
  if (!lines.empty()) return;
  lines.ok("objects and Namespaces", fmt::format("no deletion takes longer than {} ({} objects)",
                                                 format_duration(input.options.stuck_after), count));
}

}  // namespace pintle::doctor
