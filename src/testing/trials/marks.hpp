// SPDX-License-Identifier: Apache-2.0
// Marks: metadata that another program sets on objects, and that an operator must not remove.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include <pintle/json/value.hpp>
#include <pintle/object/object.hpp>

#include "stored_key.hpp"

namespace pintle::testkit {

inline constexpr std::string_view mark_label = "other.example.com/team";
inline constexpr std::string_view mark_annotation = "other.example.com/note";
inline constexpr std::string_view mark_finalizer = "other.example.com/backup";

class Marks {
 public:
  // A patch that adds the marks to an object, or removes its finalizer. It fails if the object has changed meanwhile.
  [[nodiscard]] static json::Value patch_to_mark(const Object& object);
  [[nodiscard]] static json::Value patch_to_release(const Object& object);

  // Stores which marks an object has: from now on the operator must not remove them.
  void note(const StoredKey& key, const Object& marked);
  void forget(const StoredKey& key) { marked_.erase(key); }
  // From now on the finalizer may be missing: its owner is about to remove it, and a write of the operator that follows
  // the removal may be judged before its owner receives the response.
  void release(const StoredKey& key);
  [[nodiscard]] std::set<StoredKey> keys() const;
  // The first mark that is missing in an object that the operator has written, "the label other.example.com/team"; or
  // nothing. An older state of the object is not judged.
  [[nodiscard]] std::optional<std::string> missing(const StoredKey& key, const Object& written) const;

 private:
  struct Marked {
    std::string uid{};
    std::uint64_t version = 0;
    bool has_label = false;
    bool has_annotation = false;
    bool has_finalizer = false;
  };

  std::map<StoredKey, Marked> marked_;
};

}  // namespace pintle::testkit
