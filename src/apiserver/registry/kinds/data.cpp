// SPDX-License-Identifier: Apache-2.0
#include "data.hpp"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "apiserver/registry/names/name_rules.hpp"
#include "apiserver/registry/values.hpp"

namespace pintle::apiserver {
namespace {

constexpr std::size_t max_data_size = std::size_t{1} << 20U;

std::size_t decoded_size(std::string_view base64) {
  const std::size_t padding = base64.ends_with("==") ? 2 : base64.ends_with("=") ? 1 : 0;
  return base64.size() / 4 * 3 - std::min(padding, base64.size() / 4 * 3);
}

std::size_t size_of(const json::Value& object, std::string_view map, bool is_base64) {
  const json::Value* data = member(object, map);
  if (data == nullptr || !data->is_object()) return 0;
  std::size_t size = 0;
  for (const auto& [key, value] : data->get_object()) {
    const std::string_view text = text_at(value, "");
    size += is_base64 ? decoded_size(text) : text.size();
  }
  return size;
}

}  // namespace

void check_data_size(const json::Value& object, std::string_view field, std::initializer_list<std::string_view> texts,
                     std::initializer_list<std::string_view> bytes, std::vector<StatusCause>& causes) {
  std::size_t size = 0;
  for (const std::string_view map : texts) size += size_of(object, map, false);
  for (const std::string_view map : bytes) size += size_of(object, map, true);
  if (size <= max_data_size) return;
  causes.push_back({.reason = "FieldValueTooLong",
                    .message = fmt::format("Too long: may not be more than {} bytes", max_data_size),
                    .field = std::string(field)});
}

void check_data_keys(const json::Value& object, std::string_view map, std::vector<StatusCause>& causes) {
  const json::Value* data = member(object, map);
  if (data == nullptr || !data->is_object()) return;
  for (const auto& [key, value] : data->get_object()) {
    const std::string_view name = key;
    add_errors(fmt::format("{}[{}]", map, name), name, data_key_errors(name), causes);
  }
}

void check_immutable_data(const json::Value& next, const json::Value& old, std::initializer_list<std::string_view> maps,
                          std::vector<StatusCause>& causes) {
  const json::Value* was = member(old, "immutable");
  if (was == nullptr || *was != json::Value(true)) return;
  constexpr std::string_view why = "field is immutable when `immutable` is set";
  const json::Value* is = member(next, "immutable");
  if (is == nullptr || *is != json::Value(true)) causes.push_back(forbidden_field("immutable", why));
  for (const std::string_view map : maps) {
    const json::Value* before = member(old, map);
    const json::Value* after = member(next, map);
    const bool same = before == nullptr || after == nullptr ? before == after : json::equal(*before, *after);
    if (!same) causes.push_back(forbidden_field(std::string(map), why));
  }
}

std::int64_t count_data(json::View object, std::initializer_list<std::string_view> maps) {
  std::size_t count = 0;
  for (const std::string_view map : maps) count += object.member(map).size();
  return static_cast<std::int64_t>(count);
}

}  // namespace pintle::apiserver
