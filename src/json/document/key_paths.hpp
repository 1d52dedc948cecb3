// SPDX-License-Identifier: Apache-2.0
// KeyPaths: the keys of the objects read so far, by their path in the document, to recognize them in later documents.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>

#include "hash.hpp"
#include "json/text/plain_text.hpp"
#include "known_parts.hpp"
#include "scratch.hpp"

namespace pintle::json {

// KeyPath: a place in a document together with the keys read so far of the object at this place. Several KeyPaths may
// stand for the same place and keys.
class KeyPath {
 public:
  // The number of keys; 0 for the place without keys.
  [[nodiscard]] std::uint32_t length() const noexcept { return length_; }
  // The last key, its hash, and the path without that key.
  [[nodiscard]] std::string_view key() const noexcept { return {text_, size_}; }
  [[nodiscard]] std::uint64_t hash() const noexcept { return hash_; }
  [[nodiscard]] KeyPath* before() const noexcept { return before_; }

  // The most likely next key as JSON text, with the closing quote. Empty if no next key is known or if JSON escapes it.
  [[nodiscard]] std::string_view likely() const noexcept {
    if (latest_ == nullptr) return {};
    if (latest_->quoted_size_ == unknown) latest_->quote();
    return {latest_->text_, latest_->quoted_size_};
  }

  // The containers at this place.
  [[nodiscard]] KnownPartsOfPlace& known() noexcept { return known_; }

  // The number of the shape with these keys; `unknown` if none was set or if it was set at another `time`. The time is
  // the number of shapes erased so far, because numbers of erased shapes are reused.
  static constexpr std::uint32_t unknown = ~0U;
  [[nodiscard]] std::uint32_t shape(std::uint64_t time) const noexcept {
    return shape_time_ == time ? shape_ : unknown;
  }
  void set_shape(std::uint32_t shape, std::uint64_t time) noexcept {
    shape_ = shape;
    shape_time_ = time;
  }

 private:
  friend class KeyPaths;

  // Called only for a key that is expected again.
  void quote() noexcept { quoted_size_ = plain_until(text_, text_ + size_) == text_ + size_ ? size_ + 1 : 0; }

  const char* text_ = nullptr;  // the key and a closing quote
  std::uint32_t size_ = 0;
  std::uint32_t quoted_size_ = unknown;  // 0: JSON escapes the key
  std::uint32_t length_ = 0;
  std::uint32_t shape_ = unknown;
  std::uint64_t shape_time_ = 0;
  std::uint64_t hash_ = 0;
  KeyPath* before_ = nullptr;
  KeyPath* object_ = nullptr;  // the object that begins at this place
  KeyPath* latest_ = nullptr;  // the last used path with one more key
  KnownPartsOfPlace known_;
  KeyPath* sibling_ = nullptr;  // the next path in the list of paths with the same `before_`, last used first
};

// The next key is usually the one that followed at this place in the previous document, and one comparison confirms it.
// Uses at most 128 KiB between two documents. Not thread-safe.
class KeyPaths {
 public:
  explicit KeyPaths(std::uint64_t seed) : seed_(seed) {}
  KeyPaths(const KeyPaths&) = delete;
  KeyPaths& operator=(const KeyPaths&) = delete;

  // Removes all paths if they use more than `most` bytes, so that keys that only a single object has do not accumulate.
  // All paths are invalid then.
  void tidy() {
    if (bytes_ <= most) return;
    known_.clear();
    bytes_ = 0;
    document_ = {};
    memory_.release();
  }

  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
  [[nodiscard]] KnownParts& known() noexcept { return known_; }
  static constexpr std::size_t most = std::size_t{128} << 10U;

  // The place of the whole document.
  [[nodiscard]] KeyPath* document() noexcept { return &document_; }
  // The path without keys of an object at a place, or in a list at that place.
  [[nodiscard]] KeyPath* object_at(KeyPath* place) {
    if (place->object_ == nullptr) place->object_ = make();
    return place->object_;
  }
  // The path with one more key. It is also the place of the value of that key.
  [[nodiscard]] KeyPath* after(KeyPath* path, std::string_view key) {
    KeyPath* const likely = path->latest_;
    return likely != nullptr && key.data() == likely->text_ ? likely : find_or_add(path, key);
  }

 private:
  static constexpr unsigned max_tries = 8;

  [[gnu::noinline]] KeyPath* find_or_add(KeyPath* path, std::string_view key) {
    KeyPath** link = &path->latest_;
    for (unsigned tries = 0; *link != nullptr && tries != max_tries; ++tries) {
      KeyPath* const one = *link;
      if (same_text(one->key(), key)) {
        *link = one->sibling_;
        one->sibling_ = std::exchange(path->latest_, one);
        return one;
      }
      link = &one->sibling_;
    }
    return add(path, key);
  }

  KeyPath* add(KeyPath* path, std::string_view key) {
    auto* const text = static_cast<char*>(take(key.size() + 1, 1));
    copy_text(text, key);
    text[key.size()] = '"';
    KeyPath* const added = make();
    added->text_ = text;
    added->size_ = static_cast<std::uint32_t>(key.size());
    added->length_ = path->length_ + 1;
    added->hash_ = hash_of(key, seed_);
    added->before_ = path;
    added->sibling_ = std::exchange(path->latest_, added);
    return added;
  }
  KeyPath* make() {
    static_assert(std::is_trivially_destructible_v<KeyPath>);
    return new (take(sizeof(KeyPath), alignof(KeyPath))) KeyPath;
  }
  void* take(std::size_t size, std::size_t alignment) {
    bytes_ += size;
    return memory_.allocate(size, alignment);
  }

  const std::uint64_t seed_;
  KeyPath document_;
  std::size_t bytes_ = 0;
  KnownParts known_;
  std::pmr::monotonic_buffer_resource memory_{1024};
};

}  // namespace pintle::json
