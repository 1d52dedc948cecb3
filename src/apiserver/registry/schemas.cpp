#include "schemas.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "table/table.hpp"
#include "words.hpp"

namespace pintle::apiserver {
namespace {

using json::object;
using json::Value;

const TypeFacts* find_type(std::string_view name) {
  const auto types = builtin_types();
  const auto found = std::lower_bound(types.begin(), types.end(), name,
                                      [](const TypeFacts& one, std::string_view wanted) { return one.name < wanted; });
  return found == types.end() || found->name != name ? nullptr : &*found;
}

object type_schema(std::string_view word);

json::array texts_between(std::string_view text, char separator) {
  json::array out;
  for (const std::string_view one : split(text, separator)) out.emplace_back(one);
  return out;
}

void add_mark(object& schema, std::string_view mark) {
  const auto [name, value] = cut(mark, ':');
  const bool is_list = schema.contains("items");
  if (mark.front() == '=') {
    schema["default"] = json::parse(mark.substr(1)).value();
  } else if (name == "keep") {
    schema["x-pintle-keep"] = true;
  } else if (name == "keys") {
    schema["x-kubernetes-list-type"] = "map";
    schema["x-kubernetes-list-map-keys"] = texts_between(value, ',');
  } else if (name == "set" || name == "atomic") {
    schema[is_list ? "x-kubernetes-list-type" : "x-kubernetes-map-type"] = name;
  } else if (name == "merge") {
    schema["x-kubernetes-patch-strategy"] = "merge";
    if (!value.empty()) schema["x-kubernetes-patch-merge-key"] = value;
  } else if (name == "retain") {
    schema["x-kubernetes-patch-strategy"] =
        schema.contains("x-kubernetes-patch-strategy") ? "merge,retainKeys" : "retainKeys";
  } else if (name == "enum") {
    schema["enum"] = texts_between(value, '|');
  }
}

object struct_schema(const TypeFacts& type) {
  object schema{{"type", "object"}};
  object properties;
  for (const std::string_view line : split(type.members, '\n')) {
    if (line == "atomic") {
      schema["x-kubernetes-map-type"] = "atomic";
      continue;
    }
    const auto words = split(line, ' ');
    object member = type_schema(words[1]);
    for (std::size_t i = 2; i < words.size(); ++i) add_mark(member, words[i]);
    properties[words[0]] = std::move(member);
  }
  schema["properties"] = std::move(properties);
  return schema;
}

// An entry of a map stays, empty as it may be; null stands for no bytes.
object entry_schema(std::string_view word) {
  object schema = type_schema(word);
  schema["x-pintle-keep"] = true;
  if (word == "bytes") schema["nullable"] = true;
  return schema;
}

object type_schema(std::string_view word) {
  if (word.starts_with("[]")) return {{"type", "array"}, {"items", type_schema(word.substr(2))}};
  if (word.starts_with("{}")) return {{"type", "object"}, {"additionalProperties", entry_schema(word.substr(2))}};
  if (word == "any") return {{"x-kubernetes-preserve-unknown-fields", true}};
  if (word == "time") return {{"type", "string"}, {"format", "date-time"}};
  if (word == "microtime") return {{"type", "string"}, {"format", "micro-time"}};
  if (word == "bytes") return {{"type", "string"}, {"format", word}};
  if (word == "quantity" || word == "int-or-string") return {{"format", word}};
  if (const TypeFacts* type = find_type(word)) return struct_schema(*type);
  return {{"type", word}};
}

}  // namespace

Schemas::Schemas(Runtime& runtime) : pool_(runtime), mutex_(runtime) {}

json::View Schemas::of(std::string_view type) const {
  const TypeFacts* facts = find_type(type);
  if (facts == nullptr) return {};
  const MutexLock lock(mutex_);
  auto found = made_.find(facts->name);
  if (found == made_.end()) {
    const json::Document whole(Value(struct_schema(*facts)));
    found = made_.emplace(facts->name, json::Document(whole.root(), &pool_)).first;
  }
  return found->second.root();
}

}  // namespace pintle::apiserver
