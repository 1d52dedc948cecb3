// SPDX-License-Identifier: Apache-2.0
// Schema: the OpenAPI v3 structural schema of a described struct.
#pragma once

#include <string_view>

#include <pintle/base/annotations.hpp>
#include <pintle/json/value.hpp>
#include <pintle/object/described.hpp>
#include <pintle/object/fields.hpp>

namespace pintle {

namespace internal {

PINTLE_EXPORT json::Value kind_schema(const Layout& layout, const void* fresh, std::string_view description);

/// Returns T::description, or "" if the kind has none.
template <class T>
constexpr std::string_view description_of() {
  if constexpr (requires { std::string_view(T::description); }) return T::description;
  return {};
}

}  // namespace internal

/// Returns the schema of a kind: its members with their descriptions, rules and defaults. The initializer of a member
/// is its default if it differs from the initial value of its type. `static constexpr std::string_view description` in
/// the struct is the description of the kind.
template <Described T>
[[nodiscard]] json::Value schema_of() {
  const T fresh{};
  return internal::kind_schema(internal::kind_layout_of<T>, &fresh, internal::description_of<T>());
}

/// Returns the schema of a struct with fields().
template <HasFields T>
  requires(!Described<T>)
[[nodiscard]] json::Value schema_of() {
  return internal::Operations<T>::schema();
}

}  // namespace pintle
