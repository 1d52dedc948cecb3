// Managed fields: who owns which field of an object, and server-side apply, which is decided by it.
#pragma once

#include <string>

#include <pintle/base/time.hpp>
#include <pintle/json/document.hpp>
#include <pintle/json/value.hpp>

namespace pintle {

// Who writes, and through which version and sub-resource. A plain value.
struct FieldManager {
  std::string name{};
  std::string api_version{};
  std::string subresource{};  // "", "status", "scale"
};

// What an apply is allowed to do and when it happens.
struct ManagedApply {
  bool force = false;  // take fields over that others own
  WallTime now{};
};

// Server-side apply: merges `config` into `live` (null: the object is created), takes away what this manager applied
// before and now left out, unless somebody else owns it too, and writes metadata.managedFields of the result. `schema`
// is the OpenAPI schema of the object, without references: x-kubernetes-list-type, x-kubernetes-list-map-keys and
// x-kubernetes-map-type say what is merged and what is atomic; where it says nothing, objects merge and lists are
// atomic. Metadata needs no schema. Errors: conflict, with one cause of reason FieldManagerConflict for each field that
// others own with another value; invalid for a configuration that cannot be merged.
[[nodiscard]] Result<json::Value> apply_configuration(const json::Value& live, const json::Value& config,
                                                      json::View schema, const FieldManager& manager,
                                                      const ManagedApply& options);

// Records in `next` that `manager` turned `live` into it by a write that was not an apply: it owns what it changed or
// added, and nobody owns what is gone. The managedFields of `next` count if it brings valid ones, else those of `live`;
// one empty entry resets them. A write that changes no field changes nothing here.
void record_update(const json::Value& live, json::Value& next, json::View schema, const FieldManager& manager,
                   WallTime now);

// The fields that are there, as managedFields writes them down (FieldsV1).
[[nodiscard]] json::Value fields_v1(const json::Value& object, json::View schema = {});

}  // namespace pintle
