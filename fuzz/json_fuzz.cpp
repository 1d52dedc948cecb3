// What parses prints, and the print parses to the same.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <pintle/json/document.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto parsed = pintle::json::Document::parse({reinterpret_cast<const char*>(data), size});
  if (!parsed) return 0;
  const auto again = pintle::json::Document::parse(parsed->root().print());
  if (!again || !(again->root() == parsed->root())) std::abort();
  return 0;
}
