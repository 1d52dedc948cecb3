// SPDX-License-Identifier: Apache-2.0
// OptionalBox: an optional value on the heap.
#pragma once

#include <optional>
#include <utility>

namespace pintle {

namespace internal {

/// Owns one value of an erased type, or none. It replaces std::unique_ptr, because <memory> would take a tenth of the
/// compile time of a header of generated types.
class Owned {
 public:
  Owned() noexcept = default;
  Owned(void* value, void (*destroy)(void*)) noexcept : value_(value), destroy_(destroy) {}
  Owned(Owned&& other) noexcept : value_(std::exchange(other.value_, nullptr)), destroy_(other.destroy_) {}
  Owned& operator=(Owned other) noexcept {
    std::swap(value_, other.value_);
    std::swap(destroy_, other.destroy_);
    return *this;
  }
  ~Owned() {
    if (value_ != nullptr) destroy_(value_);
  }

  [[nodiscard]] void* get() const noexcept { return value_; }

 private:
  void* value_ = nullptr;
  void (*destroy_)(void*) = nullptr;
};

}  // namespace internal

/// Behaves as a std::optional<T>: copying copies the value, a const OptionalBox gives const access, and access to the
/// value of an empty one is undefined. It has the size of two pointers for every T. T may be incomplete where the
/// OptionalBox is declared. It adds almost no compile time. Generated types use it, because they have hundreds of
/// optional structs, many of them large and most of them empty. A plain value.
template <class T>
class OptionalBox {
 public:
  OptionalBox() noexcept = default;
  OptionalBox(std::nullopt_t) noexcept {}                              // NOLINT(google-explicit-constructor)
  OptionalBox(const T& value) : held_(new T(value), destroy) {}        // NOLINT(google-explicit-constructor)
  OptionalBox(T&& value) : held_(new T(std::move(value)), destroy) {}  // NOLINT(google-explicit-constructor)
  OptionalBox(const OptionalBox& other) {
    if (other) *this = OptionalBox(*other);
  }
  OptionalBox(OptionalBox&& other) noexcept = default;
  OptionalBox& operator=(OptionalBox other) noexcept {
    held_ = std::move(other.held_);
    return *this;
  }
  ~OptionalBox() = default;

  /// Replaces the value by T{}.
  T& emplace() {
    held_ = internal::Owned(new T(), destroy);
    return **this;
  }
  void reset() noexcept { held_ = internal::Owned(); }

  [[nodiscard]] bool has_value() const noexcept { return held_.get() != nullptr; }
  explicit operator bool() const noexcept { return has_value(); }
  [[nodiscard]] const T& operator*() const noexcept { return *static_cast<const T*>(held_.get()); }
  [[nodiscard]] const T* operator->() const noexcept { return &**this; }
  [[nodiscard]] T& operator*() noexcept { return *static_cast<T*>(held_.get()); }
  [[nodiscard]] T* operator->() noexcept { return &**this; }

  friend bool operator==(const OptionalBox& a, const OptionalBox& b) {
    return a.has_value() == b.has_value() && (!a || *a == *b);
  }

 private:
  static void destroy(void* value) { delete static_cast<T*>(value); }

  internal::Owned held_;  // the same type for all T, so that it is not instantiated for each T
};

}  // namespace pintle
