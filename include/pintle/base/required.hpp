// SPDX-License-Identifier: Apache-2.0
// Required: a member without default, for options structs.
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

namespace pintle {

/// A value that must be given. Code that omits it does not compile.
template <class T>
class Required {
 public:
  template <class U>
    requires std::constructible_from<T, U> && (!std::same_as<std::remove_cvref_t<U>, Required>)
  Required(U&& value) : value_(std::forward<U>(value)) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] const T& value() const noexcept { return value_; }

 private:
  T value_;
};

}  // namespace pintle
