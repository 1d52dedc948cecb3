// SPDX-License-Identifier: Apache-2.0
// Parses any text as YAML. If it parses, its printed form parses to an equal value.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <pintle/json/value.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto parsed = pintle::json::parse_yaml({reinterpret_cast<const char*>(data), size});
  if (!parsed) return 0;
  const auto again = pintle::json::parse_yaml(pintle::json::print_yaml(*parsed));
  if (!again || *again != *parsed) std::abort();
  return 0;
}
