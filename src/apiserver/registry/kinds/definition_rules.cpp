// SPDX-License-Identifier: Apache-2.0
#include "definition_rules.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <pintle/base/text.hpp>

#include "apiserver/registry/metadata.hpp"
#include "apiserver/registry/refusal.hpp"
#include "apiserver/registry/values.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;
using json::View;

using Causes = std::vector<StatusCause>;

constexpr std::string_view approval = "api-approved.kubernetes.io";
constexpr std::size_t max_selectable_fields = 8;
constexpr std::size_t longest_warning = 256;

template <std::size_t Size>
bool is_one_of(const std::array<std::string_view, Size>& texts, std::string_view text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

// A path of members, such as ".spec.replicas".
bool validate_simple_path(std::string_view path, const std::string& field, Causes& causes) {
  if (path.starts_with('.')) return true;
  causes.push_back(invalid_value(field, Value(path), "must be a simple json path starting with ."));
  return false;
}

void validate_scale_path(View scale, const char* name, std::string_view root, const std::string& field,
                         Causes& causes) {
  const std::string_view path = scale.member(name).text();
  const std::string at = fmt::format("{}.{}", field, name);
  if (path.empty()) return causes.push_back(required(at));
  if (!validate_simple_path(path, at, causes) || path.starts_with(fmt::format(".{}.", root))) return;
  causes.push_back(invalid_value(at, Value(path), fmt::format("should be a json path under .{}", root)));
}

void validate_subresources(View subresources, const std::string& field, Causes& causes) {
  const View scale = subresources.member("scale");
  if (!scale.is_object()) return;
  const std::string at = field + ".scale";
  validate_scale_path(scale, "specReplicasPath", "spec", at, causes);
  validate_scale_path(scale, "statusReplicasPath", "status", at, causes);
  const std::string_view selector = scale.member("labelSelectorPath").text();
  const std::string place = at + ".labelSelectorPath";
  if (selector.empty() || !validate_simple_path(selector, place, causes)) return;
  if (selector.starts_with(".spec.") || selector.starts_with(".status.")) return;
  causes.push_back(invalid_value(place, Value(selector), "should be a json path under either .spec or .status"));
}

void validate_columns(View columns, const std::string& field, Causes& causes) {
  constexpr std::array<std::string_view, 5> types{"boolean", "date", "integer", "number", "string"};
  constexpr std::array<std::string_view, 8> formats{"byte",  "date",  "date-time", "double",
                                                    "float", "int32", "int64",     "password"};
  std::size_t i = 0;
  for (const View column : columns.elements()) {
    const std::string at = fmt::format("{}[{}]", field, i++);
    if (column.member("name").text().empty()) causes.push_back(required(at + ".name"));
    const std::string_view type = column.member("type").text();
    const std::string choice = fmt::format("must be one of {}", fmt::join(types, ","));
    if (type.empty()) {
      causes.push_back(required(at + ".type", choice));
    } else if (!is_one_of(types, type)) {
      causes.push_back(invalid_value(at + ".type", Value(type), choice));
    }
    const std::string_view format = column.member("format").text();
    if (!format.empty() && !is_one_of(formats, format)) {
      causes.push_back(
          invalid_value(at + ".format", Value(format), fmt::format("must be one of {}", fmt::join(formats, ","))));
    }
    // kube-apiserver names the field so.
    if (const std::string_view path = column.member("jsonPath").text(); path.empty()) {
      causes.push_back(required(at + ".JSONPath"));
    } else {
      (void)validate_simple_path(path, at + ".JSONPath", causes);
    }
  }
}

// Returns the schema of a field; a missing view and the mistake if the path does not lead to one.
std::pair<View, std::string> schema_of_field(View schema, std::string_view path) {
  while (!path.empty()) {
    if (path.front() == '[') return {View(), "array notation is not allowed"};
    const auto end_of = [](std::string_view text) { return std::min(text.find_first_of(".[]"), text.size()); };
    if (path.front() != '.') {
      return {View(),
              fmt::format("expected [ or . but got: {}", path.substr(0, std::max<std::size_t>(1, end_of(path))))};
    }
    path.remove_prefix(1);
    if (path.empty()) return {View(), "unexpected end of JSON path"};
    const std::string_view name = path.substr(0, end_of(path));
    path.remove_prefix(name.size());
    schema = schema.member("properties").member(name);
    if (name.empty() || !schema.is_object()) return {View(), "does not refer to a valid field"};
  }
  return {schema, ""};
}

void validate_selectable_fields(View fields, View schema, const std::string& field, Causes& causes) {
  constexpr std::array<std::string_view, 3> types{"boolean", "integer", "string"};
  std::vector<std::string_view> seen;
  std::size_t i = 0;
  for (const View entry : fields.elements()) {
    const std::string at = fmt::format("{}[{}].jsonPath", field, i++);
    const std::string_view path = entry.member("jsonPath").text();
    if (path.empty()) {
      causes.push_back(required(at));
      continue;
    }
    const auto [found, mistake] = schema_of_field(schema, path);
    if (!mistake.empty()) {
      causes.push_back(invalid_value(at, Value(path), "is an invalid path: " + mistake));
      continue;
    }
    if (path == ".metadata" || path.starts_with(".metadata.")) {
      causes.push_back(invalid_value(at, Value(path), "must not point to fields in metadata"));
    }
    if (!is_one_of(types, found.member("type").text())) {
      causes.push_back(invalid_value(at, Value(path),
                                     "must point to a field of type string, boolean or integer. Enum string fields and "
                                     "strings with formats are allowed."));
    }
    if (std::find(seen.begin(), seen.end(), path) != seen.end()) {
      causes.push_back(duplicate_value(at, Value(path)));
    } else {
      seen.push_back(path);
    }
  }
  if (seen.size() <= max_selectable_fields) return;
  causes.push_back(
      {.reason = "FieldValueTooMany",
       .message = fmt::format("Too many: {}: must have at most {} items", seen.size(), max_selectable_fields),
       .field = field});
}

void validate_deprecation(View version, const std::string& field, Causes& causes) {
  const View warning = version.member("deprecationWarning");
  if (!warning.is_string()) return;
  const std::string at = field + ".deprecationWarning";
  const std::string_view text = warning.text();
  const auto add = [&](std::string_view why) { causes.push_back(invalid_value(at, Value(text), why)); };
  if (version.member("deprecated") != true) return add("can only be set for deprecated versions");
  if (text.size() > longest_warning) add("must be <= 256 characters long");
  if (text.empty()) add("must not be an empty string");
  const auto odd = std::find_if(text.begin(), text.end(),
                                [](char c) { return static_cast<unsigned char>(c) < 0x20U || c == '\x7f'; });
  if (odd == text.end()) return;
  add(fmt::format("must only contain printable UTF-8 characters; non-printable character found at index {}",
                  odd - text.begin()));
}

}  // namespace

