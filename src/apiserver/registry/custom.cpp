// SPDX-License-Identifier: Apache-2.0
#include "custom.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <pintle/object/schema/structural.hpp>

#include "apiserver/expressions/schema_rules.hpp"
#include "cells.hpp"
#include "json_path.hpp"
#include "kinds/custom/custom_values.hpp"
#include "kinds/embedded.hpp"
#include "read_defaults.hpp"
#include "values.hpp"
#include "webhook_conversion.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;
using json::View;

struct PrinterColumn {
  std::string type{};
  JsonPath path{};
};

// ".spec.replicas" → "/spec/replicas"
std::string to_pointer(std::string_view path) {
  std::string pointer(path);
  for (char& c : pointer) {
    if (c == '.') c = '/';
  }
  return pointer;
}

Value cell_of(View value, std::string_view type, WallTime now) {
  if (!value.exists() || value.is_null()) return nullptr;
  if (type == "string") return Value(go_text(value));
  if (type == "integer") {
    if (const auto number = value.as_integer()) return *number;
    const auto real = value.as_double();
    return real ? Value(whole_part(*real)) : Value();
  }
  if (type == "number") return value.as_double() ? Value(*value.as_double()) : Value();
  if (type == "boolean") return value.as_bool() ? Value(*value.as_bool()) : Value();
  if (type == "date") return value.is_string() ? Value(human_age(value.text(), now)) : Value();
  return nullptr;
}

// With such an error in an object, its rules in CEL are not evaluated.
bool prevents_rules(const StatusCause& error) {
  constexpr std::array<std::string_view, 5> reasons = {"FieldValueNotSupported", "FieldValueRequired",
                                                       "FieldValueTooLong", "FieldValueTooMany",
                                                       "FieldValueTypeInvalid"};
  return std::ranges::find(reasons, error.reason) != reasons.end();
}

std::set<std::string_view> finalizers_of(const Value& object) {
  std::set<std::string_view> out;
  const Value* list = json::find(object, "/metadata/finalizers");
  if (list == nullptr || !list->is_array()) return out;
  for (const Value& name : list->get_array()) out.insert(text_at(name, ""));
  return out;
}

// Warns of each new finalizer whose name another writer may use too.
void warn_of_finalizers(const Value& next, const Value* old, std::vector<std::string>& warnings) {
  constexpr std::size_t most = 100;  // a client can send very many
  constexpr std::array<std::string_view, 3> standard{"foregroundDeletion", "kubernetes", "orphan"};
  const auto before = old == nullptr ? std::set<std::string_view>() : finalizers_of(*old);
  for (const std::string_view name : finalizers_of(next)) {
    if (warnings.size() >= most) return;
    const bool is_standard = std::ranges::find(standard, name) != standard.end();
    if (is_standard || before.contains(name) || name.find('/') != std::string_view::npos) continue;
    const bool is_domain = name.find('.') != std::string_view::npos;
    warnings.push_back(
        fmt::format("metadata.finalizers: {}: prefer a domain-qualified finalizer name{} to avoid accidental conflicts "
                    "with other finalizer writers",
                    json::print(Value(name)), is_domain ? " including a path (/)" : ""));
  }
}

class CustomStrategy final : public Strategy {
 public:
  CustomStrategy(json::Document openapi, std::optional<StructuralSchema> schema, bool keeps_unknown, bool has_status,
                 std::optional<ScaleSubresource> scale, std::vector<PrinterColumn> columns)
      : openapi_(std::move(openapi)),
        schema_(std::move(schema)),
        rules_(schema_ ? SchemaRules::compile(*schema_) : nullptr),
        keeps_unknown_(keeps_unknown),
        has_status_(has_status),
        has_embedded_(has_embedded(openapi_.root())),
        scale_(std::move(scale)),
        columns_(std::move(columns)) {}

  View schema() const override { return openapi_.root(); }

  // Checks all of the object: the schema may have changed since it was stored.
  StatusOr<void> accept(Value& object, const Value& /*proper*/, std::vector<std::string>& unknown) const override {
    if (!schema_) return {};
    if (!keeps_unknown_) {
      const auto pruned = schema_->prune(object);
      unknown.insert(unknown.end(), pruned.begin(), pruned.end());
    }
    schema_->apply_defaults(object);
    return has_embedded_ ? fit_embedded(object, openapi_.root(), unknown) : StatusOr<void>();
  }

  StatusOr<void> accept_admitted(Value& object) const override {
    if (schema_) schema_->apply_defaults(object);
    return {};
  }

  void prepare_create(Value& object) const override {
    if (has_status_) object.as_object().erase("status");
  }

