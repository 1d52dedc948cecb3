// SPDX-License-Identifier: Apache-2.0
#include "gen_openapi.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <pintle/base/text.hpp>
#include <pintle/json/value.hpp>
#include <pintle/object/kind.hpp>
#include <pintle/object/schema/crd.hpp>

#include "gen_names.hpp"

namespace pintle::tools {
namespace {

constexpr std::string_view schemas_pointer = "/components/schemas";
constexpr std::string_view ref_prefix = "#/components/schemas/";
constexpr std::string_view builtin_prefix = "io.k8s.";
constexpr std::string_view meta = "io.k8s.apimachinery.pkg.apis.meta.v1.";

// The types of Kubernetes for which the object layer has a type.
struct KnownType {
  std::string_view schema;
  std::string_view cpp;
  std::string_view header;
  SchemaType::Form form;
};
constexpr KnownType known_types[] = {
    {"io.k8s.apimachinery.pkg.api.resource.Quantity", "Quantity", "pintle/object/quantity.hpp",
     SchemaType::Form::value},
    {"io.k8s.apimachinery.pkg.apis.meta.v1.Condition", "StatusCondition", "pintle/object/condition.hpp",
     SchemaType::Form::structure},
    {"io.k8s.apimachinery.pkg.apis.meta.v1.Duration", "Duration", "pintle/base/time.hpp", SchemaType::Form::value},
    {"io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime", "MicroTime", "pintle/object/micro_time.hpp",
     SchemaType::Form::value},
    {"io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta", "Metadata", "pintle/object/metadata.hpp",
     SchemaType::Form::metadata},
    {"io.k8s.apimachinery.pkg.apis.meta.v1.Time", "WallTime", "pintle/base/time.hpp", SchemaType::Form::value},
    {"io.k8s.apimachinery.pkg.util.intstr.IntOrString", "IntOrString", "pintle/object/int_or_string.hpp",
     SchemaType::Form::value},
};

// Kinds whose types are in a header of their own, with the types that they use: most operators use one of them, and all
// types of the group take half a second to compile.
constexpr std::string_view small_kinds[] = {
    "io.k8s.api.core.v1.ConfigMap",
    "io.k8s.api.core.v1.Namespace",
    "io.k8s.api.core.v1.Secret",
    "io.k8s.api.core.v1.ServiceAccount",
};
constexpr std::string_view part_of_small_kinds = "small_kinds";

// Types that Metadata contains.
constexpr std::string_view covered[] = {"ManagedFieldsEntry", "OwnerReference"};

const KnownType* known(std::string_view name) {
  const auto found = std::find_if(std::begin(known_types), std::end(known_types),
                                  [&](const KnownType& type) { return type.schema == name; });
  return found == std::end(known_types) ? nullptr : found;
}

bool is_builtin(std::string_view name) { return name.starts_with(builtin_prefix); }

// "io.k8s.api.core.v1.Pod" → {core, v1} and Pod.
std::optional<std::pair<HeaderName, std::string>> split(std::string_view name) {
  std::string_view parts[3];
  for (int i = 2; i >= 0; --i) {
    const std::size_t dot = name.rfind('.');
    if (dot == std::string_view::npos && i > 0) return std::nullopt;
    parts[i] = dot == std::string_view::npos ? name : name.substr(dot + 1);
    name = name.substr(0, dot == std::string_view::npos ? 0 : dot);
  }
  return std::pair(HeaderName{snake_case(parts[0]), snake_case(parts[1])}, std::string(parts[2]));
}

bool is_list(json::View schema) {
  return schema["/properties/metadata/allOf/0/$ref"] == std::string(ref_prefix) + std::string(meta) + "ListMeta" &&
         schema["/properties/items"].exists();
}

bool becomes_struct(std::string_view name, json::View schema) {
  if (known(name) != nullptr || is_list(schema)) return false;
  for (const std::string_view type : covered) {
    if (name == std::string(meta) + std::string(type)) return false;
  }
  return !schema.member("properties").empty();
}

bool has_metadata(json::View schema) {
  const std::string ref = std::string(ref_prefix) + std::string(meta) + "ObjectMeta";
  return schema["/properties/metadata/allOf/0/$ref"] == ref || schema["/properties/metadata/$ref"] == ref;
}

// Compares schemas without their lists of groups, because some types of meta/v1 list all groups that use them.
bool are_equal(json::View a, json::View b) {
  const auto without_groups = [](json::View schema) {
    json::Value value = schema.to_value();
    if (value.is_object()) value.as_object().erase("x-kubernetes-group-version-kind");
    return value;
  };
  return without_groups(a) == without_groups(b);
}

void collect_refs(json::View schema, std::set<std::string>& refs) {
  for (const auto [name, member] : schema.members()) {
    if (name == "$ref" && member.text().starts_with(ref_prefix)) refs.emplace(member.text().substr(ref_prefix.size()));
    collect_refs(member, refs);
  }
  for (const json::View element : schema.elements()) collect_refs(element, refs);
}

std::optional<KindFacts> kind_of(json::View schema) {
  const json::View kinds = schema.member("x-kubernetes-group-version-kind");
  if (kinds.size() != 1 || !has_metadata(schema)) return std::nullopt;
  const json::View kind = kinds.element(0);
  GroupVersionKind names;
  names.group = kind.member("group").text();
  names.version = kind.member("version").text();
  KindFacts facts{.api_version = names.api_version(), .kind = std::string(kind.member("kind").text())};
  if (is_custom_kind(names)) facts.facts.emplace_back(foreign_fact);
  for (const auto [name, property] : schema.member("properties").members()) {
    static constexpr std::string_view plain[] = {"apiVersion", "kind", "metadata", "spec", "status"};
    if (std::find(std::begin(plain), std::end(plain), name) == std::end(plain)) facts.has_own_fields = true;
  }
  return facts;
}

}  // namespace

bool OpenApiSchemas::is_openapi(json::View document) { return document[schemas_pointer].is_object(); }

Result<void> OpenApiSchemas::add(json::View document, const Place& place) {
  const Place schemas{place.file, place.pointer + std::string(schemas_pointer)};
  for (const auto [name, schema] : document[schemas_pointer].members()) {
    Schema entry{schema, schemas.at(name), {}};
    collect_refs(schema, entry.refs);
    const auto [found, is_new] = schemas_.emplace(name, entry);
    if (!is_new && !are_equal(found->second.schema, schema)) {
      return fail(ErrorCode::invalid, fmt::format("{}: differs from {}; use documents of one cluster",
                                                  entry.place.to_string(), found->second.place.to_string()));
    }
  }
  return {};
}

std::set<std::string> OpenApiSchemas::closure(const std::string& from) const {
  std::set<std::string> seen;
  std::vector<std::string> open{from};
  while (!open.empty()) {
    const std::string next = std::move(open.back());
    open.pop_back();
    const auto found = schemas_.find(next);
    if (found == schemas_.end() || !seen.insert(next).second) continue;
    open.insert(open.end(), found->second.refs.begin(), found->second.refs.end());
  }
  return seen;
}

bool OpenApiSchemas::reaches(const std::string& from, const std::string& to) const {
  return closure(from).contains(to);
}

// Requires that split() succeeds.
HeaderName OpenApiSchemas::header_of(const std::string& name) const {
  HeaderName header = split(name)->first;
  if (small_.contains(name)) header.part = part_of_small_kinds;
  return header;
}

Result<SchemaType> OpenApiSchemas::resolve(const std::string& from, std::string_view ref, const std::string& root,
                                           Header& header, StructType& owner, const Place& place) const {
  const std::string prefix = root == builtin_root ? "" : "pintle::";
  const std::string name(ref.starts_with(ref_prefix) ? ref.substr(ref_prefix.size()) : "");
  const auto found = schemas_.find(name);
  if (found == schemas_.end()) {
    return fail(ErrorCode::invalid, fmt::format("{}: there is no schema {}; also give the document that contains it",
                                                place.to_string(), ref));
  }
  if (const KnownType* type = known(name)) {
    header.includes.emplace(type->header);
    return SchemaType{prefix + std::string(type->cpp), type->form};
  }
  const json::View schema = found->second.schema;
  if (!becomes_struct(name, schema)) {
    const std::string_view type = schema.member("type").text();
    if (type == "string") {
      header.includes.insert("string");
      return SchemaType{"std::string"};
    }
    return any_json(is_builtin(from), prefix, header);
  }
  const auto its = split(name);
  if (!its)
    return fail(ErrorCode::invalid, place.to_string() + ": there is no group and version in the name " + quote(name));
  const auto structure = [&](const std::string& text) {
    const bool is_atomic = schema.member("x-kubernetes-map-type") == "atomic";
    return SchemaType{.cpp = text, .form = SchemaType::Form::structure, .is_atomic = is_atomic};
  };
  std::string cpp = its->second;
  const HeaderName mine = header_of(from);
  if (!its->first.has_namespace_of(mine) || is_builtin(name) != is_builtin(from)) {
    cpp = fmt::format("{}::{}::{}", its->first.folder, its->first.version, cpp);
    if (is_builtin(name) && root != builtin_root) {
      header.includes.insert(fmt::format("pintle/api/{}/{}.hpp", its->first.folder, its->first.version));
      return structure("pintle::api::" + cpp);
    }
    header.headers.insert(header_of(name));
    return structure(cpp);
  }
  if (header_of(name) != mine) {
    header.headers.insert(header_of(name));
    return structure(cpp);
  }
  if (reaches(name, from)) {
    header.includes.insert("pintle/object/box.hpp");
    if (name != from) header.forwards.insert(cpp);
    return SchemaType{prefix + "Box<" + cpp + ">"};
  }
  owner.uses.insert(cpp);
  return structure(cpp);
}

Result<void> OpenApiSchemas::read(const std::string& root, Headers& headers, std::vector<std::string>& warnings) {
  for (const std::string_view kind : small_kinds) {
    const std::string name(kind);
    if (root != builtin_root || !schemas_.contains(name)) continue;
    HeaderName whole = split(name)->first;
    for (const std::string& used : closure(name)) {
      if (becomes_struct(used, schemas_.at(used).schema) && split(used)->first == whole) small_.insert(used);
    }
    headers[whole].headers.insert(header_of(name));
  }
  const auto is_wanted = [&](const std::string& name, const Schema& schema) {
    return becomes_struct(name, schema.schema) && (!is_builtin(name) || root == builtin_root);
  };
  for (const auto& [name, schema] : schemas_) {
    if (!is_wanted(name, schema)) continue;
    const auto its = split(name);
    if (!its) {
      return fail(ErrorCode::invalid,
                  schema.place.to_string() +
                      ": the name has no group and version; rename the schema like com.example.v1.Widget");
    }
    headers[header_of(name)].structs[its->second].name = its->second;
  }
  for (const auto& [name, schema] : schemas_) {
    if (!is_wanted(name, schema)) continue;
    const auto its = split(name);
    Header& header = headers[header_of(name)];
    StructType& owner = header.structs[its->second];
    owner.kind = kind_of(schema.schema);
    const auto resolve_here = [&, from = name](std::string_view ref, StructType& user, const Place& place) {
      return resolve(from, ref, root, header, user, place);
    };
    SchemaReader reader(
        {.is_builtin = is_builtin(name), .prefix = root == builtin_root ? "" : "pintle::", .resolve = resolve_here},
        header, warnings);
    if (auto read = reader.read_members(schema.schema, owner, schema.place); !read) return read;
    if (is_builtin(name)) continue;
    reader.warn_of_whole(schema.schema, schema.place);
    if (schema.schema.member("x-kubernetes-validations")) {
      warnings.push_back(schema.place.at("x-kubernetes-validations").to_string() + ": is not carried over");
    }
  }
  return {};
}

}  // namespace pintle::tools
