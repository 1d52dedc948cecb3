// SPDX-License-Identifier: Apache-2.0
// Reads two documents and a patch, one in each line. The difference of the documents converts the first to the second,
// and a patch that fails leaves its document unchanged.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <pintle/json/document.hpp>
#include <pintle/json/patch.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace json = pintle::json;
  std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto line = [&text] {
    const auto end = text.find('\n');
    auto parsed = json::parse(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    return parsed;
  };
  const auto from = line();
  const auto to = line();
  const auto patch = line();
  if (!from || !to) return 0;
  json::Value changed = *from;
  if (!json::apply_patch(changed, json::diff(*from, *to).operations)) std::abort();
  if (!(json::Document(changed).root() == json::Document(*to).root())) std::abort();
  if (patch && patch->is_array()) {
    json::Value patched = *from;
    if (!json::apply_patch(patched, patch->as_array()) && patched != *from) std::abort();
    json::apply_merge_patch(patched, *to);
  }
  return 0;
}
