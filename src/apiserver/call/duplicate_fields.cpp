// SPDX-License-Identifier: Apache-2.0
#include "duplicate_fields.hpp"

#include <algorithm>
#include <cstddef>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <pintle/base/utf8.hpp>
#include <pintle/json/value.hpp>

#include "apiserver/registry/place.hpp"
#include "json/yaml/yaml_duplicates.hpp"
#include "negotiate.hpp"

namespace pintle::apiserver {
namespace {

// The names that an object has had so far.
class Names {
 public:
  // Returns false if the name was there.
  bool add(std::string_view name) {
    if (few_.size() < 32) {
      if (std::find(few_.begin(), few_.end(), name) != few_.end()) return false;
      few_.push_back(name);
      return true;
    }
    if (many_.empty()) many_.insert(few_.begin(), few_.end());
    return many_.insert(name).second;
  }

 private:
  std::vector<std::string_view> few_;
  std::unordered_set<std::string_view> many_;  // of an object with many names, all of them
};

// Walks over JSON that has not been parsed yet. At an error in it, the walk ends.
class Walker {
 public:
  explicit Walker(std::string_view text) : rest_(text) {}

  std::vector<std::string> run() && {
    value(Place());
    return std::move(found_);
  }

 private:
  void value(const Place& path) {
    skip_spaces();
    if (rest_.empty()) return;
    if (rest_.front() == '{' || rest_.front() == '[') {
      if (++depth_ > json::max_depth) return end_walk();  // the parser refuses such a body
      rest_.front() == '{' ? object(path) : list(path);
      --depth_;
      return;
    }
    if (rest_.front() == '"') {
      (void)text();
      return;
    }
    const std::size_t size = std::min(rest_.find_first_of(",]} \t\r\n"), rest_.size());
    if (size == 0) return end_walk();
    rest_.remove_prefix(size);
  }

  void object(const Place& path) {
    Names names;
    rest_.remove_prefix(1);
    while (next('}')) {
      const std::string_view name = text();
      const Place place(path, name);
      if (!names.add(name) && found_.size() < max_field_errors)
        found_.push_back(fmt::format("duplicate field \"{}\"", place.print(max_shown_path)));
      skip_spaces();
      if (!rest_.empty()) rest_.remove_prefix(1);  // the colon
      value(place);
    }
  }

  void list(const Place& path) {
    rest_.remove_prefix(1);
    for (std::size_t i = 0; next(']'); ++i) value(Place(path, i));
  }

  // Skips the comma before the next member or element. Returns false at the end, which it skips.
  bool next(char end) {
    skip_spaces();
    if (!rest_.empty() && rest_.front() == ',') rest_.remove_prefix(1);
    skip_spaces();
    if (!rest_.empty() && rest_.front() != end) return true;
    if (!rest_.empty()) rest_.remove_prefix(1);
    return false;
  }

  // Returns a text without its quotes; escapes stay as they are.
  std::string_view text() {
    rest_.remove_prefix(1);
    std::size_t end = 0;
    while (end < rest_.size() && rest_[end] != '"') end += rest_[end] == '\\' ? 2 : 1;
    const std::string_view out = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    return out;
  }

  void end_walk() { rest_ = {}; }

  void skip_spaces() { rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size())); }

  std::string_view rest_;
  std::size_t depth_ = 0;
  std::vector<std::string> found_;
};

// False if YAML may read a number in another way: 1.0 and 1e2 are integers there.
bool is_read_alike(const json::Value& value) {
  if (value.is_double() || value.is_uint64()) return false;
  if (const json::object* object = value.if_object()) {
    return std::all_of(object->begin(), object->end(), [](const auto& one) { return is_read_alike(one.value()); });
  }
  const json::array* list = value.if_array();
  return list == nullptr || std::all_of(list->begin(), list->end(), is_read_alike);
}

// False also for a text with escapes, because two names that differ may then be equal.
bool is_json_without_duplicates(std::string_view text) {
  return text.starts_with('{') && text.find('\\') == std::string_view::npos && json::parse(text) &&
         Walker(text).run().empty();
}

// True for "---" or "..." alone on a line, or before a space.
bool is_marker(std::string_view line, std::string_view mark) {
  return line.starts_with(mark) && line.find_first_of(" \t\r\n", mark.size()) == std::min(mark.size(), line.size());
}

// Returns the text up to the end of its first document. kube-apiserver does not read the others.
std::string_view first_document(std::string_view text) {
  bool has_begun = false;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    const std::string_view line = text.substr(begin, end - begin);
    const bool is_start = is_marker(line, "---");
    if (has_begun && (is_start || is_marker(line, "..."))) return text.substr(0, begin);
    const std::size_t content = line.find_first_not_of(" \t\r\n");
    has_begun = has_begun || is_start || (content != std::string_view::npos && line[content] != '#' && line[0] != '%');
    begin = end;
  }
  return text;
}

}  // namespace

std::vector<std::string> duplicate_fields_in_json(std::string_view text) { return Walker(text).run(); }

Result<json::Value> parse_yaml_body(std::string_view text) {
  if (text.starts_with('{')) {
    if (auto value = json::parse(text); value && is_read_alike(*value)) return value;
  }
  std::vector<json::YamlDuplicate> duplicates;
  return json::parse_yaml(first_document(text), duplicates);
}

std::vector<std::string> duplicate_fields(const http::Request& request) {
  const std::string type = media_type(request.headers.get("Content-Type").value_or("application/json"));
  if (type == "application/json" || type.ends_with("merge-patch+json") || type.empty())
    return duplicate_fields_in_json(request.body);
  if (type == "application/json-patch+json") {
    std::vector<std::string> out = duplicate_fields_in_json(request.body);
    for (std::string& error : out) error.insert(0, "json patch ");
    return out;
  }
  std::vector<std::string> out;
  if (type.find("yaml") == std::string::npos) return out;
  if (is_json_without_duplicates(request.body)) return out;
  std::vector<json::YamlDuplicate> duplicates;
  if (!json::parse_yaml(first_document(request.body), duplicates)) return out;
  for (const json::YamlDuplicate& one : duplicates) {
    if (out.size() == max_field_errors) break;
    out.push_back(
        fmt::format("line {}: key \"{}\" already set in map", one.line, truncate_utf8(one.key, max_shown_path)));
  }
  return out;
}

}  // namespace pintle::apiserver
