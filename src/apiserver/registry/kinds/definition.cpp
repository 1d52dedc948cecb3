// SPDX-License-Identifier: Apache-2.0
// The rules of CustomResourceDefinition. controllers/definitions handles names, establishment and deletion.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <pintle/base/text.hpp>
#include <pintle/object/bytes.hpp>
#include <pintle/object/names.hpp>
#include <pintle/object/schema/structural.hpp>

#include "../rules.hpp"
#include "admission/webhook_fields.hpp"
#include "apiserver/expressions/schema_rules.hpp"
#include "apiserver/registry/metadata.hpp"
#include "apiserver/registry/values.hpp"
#include "definition_rules.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;
using json::View;

std::vector<std::string> storage_versions(const Value& definition) {
  std::vector<std::string> names;
  const Value* versions = json::find(definition, "/spec/versions");
  if (versions == nullptr || !versions->is_array()) return names;
  for (const Value& version : versions->get_array()) {
    const Value* storage = member(version, "storage");
    if (storage != nullptr && *storage == Value(true)) names.emplace_back(text_at(version, "/name"));
  }
  return names;
}

void default_spec(Value& spec) {
  json::object& names = object_in(spec, "names");
  const std::string kind(text_at(spec, "/names/kind"));
  if (!kind.empty() && text_at(spec, "/names/singular").empty()) names["singular"] = to_lower_ascii(kind);
  if (!kind.empty() && text_at(spec, "/names/listKind").empty()) names["listKind"] = kind + "List";
  if (member(spec, "conversion") == nullptr) spec.get_object()["conversion"] = {{"strategy", "None"}};
  if (json::object* service = object_at(spec, "/conversion/webhook/clientConfig/service"))
    service->emplace("port", 443);
}

bool all_elements(View list, bool (*test)(View)) {
  for (const View element : list.elements()) {
    if (!test(element)) return false;
  }
  return true;
}

bool is_rule_entry(View entry) {
  if (!entry.is_object()) return false;
  for (const char* name : {"rule", "message", "messageExpression", "reason", "fieldPath"}) {
    if (const View text = entry.member(name); text.exists() && !text.is_string()) return false;
  }
  const View flag = entry.member("optionalOldSelf");
  return !flag.exists() || flag.as_bool().has_value();
}

// The generated facts about a definition do not describe the entries of a schema.
bool has_rule_types(View schema) {
  if (!schema.is_object()) return true;
  const View rules = schema.member("x-kubernetes-validations");
  if (rules.exists() && (!rules.is_array() || !all_elements(rules, is_rule_entry))) return false;
  for (const char* name : {"properties", "patternProperties", "definitions"}) {
    for (const auto [property, below] : schema.member(name).members()) {
      if (!has_rule_types(below)) return false;
    }
  }
  for (const char* name : {"items", "additionalProperties", "not"}) {
    if (!has_rule_types(schema.member(name))) return false;
  }
  for (const char* name : {"items", "allOf", "anyOf", "oneOf"}) {
    if (!all_elements(schema.member(name), has_rule_types)) return false;
  }
  return true;
}

// Returns whether a text is the base64 of certificates in PEM.
bool is_certificate_bundle(std::string_view base64) {
  const auto bytes = Bytes::from_base64(base64);
  return bytes && bytes->data.find("-----BEGIN CERTIFICATE-----") != std::string::npos;
}

bool has_version_with_rule_types(View version) { return has_rule_types(version["/schema/openAPIV3Schema"]); }

class DefinitionStrategy final : public BuiltinStrategy {
 public:
  using BuiltinStrategy::BuiltinStrategy;

  StatusOr<void> accept(Value& object, const Value& proper, std::vector<std::string>& unknown) const override {
    if (auto accepted = BuiltinStrategy::accept(object, proper, unknown); !accepted) return accepted;
    const json::Document document(object);
    if (all_elements(document.root()["/spec/versions"], has_version_with_rule_types)) return {};
    return refuse(bad_request("json: cannot unmarshal x-kubernetes-validations into a list of validation rules"));
  }

  bool has_own_cells() const override { return true; }

  void prepare_create(Value& object) const override {
    json::array stored;
    for (std::string& name : storage_versions(object)) stored.emplace_back(std::move(name));
    object_in(object, "status") = {{"conditions", json::array()},
                                   {"acceptedNames", {{"plural", ""}, {"kind", ""}}},
                                   {"storedVersions", std::move(stored)}};
  }

