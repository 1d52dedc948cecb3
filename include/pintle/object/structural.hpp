// StructuralSchema: what the OpenAPI schema of a CRD demands of objects, the way a Kubernetes API server reads it.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/error.hpp>
#include <pintle/json/document.hpp>
#include <pintle/json/value.hpp>

namespace pintle {

// One field that breaks a rule: reason "FieldValueInvalid", field "spec.replicas", and as message what is wrong with
// it, "Invalid value: 11: spec.replicas in body should be less than or equal to 10".
using FieldError = Cause;

// One line of them all, as the message of a Status has it: "spec.replicas: Required value", or several in brackets.
[[nodiscard]] std::string describe(std::span<const FieldError> errors);

struct SchemaNode;

// Immutable; thread-safe; copying shares it. Reasons and paths are those of Kubernetes: FieldValueRequired,
// TypeInvalid, Invalid, NotSupported, Duplicate, TooLong, TooMany; "spec.tags[1]". Cross-field rules (CEL) are accepted
// and not evaluated, except those that make a field immutable.
class StructuralSchema {
 public:
  // Reads openAPIV3Schema and refuses what Kubernetes refuses in a CRD: a field without type, $ref, uniqueItems,
  // properties beside additionalProperties, types inside allOf and the like, a default that breaks the schema, a
  // pattern that is none, … Error: invalid, with one cause for each; `root` stands before their paths
  // ("spec.versions[0].schema.openAPIV3Schema").
  [[nodiscard]] static Result<StructuralSchema> parse(json::View openapi_v3_schema, std::string_view root = "");

  // What is wrong with an object, sorted by path; empty when it is fine. `root` stands before the paths.
  [[nodiscard]] std::vector<FieldError> validate(json::View object, const std::string& root = "") const;

  // What is wrong with a change: a value that its schema says may not change (`self == oldSelf`), and a member that may
  // not go (`!has(oldSelf.x) || has(self.x)`). Other rules in CEL are not evaluated.
  [[nodiscard]] std::vector<FieldError> validate_change(json::View object, json::View old) const;

  // Whether it has rules in CEL that are not evaluated.
  [[nodiscard]] bool has_rules_not_evaluated() const;

  // Puts defaults where a member is missing, or null and not nullable, in every object that is there; takes away a null
  // that may not be and has no default.
  void apply_defaults(json::Value& object) const;

  // Takes members away that the schema does not know, and names them, sorted. apiVersion, kind and metadata stay.
  std::vector<std::string> prune(json::Value& object) const;

 private:
  explicit StructuralSchema(std::shared_ptr<const SchemaNode> node) noexcept : node_(std::move(node)) {}

  std::shared_ptr<const SchemaNode> node_;
};

}  // namespace pintle
