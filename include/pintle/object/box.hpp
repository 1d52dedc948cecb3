// SPDX-License-Identifier: Apache-2.0
// Box: a value on the heap that behaves as the value itself, so that a struct can contain its own type.
//
//   struct Filter {
//     std::string field{};
//     std::optional<pintle::Box<Filter>> otherwise{};
//   };
#pragma once

#include <utility>

#include <pintle/object/optional_box.hpp>

namespace pintle {

/// Behaves as the T that it contains: copies and comparisons apply to the T, and a const Box gives const access. A Box
/// is never empty: a default-constructed or moved-from Box contains T{}. T may be incomplete where the Box is declared.
/// It has the size of two pointers for every T; a value takes one allocation, and an unchanged T{} takes none. A plain
/// value.
///
/// A CRD cannot describe a schema that contains itself. In a schema, a Box of a struct is therefore an object that
/// preserves unknown fields: the server accepts and keeps any content.
template <class T>
class Box {
 public:
  Box() noexcept = default;
  Box(const T& value) : held_(value) {}        // NOLINT(google-explicit-constructor)
  Box(T&& value) : held_(std::move(value)) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] const T& operator*() const { return held_ ? *held_ : fresh(); }
  [[nodiscard]] const T* operator->() const { return &**this; }
  [[nodiscard]] T& operator*() { return held_ ? *held_ : held_.emplace(); }
  [[nodiscard]] T* operator->() { return &**this; }

  friend bool operator==(const Box& a, const Box& b) { return *a == *b; }

 private:
  static const T& fresh() {
    static const T value{};
    return value;
  }

  OptionalBox<T> held_;  // empty means T{}
};

}  // namespace pintle
