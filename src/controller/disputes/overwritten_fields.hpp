// SPDX-License-Identifier: Apache-2.0
// OverwrittenFields: finds the fields that a write takes back from another client.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include <pintle/base/time.hpp>
#include <pintle/cache/informer.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

// A field that a write changed.
struct WrittenField {
  std::uint64_t id = 0;      // of the field and its object
  std::uint64_t before = 0;  // hash of the value before the write
  std::uint64_t after = 0;   // hash of the value that was written
  std::string pointer{};     // "": the object itself, which was created or deleted
};

// Returns the fields that the write changed, at most `most_fields_of_write`, without those that the server sets. Empty
// if the state before the write is not known.
inline constexpr std::size_t most_fields_of_write = 64;
[[nodiscard]] std::vector<WrittenField> written_fields(const Informer::Write& write);

// Returns the hash of the value of a field, which may be missing.
[[nodiscard]] std::uint64_t field_value(const Object& object, const std::string& pointer);

// Returns whether the pointer is that of a field that the server changes with each write.
[[nodiscard]] bool changes_with_each_write(const std::string& pointer);

// A field is taken back if this controller wrote it before, another client gave it another value since, and this
// controller writes it again. For each field, `burst` such writes in a row are free, and one more for each `refill`
// since. Stores 32 bytes for each of the `most` to 2 * `most` fields that were written last. Not thread-safe.
class OverwrittenFields {
 public:
  static constexpr int burst = 20;
  static constexpr Duration refill = std::chrono::seconds(30);
  static constexpr std::size_t most = 8192;

  struct Found {
    bool is_taken_back = false;
    bool is_free = true;
  };
  // Stores a write of a field.
  Found note(const WrittenField& field, Instant now);

 private:
  struct Last {
    std::uint64_t value = 0;  // hash of the value that was written last
    Instant full_at{};        // when the whole burst is available again
  };
  Last& at(std::uint64_t id, bool& is_known);

  std::unordered_map<std::uint64_t, Last> newer_;
  std::unordered_map<std::uint64_t, Last> older_;  // the former `newer_`, without those that were written since
};

}  // namespace pintle
