// OptionalBox: an optional struct in a place of its own.
#pragma once

#include <optional>
#include <utility>

namespace pintle {

namespace described {

// Owns one value whose type is forgotten, or none. What std::unique_ptr does, without <memory>, which would be a tenth
// of what a header of generated types costs the compiler.
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

}  // namespace described

// Behaves as a std::optional<T>: copying copies what is in it, const reaches into it, and reading an empty one is
// undefined. It takes two pointers of room however large T is, T may be incomplete where it is declared, and it costs
// the compiler next to nothing: generated types have hundreds of optional structs, many of them large and most of them
// empty. A plain value.
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

  // Puts T{} in the place of what was there.
  T& emplace() {
    held_ = described::Owned(new T(), destroy);
    return **this;
  }
  void reset() noexcept { held_ = described::Owned(); }

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

  described::Owned held_;  // one type for all T: none of it is instantiated anew
};

}  // namespace pintle
