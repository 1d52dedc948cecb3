// SPDX-License-Identifier: Apache-2.0
#include "field_owner.hpp"

#include <algorithm>
#include <vector>

#include <pintle/json/pointer.hpp>

namespace pintle {
namespace {

bool has_parts(json::View fields) {
  for (const auto [name, part] : fields.members()) {
    if (name != ".") return true;
  }
  return false;
}

// Returns whether the name of a set of fields, such as `k:{"name":"a"}` or `v:"a"`, is that of an element of a list.
bool names_element(std::string_view name, json::View element) {
  if (!name.starts_with("k:") && !name.starts_with("v:")) return false;
  const auto parsed = json::Document::parse(name.substr(2));
  if (!parsed) return false;
  if (name.starts_with("v:")) return parsed->root() == element;
  for (const auto [key, value] : parsed->root().members()) {
    if (element.member(key) != value) return false;
  }
  return true;
}

json::View part_of(json::View fields, json::View parent, json::View value, const std::string& token) {
  if (!parent.is_array()) return fields.member("f:" + token);
  for (const auto [name, part] : fields.members()) {
    if (names_element(name, value)) return part;
  }
  return {};
}

// An entry for a whole object or list, which has no parts, contains all its fields.
bool owns(json::View fields, json::View root, const std::vector<std::string>& tokens) {
  json::View value = root;
  for (const std::string& token : tokens) {
    const json::View parent = value;
    value = parent[std::string("/") += json::escape_token(token)];
    const json::View part = part_of(fields, parent, value, token);
    if (!part) return false;
    if (!has_parts(part)) return true;
    fields = part;
  }
  return true;
}

}  // namespace

std::string other_field_manager(const Object& object, const std::string& pointer,
                                const std::vector<std::string_view>& own) {
  const auto tokens = json::split_pointer(pointer);
  if (!tokens) return {};
  std::string_view manager;
  std::string_view newest;
  for (const json::View entry : object["/metadata/managedFields"].elements()) {
    const std::string_view name = entry.member("manager").text();
    const std::string_view time = entry.member("time").text();
    if (time < newest || std::find(own.begin(), own.end(), name) != own.end()) continue;
    if (!owns(entry.member("fieldsV1"), object.root(), *tokens)) continue;
    manager = name;
    newest = time;
  }
  return std::string(manager);
}

}  // namespace pintle
