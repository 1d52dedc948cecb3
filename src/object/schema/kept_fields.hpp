// SPDX-License-Identifier: Apache-2.0
// KeptFields: the annotation that preserves the fields of an object which another version cannot represent.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/json/value.hpp>
#include <pintle/object/object.hpp>

#include "schema_node.hpp"

namespace pintle {

// The annotation contains, for each version, the values that the conversion to that version does not produce:
//
//   {"v1": {"/spec/style": {"value": "loud"}, "/spec/who": {"was": "bob", "value": "Bob"}}}
//
// `was` is the value that the conversion produced instead; if it is missing, the conversion produced none. The same
// holds for `value`. A value is restored only if the conversion still produces `was`, so that a change which was made
// in the other version is not reverted; of a list, the elements for which this holds (LostValue). A list has one entry,
// because its elements have no place that a pointer could name.
//
// If an object cannot be converted back, the whole of it is kept, with the object that was made of it:
//
//   {"v1": {"": {"was": {…}, "value": {…}}}}
class KeptFields {
 public:
  // An annotation that cannot be read counts as missing, because the object must remain readable.
  explicit KeptFields(const Object& object);

  void erase(std::string_view version) { all_.erase(version); }
  // Sets the values of `version` that a conversion to another version and back does not produce. `complete` is the
  // object with all its members, and `original` the same object as it was received, which may have unknown members.
  void keep(std::string_view version, const json::Value& original, json::Value complete, const json::Value& returned);
  // Sets the whole object of `version`, of which `converted` was made.
  void keep_whole(std::string_view version, const json::Value& original, json::Value complete,
                  const json::Value& converted);

  // Returns the pointers of the values of `version`.
  [[nodiscard]] std::vector<std::string> pointers(std::string_view version) const;
  // Sets the values at these pointers in an object of `version`.
  void restore(std::string_view version, std::span<const std::string> pointers, const SchemaNode& schema,
               json::Value& object) const;
  // Returns the whole object of `version` if it was kept and `converted`, the object that was made of it, is unchanged.
  // It has no metadata.
  [[nodiscard]] std::optional<json::Value> whole(std::string_view version, const Object& converted) const;

  // Copies the metadata of an object to the converted one, with these values as annotation. Error: invalid, if the
  // annotations become larger than an API server accepts.
  [[nodiscard]] Result<void> write_metadata(const Object& from, json::Value& to) const;

 private:
  [[nodiscard]] const json::object* entries(std::string_view version) const;

  json::object all_;
};

}  // namespace pintle
