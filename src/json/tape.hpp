// Tape: a document as it came, one entry an event, before it is made compact.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "hash.hpp"
#include "scratch.hpp"

namespace pintle::json {

struct TapeEntry {
  enum class Kind : std::uint8_t { null, no, yes, integer, large, real, written, string, key, object, array };

  Kind kind{};
  std::uint32_t size = 0;  // of a text; of an object or array: where on the tape it has ended
  std::uint64_t hash = 0;  // of a string or key
  std::uint64_t bits = 0;  // a number; where a text begins; how many members or elements
};

// Events of one document. Its memory serves the next one too.
class Tape {
 public:
  using Kind = TapeEntry::Kind;

  explicit Tape(std::uint64_t seed = 0) noexcept : seed_(seed) {}

  void null() { put(Kind::null); }
  void boolean(bool flag) { put(flag ? Kind::yes : Kind::no); }
  void integer(std::int64_t number) { put(Kind::integer, static_cast<std::uint64_t>(number)); }
  void unsigned_integer(std::uint64_t number) { put(number >> 63U == 0 ? Kind::integer : Kind::large, number); }
  void real(double number) { put(Kind::real, std::bit_cast<std::uint64_t>(number)); }
  // One that no other holds exactly, as it was written.
  void written_number(std::string_view text) { put_text(Kind::written, text); }
  void string(std::string_view text) { put_text(Kind::string, text); }

  void key(std::string_view text) { put_text(Kind::key, text); }
  void begin_object() { open(Kind::object); }
  void end_object(std::size_t members) { close(members); }
  void begin_array() { open(Kind::array); }
  void end_array(std::size_t elements) { close(elements); }

  [[nodiscard]] const Scratch<TapeEntry>& entries() const noexcept { return entries_; }
  [[nodiscard]] std::string_view text(const TapeEntry& entry) const noexcept {
    return {text_.data() + entry.bits, entry.size};
  }
  // The value of the last member of this name, or none.
  [[nodiscard]] const TapeEntry* member(const TapeEntry* object, std::string_view name) const noexcept {
    if (object == nullptr || object->kind != Kind::object) return nullptr;
    const TapeEntry* found = nullptr;
    const TapeEntry* at = object + 1;
    for (std::uint64_t left = object->bits; left != 0; --left) {
      const TapeEntry* value = at + 1;
      if (text(*at) == name) found = value;
      const bool is_container = value->kind == Kind::object || value->kind == Kind::array;
      at = is_container ? entries_.data() + value->size : value + 1;
    }
    return found;
  }
  [[nodiscard]] bool is_complete() const noexcept { return entries_.size() != 0 && open_.empty(); }
  [[nodiscard]] std::uint64_t seed() const noexcept { return seed_; }
  void clear() noexcept {
    entries_.clear();
    text_.clear();
    open_.clear();
  }

 private:
  void put(Kind kind, std::uint64_t bits = 0) { *entries_.take(1) = {.kind = kind, .bits = bits}; }
  void put_text(Kind kind, std::string_view text) {
    *entries_.take(1) = {.kind = kind,
                         .size = static_cast<std::uint32_t>(text.size()),
                         .hash = hash_of(text, seed_),
                         .bits = text_.size()};
    copy_text(text_.take(text.size()), text);
  }
  void open(Kind kind) {
    put(kind);
    open_.push_back(entries_.size() - 1);
  }
  void close(std::size_t size) {
    TapeEntry& entry = entries_[open_.back()];
    entry.bits = size;
    entry.size = static_cast<std::uint32_t>(entries_.size());
    open_.pop_back();
  }

  const std::uint64_t seed_;
  Scratch<TapeEntry> entries_;
  Scratch<char> text_;
  std::vector<std::size_t> open_;
};

}  // namespace pintle::json
