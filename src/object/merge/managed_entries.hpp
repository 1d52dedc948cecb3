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
// Whether two objects have the same entries, and some.
[[nodiscard]] bool have_same_entries(const json::Value& a, const json::Value& b);
// Notes in the entries of an object that `who` wrote what it owns already. False, and nothing has changed, when there
// is more to it: somebody else owns what was touched, or anybody what is gone.
[[nodiscard]] bool renew_managed_entry(json::Value& object, const FieldManager& who, const FieldSet& touched,
                                       const FieldSet& gone, const std::string& time);
// Puts the entries into metadata, those that own nothing left out, in the order that managedFields has.
void write_managed_entries(json::Value& object, ManagedEntries entries);

}  // namespace pintle
