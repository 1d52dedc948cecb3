// SPDX-License-Identifier: Apache-2.0
#include "kept_fields.hpp"

#include <utility>

#include <pintle/json/pointer.hpp>
#include <pintle/object/conversion.hpp>

#include "lost_values.hpp"

namespace pintle {
namespace {

// The limit of an API server for the keys and values of all annotations of an object.
constexpr std::size_t max_annotations_size = std::size_t{256} << 10U;

bool is_empty(const json::Value& value) {
  return value.is_null() || (value.is_object() && value.get_object().empty()) ||
         (value.is_array() && value.get_array().empty());
}

// The members that every conversion copies or sets.
bool is_common(std::string_view pointer) {
  return pointer == "/apiVersion" || pointer == "/kind" || pointer == "/metadata" || pointer.starts_with("/metadata/");
}

std::string child_of(const std::string& pointer, std::string_view name) {
  return pointer + "/" + json::escape_token(name);
}

// Records the values of `complete` that differ from those of `returned`.
void add_differences(const json::Value* complete, const json::Value* returned, const std::string& pointer,
                     json::object& out) {
  if (is_common(pointer)) return;
  const bool are_objects =
      !is_absent(complete) && !is_absent(returned) && complete->is_object() && returned->is_object();
  if (!are_objects) {
    if (is_equal(complete, returned)) return;
    json::object& entry = out[pointer].emplace_object();
    if (!is_absent(returned)) entry["was"] = *returned;
    if (!is_absent(complete)) entry["value"] = *complete;
    return;
  }
  for (const auto& [name, value] : complete->get_object()) {
    add_differences(&value, returned->get_object().if_contains(name), child_of(pointer, name), out);
  }
  for (const auto& [name, value] : returned->get_object()) {
    if (!complete->get_object().contains(name)) add_differences(nullptr, &value, child_of(pointer, name), out);
  }
}

// Adds the members of `original` that the struct of its version does not have.
void add_unknown(const json::Value& original, json::Value& complete, bool is_root) {
  if (const auto* elements = original.if_array()) {
    if (!complete.is_array() || complete.get_array().size() != elements->size()) return;
    for (std::size_t i = 0; i < elements->size(); ++i) add_unknown((*elements)[i], complete.get_array()[i], false);
  }
  if (!original.is_object() || !complete.is_object()) return;
  for (const auto& [name, value] : original.get_object()) {
    if (is_root && is_common(child_of("", name))) continue;
    if (json::Value* known = complete.get_object().if_contains(name)) {
      add_unknown(value, *known, false);
    } else if (!is_empty(value)) {
      complete.get_object()[name] = value;
    }
  }
}

json::Value without_common(json::Value object) {
  for (const std::string_view name : {"apiVersion", "kind", "metadata"}) object.as_object().erase(name);
  return object;
}

const SchemaNode* node_at(const SchemaNode& root, std::string_view pointer) {
  const SchemaNode* node = &root;
  const auto tokens = json::split_pointer(pointer);
  if (!tokens) return nullptr;
  for (const std::string& token : *tokens) node = node == nullptr ? nullptr : node->member(token);
  return node;
}

void restore_one(std::string_view pointer, const json::object& entry, const SchemaNode& schema, json::Value& object) {
  const auto last = pointer.rfind('/');
  if (last == std::string_view::npos || is_common(pointer)) return;
  json::Value* parent = json::find(object, pointer.substr(0, last));
  if (parent == nullptr || !parent->is_object()) return;
  const std::string name = json::unescape_token(pointer.substr(last + 1));
  const LostValue lost{entry.if_contains("value"), entry.if_contains("was")};
  if (auto made = lost.put_back(node_at(schema, pointer), parent->get_object().if_contains(name))) {
    parent->get_object()[name] = std::move(*made);
  } else {
    parent->get_object().erase(name);
  }
}

}  // namespace

KeptFields::KeptFields(const Object& object) {
  const std::string_view text = object.annotation(conversion_annotation);
  if (text.empty()) return;
  auto parsed = json::parse(text);
  if (!parsed || !parsed->is_object()) return;
  for (auto& [version, entries] : parsed->get_object()) {
    if (entries.is_object()) all_[version] = std::move(entries);
  }
}

const json::object* KeptFields::entries(std::string_view version) const {
  const json::Value* found = all_.if_contains(version);
  return found == nullptr ? nullptr : &found->get_object();
}

void KeptFields::keep(std::string_view version, const json::Value& original, json::Value complete,
                      const json::Value& returned) {
  json::object entries;
  add_unknown(original, complete, true);
  add_differences(&complete, &returned, "", entries);
  if (!entries.empty()) all_[version] = std::move(entries);
}

void KeptFields::keep_whole(std::string_view version, const json::Value& original, json::Value complete,
                            const json::Value& converted) {
  add_unknown(original, complete, true);
  all_[version] = json::object{
      {"", json::object{{"was", without_common(converted)}, {"value", without_common(std::move(complete))}}}};
}

std::vector<std::string> KeptFields::pointers(std::string_view version) const {
  std::vector<std::string> out;
  const json::object* all = entries(version);
  if (all == nullptr) return out;
  for (const auto& [pointer, entry] : *all) {
    if (entry.is_object()) out.emplace_back(pointer);
  }
  return out;
}

void KeptFields::restore(std::string_view version, std::span<const std::string> pointers, const SchemaNode& schema,
                         json::Value& object) const {
  const json::object* all = entries(version);
  for (const std::string& pointer : pointers) restore_one(pointer, all->at(pointer).get_object(), schema, object);
}

std::optional<json::Value> KeptFields::whole(std::string_view version, const Object& converted) const {
  const json::object* all = entries(version);
  const json::Value* entry = all == nullptr ? nullptr : all->if_contains("");
  if (entry == nullptr || !entry->is_object()) return std::nullopt;
  const json::Value* value = entry->get_object().if_contains("value");
  const json::Value* was = entry->get_object().if_contains("was");
  const bool is_unchanged = was != nullptr && json::equal(*was, without_common(converted.to_value()));
  if (!is_unchanged || value == nullptr || !value->is_object()) return std::nullopt;
  return *value;
}

Result<void> KeptFields::write_metadata(const Object& from, json::Value& to) const {
  json::Value metadata = from.metadata().to_value();
  if (!metadata.is_object()) metadata.emplace_object();
  json::object annotations;
  if (const json::Value* given = json::find(metadata, "/annotations"); given != nullptr && given->is_object()) {
    annotations = given->get_object();
  }
  annotations.erase(conversion_annotation);
  if (!all_.empty()) annotations[conversion_annotation] = json::print(json::Value(all_));
  std::size_t size = 0;
  for (const auto& [key, value] : annotations) size += key.size() + (value.is_string() ? value.get_string().size() : 0);
  if (!all_.empty() && size > max_annotations_size) {
    return fail(ErrorCode::invalid, "the fields that the other version cannot represent do not fit into annotation " +
                                        std::string(conversion_annotation) + ": the annotations would have " +
                                        std::to_string(size) + " bytes, and the limit is " +
                                        std::to_string(max_annotations_size) +
                                        "; make the object smaller, or drop the fields with keeps_lost_fields = false");
  }
  if (annotations.empty()) {
    metadata.get_object().erase("annotations");
  } else {
    metadata.get_object()["annotations"] = std::move(annotations);
  }
  to.as_object()["metadata"] = std::move(metadata);
  return {};
}

}  // namespace pintle
