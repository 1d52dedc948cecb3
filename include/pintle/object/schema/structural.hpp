// SPDX-License-Identifier: Apache-2.0
// StructuralSchema: the OpenAPI schema of a CRD. It validates objects, sets defaults and prunes, as a Kubernetes API
// server does.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/error.hpp>
#include <pintle/json/document.hpp>
#include <pintle/json/value.hpp>

namespace pintle {

/// One field that violates a rule: the reason "FieldValueInvalid", the field "spec.replicas", and the message "Invalid
/// value: 11: spec.replicas in body should be less than or equal to 10".
using FieldError = StatusCause;

/// Returns all errors on one line, in the format of a Status message: "spec.replicas: Required value"; several errors
/// are in brackets.
[[nodiscard]] PINTLE_EXPORT std::string describe(std::span<const FieldError> errors);

struct SchemaNode;

/// Immutable and thread-safe; copies share the schema. Errors have the reasons of Kubernetes (FieldValueRequired,
/// FieldValueTypeInvalid, FieldValueInvalid, FieldValueNotSupported, FieldValueDuplicate, FieldValueTooLong,
/// FieldValueTooMany) and paths in the format of Kubernetes ("spec.tags[1]"), cut after about 1 KiB. CEL rules are
/// accepted but not evaluated.
class PINTLE_EXPORT StructuralSchema {
 public:
  /// Parses openAPIV3Schema. Rejects a schema with one of the errors for which Kubernetes rejects a CRD: a field
  /// without a type, `$ref`, `uniqueItems`, `properties` together with `additionalProperties`, a type inside `allOf`,
  /// `anyOf`, `oneOf` or `not`, a default that violates the schema, an invalid pattern, and others. Error: invalid,
  /// with one cause for each error in the schema. `root` precedes their paths
  /// ("spec.versions[0].schema.openAPIV3Schema").
  [[nodiscard]] static Result<StructuralSchema> parse(json::View openapi_v3_schema, std::string_view root = "");

  /// Returns the errors of an object, sorted by path; empty if the object is valid. `root` precedes the paths.
  [[nodiscard]] std::vector<FieldError> validate(json::View object, const std::string& root = "") const;

  /// Returns the errors of an update from `old` to `object`: those of validate(), except the errors of values that the
  /// update does not change. An element of a list has a previous value only in a list map.
  [[nodiscard]] std::vector<FieldError> validate_update(json::View object, json::View old,
                                                        const std::string& root = "") const;

  /// Sets the defaults of the object and of all objects inside it. A member gets its default if it is missing, or if it
  /// is null and not nullable. A member that is null, not nullable and without default is removed. An object that is
  /// missing and has no default stays missing.
  void apply_defaults(json::Value& object) const;

  /// Removes the members that are not in the schema. Returns the paths of the first 100 of them, sorted. apiVersion,
  /// kind and metadata are kept.
  std::vector<std::string> prune(json::Value& object) const;

  /// The parsed schema, for other layers of pintle. Valid as long as a copy of this schema exists.
  [[nodiscard]] const SchemaNode& node() const noexcept { return *node_; }

 private:
  explicit StructuralSchema(std::shared_ptr<const SchemaNode> node) noexcept : node_(std::move(node)) {}

  std::shared_ptr<const SchemaNode> node_;
};

}  // namespace pintle