void validate_definition_group(View definition, Causes& causes) {
  const View spec = definition.member("spec");
  const std::string_view group = spec.member("group").text();
  const std::string wanted = fmt::format("{}.{}", spec["/names/plural"].text(), group);
  const std::string_view name = definition["/metadata/name"].text();
  if (const auto error = subdomain_error(name)) causes.push_back(invalid_value("metadata.name", Value(name), *error));
  if (name != wanted) {
    causes.push_back(invalid_value("metadata.name", Value(name), "must be spec.names.plural+\".\"+spec.group"));
  }
  if (group.empty()) {
    causes.push_back(required("spec.group"));
  } else if (const auto error = subdomain_error(group); error || group.find('.') == std::string_view::npos) {
    causes.push_back(
        invalid_value("spec.group", Value(group), error.value_or("should be a domain with at least one dot")));
  }
  const std::string_view scope = spec.member("scope").text();
  if (scope.empty()) {
    causes.push_back(required("spec.scope"));
  } else if (scope != "Namespaced" && scope != "Cluster") {
    causes.push_back(not_supported("spec.scope", Value(scope), {"Cluster", "Namespaced"}));
  }
}

void validate_definition_names(View names, const std::string& field, bool are_required, Causes& causes) {
  constexpr std::array<const char*, 4> single{"plural", "singular", "kind", "listKind"};
  for (const char* name : single) {
    if (are_required && names.member(name).text().empty()) {
      causes.push_back(required(fmt::format("{}.{}", field, name)));
    }
  }
  for (const char* name : single) {
    const std::string_view text = names.member(name).text();
    const bool has_case = name == std::string_view("kind") || name == std::string_view("listKind");
    const auto error = dns1035_label_error(has_case ? to_lower_ascii(text) : std::string(text));
    if (text.empty() || !error) continue;
    causes.push_back(
        invalid_value(fmt::format("{}.{}", field, name), Value(text),
                      has_case ? fmt::format("may have mixed case, but should otherwise match: {}", *error) : *error));
  }
  const auto validate_each = [&](const char* name) {
    std::size_t i = 0;
    for (const View text : names.member(name).elements()) {
      const std::string at = fmt::format("{}.{}[{}]", field, name, i++);
      if (const auto error = dns1035_label_error(text.text())) {
        causes.push_back(invalid_value(at, Value(text.text()), *error));
      }
    }
  };
  validate_each("shortNames");
  const std::string_view kind = names.member("kind").text();
  if (!kind.empty() && names.member("listKind") == kind) {
    causes.push_back(invalid_value(field + ".listKind", Value(kind), "kind and listKind may not be the same"));
  }
  validate_each("categories");
}

