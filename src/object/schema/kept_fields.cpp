// SPDX-License-Identifier: Apache-2.0
#include "kept_fields.hpp"

#include <optional>
#include <utility>

#include <pintle/json/pointer.hpp>
#include <pintle/object/conversion.hpp>

namespace pintle {
namespace {

// The limit of an API server for the keys and values of all annotations of an object.
constexpr std::size_t max_annotations_size = std::size_t{256} << 10U;

bool is_absent(const json::Value* value) { return value == nullptr || value->is_null(); }

bool is_empty(const json::Value& value) {
  return value.is_null() || (value.is_object() && value.get_object().empty()) ||
         (value.is_array() && value.get_array().empty());
}

bool is_equal(const json::Value* a, const json::Value* b) {
  return is_absent(a) || is_absent(b) ? is_absent(a) == is_absent(b) : *a == *b;
}

// The members that every conversion copies or sets.
bool is_common(std::string_view pointer) {
  return pointer == "/apiVersion" || pointer == "/kind" || pointer == "/metadata" || pointer.starts_with("/metadata/");
}

std::string child_of(const std::string& pointer, std::string_view name) {
  return pointer + "/" + json::escape_token(name);
}

// Records the values of `complete` that differ from those of `returned`. Arrays are compared as a whole, because their
// elements have no identity.
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

// Records the members of `original` that the struct of its version does not have.
void add_unknown(const json::Value& original, const json::Value& complete, const std::string& pointer,
                 json::object& out) {
  if (is_common(pointer) || !original.is_object() || !complete.is_object()) return;
  for (const auto& [name, value] : original.get_object()) {
    const json::Value* known = complete.get_object().if_contains(name);
    const std::string at = child_of(pointer, name);
    if (known != nullptr) {
      add_unknown(value, *known, at, out);
    } else if (!is_empty(value)) {
      out[at] = json::object{{"value", value}};
    }
  }
}

void restore_one(std::string_view pointer, const json::object& entry, json::Value& object) {
  const auto last = pointer.rfind('/');
  if (last == std::string_view::npos || is_common(pointer)) return;
  json::Value* parent = json::find(object, pointer.substr(0, last));
  if (parent == nullptr || !parent->is_object()) return;
  const std::string name = json::unescape_token(pointer.substr(last + 1));
  if (!is_equal(parent->get_object().if_contains(name), entry.if_contains("was"))) return;
  if (const json::Value* value = entry.if_contains("value")) {
    parent->get_object()[name] = *value;
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

void KeptFields::keep(std::string_view version, const json::Value& original, const json::Value& complete,
                      const json::Value& returned) {
  json::object entries;
  add_differences(&complete, &returned, "", entries);
  add_unknown(original, complete, "", entries);
  if (!entries.empty()) all_[version] = std::move(entries);
}

void KeptFields::restore(std::string_view version, json::Value& object) const {
  const json::Value* entries = all_.if_contains(version);
  if (entries == nullptr) return;
  for (const auto& [pointer, entry] : entries->get_object()) {
    if (entry.is_object()) restore_one(pointer, entry.get_object(), object);
  }
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
