// SPDX-License-Identifier: Apache-2.0
// Structs whose fields() is only declared in the header. A source file defines it with the functions of
// field_table.hpp:
//
//   struct Spec {
//     enum class Mode { fast, slow };
//     friend EnumTable enum_names(Mode);
//     Mode mode{};
//     static FieldTable fields();
//   };
//
// Headers with many structs compile faster this way.
#pragma once

#include <span>

namespace pintle {

namespace internal {
struct Member;
struct EnumName;
}  // namespace internal

using FieldTable = std::span<const internal::Member>;   ///< the fields of a struct
using EnumTable = std::span<const internal::EnumName>;  ///< the names of an enumeration

}  // namespace pintle
