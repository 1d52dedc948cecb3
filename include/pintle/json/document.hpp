// json::Document: an immutable, shared JSON document; json::View: a place in one, read without a copy.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <pintle/base/result_fwd.hpp>
#include <pintle/json/fwd.hpp>

namespace pintle::json {

class Block;

// What a place in a document holds; missing where there is none.
enum class Type { missing, null, boolean, integer, number, string, array, object };

// A place in a Document, or nowhere (missing). Reading never fails: what is not there is missing, and missing compares
// unequal to everything. Valid as long as the document; thread-safe.
class View {
 public:
  View() noexcept = default;

  [[nodiscard]] Type type() const noexcept;
  [[nodiscard]] bool exists() const noexcept { return word_ != nullptr; }
  explicit operator bool() const noexcept { return exists(); }
  [[nodiscard]] bool is_null() const noexcept { return type() == Type::null; }
  [[nodiscard]] bool is_object() const noexcept { return type() == Type::object; }
  [[nodiscard]] bool is_array() const noexcept { return type() == Type::array; }
  [[nodiscard]] bool is_string() const noexcept { return type() == Type::string; }

  // The value as a C++ type, if it is one; an integer is also a double, a whole double in range is not an integer.
  [[nodiscard]] std::optional<std::string_view> as_string() const noexcept;
  [[nodiscard]] std::optional<std::int64_t> as_integer() const noexcept;
  [[nodiscard]] std::optional<std::uint64_t> as_unsigned() const noexcept;
  [[nodiscard]] std::optional<double> as_double() const noexcept;
  [[nodiscard]] std::optional<bool> as_bool() const noexcept;
  // The text, or "" where there is none.
  [[nodiscard]] std::string_view text() const noexcept { return as_string().value_or(std::string_view{}); }

  // Members of an object, elements of a list; 0 for anything else.
  [[nodiscard]] std::size_t size() const noexcept;
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }

  // By JSON pointer: view["/metadata/labels/app"]. "" is the place itself.
  [[nodiscard]] View operator[](std::string_view pointer) const noexcept;
  // One member by its plain name, one element by its index.
  [[nodiscard]] View member(std::string_view name) const noexcept;
  [[nodiscard]] View element(std::size_t index) const noexcept;
  // The i-th member of an object with its name, in document order.
  [[nodiscard]] std::pair<std::string_view, View> member_at(std::size_t index) const noexcept;

  // `for (View item : view.elements())`, `for (auto [name, value] : view.members())`. Empty for other types.
  class Elements;
  class Members;
  [[nodiscard]] Elements elements() const noexcept;
  [[nodiscard]] Members members() const noexcept;

  // Equality of documents: order of members does not matter, 1 and 1.0 are equal. Missing equals nothing, not even
  // missing.
  friend bool operator==(View a, View b) noexcept;
  friend bool operator==(View view, std::string_view text) noexcept { return view.as_string() == text; }
  friend bool operator==(View view, const char* text) noexcept { return view.as_string() == std::string_view(text); }
  friend bool operator==(View view, bool flag) noexcept { return view.as_bool() == flag; }
  template <std::integral I>
    requires(!std::same_as<I, bool>)
  friend bool operator==(View view, I number) noexcept {
    return std::cmp_equal(view.as_integer().value_or(0), number) && view.as_integer().has_value();
  }

  // The same for places that are equal, in every run.
  [[nodiscard]] std::uint64_t hash() const noexcept;

  [[nodiscard]] Value to_value() const;     // a copy to change; null when missing
  [[nodiscard]] std::string print() const;  // compact text; "null" when missing
  void print_to(std::string& out) const;    // the same, behind what is there
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

// A counted handle on an immutable document of one allocation. Copying touches one count. In a Pool documents share
// what they have in common; without one a document is self-contained. At most 256 MiB: parse() refuses more, and to
// make it from a value throws. Thread-safe.
class Document {
 public:
  Document() noexcept = default;  // no document; root() is missing
  // A copy of a value, or of what a place holds, in a pool or by itself.
  explicit Document(const Value& value, Pool* pool = nullptr);
  explicit Document(View view, Pool* pool = nullptr);
  Document(const Document& other) noexcept;
  Document(Document&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  Document& operator=(Document other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  ~Document();

  // Error: invalid, with the offset of the fault.
  [[nodiscard]] static Result<Document> parse(std::string_view text, Pool* pool = nullptr);

  [[nodiscard]] View root() const noexcept;
  [[nodiscard]] bool same_as(const Document& other) const noexcept { return block_ == other.block_; }
  [[nodiscard]] bool is_in(const Pool& pool) const noexcept;
  // What this document alone takes up, in bytes; what it shares with others is in PoolStats.
  [[nodiscard]] std::size_t bytes() const noexcept;

 private:
  friend class Builder;
  explicit Document(const Block* block) noexcept : block_(block) {}

  const Block* block_ = nullptr;
};

}  // namespace pintle::json
