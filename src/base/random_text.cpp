// SPDX-License-Identifier: Apache-2.0
#include <pintle/base/random_text.hpp>

#include <cstdint>

namespace pintle {

std::string random_text(Executor& executor, std::size_t length, std::string_view alphabet) {
  constexpr std::size_t values = 256;  // of a byte
  if (alphabet.empty() || alphabet.size() > values) return {};
  const std::size_t fair = values - values % alphabet.size();  // bytes from here on would prefer the first characters
  std::string text;
  text.reserve(length);
  while (text.size() < length) {
    std::uint64_t bits = executor.secure_random();
    for (std::size_t i = 0; i < sizeof bits && text.size() < length; ++i, bits >>= 8U) {
      const std::size_t byte = bits & 0xffU;
      if (byte < fair) text += alphabet[byte % alphabet.size()];
    }
  }
  return text;
}

}  // namespace pintle
