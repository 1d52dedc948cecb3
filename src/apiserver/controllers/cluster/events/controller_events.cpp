// SPDX-License-Identifier: Apache-2.0
#include "controller_events.hpp"

#include <string>
#include <utility>

#include <fmt/format.h>

#include <pintle/base/text.hpp>

#include "../cluster_values.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;

// "statefulset-controller".
std::string component_of(std::string_view kind) {
  if (kind == "ReplicationController") return "replication-controller";
  return to_lower_ascii(kind) + "-controller";
}

}  // namespace

void write_event(ClusterObjects& objects, const Object& subject, std::string_view reason, std::string_view message,
                 std::string_view type) {
  const std::string now = format_time(objects.wall_now());
  // Equal Events have equal names.
  const Object identity(Value{{"uid", subject.uid()}, {"type", type}, {"reason", reason}, {"message", message}});
  const std::string name = fmt::format("{}.{}", subject.name(), hash_name(identity.root()));
  if (const Object known = objects.get({"events", storage_key(subject.namespace_(), name)})) {
    objects.edit("events", known, [&](Value& next) {
      next.as_object()["count"] = integer_at(known, "/count", 1) + 1;
      next.as_object()["lastTimestamp"] = now;
    });
    return;
  }
  const std::string component = component_of(subject.kind());
  Value made{{"kind", "Event"},
             {"apiVersion", "v1"},
             {"metadata", {{"name", name}, {"namespace", subject.namespace_()}}},
             {"involvedObject",
              {{"kind", subject.kind()},
               {"namespace", subject.namespace_()},
               {"name", subject.name()},
               {"uid", subject.uid()},
               {"apiVersion", subject.api_version()},
               {"resourceVersion", subject.resource_version()}}},
             {"reason", reason},
             {"message", message},
             {"source", {{"component", component}}},
             {"firstTimestamp", now},
             {"lastTimestamp", now},
             {"count", 1},
             {"type", type},
             {"eventTime", nullptr},
             {"reportingComponent", component},
             {"reportingInstance", ""}};
  objects.create("events", subject.namespace_(), std::move(made));
}

}  // namespace pintle::apiserver
