// SPDX-License-Identifier: Apache-2.0
// KnownParts: the text of containers that the documents of a pool share, to recognize them without parsing them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pintle/base/hash.hpp>
#include <pintle/json/document.hpp>

#include "json/text/word.hpp"

namespace pintle::json {

// The text of a container: JSON, or the bytes of a protobuf message.
struct PartText {
  std::string_view text{};
  const void* message = nullptr;  // the type of the message; null for JSON
  std::size_t depth = 0;          // number of open containers around it
};

// KnownPart: one container that the documents share.
struct KnownPart {
  std::string text{};
  const void* message = nullptr;
  std::size_t depth = 0;
  Word word{};                // refers to the container
  Document holder{};          // so that the container is not erased
  KnownPart* next = nullptr;  // the next one at the same place
};

// The parts at one place in a document, last used first.
class KnownPartsOfPlace {
 public:
  static constexpr std::size_t min_size = sizeof(std::uint64_t);  // bytes of text
  static constexpr std::size_t max_size = 1024;

  [[nodiscard]] bool empty() const noexcept { return first_ == nullptr; }
  // Returns the part with this message; null if none is known. Uses only parts that were read at this depth or deeper,
  // so that the limit on the depth holds.
  [[nodiscard]] const KnownPart* find(const PartText& message) noexcept {
    return find_if([&](const KnownPart& one) {
      return one.text.size() == message.text.size() && one.message == message.message && one.depth >= message.depth &&
             begins_with(message.text, one.text);
    });
  }
  // Returns the part with whose JSON these bytes begin. The end of a container is the same whatever follows.
  [[nodiscard]] const KnownPart* find_json(std::string_view bytes, std::size_t depth) noexcept {
    return find_if([&](const KnownPart& one) {
      return one.text.size() <= bytes.size() && one.message == nullptr && one.depth >= depth &&
             begins_with(bytes, one.text);
    });
  }

 private:
  friend class KnownParts;

  // Compares the ends first, because many texts have the same beginning.
  [[nodiscard]] static bool begins_with(std::string_view bytes, std::string_view text) noexcept {
    const std::size_t last = text.size() - min_size;
    return load_unaligned<std::uint64_t>(bytes.data() + last) == load_unaligned<std::uint64_t>(text.data() + last) &&
           std::memcmp(bytes.data(), text.data(), last) == 0;
  }
  template <class IsIt>
  [[nodiscard]] const KnownPart* find_if(IsIt is_it) noexcept {
    for (KnownPart** link = &first_; *link != nullptr; link = &(*link)->next) {
      KnownPart* const one = *link;
      if (!is_it(*one)) continue;
      *link = one->next;
      one->next = std::exchange(first_, one);
      return one;
    }
    return nullptr;
  }

  KnownPart* first_ = nullptr;
};

// The parts of all places. Uses at most 64 KiB for their text. Not thread-safe.
class KnownParts {
 public:
  // Adds a part. The least recently used one of a place with many parts is replaced.
  void add(KnownPartsOfPlace& place, const PartText& text, Word word, Document holder) {
    constexpr std::size_t most_at_place = 4;
    KnownPart* part = nullptr;
    KnownPart** last = &place.first_;
    std::size_t count = 0;
    for (; *last != nullptr && (*last)->next != nullptr; last = &(*last)->next) ++count;
    if (count + 1 >= most_at_place) {
      part = std::exchange(*last, nullptr);
      bytes_ -= part->text.size();
    } else if (bytes_ + text.text.size() <= most) {
      part = parts_.emplace_back(std::make_unique<KnownPart>()).get();
    } else {
      return;
    }
    bytes_ += text.text.size();
    part->text = text.text;
    part->message = text.message;
    part->depth = text.depth;
    part->word = word;
    part->holder = std::move(holder);
    part->next = std::exchange(place.first_, part);
  }
  // The places must not be used after this call.
  void clear() {
    parts_.clear();
    bytes_ = 0;
  }

 private:
  static constexpr std::size_t most = std::size_t{64} << 10U;  // bytes of text

  std::vector<std::unique_ptr<KnownPart>> parts_;
  std::size_t bytes_ = 0;
};

}  // namespace pintle::json
