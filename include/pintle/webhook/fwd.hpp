// SPDX-License-Identifier: Apache-2.0
// Forward declarations of the admissions. The definitions are in admission.hpp.
#pragma once

#include <concepts>

#include <pintle/object/fields.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

template <class T>
concept Admissible = Described<T> || std::same_as<T, Object>;

template <Admissible T>
struct Admission;  // defined in <pintle/webhook/admission.hpp>
struct AnyAdmission;

}  // namespace pintle