  void validate_write(const Value& next, const Value* old, std::vector<StatusCause>& causes,
                      std::vector<std::string>& warnings) const override {
    warn_of_finalizers(next, old, warnings);
    if (!schema_) {
      if (scale_) validate_scale_fields(next, *scale_, causes);
      return;
    }
    const json::Document document(next);
    const json::Document before = old == nullptr ? json::Document() : json::Document(*old);
    const View previous = old == nullptr ? View() : before.root();
    const auto errors = schema_->validate_update(document.root(), previous);
    causes.insert(causes.end(), errors.begin(), errors.end());
    if (scale_) validate_scale_fields(next, *scale_, causes);
    if (has_embedded_) validate_embedded(next, openapi_.root(), causes);
    if (rules_ == nullptr) return;
    if (std::ranges::any_of(errors, prevents_rules)) {
      causes.push_back({.reason = "FieldValueInvalid",
                        .message = "Invalid value: null: some validation rules were not checked because the object was "
                                   "invalid; correct the existing errors to complete validation",
                        .field = "<nil>"});
    } else {
      rules_->validate(document.root(), previous, causes, warnings);
    }
  }

  // Without the subresource status, the status is part of the intent.
  bool same_intent(const Value& a, const Value& b) const override {
    if (!Strategy::same_intent(a, b)) return false;
    if (has_status_) return true;
    const Value* left = member(a, "status");
    const Value* right = member(b, "status");
    return left == nullptr || right == nullptr ? left == right : json::equal(*left, *right);
  }

  json::array cells(View object, WallTime now) const override {
    json::array cells{object["/metadata/name"].text()};
    for (const PrinterColumn& column : columns_) cells.push_back(cell_of(column.path.first(object), column.type, now));
    return cells;
  }

 private:
  const json::Document openapi_;
  const std::optional<StructuralSchema> schema_;
  const std::shared_ptr<const SchemaRules> rules_;  // null: none
  const bool keeps_unknown_;
  const bool has_status_;
  const bool has_embedded_;
  const std::optional<ScaleSubresource> scale_;
  const std::vector<PrinterColumn> columns_;
};

std::vector<std::string> texts(View list) {
  std::vector<std::string> out;
  for (const View item : list.elements()) out.emplace_back(item.text());
  return out;
}

bool has_unreadable_column(View columns) {
  for (const View column : columns.elements()) {
    if (!JsonPath::parse(column.member("jsonPath").text())) return true;
  }
  return false;
}

// Reads the columns after the name: how they are shown and how they are computed. If a path cannot be read, the columns
// are those of a definition without columns.
void read_columns(View version, std::vector<Column>& shown, std::vector<PrinterColumn>& computed) {
  shown.push_back({.name = "Name", .format = "name", .description = "Name of the object."});
  const View given = version.member("additionalPrinterColumns");
  const View columns = has_unreadable_column(given) ? View() : given;
  for (const View column : columns.elements()) {
    auto path = JsonPath::parse(column.member("jsonPath").text());
    if (!path) continue;
    const std::string type(column.member("type").text());
    const std::string description(column.member("description").text());
    shown.push_back({.name = std::string(column.member("name").text()),
                     .type = type,
                     .format = std::string(column.member("format").text()),
                     .description = description.empty()
                                        ? fmt::format("Custom resource definition column (in JSONPath format): {}",
                                                      column.member("jsonPath").text())
                                        : description,
                     .priority = static_cast<int>(column.member("priority").as_integer().value_or(0))});
    computed.push_back({.type = type, .path = std::move(*path)});
  }
  if (!columns.empty()) return;
  shown.push_back({.name = "Age", .type = "date", .description = "When the object was created."});
  computed.push_back({.type = "date", .path = JsonPath::parse(".metadata.creationTimestamp").value()});
}

using SchemaMap = std::map<std::string, StructuralSchema, std::less<>>;  // by version

SchemaMap schemas_of(View definition) {
  SchemaMap out;
  for (const View version : definition["/spec/versions"].elements()) {
    auto schema = StructuralSchema::parse(version["/schema/openAPIV3Schema"]);
    if (schema) out.emplace(version.member("name").text(), std::move(*schema));
  }
  return out;
}

std::optional<StructuralSchema> schema_of(const SchemaMap& schemas, std::string_view version) {
  const auto found = schemas.find(version);
  return found == schemas.end() ? std::nullopt : std::optional(found->second);
}

bool has_defaults(View schema) {
  if (schema.member("default").exists()) return true;
  const auto members = schema.member("properties").members();
  for (const auto [name, below] : members) {
    if (has_defaults(below)) return true;
  }
  const View items = schema.member("items");
  const View others = schema.member("additionalProperties");
  return (items.is_object() && has_defaults(items)) || (others.is_object() && has_defaults(others));
}

// Returns null if the kind has no defaults.
std::shared_ptr<const ReadDefaults> read_defaults_of(const Object& definition, const SchemaMap& schemas) {
  bool has_some = false;
  for (const View version : definition["/spec/versions"].elements()) {
    has_some = has_some || has_defaults(version["/schema/openAPIV3Schema"]);
  }
  if (!has_some) return nullptr;
  const std::string_view text = definition.resource_version();
  ReadDefaults out{.schemas = schemas};
  std::from_chars(text.data(), text.data() + text.size(), out.defined_at);
  return std::make_shared<const ReadDefaults>(std::move(out));
}

