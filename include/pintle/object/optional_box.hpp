// OptionalBox: an optional struct in a place of its own.
#pragma once

#include <memory>
#include <optional>
#include <utility>

namespace pintle {

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
  OptionalBox(OptionalBox&& other) noexcept { held_.swap(other.held_); }
  OptionalBox& operator=(OptionalBox other) noexcept {
    held_.swap(other.held_);
    return *this;
  }
  ~OptionalBox() = default;

  // Puts T{} in the place of what was there.
  T& emplace() {
    held_ = Held(new T(), destroy);
    return **this;
  }
  void reset() noexcept { held_.reset(); }

  [[nodiscard]] bool has_value() const noexcept { return held_ != nullptr; }
  explicit operator bool() const noexcept { return has_value(); }
  [[nodiscard]] const T& operator*() const noexcept { return *static_cast<const T*>(held_.get()); }
  [[nodiscard]] const T* operator->() const noexcept { return &**this; }
  [[nodiscard]] T& operator*() noexcept { return *static_cast<T*>(held_.get()); }
  [[nodiscard]] T* operator->() noexcept { return &**this; }

  friend bool operator==(const OptionalBox& a, const OptionalBox& b) {
    return a.has_value() == b.has_value() && (!a || *a == *b);
  }

 private:
  // One type for all T, so that none of it is instantiated anew.
  using Held = std::unique_ptr<void, void (*)(void*)>;
  static void destroy(void* value) { delete static_cast<T*>(value); }

  Held held_{nullptr, nullptr};
};

}  // namespace pintle
