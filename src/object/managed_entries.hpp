// The entries of metadata.managedFields, taken apart.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <pintle/json/value.hpp>
#include <pintle/object/managed_fields.hpp>

#include "field_set.hpp"

namespace pintle {

struct ManagedEntry {
  std::string manager{};
  std::string operation{};  // "Apply", "Update"
  std::string api_version{};
  std::string subresource{};
  std::string time{};  // RFC 3339
  FieldSet fields{};

  // Whether this is where an apply, or another write, of `who` is kept: an applier has one entry whatever its version.
  [[nodiscard]] bool belongs_to(const FieldManager& who, bool applies) const;
};

using ManagedEntries = std::vector<ManagedEntry>;

// Error-tolerant: none where an entry is malformed, and an empty list where there are no entries.
[[nodiscard]] std::optional<ManagedEntries> read_managed_entries(const json::Value& object);
// Whether the entries ask for a reset: exactly one, and empty.
[[nodiscard]] bool resets_managed_fields(const json::Value& object);
// Puts the entries into metadata, those that own nothing left out, in the order that managedFields has.
void write_managed_entries(json::Value& object, ManagedEntries entries);

}  // namespace pintle
