// SPDX-License-Identifier: Apache-2.0
// Tape: the events of a document in the order of its text, one entry for each value, before the document is encoded.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "hash.hpp"
#include "key_paths.hpp"
#include "scratch.hpp"

namespace pintle::json {

struct TapeEntry {
  enum class Kind : std::uint8_t { null, no, yes, integer, large, real, written, string, object, array, known };

  Kind kind{};
  std::uint16_t source = 0;  // of a container: the number of its text among the sources; 0: none
  std::uint32_t size = 0;    // length of a string; for a container, the index after its last entry
  union {
    std::uint64_t hash = 0;  // for a string
    KeyPath* path;           // for an object that has ended
  };
  std::uint64_t bits = 0;  // a number, the offset of a string, the number of members or elements, or a known word
};

// Receives the events of one document. Keys are stored as paths and have no entries. Reuses its memory for the next
// document.
class Tape {
 public:
  using Kind = TapeEntry::Kind;

  explicit Tape(std::uint64_t seed = 0) : seed_(seed), paths_(seed) {}

  void null() { put(Kind::null); }
  void boolean(bool flag) { put(flag ? Kind::yes : Kind::no); }
  void integer(std::int64_t number) { put(Kind::integer, static_cast<std::uint64_t>(number)); }
  void unsigned_integer(std::uint64_t number) { put(number >> 63U == 0 ? Kind::integer : Kind::large, number); }
  void real(double number) { put(Kind::real, std::bit_cast<std::uint64_t>(number)); }
  // A number that none of the other types represents exactly, as its original text.
  void written_number(std::string_view text) { put_text(Kind::written, text); }
  void string(std::string_view text) { put_text(Kind::string, text); }

  void key(std::string_view text) { open_.back().path = paths_.after(open_.back().path, text); }
  // See KeyPath::likely(). Valid until the document ends.
  [[nodiscard]] std::string_view likely_key() const noexcept {
    return open_.empty() ? std::string_view() : open_.back().path->likely();
  }
  void begin_object() { open(Kind::object, paths_.object_at(place())); }
  void end_object(std::size_t members) {
    entries_[open_.back().entry].path = open_.back().path;
    close(members);
  }
  void begin_array() { open(Kind::array, place()); }
  void end_array(std::size_t elements) { close(elements); }

  // Puts the container with this message if it is known, and returns whether it is.
  [[nodiscard]] bool recall(const PartText& message) { return put_known(place()->known().find(message)) != 0; }
  // Puts the container with whose JSON these bytes begin if it is known, and returns the size of its text; otherwise 0.
  [[nodiscard]] std::size_t recall_json(std::string_view bytes, std::size_t depth) {
    return put_known(place()->known().find_json(bytes, depth));
  }
  // Notes the text of the container that has just ended. The text must exist until learn() or forget_sources().
  void note_source(const PartText& text) {
    constexpr std::size_t most = 0xffff;
    const bool is_useful = text.text.size() >= KnownPartsOfPlace::min_size &&
                           text.text.size() <= KnownPartsOfPlace::max_size && entries_[last_closed_].bits != 0;
    if (!is_useful || sources_.size() >= most) return;
    sources_.push_back({text, place()});
    entries_[last_closed_].source = static_cast<std::uint16_t>(sources_.size());
  }
  // The texts noted so far are not valid any more.
  void forget_sources() noexcept { first_source_ = sources_.size(); }
  // The container with this source is encoded as `word`, as long as `holder` exists.
  void learn(std::uint16_t source, Word word, Document holder) {
    const Source& one = sources_[source - 1U];
    paths_.known().add(one.place->known(), one.text, word, std::move(holder));
  }
  [[nodiscard]] bool has_source(const TapeEntry& entry) const noexcept { return entry.source > first_source_; }

  [[nodiscard]] const Scratch<TapeEntry>& entries() const noexcept { return entries_; }
  [[nodiscard]] std::string_view text(const TapeEntry& entry) const noexcept {
    return {text_.data() + entry.bits, entry.size};
  }
  // Returns the value of the last member with this name; null if there is none.
  [[nodiscard]] const TapeEntry* member(const TapeEntry* object, std::string_view name) const noexcept {
    if (object == nullptr || object->kind != Kind::object) return nullptr;
    const KeyPath* path = object->path;
    while (path->length() != 0 && !same_text(path->key(), name)) path = path->before();
    if (path->length() == 0) return nullptr;
    const TapeEntry* value = object + 1;
    for (std::uint32_t before = path->length() - 1; before != 0; --before) {
      const bool is_container = value->kind == Kind::object || value->kind == Kind::array;
      value = is_container ? entries_.data() + value->size : value + 1;
    }
    return value;
  }
  [[nodiscard]] bool is_complete() const noexcept { return entries_.size() != 0 && open_.empty(); }
  [[nodiscard]] std::uint64_t seed() const noexcept { return seed_; }
  void clear() {
    entries_.clear();
    text_.clear();
    open_.clear();
    sources_.clear();
    first_source_ = 0;
    paths_.tidy();
  }

 private:
  void put(Kind kind, std::uint64_t bits = 0) { *entries_.take(1) = {.kind = kind, .hash = 0, .bits = bits}; }
  void put_text(Kind kind, std::string_view text) {
    *entries_.take(1) = {.kind = kind,
                         .size = static_cast<std::uint32_t>(text.size()),
                         .hash = hash_of(text, seed_),
                         .bits = text_.size()};
    copy_text(text_.take(text.size()), text);
  }
  // The place of the next value: after its key, or in a list.
  [[nodiscard]] KeyPath* place() noexcept { return open_.empty() ? paths_.document() : open_.back().path; }
  void open(Kind kind, KeyPath* path) {
    open_.push_back({entries_.size(), path});
    put(kind);
  }
  void close(std::size_t size) {
    TapeEntry& entry = entries_[open_.back().entry];
    entry.bits = size;
    entry.size = static_cast<std::uint32_t>(entries_.size());
    last_closed_ = open_.back().entry;
    open_.pop_back();
  }

  std::size_t put_known(const KnownPart* part) {
    if (part == nullptr) return 0;
    put(Kind::known, part->word);
    return part->text.size();
  }

  struct Source {
    PartText text{};
    KeyPath* place = nullptr;
  };
  struct Open {
    std::size_t entry = 0;
    KeyPath* path = nullptr;
  };

  const std::uint64_t seed_;
  Scratch<TapeEntry> entries_;
  Scratch<char> text_;
  KeyPaths paths_;
  std::vector<Open> open_;
  std::vector<Source> sources_;
  std::size_t first_source_ = 0;  // the number of sources that are not valid
  std::size_t last_closed_ = 0;   // entry of the container that ended last
};

}  // namespace pintle::json
