// The little of CEL that we write ourselves, and therefore also understand.
#pragma once

#include <string>
#include <string_view>

namespace pintle {

// The name of a member in CEL, where some characters and words are spelled out: "x-y" is x__dash__y.
[[nodiscard]] std::string cel_name(std::string_view member);

// The rules of a field that is immutable: on itself, and on what it is a member of.
inline constexpr std::string_view cel_same = "self == oldSelf";
[[nodiscard]] std::string cel_stays(std::string_view cel_name);

}  // namespace pintle
