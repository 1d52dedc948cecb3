// SPDX-License-Identifier: Apache-2.0
// Managed fields: the owners of the fields of an object, and server-side apply, which depends on them.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include <pintle/base/annotations.hpp>
#include <pintle/base/time.hpp>
#include <pintle/json/document.hpp>
#include <pintle/json/value.hpp>

namespace pintle {

/// The writer of a request: its name, and the API version and subresource of the request. A plain value.
struct FieldManager {
  std::string name{};
  std::string api_version{};
  std::string subresource{};  ///< "", "status", "scale"
};

/// Converts between the versions of a kind. The entry of a manager that wrote in another version contains fields of
/// that version. Empty: all versions have the same fields.
struct ManagedVersions {
  struct Form {
    json::Value object{};
    json::View schema{};
  };
  /// Returns the object in a version, or nothing if it cannot be converted; then the fields of the entry stay as they
  /// are.
  std::function<std::optional<Form>(const json::Value& object, const std::string& api_version)> convert{};
};

/// The options and the time of an apply.
struct ApplyConfigurationOptions {
  bool force = false;  ///< take over fields that other managers own
  WallTime now{};
};

/// Performs a server-side apply: merges `config` into `live` (null: creates the object), and updates
/// metadata.managedFields of the result. Fields that this manager applied before and that `config` does not contain are
/// removed, unless another manager also owns them. If an existing object has no entries, the manager
/// "before-first-apply" becomes the owner of its fields. `schema` is the OpenAPI schema of the object, without
/// references. Its x-kubernetes-list-type, x-kubernetes-list-map-keys and x-kubernetes-map-type define which parts are
/// merged and which are atomic; by default, objects are merged and lists are atomic. Metadata needs no schema. Errors:
/// conflict, with one cause of reason FieldManagerConflict for each field that another manager owns with another value;
/// invalid, if the configuration cannot be merged.
[[nodiscard]] PINTLE_EXPORT Result<json::Value> apply_configuration(const json::Value& live, const json::Value& config,
                                                                    json::View schema, const FieldManager& manager,
                                                                    const ApplyConfigurationOptions& options,
                                                                    const ManagedVersions& versions = {});

/// Updates metadata.managedFields of `next` after a write by `manager` that changed `live` to `next` and was not an
/// apply. The manager becomes the owner of the fields that it changed or added; removed fields have no owner. The
/// update normally starts from the managedFields of `next`. If these are missing, empty or invalid, or if the write is
/// to a subresource, it starts from the managedFields of `live` instead. If managedFields of `next` is a list with one
/// empty entry ([{}]), all entries are removed; this does not apply to a subresource. If there are no entries and the
/// object already exists (`live` has a uid), none are added until the next apply, as on a kube-apiserver. A write that
/// changes no field does not change the managedFields.
PINTLE_EXPORT void record_update(const json::Value& live, json::Value& next, json::View schema,
                                 const FieldManager& manager, WallTime now, const ManagedVersions& versions = {});

/// Returns the fields of an object in the format of managedFields (FieldsV1).
[[nodiscard]] PINTLE_EXPORT json::Value fields_v1(const json::Value& object, json::View schema = {});

}  // namespace pintle
