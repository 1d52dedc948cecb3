// SPDX-License-Identifier: Apache-2.0
// The CEL rules of immutable fields.
#pragma once

#include <string>
#include <string_view>

namespace pintle {

// The name of a member in CEL, with some characters and reserved words escaped: "x-y" is x__dash__y.
[[nodiscard]] std::string cel_name(std::string_view member);

// The rules of an immutable field: cel_same for the field itself, cel_stays() for the object that contains it.
inline constexpr std::string_view cel_same = "self == oldSelf";
[[nodiscard]] std::string cel_stays(std::string_view cel_name);

}  // namespace pintle
