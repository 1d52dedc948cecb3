// Box: a value in a place of its own, so that a struct can hold one of its own kind.
//
//   struct Filter {
//     std::string field{};
//     std::optional<pintle::Box<Filter>> otherwise{};
//   };
#pragma once

#include <utility>

#include <pintle/object/optional_box.hpp>

namespace pintle {

// Behaves as the T in it: copying copies it, comparing compares it, const reaches into it. There is always one: a Box
// that was given none, or was moved from, holds T{}. T may be incomplete where it is declared. A plain value.
//
// A CRD cannot describe a schema that contains itself. So a schema says of a Box only that it is an object, and the
// server takes what is in it as it is.
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

  OptionalBox<T> held_;  // none stands for T{}
};

}  // namespace pintle
