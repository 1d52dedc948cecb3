// SPDX-License-Identifier: Apache-2.0
// The limits of what a JSON patch may make of a document.
#pragma once

#include <cstddef>
#include <string_view>

#include <pintle/json/value.hpp>

namespace pintle::json {

// The maximum number of bytes that the copy operations of one patch add. Each copy can double the size of the document.
inline constexpr std::size_t max_bytes_copied = std::size_t{16} << 20U;  // kube-apiserver accepts 3 MiB of patch text

// The approximate size of a value in bytes, and how deeply its lists and objects are nested.
struct Extent {
  std::size_t bytes = sizeof(Value);
  std::size_t depth = 0;
};
[[nodiscard]] Extent extent_of(const Value& value);

// Returns whether a value at this place keeps the document within its maximum depth.
[[nodiscard]] bool is_shallow(std::string_view pointer, const Value& value);

}  // namespace pintle::json
