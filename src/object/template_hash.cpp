// SPDX-License-Identifier: Apache-2.0
#include <pintle/object/template_hash.hpp>

#include <array>
#include <cstdint>
#include <string_view>

namespace pintle {

std::string template_hash(json::View value) {
  // The letters and digits that the names of Kubernetes use for hashes: no vowels, so that no words arise.
  constexpr std::string_view letters = "bcdfghjklmnpqrstvwxz2456789";
  constexpr std::size_t length = 10;
  std::string text;
  std::uint64_t rest = value.hash();
  for (std::size_t i = 0; i < length; ++i, rest /= letters.size()) text += letters[rest % letters.size()];
  return text;
}

}  // namespace pintle
