// SPDX-License-Identifier: Apache-2.0
// Inside: access to the words behind a View.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include <pintle/json/document.hpp>

#include "hash.hpp"
#include "json/text/number.hpp"
#include "shared_parts.hpp"

namespace pintle::json {

// The view must exist (View::exists()).
class Inside {
 public:
  explicit Inside(View view) noexcept : block_(view.block_), word_(view.word_) {}

  [[nodiscard]] Word word() const noexcept { return *word_; }
  [[nodiscard]] Tag tag() const noexcept { return tag_of(*word_); }
  [[nodiscard]] const SharedParts* parts() const noexcept { return block_->parts(); }
  [[nodiscard]] View view(const Word* word) const noexcept { return {block_, word}; }
  [[nodiscard]] Inside at(const Word* word) const noexcept { return {block_, word}; }

  [[nodiscard]] bool is_text() const noexcept {
    return tag() == Tag::text || tag() == Tag::shared_text || tag() == Tag::short_text;
  }
  [[nodiscard]] std::string_view text() const noexcept { return text(word_); }
  [[nodiscard]] bool is_number() const noexcept {
    switch (tag()) {
      case Tag::integer:
      case Tag::signed_number:
      case Tag::unsigned_number:
      case Tag::double_number:
      case Tag::written_number: return true;
      default: return false;
    }
  }
  [[nodiscard]] Number number() const noexcept;

  // Returns the head of an object or array that is not empty; null for all other values.
  [[nodiscard]] const Word* head() const noexcept {
    if (tag() == Tag::container) return block_->word(payload_of(*word_));
    if (tag() == Tag::shared_container) return parts()->containers[payload_of(*word_)].data();
    return nullptr;
  }
  [[nodiscard]] std::size_t size(const Word* head) const noexcept {
    if (tag_of(*head) == Tag::shape) return shape(head).size();
    return payload_of(tag_of(*head) == Tag::key_list ? *block_->word(payload_of(*head)) : *head);
  }
  [[nodiscard]] Shape shape(const Word* head) const noexcept { return Shape(parts()->shapes[payload_of(*head)]); }
  [[nodiscard]] std::string_view key(const Word* head, std::size_t index) const noexcept {
    if (tag_of(*head) == Tag::shape) return shape(head).key(index);
    return text(block_->word(payload_of(*head)) + 1 + index);
  }
  // Returns the word of the value of a member; null if there is no such member.
  [[nodiscard]] const Word* member(const Word* head, std::string_view name) const noexcept;

 private:
  Inside(const Block* block, const Word* word) noexcept : block_(block), word_(word) {}

  template <class Bits>
  [[nodiscard]] Bits bits() const noexcept {
    Bits bits{};
    std::memcpy(&bits, block_->bytes(payload_of(*word_)), sizeof bits);
    return bits;
  }
  [[nodiscard]] std::string_view text(const Word* word) const noexcept {
    switch (tag_of(*word)) {
      case Tag::short_text: return short_text_in(*word);
      case Tag::shared_text: return parts()->text(payload_of(*word));
      default: return text_at(block_->bytes(payload_of(*word)));
    }
  }

  const Block* block_;
  const Word* word_;
};

}  // namespace pintle::json
