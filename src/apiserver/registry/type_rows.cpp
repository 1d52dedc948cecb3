// SPDX-License-Identifier: Apache-2.0
#include "type_rows.hpp"

#include <algorithm>

#include "words.hpp"

namespace pintle::apiserver {
namespace {

json::array texts_between(std::string_view text, char separator) {
  json::array out;
  for (const std::string_view one : split(text, separator)) out.emplace_back(one);
  return out;
}

void add_mark(json::object& schema, std::string_view mark) {
  const auto [name, value] = cut(mark, ':');
  const json::Value* type = schema.if_contains("type");
  const bool is_map = type == nullptr || *type == "object";  // bytes count as a list
  if (name == "keys") {
    schema["x-kubernetes-list-type"] = "map";
    schema["x-kubernetes-list-map-keys"] = texts_between(value, ',');
  } else if (name == "set" || name == "atomic" || name == "granular") {
    schema[is_map ? "x-kubernetes-map-type" : "x-kubernetes-list-type"] = name;
  } else if (name == "merge") {
    schema["x-kubernetes-patch-strategy"] = "merge";
    if (!value.empty()) schema["x-kubernetes-patch-merge-key"] = value;
  } else if (name == "retain") {
    schema["x-kubernetes-patch-strategy"] =
        schema.contains("x-kubernetes-patch-strategy") ? "merge,retainKeys" : "retainKeys";
  } else if (name == "replace") {
    schema["x-kubernetes-patch-strategy"] = name;
  } else if (name == "enum") {
    schema["enum"] = texts_between(value, '|');
  }
}

}  // namespace

bool MemberRow::is_marked(std::string_view mark) const {
  return std::find(marks.begin(), marks.end(), mark) != marks.end();
}

std::string_view MemberRow::fallback() const {
  const auto found = std::find_if(marks.begin(), marks.end(), [](std::string_view one) { return one.front() == '='; });
  return found == marks.end() ? std::string_view{} : found->substr(1);
}

const TypeFacts* find_type(std::string_view name) {
  const auto types = builtin_types();
  const auto found = std::lower_bound(types.begin(), types.end(), name,
                                      [](const TypeFacts& one, std::string_view wanted) { return one.name < wanted; });
  return found == types.end() || found->name != name ? nullptr : &*found;
}

TypeRow row_of(const TypeFacts& type) {
  TypeRow row;
  for (const std::string_view line : split(type.members, '\n')) {
    auto words = split(line, ' ');
    if (words.size() == 1) {
      (line == "atomic" ? row.is_atomic : row.is_opaque) = true;
      continue;
    }
    row.members.push_back({.name = words[0], .type = words[1], .marks = {words.begin() + 2, words.end()}});
  }
  return row;
}

void add_marks(json::object& schema, const MemberRow& member) {
  for (const std::string_view mark : member.marks) add_mark(schema, mark);
}

}  // namespace pintle::apiserver
