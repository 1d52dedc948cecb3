// SPDX-License-Identifier: Apache-2.0
#include "schemas.hpp"

#include <utility>

#include "type_rows.hpp"

namespace pintle::apiserver {
namespace {

using json::object;
using json::Value;

object type_schema(std::string_view word);

object struct_schema(const TypeFacts& type) {
  const TypeRow row = row_of(type);
  if (row.is_opaque) return {{"x-kubernetes-preserve-unknown-fields", true}};
  object schema{{"type", "object"}};
  if (row.is_atomic) schema["x-kubernetes-map-type"] = "atomic";
  object properties;
  json::array filled;
  for (const MemberRow& row_member : row.members) {
    object member = type_schema(row_member.type);
    add_marks(member, row_member);
    if (const auto fallback = row_member.fallback(); !fallback.empty()) {
      member["default"] = json::parse(fallback).value();
      filled.emplace_back(row_member.name);
    }
    if (row_member.is_marked("keep")) member["x-pintle-keep"] = true;
    properties[row_member.name] = std::move(member);
  }
  schema["properties"] = std::move(properties);
  if (!filled.empty()) schema["x-pintle-fill"] = std::move(filled);
  return schema;
}

// An entry of a map is kept even if it is empty. Null stands for empty bytes.
object entry_schema(std::string_view word) {
  object schema = type_schema(word);
  schema["x-pintle-keep"] = true;
  if (word == "bytes") schema["nullable"] = true;
  return schema;
}

object type_schema(std::string_view word) {
  if (word.starts_with("[]")) return {{"type", "array"}, {"items", type_schema(word.substr(2))}};
  if (word.starts_with("{}")) return {{"type", "object"}, {"additionalProperties", entry_schema(word.substr(2))}};
  if (word == "any" || word == "object") return {{"x-kubernetes-preserve-unknown-fields", true}};
  if (word == "int32" || word == "int64") return {{"type", "integer"}, {"format", word}};
  if (word == "double") return {{"type", "number"}};
  if (word == "time") return {{"type", "string"}, {"format", "date-time"}};
  if (word == "microtime") return {{"type", "string"}, {"format", "micro-time"}};
  if (word == "bytes") return {{"type", "string"}, {"format", word}};
  if (word == "quantity" || word == "int-or-string") return {{"format", word}};
  if (const TypeFacts* type = find_type(word)) return struct_schema(*type);
  return {{"type", word}};
}

}  // namespace

Schemas::Schemas() : executor_(make_real_executor(1)), pool_(*executor_) {}

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
