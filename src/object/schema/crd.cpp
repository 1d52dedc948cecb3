// SPDX-License-Identifier: Apache-2.0
#include <pintle/object/schema/crd.hpp>

#include <algorithm>
#include <iterator>

#include <pintle/base/text.hpp>
#include <pintle/json/pointer.hpp>

namespace pintle {
namespace {

json::array list_of(const std::vector<std::string>& texts) {
  json::array out;
  for (const std::string& text : texts) out.emplace_back(text);
  return out;
}

json::object names_object(std::string_view kind, const CrdNames& names, const std::string& plural) {
  json::object out{{"kind", kind}, {"listKind", std::string(kind) + "List"}, {"plural", plural}};
  out["singular"] = names.singular.empty() ? to_lower_ascii(kind) : names.singular;
  if (!names.short_names.empty()) out["shortNames"] = list_of(names.short_names);
  if (!names.categories.empty()) out["categories"] = list_of(names.categories);
  return out;
}

// The type of a printer column. Types that the server does not support are printed as strings.
std::string column_type(const json::object& schema) {
  const json::Value* format = schema.if_contains("format");
  if (format != nullptr && *format == "date-time") return "date";
  const json::Value* type = schema.if_contains("type");
  const bool is_known = type != nullptr && (*type == "boolean" || *type == "integer" || *type == "number");
  return is_known ? std::string(type->get_string()) : "string";
}

// Returns whether a field is a list of conditions: a list map with the key `type`, whose elements have a status.
bool is_list_of_conditions(const json::object& schema) {
  const json::Value list(schema);
  const json::Value* key = json::find(list, "/x-kubernetes-list-map-keys/0");
  return key != nullptr && *key == "type" && json::find(list, "/items/properties/status") != nullptr;
}

json::object column_object(const PrinterColumn& column) {
  json::object out{{"name", column.name}, {"type", column.type}, {"jsonPath", column.path}};
  if (!column.format.empty()) out["format"] = column.format;
  if (!column.description.empty()) out["description"] = column.description;
  if (column.priority != 0) out["priority"] = column.priority;
  return out;
}

json::object column_of(const internal::Member& member, const std::string& place) {
  PrinterColumn column = member.rules->column;
  const json::object schema = member.type->schema();
  std::string path = place + std::string(column.path);
  if (column.path.empty() && is_list_of_conditions(schema)) {
    path += "[?(@.type==\"" + std::string(column.name) + "\")].status";
  }
  const std::string type = column_type(schema);
  if (column.type.empty()) column.type = type;
  if (column.description.empty()) column.description = member.description;
  column.path = path;
  return column_object(column);
}

// Adds a column for each field with a heading, also in nested structs. Fields of list elements have no column, because
// they have no single path.
void add_columns(json::array& columns, std::span<const internal::Member> members, const std::string& path) {
  for (const internal::Member& member : members) {
    const std::string place = path + "." + std::string(member.name);
    if (!member.rules->column.name.empty()) columns.emplace_back(column_of(member, place));
    add_columns(columns, member.type->members(), place);
  }
}

json::object subresources_of(const internal::Version& version) {
  json::object out;
  const auto& members = version.layout.members;
  const auto is_status = [](const internal::Member& member) { return member.name == "status"; };
  if (std::any_of(members.begin(), members.end(), is_status)) out["status"].emplace_object();
  if (!version.scale) return out;
  json::object& scale = out["scale"].emplace_object();
  scale["specReplicasPath"] = version.scale->spec_replicas;
  scale["statusReplicasPath"] = version.scale->status_replicas;
  if (!version.scale->label_selector.empty()) scale["labelSelectorPath"] = version.scale->label_selector;
  return out;
}

json::object version_object(internal::Version& version) {
  json::array columns;
  add_columns(columns, version.layout.members, "");
  for (const PrinterColumn& column : version.columns) columns.emplace_back(column_object(column));
  columns.push_back(json::object{{"name", "Age"}, {"type", "date"}, {"jsonPath", ".metadata.creationTimestamp"}});

  json::object out{{"name", version.name}, {"served", version.served}, {"storage", version.stored}};
  if (!version.deprecated.empty()) {
    out["deprecated"] = true;
    out["deprecationWarning"] = version.deprecated;
  }
  out["schema"].emplace_object()["openAPIV3Schema"] = std::move(version.schema);
  json::object subresources = subresources_of(version);
  if (!subresources.empty()) out["subresources"] = std::move(subresources);
  out["additionalPrinterColumns"] = std::move(columns);
  return out;
}

}  // namespace

std::string_view to_string(Scope scope) noexcept { return scope == Scope::cluster ? "Cluster" : "Namespaced"; }

std::string crd_name(std::string_view plural, std::string_view group) {
  return std::string(plural) + "." + std::string(group);
}

bool is_custom_kind(const GroupVersionKind& kind) {
  static constexpr std::string_view plain[] = {"", "apps", "autoscaling", "batch", "extensions", "policy"};
  static constexpr std::string_view dotted[] = {"admissionregistration",
                                                "apiextensions",
                                                "apiregistration",
                                                "authentication",
                                                "authorization",
                                                "certificates",
                                                "coordination",
                                                "discovery",
                                                "events",
                                                "flowcontrol.apiserver",
                                                "internal.apiserver",
                                                "metrics",
                                                "networking",
                                                "node",
                                                "rbac.authorization",
                                                "resource",
                                                "scheduling",
                                                "storage",
                                                "storagemigration"};
  constexpr std::string_view suffix = ".k8s.io";
  std::string_view group = kind.group;
  if (std::find(std::begin(plain), std::end(plain), group) != std::end(plain)) return false;
  if (!group.ends_with(suffix)) return true;
  group.remove_suffix(suffix.size());
  return std::find(std::begin(dotted), std::end(dotted), group) == std::end(dotted);
}

json::Value internal::crd(Type type, const CrdNames& names, std::span<Version> versions) {
  const GroupVersionKind kind(type);
  const std::string plural = names.plural.empty() ? default_plural(type.kind) : names.plural;

  json::object spec{{"group", kind.group}, {"scope", to_string(names.scope)}};
  spec["names"] = names_object(type.kind, names, plural);
  json::array& entries = spec["versions"].emplace_array();
  for (Version& version : versions) entries.emplace_back(version_object(version));

  json::object crd{{"apiVersion", "apiextensions.k8s.io/v1"}, {"kind", "CustomResourceDefinition"}};
  json::object& metadata = crd["metadata"].emplace_object();
  metadata["name"] = crd_name(plural, kind.group);
  if (names.is_foreign) metadata["annotations"] = json::object{{foreign_annotation, "true"}};
  crd["spec"] = std::move(spec);
  return crd;
}

Scope CrdView::scope() const noexcept {
  return spec().member("scope") == "Cluster" ? Scope::cluster : Scope::namespaced;
}

json::View CrdView::version(std::string_view name) const noexcept {
  for (const json::View version : spec().member("versions").elements()) {
    if (version.member("name") == name) return version;
  }
  return {};
}

std::vector<std::string> CrdView::served_versions() const {
  std::vector<std::string> names;
  for (const json::View version : spec().member("versions").elements()) {
    if (version.member("served") == true) names.emplace_back(version.member("name").text());
  }
  return names;
}

std::string_view CrdView::stored_version() const noexcept {
  for (const json::View version : spec().member("versions").elements()) {
    if (version.member("storage") == true) return version.member("name").text();
  }
  return {};
}

bool CrdView::has_status(std::string_view version_name) const noexcept {
  return version(version_name)["/subresources/status"].exists();
}

bool CrdView::serves(const GroupVersionKind& wanted, Scope wanted_scope) const noexcept {
  return group() == wanted.group && kind() == wanted.kind && scope() == wanted_scope &&
         version(wanted.version).member("served") == true;
}

bool CrdView::is_foreign() const noexcept { return crd_["/metadata/annotations"].member(foreign_annotation) == "true"; }

bool CrdView::is_established() const noexcept {
  for (const json::View condition : crd_["/status/conditions"].elements()) {
    if (condition.member("type") == "Established") return condition.member("status") == "True";
  }
  return false;
}

}  // namespace pintle
