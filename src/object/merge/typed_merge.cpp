// SPDX-License-Identifier: Apache-2.0
// The merge of server-side apply: writes the values of a configuration into an object.
#include <utility>

#include <fmt/format.h>

#include "merge_schema.hpp"
#include "text_index.hpp"
#include "typed_walk.hpp"

namespace pintle {
namespace {

using json::array;
using json::Value;
using json::View;

Result<Value> merge_values(const Value* base, const Value& overlay, View schema, const std::string& path, bool root);

Result<Value> merge_maps(const json::object* base, const json::object& overlay, View schema, const std::string& path,
                         bool root) {
  json::object out = base == nullptr ? json::object() : *base;
  for (const auto& [name, value] : overlay) {
    const Value* below = base == nullptr ? nullptr : base->if_contains(name);
    auto merged = merge_values(below, value, member_schema(schema, name, root),
                               fmt::format("{}.{}", path, std::string_view(name)), false);
    if (!merged) return merged;
    out[name] = std::move(*merged);
  }
  return Value(std::move(out));
}

// Returns the items of the overlay in their order. An item that only the base has stays before the shared item that it
// precedes in the base.
Result<Value> merge_lists(const array& base, const std::vector<std::string>& base_items, const array& overlay,
                          const std::vector<std::string>& overlay_items, View schema, const std::string& path) {
  const TextIndex base_index(base_items);
  const TextIndex overlay_index(overlay_items);
  array out;
  std::size_t next = 0;
  const auto emit = [&](std::size_t at) -> Result<void> {
    const auto below = base_index.find(overlay_items[at]);
    auto merged = merge_values(below ? &base[*below] : nullptr, overlay[at], schema.member("items"),
                               fmt::format("{}[{}]", path, overlay_items[at]), false);
    if (!merged) return fail(std::move(merged.error()));
    out.push_back(std::move(*merged));
    return {};
  };
  for (std::size_t i = 0; i < base.size(); ++i) {
    const auto shared = overlay_index.find(base_items[i]);
    if (!shared) {
      out.push_back(base[i]);
      continue;
    }
    for (; next <= *shared && next < overlay.size(); ++next) {
      if (auto done = emit(next); !done) return fail(std::move(done.error()));
    }
  }
  for (; next < overlay.size(); ++next) {
    if (auto done = emit(next); !done) return fail(std::move(done.error()));
  }
  return Value(std::move(out));
}

Result<Value> merge_values(const Value* base, const Value& overlay, View schema, const std::string& path, bool root) {
  if (overlay.is_object() && !is_atomic_map(schema)) {
    return merge_maps(base == nullptr ? nullptr : base->if_object(), overlay.get_object(), schema, path, root);
  }
  if (!overlay.is_array() || list_type(schema) == ListType::atomic) return overlay;
  const auto overlay_items = list_elements(overlay.get_array(), schema);
  if (!overlay_items) {
    return fail(ErrorCode::invalid, fmt::format("{}: an item lacks its key or has the key of another item", path));
  }
  const array* below = base == nullptr ? nullptr : base->if_array();
  const auto base_items = below == nullptr ? std::vector<std::string>() : list_elements(*below, schema);
  if (below != nullptr && !base_items) return overlay;
  return merge_lists(below == nullptr ? array() : *below, *base_items, overlay.get_array(), *overlay_items, schema,
                     path);
}

}  // namespace

Result<Value> merge_typed(const Value& base, const Value& overlay, View schema) {
  return merge_values(&base, overlay, schema, "", true);
}

}  // namespace pintle
