// KeyPaths: the keys of the objects that were read, by the way that leads to them, to know them when they come again.
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
#include "scratch.hpp"

namespace pintle::json {

// A place in a document, and the keys that its object has so far. Two may mean the same.
class KeyPath {
 public:
  // How many keys; the place alone has none.
  [[nodiscard]] std::uint32_t length() const noexcept { return length_; }
  // The last key, its hash, and the path before it.
  [[nodiscard]] std::string_view key() const noexcept { return {text_, size_}; }
  [[nodiscard]] std::uint64_t hash() const noexcept { return hash_; }
  [[nodiscard]] KeyPath* before() const noexcept { return before_; }

  // The key that comes next most likely as it stands in JSON, with the quote behind it; "" when there is none, or none
  // that stands for itself.
  [[nodiscard]] std::string_view likely() const noexcept {
    if (latest_ == nullptr) return {};
    if (latest_->quoted_size_ == unknown) latest_->quote();
    return {latest_->text_, latest_->quoted_size_};
  }

  // The number that a shape with these keys has, `unknown` when that is not known, or was so at another time.
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

  // Only for a key that comes again.
  void quote() noexcept { quoted_size_ = plain_until(text_, text_ + size_) == text_ + size_ ? size_ + 1 : 0; }

  const char* text_ = nullptr;  // of the key, and a quote
  std::uint32_t size_ = 0;
  std::uint32_t quoted_size_ = unknown;  // 0 when it does not stand for itself
  std::uint32_t length_ = 0;
  std::uint32_t shape_ = unknown;
  std::uint64_t shape_time_ = 0;
  std::uint64_t hash_ = 0;
  KeyPath* before_ = nullptr;
  KeyPath* object_ = nullptr;   // that begins here
  KeyPath* latest_ = nullptr;   // of those that are a key longer
  KeyPath* sibling_ = nullptr;  // of those with the same path before them: the one that was the latest before
};

// What comes next is mostly what came next there in the document before, and is then known by comparing it. Between two
// documents it holds 128 KiB at most. Thread-safety: none.
class KeyPaths {
 public:
  explicit KeyPaths(std::uint64_t seed) : seed_(seed) {}
  KeyPaths(const KeyPaths&) = delete;
  KeyPaths& operator=(const KeyPaths&) = delete;

  // Forgets all when there is much: what one object has that no other has shall not stay. No path is valid then.
  void tidy() {
    if (bytes_ <= most) return;
    bytes_ = 0;
    document_ = {};
    memory_.release();
  }

  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }
  static constexpr std::size_t most = std::size_t{128} << 10U;

  // The place of the whole document.
  [[nodiscard]] KeyPath* document() noexcept { return &document_; }
  // Of an object without a key yet that is at a place, or in a list there.
  [[nodiscard]] KeyPath* object_at(KeyPath* place) {
    if (place->object_ == nullptr) place->object_ = make();
    return place->object_;
  }
  // That of the object with one key more, and the place of its value.
  [[nodiscard]] KeyPath* after(KeyPath* path, std::string_view key) {
    KeyPath* const likely = path->latest_;
    return likely != nullptr && key.data() == likely->text_ ? likely : find_or_add(path, key);
  }

 private:
  static constexpr unsigned most_tries = 8;

  [[gnu::noinline]] KeyPath* find_or_add(KeyPath* path, std::string_view key) {
    KeyPath** link = &path->latest_;
    for (unsigned tries = 0; *link != nullptr && tries != most_tries; ++tries) {
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
  std::pmr::monotonic_buffer_resource memory_{1024};
};

}  // namespace pintle::json