void validate_version_details(View versions, Causes& causes) {
  constexpr std::array<const char*, 3> parts{"subresources", "additionalPrinterColumns", "selectableFields"};
  // kube-apiserver stores what all versions share once, and names its field so.
  const View first = versions.element(0);
  std::array<bool, parts.size()> is_shared{true, true, true};
  for (const View version : versions.elements()) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      is_shared[i] = is_shared[i] && version.member(parts[i]) == first.member(parts[i]);
    }
  }
  std::size_t number = 0;
  for (const View version : versions.elements()) {
    const std::string at = fmt::format("spec.versions[{}]", number++);
    validate_deprecation(version, at, causes);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (is_shared[i] && number > 1) continue;
      const std::string field = fmt::format("{}.{}", is_shared[i] ? "spec" : at, parts[i]);
      const View part = version.member(parts[i]);
      if (i == 0) validate_subresources(part, field, causes);
      if (i == 1) validate_columns(part, field, causes);
      if (i == 2) validate_selectable_fields(part, version["/schema/openAPIV3Schema"], field, causes);
    }
  }
}

void validate_approval(View definition, View old, Causes& causes) {
  const std::string_view group = definition["/spec/group"].text();
  const bool is_protected =
      group == "k8s.io" || group.ends_with(".k8s.io") || group == "kubernetes.io" || group.ends_with(".kubernetes.io");
  if (!is_protected) return;
  enum class State { missing, bypassed, approved, invalid };
  const auto state_of = [](std::string_view text) {
    if (text.empty()) return State::missing;
    if (text.starts_with("unapproved")) return State::bypassed;
    const std::size_t scheme = text.find("://");
    const bool is_url = scheme != std::string_view::npos && scheme > 0 && text.size() > scheme + 3 &&
                        text[scheme + 3] != '/' && text.find(' ') == std::string_view::npos;
    return is_url ? State::approved : State::invalid;
  };
  const auto annotation = [](View object) { return object["/metadata/annotations"].member(approval).text(); };
  const State state = state_of(annotation(definition));
  if (old.exists() && state_of(annotation(old)) == state) return;
  const std::string at = fmt::format("metadata.annotations[{}]", approval);
  const std::string_view help = "see https://github.com/kubernetes/enhancements/pull/1111";
  if (state == State::missing) {
    causes.push_back(
        required(at, fmt::format("protected groups must have approval annotation \"{}\", {}", approval, help)));
  } else if (state == State::invalid) {
    causes.push_back(
        invalid_value(at, Value(annotation(definition)),
                      fmt::format("protected groups must have approval annotation \"{}\" with either a URL or a reason "
                                  "starting with \"unapproved\", {}",
                                  approval, help)));
  }
}

void validate_schema_root(View schema, const std::string& place, Causes& causes) {
  constexpr std::array<std::string_view, 22> allowed{"description",
                                                     "type",
                                                     "format",
                                                     "title",
                                                     "maximum",
                                                     "exclusiveMaximum",
                                                     "minimum",
                                                     "exclusiveMinimum",
                                                     "maxLength",
                                                     "minLength",
                                                     "pattern",
                                                     "maxItems",
                                                     "minItems",
                                                     "uniqueItems",
                                                     "multipleOf",
                                                     "required",
                                                     "items",
                                                     "properties",
                                                     "externalDocs",
                                                     "example",
                                                     "x-kubernetes-preserve-unknown-fields",
                                                     "x-kubernetes-validations"};
  for (const auto [name, value] : schema.members()) {
    const bool is_zero =
        value.is_null() || value == false || ((value.is_array() || value.is_object()) && value.empty());
    if (is_zero || is_one_of(allowed, name)) continue;
    causes.push_back(invalid_value(place, schema.to_value(),
                                   "only [Description Type Format Title Maximum ExclusiveMaximum Minimum "
                                   "ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems "
                                   "MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields "
                                   "XValidations] fields are allowed at the root of the schema if the status "
                                   "subresource is enabled"));
    return;
  }
}

}  // namespace pintle::apiserver
