// SPDX-License-Identifier: Apache-2.0
#include "managed_entries.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace pintle {
namespace {

// The list of entries; null if there is none.
const json::Value* entries_in(const json::Value& value) {
  const json::object* object = value.if_object();
  const json::Value* metadata = object == nullptr ? nullptr : object->if_contains("metadata");
  const json::object* members = metadata == nullptr ? nullptr : metadata->if_object();
  const json::Value* entries = members == nullptr ? nullptr : members->if_contains("managedFields");
  return entries == nullptr || !entries->is_array() ? nullptr : entries;
}

const json::array* entries_of(const json::Value& value) {
  const json::Value* entries = entries_in(value);
  return entries == nullptr ? nullptr : &entries->get_array();
}

std::string_view text_of(const json::object& entry, std::string_view name) {
  const json::Value* value = entry.if_contains(name);
  return value != nullptr && value->is_string() ? std::string_view(value->get_string()) : std::string_view{};
}

bool is_update_of(const json::object& entry, const FieldManager& who) {
  return text_of(entry, "manager") == who.name && text_of(entry, "operation") == "Update" &&
         text_of(entry, "apiVersion") == who.api_version && text_of(entry, "subresource") == who.subresource;
}

// The sort key of an entry.
auto order_of(const json::object& entry) {
  return std::tuple(text_of(entry, "operation"), text_of(entry, "time"), text_of(entry, "manager"),
                    text_of(entry, "apiVersion"), text_of(entry, "subresource"));
}

void sort_entries(json::array& entries) {
  std::sort(entries.begin(), entries.end(), [](const json::Value& a, const json::Value& b) {
    return order_of(a.as_object()) < order_of(b.as_object());
  });
}

std::optional<ManagedEntry> read_entry(const json::Value& value) {
  const json::object* entry = value.if_object();
  if (entry == nullptr) return std::nullopt;
  ManagedEntry out{.manager = std::string(text_of(*entry, "manager")),
                   .operation = std::string(text_of(*entry, "operation")),
                   .api_version = std::string(text_of(*entry, "apiVersion")),
                   .subresource = std::string(text_of(*entry, "subresource")),
                   .time = std::string(text_of(*entry, "time"))};
  const bool known = out.operation == "Apply" || out.operation == "Update";
  const json::Value* fields = entry->if_contains("fieldsV1");
  if (!known || text_of(*entry, "fieldsType") != "FieldsV1" || fields == nullptr || !fields->is_object())
    return std::nullopt;
  if (!fields->get_object().empty()) out.fields = FieldSet::from_v1(*fields);
  return out;
}

}  // namespace

bool ManagedEntry::belongs_to(const FieldManager& who, bool applies) const {
  return manager == who.name && subresource == who.subresource && (operation == "Apply") == applies &&
         (applies || api_version == who.api_version);
}

std::optional<ManagedEntries> read_managed_entries(const json::Value& object) {
  ManagedEntries out;
  const json::array* entries = entries_of(object);
  if (entries == nullptr) return out;
  for (const json::Value& entry : *entries) {
    auto read = read_entry(entry);
    if (!read) return std::nullopt;
    out.push_back(std::move(*read));
  }
  return out;
}

bool resets_managed_fields(const json::Value& object) {
  const json::array* entries = entries_of(object);
  return entries != nullptr && entries->size() == 1 && entries->front().is_object() &&
         entries->front().get_object().empty();
}

bool have_same_entries(const json::Value& a, const json::Value& b) {
  const json::Value* left = entries_in(a);
  const json::Value* right = entries_in(b);
  return left != nullptr && right != nullptr && !left->get_array().empty() && json::equal(*left, *right);
}

bool renew_managed_entry(json::Value& object, const FieldManager& who, const FieldSet& touched, const FieldSet& gone,
                         const std::string& time) {
  json::array& entries = object.at("metadata").at("managedFields").as_array();
  json::object* own = nullptr;
  for (json::Value& value : entries) {
    json::object* entry = value.if_object();
    const json::Value* fields = entry == nullptr ? nullptr : entry->if_contains("fieldsV1");
    if (fields == nullptr || gone.meets(*fields)) return false;
    if (own == nullptr && is_update_of(*entry, who)) {
      own = entry;
      if (!touched.is_within(*fields)) return false;
    } else if (touched.meets(*fields)) {
      return false;
    }
  }
  if (touched.empty()) return true;
  if (own == nullptr) return false;
  json::Value* before = own->if_contains("time");
  if (before == nullptr) return false;
  *before = time;
  sort_entries(entries);
  return true;
}

void write_managed_entries(json::Value& object, ManagedEntries entries) {
  json::array out(object.storage());
  for (const ManagedEntry& entry : entries) {
    if (entry.fields.empty()) continue;
    json::object item({{"manager", entry.manager}, {"operation", entry.operation}, {"apiVersion", entry.api_version}},
                      object.storage());
    if (!entry.time.empty()) item["time"] = entry.time;
    item["fieldsType"] = "FieldsV1";
    item["fieldsV1"] = entry.fields.to_v1(object.storage());
    if (!entry.subresource.empty()) item["subresource"] = entry.subresource;
    out.emplace_back(std::move(item));
  }
  sort_entries(out);
  json::Value& metadata = object.as_object()["metadata"];
  if (!metadata.is_object()) metadata.emplace_object();
  if (out.empty()) {
    metadata.get_object().erase("managedFields");
  } else {
    metadata.get_object()["managedFields"] = std::move(out);
  }
}

}  // namespace pintle
