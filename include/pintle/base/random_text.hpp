// SPDX-License-Identifier: Apache-2.0
// random_text(): passwords, keys and other secrets.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <pintle/base/annotations.hpp>
#include <pintle/base/executor.hpp>

namespace pintle {

inline constexpr std::string_view letters_and_digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/// Returns `length` characters that are chosen from `alphabet` independently and with equal probability, from
/// Executor::secure_random(). The default length and alphabet give 190 bits of entropy. `alphabet` must have between 1
/// and 256 characters; otherwise the result is empty. In a simulation the text depends only on the seed.
[[nodiscard]] PINTLE_EXPORT std::string random_text(Executor& executor, std::size_t length = 32,
                                                    std::string_view alphabet = letters_and_digits);

}  // namespace pintle
