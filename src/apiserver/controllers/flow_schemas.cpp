// SPDX-License-Identifier: Apache-2.0
#include "flow_schemas.hpp"

#include <string>

#include <fmt/format.h>

#include "apiserver/objects/write.hpp"
#include "condition_writer.hpp"

namespace pintle::apiserver {
namespace {

constexpr std::string_view schema_collection = "flowschemas.flowcontrol.apiserver.k8s.io";
constexpr std::string_view level_collection = "prioritylevelconfigurations.flowcontrol.apiserver.k8s.io";

}  // namespace

void FlowSchemas::round() {
  const std::pair written(service_.storage.last_write(schema_collection),
                          service_.storage.last_write(level_collection));
  if (written == processed_) return;
  processed_ = written;
  for (const Object& schema : service_.storage.objects(schema_collection)) report(schema);
}

void FlowSchemas::report(const Object& schema) {
  const std::string_view level = schema["/spec/priorityLevelConfiguration/name"].text();
  const bool exists = service_.storage.get(level_collection, level).exists();
  const std::string message =
      fmt::format("This FlowSchema references the PriorityLevelConfiguration object named \"{}\" {}", level,
                  exists ? "and it exists" : "but there is no such object");
  const Edit edit{.make = [&](const json::Value& current) -> StatusOr<json::Value> {
                    json::Value next = current;
                    ConditionWriter(next, format_time(service_.executor.wall_now()))
                        .set("Dangling", !exists, exists ? "Found" : "NotFound", message);
                    return next;
                  },
                  .subresource = "status"};
  const ResourcePtr resource = service_.registry.catalog()->of_collection(schema_collection);
  // Fails if the schema has been deleted. Writes nothing if the condition is there.
  (void)edit_object(service_, *resource, "", schema.name(), edit,
                    {.manager = "api-priority-and-fairness-config-consumer-v1"});
}

}  // namespace pintle::apiserver
