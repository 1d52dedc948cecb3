// SPDX-License-Identifier: Apache-2.0
#include "gen_schema.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <set>
#include <utility>

#include <fmt/format.h>

#include <pintle/base/terminal.hpp>
#include <pintle/base/text.hpp>
#include <pintle/json/pointer.hpp>

#include "gen_names.hpp"

namespace pintle::tools {
namespace {

using Form = SchemaType::Form;

// Names that each struct with fields(), or each kind, uses itself.
constexpr std::string_view taken_in_all[] = {"fields", "list_map_key"};
constexpr std::string_view taken_in_kinds[] = {"type",        "metadata",   "plural",      "singular",
                                               "short_names", "categories", "description", "scope"};

bool is_number_type(std::string_view type) { return type == "double" || type.starts_with("std::int"); }
bool is_text_type(std::string_view type) { return type == "std::string"; }
bool is_list_type(std::string_view type) { return type.starts_with("std::vector<"); }
bool is_map_type(std::string_view type) { return type.starts_with("std::map<"); }

// A keyword of a schema, and the rule of fields() for the types that it fits.
struct TypedRule {
  std::string_view keyword;
  std::string_view rule;
  bool (*fits)(std::string_view type);
};
constexpr TypedRule typed_rules[] = {
    {"minimum", "minimum", is_number_type},        {"maximum", "maximum", is_number_type},
    {"multipleOf", "multiple_of", is_number_type}, {"minLength", "min_length", is_text_type},
    {"maxLength", "max_length", is_text_type},     {"pattern", "pattern", is_text_type},
    {"minItems", "min_items", is_list_type},       {"maxItems", "max_items", is_list_type},
    {"minProperties", "min_items", is_map_type},   {"maxProperties", "max_items", is_map_type}};

// Keywords that are rules, and for which fields() has none.
constexpr std::string_view rules_without_words[] = {
    "allOf", "anyOf", "oneOf", "not", "enum", "format", "exclusiveMinimum", "exclusiveMaximum", "uniqueItems"};

constexpr std::string_view keep_unknown = "x-kubernetes-preserve-unknown-fields";

constexpr std::string_view not_carried_over =
    "fields() does not support this rule for this type; servers with the CRD still check it";
constexpr std::string_view for_items = "is not carried over; declare it with `.items([](auto item) { return item…; })`";

// Macros of common system headers, which cannot be names of structs.
constexpr std::string_view macros[] = {"BUFSIZ", "EOF", "INFINITY", "NAN", "NULL"};

// The pattern that controller-gen writes for a quantity.
constexpr std::string_view quantity_pattern =
    R"(^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$)";

template <class List>
bool has(const List& list, std::string_view text) {
  return std::find(std::begin(list), std::end(list), text) != std::end(list);
}

bool holds(json::View list, std::string_view text) {
  for (const json::View element : list.elements()) {
    if (element == text) return true;
  }
  return false;
}

// Returns whether the schema is a wrapper such as {"allOf": [{"$ref": …}], "default": {}}, the form of a reference with
// further keywords.
bool is_wrapper(json::View schema) { return schema.member("allOf").size() == 1 && !schema.member("type"); }

json::View without_wrapper(json::View schema) {
  return is_wrapper(schema) ? schema.member("allOf").element(0) : schema;
}

bool is_int_or_string(json::View schema) {
  if (schema.member("x-kubernetes-int-or-string") == true || schema.member("format") == "int-or-string") return true;
  if (schema.member("type")) return false;
  for (const char* choice : {"anyOf", "oneOf"}) {
    const json::View types = schema.member(choice);
    if (types.size() == 2 && types["/0/type"] == "integer" && types["/1/type"] == "string") return true;
  }
  return false;
}

// Returns whether the alternatives are only types.
bool are_types(json::View alternatives) {
  for (const json::View one : alternatives.elements()) {
    if (one.size() != 1 || !one.member("type")) return false;
  }
  return true;
}

// Returns whether the type already expresses a rule.
bool is_implied(std::string_view keyword, json::View schema, const SchemaType& type) {
  const json::View value = schema.member(keyword);
  if (value == false) return true;  // such as exclusiveMinimum
  if (keyword == "anyOf" || keyword == "oneOf") return is_int_or_string(schema) && are_types(value);
  if (keyword == "allOf") return is_wrapper(schema);
  if (keyword == "enum") return type.form == Form::enumeration;
  if (keyword == "pattern") return type.cpp.ends_with("Quantity") && value == quantity_pattern;
  if (keyword != "format") return false;
  // Formats of numbers are types. "password" is for user interfaces.
  if (schema.member("type") != "string" || value == "password" || value == "int-or-string") return true;
  return type.form == Form::value && (value == "byte" || value == "date-time" || value == "duration");
}

// Returns the keywords of a schema that are rules, except those in CEL and those that the type expresses.
std::vector<std::string_view> rules_in(json::View schema, const SchemaType& type) {
  std::vector<std::string_view> found;
  const auto add = [&](std::string_view keyword) {
    if (schema.member(keyword) && !is_implied(keyword, schema, type)) found.push_back(keyword);
  };
  for (const TypedRule& rule : typed_rules) add(rule.keyword);
  for (const std::string_view keyword : rules_without_words) add(keyword);
  return found;
}

bool has_rule_for(std::string_view keyword, const SchemaType& type) {
  return std::any_of(std::begin(typed_rules), std::end(typed_rules),
                     [&](const TypedRule& rule) { return rule.keyword == keyword && rule.fits(type.cpp); });
}

// Returns whether the type has lost the properties to which rules in CEL may refer.
bool lost_properties(json::View schema, const SchemaType& type) {
  return type.cpp.ends_with("json::Value") && !schema.member("properties").empty();
}

// Returns whether the schema is the Condition of meta/v1. CRDs contain its complete schema, not a reference.
bool is_condition(json::View schema) {
  std::set<std::string_view> names;
  for (const auto [name, property] : schema.member("properties").members()) names.insert(name);
  names.erase("observedGeneration");
  return names == std::set<std::string_view>{"lastTransitionTime", "message", "reason", "status", "type"} &&
         schema["/properties/lastTransitionTime/format"] == "date-time" && schema.member("required").size() == 5;
}

std::string first_paragraph(std::string_view text) {
  text = text.substr(0, text.find("\n\n"));
  std::string line;
  for (const char c : text) {
    const bool is_gap = c == '\n' || c == '\t' || c == '\r' || c == '\v' || c == '\f' || c == ' ';
    if (!is_gap) line += c;
    if (is_gap && !line.empty() && line.back() != ' ') line += ' ';
  }
  while (!line.empty() && (line.back() == ' ' || line.back() == '\\')) line.pop_back();
  return escape_for_terminal(line);
}

// Returns a literal of C++ for a number of a schema.
std::string number_literal(json::View number) {
  const auto integer = number.as_integer();
  if (integer && *integer == std::numeric_limits<std::int64_t>::min()) return "-9223372036854775807 - 1";
  std::string text = number.print();
  // Integers of more than 64 bits are no literals.
  const bool is_integer_of_json = text.find_first_of(".eE") == std::string::npos;
  return !integer && is_integer_of_json ? text + ".0" : text;
}

auto cannot(const Place& place, const std::string& what) {
  return fail(ErrorCode::invalid, place.to_string() + ": " + what);
}

}  // namespace

Place Place::at(std::string_view token) const { return {file, pointer + "/" + json::escape_token(token)}; }
std::string Place::to_string() const { return pointer.empty() ? file : file + ": " + pointer; }

SchemaType any_json(bool is_builtin, std::string_view prefix, Header& header) {
  header.includes.insert(is_builtin ? "pintle/json/fwd.hpp" : "pintle/json/value.hpp");
  return {std::string(prefix) + "json::Value", is_builtin ? Form::incomplete : Form::value};
}

SchemaType SchemaReader::value(std::string_view name, std::string_view header) {
  header_.includes.emplace(header);
  return {options_.prefix + std::string(name)};
}

SchemaType SchemaReader::standard(std::string_view name, std::string_view header) {
  header_.includes.emplace(header);
  return {"std::" + std::string(name)};
}

std::string SchemaReader::held(const SchemaType& type) {
  if (type.form != Form::incomplete) return type.cpp;
  header_.includes.insert("pintle/object/box.hpp");
  return options_.prefix + "Box<" + type.cpp + ">";
}

std::string SchemaReader::nested_name(std::string wanted, const StructType& owner) const {
  const auto is_free = [&](const std::string& name) {
    const auto is_name = [&](const auto& nested) { return nested.name == name; };
    return !has(enclosing_, name) && !has(macros, name) && !header_.structs.contains(name) &&
           !(owner.kind && name == "Type") && std::none_of(owner.enums.begin(), owner.enums.end(), is_name) &&
           std::none_of(owner.structs.begin(), owner.structs.end(), is_name);
  };
  if (is_free(wanted)) return wanted;
  wanted = owner.name + wanted;
  while (!is_free(wanted)) wanted += "Value";
  return wanted;
}

Result<void> SchemaReader::read_members(json::View schema, StructType& owner, const Place& place) {
  if (owner.kind && !options_.is_builtin) owner.description = first_paragraph(schema.member("description").text());
  enclosing_.push_back(owner.name);
  const Place properties = place.at("properties");
  std::set<std::string> names;
  for (const auto [name, property] : schema.member("properties").members()) {
    const bool is_of_kind = owner.kind && (name == "apiVersion" || name == "kind" || name == "metadata");
    if (is_of_kind) continue;
    auto member = read_member(name, property, holds(schema.member("required"), name), owner, properties.at(name));
    if (!member) return fail(std::move(member.error()));
    if (member->name.empty() || !names.insert(member->name).second) {
      return cannot(properties.at(name), "there is no free C++ name for this property; write its struct by hand");
    }
    owner.members.push_back(std::move(*member));
  }
  enclosing_.pop_back();
  return {};
}

Result<MemberType> SchemaReader::read_member(std::string_view name, json::View schema, bool is_required,
                                             StructType& owner, const Place& place) {
  auto type = type_of(name, schema, owner, place);
  if (!type) return fail(std::move(type.error()));
  MemberType member{.json = std::string(name), .name = snake_case(name), .type = type->cpp};
  if (has(taken_in_all, member.name) || (owner.kind && has(taken_in_kinds, member.name))) member.name += '_';
  if (!options_.is_builtin) member.description = first_paragraph(schema.member("description").text());

  const json::View given = schema.member("default");
  const bool is_nullable = schema.member("nullable") == true;
  const bool is_half_of_kind = owner.kind && (name == "spec" || name == "status");
  const bool is_always_there =
      type->form == Form::structure && (is_half_of_kind || (given.is_object() && given.empty()));
  const bool has_default = !options_.is_builtin && given.exists() && !given.is_null() && !is_always_there;
  member.is_required = is_required && !is_nullable;
  add_sharing(schema, *type, member, place);
  if (has_default) {
    auto initial = initial_of(given, *type, owner, place.at("default"));
    if (!initial) return fail(std::move(initial.error()));
    member.initial = std::move(*initial);
    add_default(given, *type, owner, member);
  } else if (!is_always_there && (!is_required || is_nullable)) {
    if (type->form == Form::structure || type->form == Form::incomplete) {
      header_.includes.insert("pintle/object/optional_box.hpp");
      member.type = options_.prefix + "OptionalBox<" + member.type + ">";
    } else if (type->form == Form::value || (type->form == Form::enumeration && !type->is_open)) {
      member.type = standard("optional<", "optional").cpp + member.type + ">";
    }
  } else if (type->form == Form::incomplete) {
    member.type = held(*type);
  } else if (type->cpp == "bool") {
    member.initial = " = false";
  } else if (type->cpp == "double" || type->cpp.starts_with("std::int")) {
    member.initial = " = 0";
  }
  if (!options_.is_builtin && is_always_there && given.exists()) add_default(given, *type, owner, member);
  if (!options_.is_builtin) add_rules(schema, *type, member, place);
  return member;
}

Result<SchemaType> SchemaReader::type_of(std::string_view name, json::View given, StructType& owner,
                                         const Place& place) {
  const json::View schema = without_wrapper(given);
  if (const json::View ref = schema.member("$ref")) return options_.resolve(ref.text(), owner, place);
  if (is_int_or_string(schema)) {
    return schema.member("pattern") == quantity_pattern ? value("Quantity", "pintle/object/quantity.hpp")
                                                        : value("IntOrString", "pintle/object/int_or_string.hpp");
  }
  const std::string_view type = schema.member("type").text();
  const std::string_view format = schema.member("format").text();
  if (type == "object") return object_of(name, schema, owner, place);
  if (type == "array") return list_of(name, schema, owner, place);
  if (type == "boolean") return SchemaType{"bool"};
  if (type == "number") return SchemaType{"double"};
  if (type == "integer") return standard(format == "int32" ? "int32_t" : "int64_t", "cstdint");
  if (type == "string") {
    if (schema.member("enum")) return enum_of(name, schema, owner, place);
    if (format == "byte") return value("Bytes", "pintle/object/bytes.hpp");
    if (format == "date-time") return value("WallTime", "pintle/base/time.hpp");
    if (format == "duration") return value("Duration", "pintle/base/time.hpp");
    return standard("string", "string");
  }
  if (type.empty()) return any();
  return cannot(place, "type " + quote(type) +
                           " is not one of object, array, string, integer, number and boolean; correct the schema");
}

Result<SchemaType> SchemaReader::object_of(std::string_view name, json::View schema, StructType& owner,
                                           const Place& place) {
  const json::View properties = schema.member("properties");
  const json::View entries = schema.member("additionalProperties");
  const bool has_entries = entries.is_object() && !entries.empty();
  if (!properties.empty() && has_entries) {
    return cannot(place, "has both properties and additionalProperties; a structural schema can have only one of them");
  }
  if (schema.member("x-kubernetes-embedded-resource") == true || (properties.empty() && !has_entries)) return any();
  if (has_entries) {
    auto entry = type_of(name, entries, owner, place.at("additionalProperties"));
    if (!entry) return entry;
    if (!options_.is_builtin) warn_of_items(entries, *entry, place.at("additionalProperties"));
    const std::string type = held(*entry);
    if (type.ends_with("Quantity")) {
      header_.includes.insert("pintle/object/quantity_map.hpp");
      return SchemaType{type + "Map", Form::collection};
    }
    header_.includes.insert({"map", "string"});
    return SchemaType{"std::map<std::string, " + type + ">", Form::collection};
  }
  if (!options_.is_builtin && is_condition(schema)) {
    SchemaType type = value("StatusCondition", "pintle/object/condition.hpp");
    type.form = Form::structure;
    return type;
  }
  if (!options_.is_builtin && schema.member(keep_unknown) == true) {
    warn(place.at(keep_unknown),
         "members without a schema are not read; declare a member with unknown_fields() for them");
  }
  StructType nested{.name = nested_name(pascal_case(name), owner)};
  auto read = read_members(schema, nested, place);
  if (!read) return fail(std::move(read.error()));
  if (!options_.is_builtin) nested.rules = cel_rules(schema, place);
  owner.uses.insert(nested.uses.begin(), nested.uses.end());
  owner.structs.push_back(std::move(nested));
  return SchemaType{.cpp = owner.structs.back().name, .form = Form::structure, .has_own_rules = true};
}

Result<SchemaType> SchemaReader::list_of(std::string_view name, json::View schema, StructType& owner,
                                         const Place& place) {
  const json::View items = schema.member("items");
  if (!items.is_object()) return cannot(place, "a list without items; add the schema of its elements");
  auto element = type_of(singular(name), items, owner, place.at("items"));
  if (!element) return element;
  header_.includes.insert("vector");
  if (!options_.is_builtin) warn_of_items(items, *element, place.at("items"));
  // A std::vector<bool> has no elements to which a pointer can refer.
  if (element->cpp == "bool") {
    element = any();
    if (!options_.is_builtin) warn(place.at("items"), "a list of booleans becomes a list of json::Value");
  }
  return SchemaType{"std::vector<" + held(*element) + ">", Form::collection};
}

Result<SchemaType> SchemaReader::enum_of(std::string_view name, json::View schema, StructType& owner,
                                         const Place& place) {
  EnumType type{.name = nested_name(pascal_case(name), owner), .is_open = options_.is_builtin};
  std::set<std::string> names{"unset"};
  std::size_t index = 0;
  for (const json::View element : schema.member("enum").elements()) {
    const Place at = place.at("enum").at(std::to_string(index++));
    const std::string_view text = element.text();
    if (element.is_null() || (element == "" && type.is_open)) continue;
    if (!element.is_string()) return cannot(at, element.print() + " is not a string; put it in quotes");
    std::string its_name = enumerator(text);
    if (its_name.empty()) its_name = "value";
    while (!names.insert(its_name).second) its_name += '_';
    type.values.emplace_back(std::move(its_name), text);
  }
  if (type.values.empty()) return cannot(place.at("enum"), "is empty, so no value is valid; correct the schema");
  owner.enums.push_back(std::move(type));
  std::string its_type = owner.enums.back().name;
  if (options_.is_builtin) {
    header_.includes.insert("pintle/object/choice.hpp");
    its_type = options_.prefix + "Choice<" + its_type + ">";
  }
  return SchemaType{std::move(its_type), Form::enumeration, options_.is_builtin};
}

Result<std::string> SchemaReader::initial_of(json::View given, const SchemaType& type, const StructType& owner,
                                             const Place& place) {
  const auto number = [&] { return " = " + (type.cpp == "bool" ? given.print() : number_literal(given)); };
  if (type.cpp == "bool" && given.as_bool()) return number();
  if (type.cpp.starts_with("std::int") && given.as_integer()) return number();
  if (type.cpp == "double" && given.as_double()) return number();
  if (type.cpp == "std::string" && given == "") return std::string("{}");
  if (type.cpp == "std::string" && given.is_string()) return " = " + literal(given.text());
  if (type.cpp.ends_with("IntOrString") && given.as_integer()) return number();
  if ((type.cpp.ends_with("IntOrString") || type.cpp.ends_with("Quantity")) && given.is_string()) {
    return " = " + literal(given.text());
  }
  if (type.form == Form::enumeration) {
    for (const EnumType& candidate : owner.enums) {
      if (candidate.name != type.cpp) continue;
      for (const auto& [name, text] : candidate.values) {
        if (given == text) return " = " + type.cpp + "::" + name;
      }
    }
    return cannot(place, "the default is not a value of enum; correct the schema");
  }
  if ((given.is_array() || given.is_object()) && given.empty()) return std::string("{}");
  warn(place, "this default is not carried over; set it in the initializer of the member");
  return std::string("{}");
}

void SchemaReader::add_default(json::View given, const SchemaType& type, const StructType& owner, MemberType& member) {
  const bool is_empty = (given.is_array() || given.is_object()) && given.empty();
  if (is_empty) return member.rules.push_back("default_json(" + literal(given.print()) + ")");
  const bool is_initial = given == false || given == 0 || given == "";
  if (is_initial && (type.cpp == "bool" || is_number_type(type.cpp) || is_text_type(type.cpp))) {
    return member.rules.push_back("default_value(" + given.print() + ")");
  }
  if (is_initial && type.cpp.ends_with("IntOrString")) {
    return member.rules.push_back("default_json(" + literal(given.print()) + ")");
  }
  for (const EnumType& candidate : owner.enums) {
    const bool is_first = candidate.name == type.cpp && given == candidate.values.front().second;
    if (is_first) member.rules.push_back(fmt::format("default_value({})", member.initial.substr(3)));
  }
}

void SchemaReader::add_sharing(json::View schema, const SchemaType& type, MemberType& member, const Place& place) {
  member.merge_strategy = schema.member("x-kubernetes-list-type").text();
  if (schema.member("x-kubernetes-map-type") == "atomic" || type.is_atomic) member.merge_strategy = "atomic";
  // StatusCondition declares its own list map key.
  if (member.merge_strategy == "map" && type.cpp.ends_with("<" + options_.prefix + "StatusCondition>"))
    member.merge_strategy.clear();
  if (member.merge_strategy != "map") return;
  for (const json::View key : schema.member("x-kubernetes-list-map-keys").elements())
    member.keys.emplace_back(key.text());
  if (member.keys.size() > 4 && !options_.is_builtin) {
    warn(place.at("x-kubernetes-list-map-keys"), "is not carried over, because fields() supports at most four keys");
  }
  if (member.keys.empty() || member.keys.size() > 4) member.merge_strategy.clear();
}

void SchemaReader::warn_of_items(json::View items, const SchemaType& element, const Place& place) {
  for (const std::string_view rule : rules_in(items, element)) {
    warn(place.at(rule), has_rule_for(rule, element) ? for_items : not_carried_over);
  }
  if (items.member("x-kubernetes-validations") && !element.has_own_rules) {
    warn(place.at("x-kubernetes-validations"), lost_properties(items, element) ? not_carried_over : for_items);
  }
  const json::View sharing = items.member("x-kubernetes-list-type");
  if (sharing == "set" || sharing == "map") warn(place.at("x-kubernetes-list-type"), not_carried_over);
  if (is_wrapper(items)) warn_of_items(without_wrapper(items), element, place.at("allOf").at("0"));
}

void SchemaReader::warn_of_whole(json::View schema, const Place& place) {
  for (const std::string_view rule : rules_in(schema, {})) warn(place.at(rule), not_carried_over);
}

std::vector<std::string> SchemaReader::cel_rules(json::View schema, const Place& place) {
  std::vector<std::string> rules;
  const Place all = place.at("x-kubernetes-validations");
  std::size_t index = 0;
  for (const json::View rule : schema.member("x-kubernetes-validations").elements()) {
    const Place at = all.at(std::to_string(index++));
    rules.push_back(fmt::format("rule({}, {})", raw_literal(rule.member("rule").text()),
                                raw_literal(rule.member("message").text())));
    for (const char* part : {"messageExpression", "reason", "fieldPath", "optionalOldSelf"}) {
      if (rule.member(part)) warn(at.at(part), "is not carried over");
    }
  }
  return rules;
}

void SchemaReader::add_rules(json::View schema, const SchemaType& type, MemberType& member, const Place& place) {
  if (schema.member("nullable") == true) member.rules.emplace_back("nullable()");
  for (const TypedRule& rule : typed_rules) {
    const json::View bound = schema.member(rule.keyword);
    if (!bound || !rule.fits(type.cpp)) continue;
    member.rules.push_back(fmt::format("{}({})", rule.rule,
                                       rule.keyword == "pattern" ? raw_literal(bound.text()) : number_literal(bound)));
  }
  for (const std::string_view rule : rules_in(schema, type)) {
    if (!has_rule_for(rule, type)) warn(place.at(rule), not_carried_over);
  }
  if (is_wrapper(schema)) add_rules(without_wrapper(schema), type, member, place.at("allOf").at("0"));
  if (type.has_own_rules || !schema.member("x-kubernetes-validations")) return;
  if (lost_properties(schema, type)) return warn(place.at("x-kubernetes-validations"), not_carried_over);
  for (std::string& rule : cel_rules(schema, place)) member.rules.push_back(std::move(rule));
}

}  // namespace pintle::tools
