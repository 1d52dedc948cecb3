// SPDX-License-Identifier: Apache-2.0
// Choice: a member with an enumeration type, which code can also set to the JSON text of a value.
//
//   struct Spec {
//     pintle::Choice<Mode> mode = "Fast";  // a text that names no value of Mode does not compile
//   };
#pragma once

#include <cstddef>
#include <string_view>

namespace pintle {

namespace internal {

/// Not constexpr, so that a call of it at compile time is an error, which shows its name.
inline void this_text_is_not_a_value_of_the_enumeration() {}

/// Returns the value of a text. `texts` are the texts of all values from 1, such as "Always|IfNotPresent|Never".
constexpr std::size_t value_in(std::string_view texts, std::string_view text) {
  for (std::size_t value = 1;; ++value) {
    const std::size_t end = texts.find('|');
    if (texts.substr(0, end) == text) return value;
    if (end == std::string_view::npos) break;
    texts.remove_prefix(end + 1);
  }
  this_text_is_not_a_value_of_the_enumeration();
  return 0;
}

// Not consteval, because clang 16 also generates code for the calls of consteval functions in initializers of members.
template <class Enum>
constexpr Enum value_of(std::string_view text) {
  if constexpr (requires { enum_texts(Enum{}); }) {
    return static_cast<Enum>(value_in(enum_texts(Enum{}), text));
  } else {
    for (const auto& [value, its_text] : enum_names(Enum{})) {
      if (its_text == text) return value;
    }
    this_text_is_not_a_value_of_the_enumeration();
    return {};
  }
}

}  // namespace internal

/// A value of an enumeration whose enum_names() is constexpr, or of a generated type. It converts from an enumerator
/// and to the enumeration, and is compared with enumerators and with texts. A text must be a literal that is known at
/// compile time; to_string() returns it. A plain value of the size of the enumeration; initially Enum{}.
template <class Enum>
class Choice {
 public:
  constexpr Choice() noexcept = default;
  constexpr Choice(Enum value) noexcept : value_(value) {}                        // NOLINT(google-explicit-constructor)
  consteval Choice(const char* text) : value_(internal::value_of<Enum>(text)) {}  // NOLINT(google-explicit-constructor)
  constexpr operator Enum() const noexcept { return value_; }                     // NOLINT(google-explicit-constructor)

  friend constexpr bool operator==(Choice a, Choice b) noexcept { return a.value_ == b.value_; }
  friend constexpr bool operator==(Choice a, Enum b) noexcept { return a.value_ == b; }

 private:
  Enum value_{};
};

}  // namespace pintle