// Returns null if no webhook converts the versions.
std::shared_ptr<const WebhookConversion> conversion_of(View definition, const SchemaMap& schemas) {
  const View conversion = definition["/spec/conversion"];
  if (conversion.member("strategy") != "Webhook") return nullptr;
  WebhookConversion out{.client_config = json::Document(conversion["/webhook/clientConfig"].to_value()),
                        .review_version = "v1"};
  for (const View version : conversion["/webhook/conversionReviewVersions"].elements()) {
    if (version != "v1" && version != "v1beta1") continue;
    out.review_version = version.text();
    break;
  }
  const bool keeps_unknown = definition["/spec/preserveUnknownFields"] == true;
  for (const View version : definition["/spec/versions"].elements()) {
    const std::string name(version.member("name").text());
    out.versions[name] = {.schema = schema_of(schemas, name), .keeps_unknown = keeps_unknown};
  }
  return std::make_shared<const WebhookConversion>(std::move(out));
}

// The parts that all versions of a kind share.
struct KindParts {
  std::string stored_api_version{};
  std::shared_ptr<const WebhookConversion> conversion{};
  std::shared_ptr<const ReadDefaults> read_defaults{};
};

ResourcePtr version_resource(View definition, View version, const KindParts& parts,
                             std::optional<StructuralSchema> schema) {
  const View spec = definition.member("spec");
  const View names = definition["/status/acceptedNames"];
  const View subresources = version.member("subresources");
  const View openapi = version["/schema/openAPIV3Schema"];

  const std::vector<std::string> sub_verbs{"get", "patch", "update"};
  Resource out;
  out.group = spec.member("group").text();
  out.version = version.member("name").text();
  out.plural = names.member("plural").text();
  out.singular = names.member("singular").text();
  out.kind = names.member("kind").text();
  out.list_kind = names.member("listKind").text();
  out.short_names = texts(names.member("shortNames"));
  out.categories = texts(names.member("categories"));
  out.namespaced = spec.member("scope") == "Namespaced";
  out.custom = true;
  if (version.member("deprecated") == true) {
    const View warning = version.member("deprecationWarning");
    out.deprecation =
        warning.exists() ? std::string(warning.text()) : out.api_version() + " " + out.kind + " is deprecated";
  }
  out.verbs = {"delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"};
  out.collection = out.plural + "." + out.group;
  out.stored_api_version = parts.stored_api_version;
  out.conversion = parts.conversion;
  out.read_defaults = parts.read_defaults;
  out.has_generation = true;
  out.has_status = subresources.member("status").exists();
  out.takes_unconditional_update = false;
  out.takes_strategic_patch = false;
  out.is_terminating = definition["/metadata/deletionTimestamp"].exists();
  if (out.has_status) out.subresources.push_back({.name = "status", .kind = out.kind, .verbs = sub_verbs});
  if (const View scale = subresources.member("scale")) {
    out.scale = ScaleSubresource{.spec_replicas = to_pointer(scale.member("specReplicasPath").text()),
                                 .status_replicas = to_pointer(scale.member("statusReplicasPath").text()),
                                 .label_selector = to_pointer(scale.member("labelSelectorPath").text())};
    out.subresources.push_back(
        {.name = "scale", .group = "autoscaling", .version = "v1", .kind = "Scale", .verbs = sub_verbs});
  }
  for (const View field : version.member("selectableFields").elements()) {
    const std::string_view path = field.member("jsonPath").text();
    out.fields.push_back({std::string(path.starts_with('.') ? path.substr(1) : path), to_pointer(path)});
  }
  std::vector<PrinterColumn> columns;
  read_columns(version, out.columns, columns);
  out.strategy = std::make_shared<CustomStrategy>(json::Document(openapi), std::move(schema),
                                                  spec.member("preserveUnknownFields") == true, out.has_status,
                                                  out.scale, std::move(columns));
  out.storage_hash = storage_hash_of(out);
  return std::make_shared<const Resource>(std::move(out));
}

}  // namespace

CustomResources custom_resources(const Object& definition) {
  std::string stored;
  for (const View version : definition["/spec/versions"].elements()) {
    if (version.member("storage") == true) stored = version.member("name").text();
  }
  const SchemaMap schemas = schemas_of(definition.root());
  const KindParts parts{.stored_api_version = std::string(definition["/spec/group"].text()) + "/" + stored,
                        .conversion = conversion_of(definition.root(), schemas),
                        .read_defaults = read_defaults_of(definition, schemas)};
  CustomResources out;
  for (const View version : definition["/spec/versions"].elements()) {
    const bool is_served = version.member("served") == true;
    const bool is_stored = version.member("name") == std::string_view(stored);
    if (!is_served && !is_stored) continue;
    ResourcePtr made =
        version_resource(definition.root(), version, parts, schema_of(schemas, version.member("name").text()));
    if (is_stored) out.stored = made;
    if (is_served) out.served.push_back(std::move(made));
  }
  return out;
}

}  // namespace pintle::apiserver
