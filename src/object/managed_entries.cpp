#include "managed_entries.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace pintle {
namespace {

const json::array* entries_of(const json::Value& value) {
  const json::object* object = value.if_object();
  const json::Value* metadata = object == nullptr ? nullptr : object->if_contains("metadata");
  const json::object* members = metadata == nullptr ? nullptr : metadata->if_object();
  const json::Value* entries = members == nullptr ? nullptr : members->if_contains("managedFields");
  return entries == nullptr ? nullptr : entries->if_array();
}

std::string text_of(const json::object& entry, std::string_view name) {
  const json::Value* value = entry.if_contains(name);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
}

std::optional<ManagedEntry> read_entry(const json::Value& value) {
  const json::object* entry = value.if_object();
  if (entry == nullptr) return std::nullopt;
  ManagedEntry out{.manager = text_of(*entry, "manager"),
                   .operation = text_of(*entry, "operation"),
                   .api_version = text_of(*entry, "apiVersion"),
                   .subresource = text_of(*entry, "subresource"),
                   .time = text_of(*entry, "time")};
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

void write_managed_entries(json::Value& object, ManagedEntries entries) {
  const auto order = [](const ManagedEntry& entry) {
    return std::tie(entry.operation, entry.time, entry.manager, entry.api_version, entry.subresource);
  };
  std::sort(entries.begin(), entries.end(), [&](const auto& a, const auto& b) { return order(a) < order(b); });
  json::array out;
  for (const ManagedEntry& entry : entries) {
    if (entry.fields.empty()) continue;
    json::object item{{"manager", entry.manager}, {"operation", entry.operation}, {"apiVersion", entry.api_version}};
    if (!entry.time.empty()) item["time"] = entry.time;
    item["fieldsType"] = "FieldsV1";
    item["fieldsV1"] = entry.fields.to_v1();
    if (!entry.subresource.empty()) item["subresource"] = entry.subresource;
    out.emplace_back(std::move(item));
  }
  json::Value& metadata = object.as_object()["metadata"];
  if (!metadata.is_object()) metadata.emplace_object();
  if (out.empty()) {
    metadata.get_object().erase("managedFields");
  } else {
    metadata.get_object()["managedFields"] = std::move(out);
  }
}

}  // namespace pintle
