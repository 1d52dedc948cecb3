// SPDX-License-Identifier: Apache-2.0
// KeptFields: the annotation that preserves the fields of an object which another version cannot represent.
#pragma once

#include <string>
#include <string_view>

#include <pintle/json/value.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

// The annotation contains, for each version, the values that the conversion to that version does not produce:
//
//   {"v1": {"/spec/style": {"value": "loud"}, "/spec/who": {"was": "bob", "value": "Bob"}}}
//
// `was` is the value that the conversion produced instead; if it is missing, the conversion produced none. The same
// holds for `value`. A value is restored only if the conversion still produces `was`, so that a change which was made
// in the other version is not reverted.
class KeptFields {
 public:
  // An annotation that cannot be read counts as missing, because the object must remain readable.
  explicit KeptFields(const Object& object);

  // Returns whether there are values for a version.
  [[nodiscard]] bool has(std::string_view version) const { return all_.contains(version); }
  void erase(std::string_view version) { all_.erase(version); }
  // Sets the values of `version` that a conversion to another version and back does not produce. `complete` is the
  // object with all its members, and `original` the same object as it was received, which may have unknown members.
  void keep(std::string_view version, const json::Value& original, const json::Value& complete,
            const json::Value& returned);
  // Sets the values of `version` in an object of that version.
  void restore(std::string_view version, json::Value& object) const;

  // Copies the metadata of an object to the converted one, with these values as annotation. Error: invalid, if the
  // annotations become larger than an API server accepts.
  [[nodiscard]] Result<void> write_metadata(const Object& from, json::Value& to) const;

 private:
  json::object all_;
};

}  // namespace pintle
