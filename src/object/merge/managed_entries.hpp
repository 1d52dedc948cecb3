// SPDX-License-Identifier: Apache-2.0
// Reads and writes the entries of metadata.managedFields.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <pintle/json/value.hpp>
#include <pintle/object/merge/managed_fields.hpp>

#include "field_set.hpp"

namespace pintle {

struct ManagedEntry {
  std::string manager{};
  std::string operation{};  // "Apply", "Update"
  std::string api_version{};
  std::string subresource{};
  std::string time{};  // RFC 3339
  FieldSet fields{};

  // Returns whether this entry records the applies, or the other writes, of `who`. A manager has one entry for the
  // applies of all API versions.
  [[nodiscard]] bool belongs_to(const FieldManager& who, bool applies) const;
};

using ManagedEntries = std::vector<ManagedEntry>;

// Returns nothing if an entry is malformed, and an empty list if there are no entries.
[[nodiscard]] std::optional<ManagedEntries> read_managed_entries(const json::Value& object);
// Returns whether an object requests the reset of its managed fields: it has exactly one entry, which is empty.
[[nodiscard]] bool resets_managed_fields(const json::Value& object);
// Returns whether two objects have equal entries, at least one.
[[nodiscard]] bool have_same_entries(const json::Value& a, const json::Value& b);
// Records a write of `who` that changes only fields that `who` already owns: updates the time of its entry. Returns
// false, without a change, if more is necessary: another manager owns a touched field, or any manager owns a removed
// field.
[[nodiscard]] bool renew_managed_entry(json::Value& object, const FieldManager& who, const FieldSet& touched,
                                       const FieldSet& gone, const std::string& time);
// Writes the entries to metadata in the order that kube-apiserver uses, without entries that own nothing.
void write_managed_entries(json::Value& object, ManagedEntries entries);

}  // namespace pintle
