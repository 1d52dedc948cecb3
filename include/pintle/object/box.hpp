// Box: a value in a place of its own, so that a struct can hold one of its own kind.
//
//   struct Filter {
//     std::string field{};
//     std::optional<pintle::Box<Filter>> otherwise{};
//   };
#pragma once

#include <memory>
#include <utility>

namespace pintle {

// Behaves as the T in it: copying copies it, comparing compares it, const reaches into it. There is always one: a Box
// that was given none, or was moved from, holds T{}. A plain value.
//
// A CRD cannot describe a schema that contains itself. So a schema says of a Box only that it is an object, and the
// server takes what is in it as it is.
template <class T>
class Box {
 public:
  Box() noexcept = default;
  Box(T value) : held_(std::make_unique<T>(std::move(value))) {}  // NOLINT(google-explicit-constructor)
  Box(const Box& other) : held_(other.held_ ? std::make_unique<T>(*other.held_) : nullptr) {}
  Box(Box&&) noexcept = default;
  Box& operator=(const Box& other) {
    if (this != &other) *this = Box(other);
    return *this;
  }
  Box& operator=(Box&&) noexcept = default;
  ~Box() = default;

  [[nodiscard]] const T& operator*() const { return held_ ? *held_ : fresh(); }
  [[nodiscard]] const T* operator->() const { return &**this; }
  [[nodiscard]] T& operator*() {
    if (!held_) held_ = std::make_unique<T>();
    return *held_;
  }
  [[nodiscard]] T* operator->() { return &**this; }

  friend bool operator==(const Box& a, const Box& b) { return a.held_ == b.held_ || *a == *b; }

 private:
  static const T& fresh() {
    static const T value{};
    return value;
  }

  std::unique_ptr<T> held_;  // null stands for T{}
};

}  // namespace pintle
