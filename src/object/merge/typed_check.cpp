// SPDX-License-Identifier: Apache-2.0
#include "typed_check.hpp"

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <pintle/base/utf8.hpp>

#include "field_set.hpp"
#include "merge_schema.hpp"
#include "typed_walk.hpp"

namespace pintle {
namespace {

using json::Value;
using json::View;

constexpr std::size_t max_typed_errors = 100;
constexpr std::size_t max_typed_path = 1024;

// Prints a value as the messages of an apply do.
std::string printed(const Value& value) {
  std::string out;
  if (const json::array* list = value.if_array()) {
    for (const Value& item : *list) out += fmt::format("{}{}", out.empty() ? "" : ",", printed(item));
    return "[" + out + "]";
  }
  if (const json::object* map = value.if_object()) {
    for (const auto& [name, member] : *map) out += fmt::format("{}={};", std::string_view(name), printed(member));
    return "{" + out + "}";
  }
  return json::print(value);
}

// Returns the type that a value does not have; empty if it has its type. A value without a single type, such as a
// quantity, may have any.
std::string_view missed_type(const Value& value, View schema) {
  if (schema.member("x-kubernetes-int-or-string") == true) return {};
  const std::string_view format = schema.member("format").text();
  if (format == "int-or-string" || format == "quantity") return {};
  const std::string_view type = schema.member("type").text();
  if (type == "string") return value.is_string() ? std::string_view{} : "string";
  if (type == "boolean") return value.is_bool() ? std::string_view{} : "boolean";
  if (type == "array") return value.is_array() ? std::string_view{} : "list";
  if (type == "object") return value.is_object() ? std::string_view{} : "map";
  if (type == "integer" || type == "number") return value.is_number() ? std::string_view{} : "numeric (int or float)";
  return {};
}

bool takes_all_members(View schema) {
  return schema.member("x-kubernetes-preserve-unknown-fields") == true || !schema.member("properties").exists() ||
         schema.member("additionalProperties").exists();
}

bool is_keyed_by(const Value& item, std::string_view key, View schema) {
  const json::object* members = item.if_object();
  return (members != nullptr && members->contains(key)) ||
         schema.member("items").member("properties").member(key).member("default").exists();
}

// Returns why an item cannot be in a set or map; empty if it can.
std::string item_mistake(const Value& item, View schema) {
  if (list_type(schema) == ListType::set) {
    const std::string_view in_set = "associative list without keys has an element that's ";
    if (item.is_object()) return fmt::format("{}a map type", in_set);
    if (item.is_array()) return "not supported: associative list with lists as elements";
    return item.is_null() ? fmt::format("{}an explicit null", in_set) : std::string();
  }
  if (item.is_null()) return "associative list with keys may not have a null element";
  if (!item.is_object()) return "associative list with keys may not have non-map elements";
  for (const std::string_view key : list_keys(schema)) {
    if (is_keyed_by(item, key, schema)) continue;
    return fmt::format(
        "associative list with keys has an element that omits key field \"{}\" (and doesn't have default value)", key);
  }
  return {};
}

// Cuts a path. An object can have very many members, all below a very long name.
std::string shortened(std::string path) {
  if (path.size() <= max_typed_path) return path;
  path.resize(truncate_utf8(path, max_typed_path).size());
  return path + "...";
}

class Checker {
 public:
  void check(const Value& value, View schema, const std::string& path, bool root) {
    if (value.is_null() || !schema.exists() || errors_.size() == max_typed_errors) return;
    if (const std::string_view type = missed_type(value, schema); !type.empty()) {
      errors_.push_back(fmt::format("{}: expected {}, got {}", path, type, printed(value)));
    } else if (const json::object* map = value.if_object()) {
      check_members(*map, schema, path, root);
    } else if (const json::array* list = value.if_array()) {
      check_items(*list, schema, path);
    }
  }

  [[nodiscard]] std::vector<std::string> errors() && { return std::move(errors_); }

 private:
  void check_members(const json::object& map, View schema, const std::string& path, bool root) {
    const bool is_object = root || schema.member("x-kubernetes-embedded-resource") == true;
    for (const auto& [name, value] : map) {
      if (errors_.size() == max_typed_errors) return;
      if (is_object && (name == "apiVersion" || name == "kind")) continue;
      const View here = member_schema(schema, name, is_object);
      const std::string place = shortened(fmt::format("{}.{}", path, std::string_view(name)));
      if (!here.exists() && !takes_all_members(schema)) {
        errors_.push_back(place + ": field not declared in schema");
      } else {
        check(value, here, place, false);
      }
    }
  }

  void check_items(const json::array& list, View schema, const std::string& path) {
    const bool is_atomic = list_type(schema) == ListType::atomic;
    std::set<std::string> seen;
    for (std::size_t i = 0; i < list.size() && errors_.size() < max_typed_errors; ++i) {
      std::string element = fmt::format("[{}]", i);
      if (!is_atomic) {
        if (const std::string why = item_mistake(list[i], schema); !why.empty()) {
          errors_.push_back(fmt::format("{}: element {}: {}", path, i, why));
          return;
        }
        element = readable_element(list_element(list[i], schema).value_or(""));
        if (!seen.insert(element).second) {
          errors_.push_back(fmt::format("{}: duplicate entries for key {}", path, element));
        }
      }
      check(list[i], schema.member("items"), shortened(path + element), false);
    }
  }

  std::vector<std::string> errors_;
};

}  // namespace

std::vector<std::string> typed_errors(const Value& config, View schema) {
  Checker checker;
  checker.check(config, schema, "", true);
  return std::move(checker).errors();
}

}  // namespace pintle
