// SPDX-License-Identifier: Apache-2.0
#include <pintle/json/yaml_entries.hpp>

#include <algorithm>
#include <utility>

#include "yaml_events.hpp"
#include "yaml_scalar.hpp"

namespace pintle::json {
namespace {

class EntryReader {
 public:
  explicit EntryReader(std::string_view text) : text_(text) {}

  Result<void> take(fy_event& event) {
    const fy_mark* mark = fy_event_start_mark(&event);
    switch (event.type) {
      case FYET_DOCUMENT_START:
        if (std::exchange(begun_, true)) return yaml_error_at(mark, "there must be only one document");
        return {};
      case FYET_MAPPING_START:
        if (column_) return not_a_scalar(mark, "a mapping");
        column_ = static_cast<std::size_t>(mark->column);
        return {};
      case FYET_SEQUENCE_START: return not_a_scalar(mark, "a list");
      case FYET_ALIAS: return not_a_scalar(mark, "an alias");
      case FYET_SCALAR: return scalar(event);
      default: return {};
    }
  }

  std::vector<YamlEntry> release() { return std::move(entries_); }

 private:
  Result<void> not_a_scalar(const fy_mark* mark, const std::string& what) const {
    if (!column_) return yaml_error_at(mark, "expected KEY: VALUE on each line, got " + what);
    if (!has_key_) return yaml_error_at(mark, "a key must be a scalar");
    return yaml_error_at(mark, entries_.back().key + " must have a single value, not " + what);
  }

  Result<void> scalar(fy_event& event) {
    const fy_mark* mark = fy_event_start_mark(&event);
    auto text = scalar_text(text_, event, column_);
    if (!text) return fail(std::move(text.error()));
    const bool is_null = is_plain_scalar(event) && event.scalar.tag == nullptr && is_null_text(*text);
    if (!column_) return is_null ? Result<void>() : not_a_scalar(mark, "a single text");
    return has_key_ ? put_value(is_null, std::move(*text)) : put_key(mark, std::move(*text));
  }

  static bool is_null_text(const std::string& text) {
    const auto value = plain_scalar(text);
    return value && value->is_null();
  }

  Result<void> put_key(const fy_mark* mark, std::string key) {
    const bool is_there =
        std::any_of(entries_.begin(), entries_.end(), [&](const auto& one) { return one.key == key; });
    if (is_there) return yaml_error_at(mark, "duplicate key \"" + key + "\"");
    entries_.push_back({.key = std::move(key), .line = mark->line + 1});
    has_key_ = true;
    return {};
  }

  Result<void> put_value(bool is_null, std::string text) {
    has_key_ = false;
    if (!is_null) entries_.back().text = std::move(text);
    return {};
  }

  std::string_view text_;
  bool begun_ = false;
  bool has_key_ = false;
  std::optional<std::size_t> column_{};  // the column of the mapping; nothing before it begins
  std::vector<YamlEntry> entries_;
};

}  // namespace

Result<std::vector<YamlEntry>> parse_yaml_entries(std::string_view text) {
  EntryReader reader(text);
  auto read = read_yaml_events(text, [&](fy_event& event) { return reader.take(event); });
  if (!read) return fail(std::move(read.error()));
  return reader.release();
}

}  // namespace pintle::json
