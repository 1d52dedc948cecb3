// SPDX-License-Identifier: Apache-2.0
// json::Document: an immutable JSON document, shared by its copies. json::View: a reference to a place in a document,
// without a copy.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <pintle/base/annotations.hpp>
#include <pintle/base/result_fwd.hpp>
#include <pintle/json/fwd.hpp>

namespace pintle::json {

class Block;

/// The type of a place in a document; `missing` if the place does not exist.
enum class Type { missing, null, boolean, integer, number, string, array, object };

/// A reference to a place in a Document, or to no place (missing). Reading never fails: reading a missing place gives a
/// missing view. A missing view compares unequal to everything. Valid as long as the document; thread-safe.
class PINTLE_EXPORT View {
 public:
  View() noexcept = default;

  [[nodiscard]] Type type() const noexcept;
  [[nodiscard]] bool exists() const noexcept { return word_ != nullptr; }
  explicit operator bool() const noexcept { return exists(); }
  [[nodiscard]] bool is_null() const noexcept { return type() == Type::null; }
  [[nodiscard]] bool is_object() const noexcept { return type() == Type::object; }
  [[nodiscard]] bool is_array() const noexcept { return type() == Type::array; }
  [[nodiscard]] bool is_string() const noexcept { return type() == Type::string; }

  /// The value, if it has this type. An integer is also a double. A number with a fraction or exponent, such as 1.0, is
  /// not an integer.
  [[nodiscard]] std::optional<std::string_view> as_string() const noexcept;
  [[nodiscard]] std::optional<std::int64_t> as_integer() const noexcept;
  [[nodiscard]] std::optional<std::uint64_t> as_unsigned() const noexcept;
  [[nodiscard]] std::optional<double> as_double() const noexcept;
  [[nodiscard]] std::optional<bool> as_bool() const noexcept;
  /// The string, or "" if this is not a string.
  [[nodiscard]] std::string_view text() const noexcept { return as_string().value_or(std::string_view{}); }

  /// The number of members of an object or of elements of an array; 0 for other types.
  [[nodiscard]] std::size_t size() const noexcept;
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }

  /// The place at a JSON pointer: view["/metadata/labels/app"]. The pointer "" is the place itself.
  [[nodiscard]] View operator[](std::string_view pointer) const noexcept;
  /// A member by its unescaped name, or an element by its index.
  [[nodiscard]] View member(std::string_view name) const noexcept;
  [[nodiscard]] View element(std::size_t index) const noexcept;
  /// The name and the value of the i-th member of an object, in document order.
  [[nodiscard]] std::pair<std::string_view, View> member_at(std::size_t index) const noexcept;

  /// Ranges: `for (View item : view.elements())`, `for (auto [name, value] : view.members())`. Empty for other types.
  class Elements;
  class Members;
  [[nodiscard]] Elements elements() const noexcept;
  [[nodiscard]] Members members() const noexcept;

  /// Compares by value: the order of members does not matter, and 1 equals 1.0. A missing view equals nothing, not even
  /// a missing view.
  friend PINTLE_EXPORT bool operator==(View a, View b) noexcept;
  friend bool operator==(View view, std::string_view text) noexcept { return view.as_string() == text; }
  friend bool operator==(View view, const char* text) noexcept { return view.as_string() == std::string_view(text); }
  friend bool operator==(View view, bool flag) noexcept { return view.as_bool() == flag; }
  template <std::integral I>
    requires(!std::same_as<I, bool>)
  friend bool operator==(View view, I number) noexcept {
    return std::cmp_equal(view.as_integer().value_or(0), number) && view.as_integer().has_value();
  }

  /// Equal places have the same hash, in every run.
  [[nodiscard]] std::uint64_t hash() const noexcept;

  [[nodiscard]] Value to_value() const;     ///< a copy that can be changed; null if missing
  [[nodiscard]] std::string print() const;  ///< compact text; "null" if missing
  void print_to(std::string& out) const;    ///< the same, appended to `out`
  [[nodiscard]] std::string print_pretty() const;

 private:
  friend class Document;
  friend class Inside;
  View(const Block* block, const std::uint32_t* word) noexcept : block_(block), word_(word) {}

  const Block* block_ = nullptr;
  const std::uint32_t* word_ = nullptr;
};

class View::Elements {
 public:
  class iterator {
   public:
    iterator(View list, std::size_t at) noexcept : list_(list), at_(at) {}
    View operator*() const noexcept { return list_.element(at_); }
    iterator& operator++() noexcept { return ++at_, *this; }
    bool operator==(const iterator& other) const noexcept { return at_ == other.at_; }

   private:
    View list_;
    std::size_t at_;
  };
  explicit Elements(View list) noexcept : list_(list) {}
  [[nodiscard]] iterator begin() const noexcept { return {list_, 0}; }
  [[nodiscard]] iterator end() const noexcept { return {list_, list_.is_array() ? list_.size() : 0}; }

 private:
  View list_;
};

class View::Members {
 public:
  class iterator {
   public:
    iterator(View place, std::size_t at) noexcept : object_(place), at_(at) {}
    std::pair<std::string_view, View> operator*() const noexcept { return object_.member_at(at_); }
    iterator& operator++() noexcept { return ++at_, *this; }
    bool operator==(const iterator& other) const noexcept { return at_ == other.at_; }

   private:
    View object_;
    std::size_t at_;
  };
  explicit Members(View place) noexcept : object_(place) {}
  [[nodiscard]] iterator begin() const noexcept { return {object_, 0}; }
  [[nodiscard]] iterator end() const noexcept { return {object_, object_.is_object() ? object_.size() : 0}; }

 private:
  View object_;
};

inline View::Elements View::elements() const noexcept { return Elements(*this); }
inline View::Members View::members() const noexcept { return Members(*this); }

/// A reference-counted handle on an immutable document in one allocation. Copying changes one counter. Documents of one
/// Pool share their equal parts; a document without a pool is self-contained. A document has at most 256 MiB of strings
/// and numbers, and at most 1 GiB of structure (four bytes for each value and key). For a larger one, parse() returns
/// an error and the constructors throw. Several threads may use copies of one document; concurrent reads of one copy
/// are safe.
class PINTLE_EXPORT Document {
 public:
  Document() noexcept = default;  ///< no document: root() is missing
  /// Copies a value or a view. The copy shares parts with the documents of `pool`; without a pool it is self-contained.
  explicit Document(const Value& value, Pool* pool = nullptr);
  explicit Document(View view, Pool* pool = nullptr);
  Document(const Document& other) noexcept;
  Document(Document&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  Document& operator=(Document other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  ~Document();

  /// Error: invalid, with the byte offset of the error.
  [[nodiscard]] static Result<Document> parse(std::string_view text, Pool* pool = nullptr);

  [[nodiscard]] View root() const noexcept;
  [[nodiscard]] bool is_same_document(const Document& other) const noexcept { return block_ == other.block_; }
  [[nodiscard]] bool is_in(const Pool& pool) const noexcept;
  /// The memory of this document alone, in bytes. The memory of shared parts is in PoolStats.
  [[nodiscard]] std::size_t bytes() const noexcept;

 private:
  friend class Builder;
  explicit Document(const Block* block) noexcept : block_(block) {}

  const Block* block_ = nullptr;
};

}  // namespace pintle::json