  // Adds a version that becomes the storage version to status.storedVersions: from now on, objects are stored as it. A
  // write of the status may leave it out, but not all versions.
  void prepare_update(Value& next, const Value& old) const override {
    const Value* stored = json::find(next, "/status/storedVersions");
    const bool has_some = stored != nullptr && stored->is_array() && !stored->get_array().empty();
    if (has_some && writes_status(next, old)) return;
    add_storage_versions(object_in(next, "status"), next);
  }

  void validate(const Value& next, const Value* old, std::vector<StatusCause>& causes) const override {
    const json::Document document(next);
    const View root = document.root();
    if (old != nullptr && writes_status(next, *old))
      return validate_definition_names(root["/status/acceptedNames"], "status.acceptedNames", false, causes);
    validate_definition_group(root, causes);
    const json::Document before = old == nullptr ? json::Document() : json::Document(*old);
    const View stored = old == nullptr ? View() : before.root();
    validate_versions(root, stored, causes);
    validate_definition_names(root["/spec/names"], "spec.names", true, causes);
    validate_version_details(root["/spec/versions"], causes);
    validate_conversion(root["/spec/conversion"], causes);
    if (is_established(stored)) validate_ca(root["/spec/conversion"], stored["/spec/conversion"], causes);
    if (old != nullptr) validate_update(next, *old, causes);
    validate_approval(root, stored, causes);
    if (root["/spec/preserveUnknownFields"] == true && stored["/spec/preserveUnknownFields"] != true) {
      causes.push_back(invalid_value("spec.preserveUnknownFields", Value(true),
                                     "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in "
                                     "spec.versions[*].schema instead"));
    }
  }

 protected:
  void set_defaults(Value& object) const override {
    object_in(object, "spec");
    default_spec(object.get_object()["spec"]);
  }

  Value cell(std::string_view /*Created At*/, View object, WallTime /*now*/) const override {
    return Value(object["/metadata/creationTimestamp"].text());
  }

 private:
  static void add_storage_versions(json::object& status, const Value& definition) {
    Value& stored = status["storedVersions"];
    if (!stored.is_array()) stored.emplace_array();
    json::array& names = stored.get_array();
    for (const std::string& name : storage_versions(definition)) {
      if (std::find(names.begin(), names.end(), Value(name)) == names.end()) names.emplace_back(name);
    }
  }

  // A write of the status keeps the spec. Any other write keeps the status, to which prepare_update() may add.
  static bool writes_status(const Value& next, const Value& old) {
    const Value* status = member(next, "status");
    if (!identical(member(next, "spec"), member(old, "spec")) || identical(status, member(old, "status"))) return false;
    Value kept = old;
    add_storage_versions(object_in(kept, "status"), old);
    return !identical(status, member(kept, "status"));
  }

  // kube-apiserver names the fields of an older version.
  static void validate_conversion(View conversion, std::vector<StatusCause>& causes) {
    const std::string_view strategy = conversion.member("strategy").text();
    const std::string client_field = "spec.conversion.webhookClientConfig";
    const std::string versions_field = "spec.conversion.conversionReviewVersions";
    const View client = conversion["/webhook/clientConfig"];
    const View versions = conversion["/webhook/conversionReviewVersions"];
    if (strategy == "Webhook") {
      if (client.exists()) {
        validate_client_config(client, client_field, causes);
      } else {
        causes.push_back(required(client_field, "required when strategy is set to Webhook"));
      }
      if (versions.empty()) {
        causes.push_back(required(versions_field));
      } else {
        validate_review_versions(versions, versions_field, causes);
      }
      return;
    }
    if (strategy != "None") {
      causes.push_back(not_supported("spec.conversion.strategy", Value(strategy), {"None", "Webhook"}));
      return;
    }
    const std::string_view why = "should not be set when strategy is not set to Webhook";
    if (client.exists()) causes.push_back(forbidden_field(client_field, why));
    if (!versions.empty()) causes.push_back(forbidden_field(versions_field, why));
  }

  static bool is_established(View definition) {
    for (const View condition : definition["/status/conditions"].elements()) {
      if (condition.member("type") == "Established") return condition.member("status") == "True";
    }
    return false;
  }

  // A wrong bundle is accepted until the definition is established, and may stay.
  static void validate_ca(View conversion, View old, std::vector<StatusCause>& causes) {
    const auto bundle_of = [](View of) { return of["/webhook/clientConfig/caBundle"].text(); };
    const std::string_view bundle = bundle_of(conversion);
    if (bundle.empty() || is_certificate_bundle(bundle)) return;
    if (!bundle_of(old).empty() && !is_certificate_bundle(bundle_of(old))) return;
    causes.push_back(invalid_value("spec.conversion.webhookClientConfig.caBundle", Value(bundle),
                                   "unable to load root certificates: unable to parse bytes as PEM block"));
  }

