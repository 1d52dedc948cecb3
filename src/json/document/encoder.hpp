// SPDX-License-Identifier: Apache-2.0
// Encoder: converts a tape into the compact form of a document.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/result.hpp>

#include "shared_parts.hpp"
#include "tape.hpp"

namespace pintle::json {

// LocalIndex: a hash table of places among the words or bytes of the document that is being encoded. Clearing it does
// not visit its slots.
class LocalIndex {
 public:
  // Returns the stored place with this hash for which `is_it(place)` is true. If there is none, stores and returns
  // `otherwise()`.
  template <class IsIt, class Otherwise>
  std::uint32_t find(std::uint64_t hash, IsIt is_it, Otherwise otherwise) {
    const auto short_hash = static_cast<std::uint32_t>(hash);
    std::size_t at = short_hash & (slots_.size() - 1);
    for (; slots_[at].round == round_; at = (at + 1) & (slots_.size() - 1)) {
      if (slots_[at].hash == short_hash && is_it(slots_[at].place)) return slots_[at].place;
    }
    const std::uint32_t place = otherwise();
    slots_[at] = {round_, short_hash, place};
    return place;
  }
  // Removes all places and makes room for `most` new ones.
  void clear(std::size_t most);

 private:
  struct Slot {
    std::uint32_t round = 0;
    std::uint32_t hash = 0;
    std::uint32_t place = 0;
  };
  std::vector<Slot> slots_;
  std::uint32_t round_ = 0;
};

// Reuses its memory for the next document.
class Encoder {
 public:
  // Returns a block with one handle. `parts` may be null. Error: invalid, if the value exceeds the maximum size of a
  // document.
  Result<Block*> encode(const Tape& tape, SharedParts* parts);

  // A container of the encoded document that the documents share.
  struct SharedContainer {
    std::uint16_t source = 0;  // of its entry
    Word word{};
  };
  // Those whose entries have a source.
  [[nodiscard]] const std::vector<SharedContainer>& shared_containers() const noexcept { return shared_containers_; }

 private:
  Word value();
  Word noted(const TapeEntry& entry, Word word);
  Word number(const TapeEntry& entry);
  Word text(std::string_view text, std::uint64_t hash);
  Word array(std::size_t size);
  Word object(const TapeEntry& entry);

  // Encodes a container with the values on the stack from `first` on.
  Word container(Word head, std::size_t first);
  Word head_of_object(KeyPath& path, std::size_t first_value);
  Word head_of_keys(std::size_t first_value);
  bool drop_repeated_keys(std::size_t first_value);
  std::uint32_t key_list(std::uint64_t hash);
  Word key_word(const KeyPath& key);
  [[nodiscard]] std::uint64_t hash_of_keys() const;

  [[nodiscard]] std::uint32_t known_text(std::string_view text, std::uint64_t hash) const;
  [[nodiscard]] std::uint32_t known_shape(std::uint64_t hash) const;
  std::uint32_t interned(const KeyPath& key);
  std::uint32_t new_shape(std::uint64_t hash);

  std::uint32_t put_text(std::string_view text, std::uint64_t hash);
  std::uint32_t put_bytes(const void* bytes, std::size_t size);

  void prefetch_texts() const;
  [[nodiscard]] std::uint32_t owner_on_tape();
  [[nodiscard]] bool shares(Sharing what) const noexcept { return parts_ != nullptr && parts_->sharing >= what; }

  const Tape* tape_ = nullptr;
  SharedParts* parts_ = nullptr;
  std::uint32_t owner_ = 0;
  std::size_t at_ = 0;                // index on the tape
  std::vector<const KeyPath*> keys_;  // keys of one object: the paths that end with them
  std::vector<Word> values_;          // values of the open containers
  std::vector<Word> words_;
  std::string bytes_;
  std::vector<SharedContainer> shared_containers_;
  LocalIndex texts_;
  LocalIndex key_lists_;
  LocalIndex repeated_;
};

}  // namespace pintle::json