  static void validate_versions(View root, View old, std::vector<StatusCause>& causes) {
    const View versions = root["/spec/versions"];
    validate_schemas(versions, old["/spec/versions"], causes);
    int stored = 0;
    std::size_t i = 0;
    std::vector<std::string_view> seen;
    for (const View version : versions.elements()) {
      const std::string field = fmt::format("spec.versions[{}]", i++);
      const std::string_view name = version.member("name").text();
      if (version.member("storage") == true) ++stored;
      if (const auto error = dns1035_label_error(name))
        causes.push_back(invalid_value(field + ".name", Value(name), *error));
      if (std::find(seen.begin(), seen.end(), name) != seen.end()) {
        causes.push_back(invalid_value("spec.versions", Value(name), "must contain unique version names"));
      }
      seen.push_back(name);
    }
    if (stored != 1) {
      causes.push_back(invalid_value("spec.versions", versions.to_value(),
                                     "must have exactly one version marked as storage version"));
    }
  }

  // kube-apiserver stores the schema that all versions share once.
  static void validate_schemas(View versions, View old_versions, std::vector<StatusCause>& causes) {
    const View first = versions.element(0)["/schema/openAPIV3Schema"];
    bool is_shared = true;
    for (const View version : versions.elements()) {
      is_shared = is_shared && version["/schema/openAPIV3Schema"] == first;
    }
    std::size_t i = 0;
    for (const View version : versions.elements()) {
      const std::string place = fmt::format("spec.versions[{}].schema.openAPIV3Schema", i++);
      const View openapi = version["/schema/openAPIV3Schema"];
      if (!openapi.exists()) {
        causes.push_back(required(place, "schemas are required"));
      } else if (!is_shared || i == 1) {
        View old_schema;
        for (const View old : old_versions.elements()) {
          if (old.member("name") == version.member("name").text()) old_schema = old["/schema/openAPIV3Schema"];
        }
        if (has_status(versions, version, is_shared)) {
          validate_schema_root(openapi, is_shared ? "spec.validation.openAPIV3Schema" : place, causes);
        }
        validate_schema(openapi, is_shared ? "spec.validation.openAPIV3Schema" : place, openapi == old_schema, causes);
      }
    }
  }

  static bool has_status(View versions, View version, bool is_shared) {
    if (!is_shared) return version["/subresources/status"].exists();
    for (const View each : versions.elements()) {
      if (each["/subresources/status"].exists()) return true;
    }
    return false;
  }

  // Rules of a schema that did not change may have become too expensive.
  static void validate_schema(View openapi, const std::string& place, bool is_unchanged,
                              std::vector<StatusCause>& causes) {
    const auto schema = StructuralSchema::parse(openapi, place);
    if (schema) {
      const std::size_t before = causes.size();
      check_schema_rules(*schema, place, !is_unchanged, causes);
      if (!is_unchanged && causes.size() == before) check_schema_defaults(*schema, place, causes);
      return;
    }
    const auto& errors = schema.error().causes;
    causes.insert(causes.end(), errors.begin(), errors.end());
    if (errors.empty()) causes.push_back(invalid_value(place, Value(), schema.error().message));
  }

  static void validate_update(const Value& next, const Value& old, std::vector<StatusCause>& causes) {
    for (const char* pointer : {"/spec/group", "/spec/scope", "/spec/names/plural", "/spec/names/kind"}) {
      if (text_at(next, pointer) == text_at(old, pointer)) continue;
      std::string field(pointer + 1);
      std::replace(field.begin(), field.end(), '/', '.');
      causes.push_back(immutable_field(std::move(field), Value(text_at(next, pointer))));
    }
    const Value* stored = json::find(next, "/status/storedVersions");
    const json::Document document(next);
    std::size_t i = 0;
    for (const Value& name : stored != nullptr && stored->is_array() ? stored->get_array() : json::array()) {
      bool known = false;
      for (const View version : document.root()["/spec/versions"].elements()) {
        known = known || version.member("name") == text_at(name, "");
      }
      if (!known) {
        causes.push_back(invalid_value(
            fmt::format("status.storedVersions[{}]", i), name,
            fmt::format(
                "missing from spec.versions; {0} was previously a storage version, and must remain in "
                "spec.versions until a storage migration ensures no data remains persisted in {0} and removes {0} "
                "from status.storedVersions",
                text_at(name, ""))));
      }
      ++i;
    }
  }
};

}  // namespace

StrategyPtr definition_strategy(BuiltinKind kind) { return std::make_shared<DefinitionStrategy>(std::move(kind)); }

}  // namespace pintle::apiserver
