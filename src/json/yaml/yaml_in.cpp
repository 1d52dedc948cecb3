// SPDX-License-Identifier: Apache-2.0
// Builds values from the events of libfyaml.
#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <pintle/json/value.hpp>

#include "yaml_duplicates.hpp"
#include "yaml_events.hpp"
#include "yaml_scalar.hpp"

namespace pintle::json {
namespace {

// The maximum number of values that anchors, aliases and merge keys add to one stream: enough for text that people
// write, but a protection against expansion bombs.
constexpr std::size_t max_aliased = 200'000;

// A complete value, and the cost of a copy.
struct Node {
  Value value{};
  std::size_t weight = 1;
  std::size_t depth = 0;
};

// A list or mapping that is being read.
struct Frame {
  Node node{};
  bool is_mapping = false;
  bool has_key = false;
  bool key_is_merge = false;
  std::string key{};
  std::string anchor{};
  std::size_t column = 0;  // the column of its first character
  std::vector<Node> merged{};
};

// Builds values from the events of a stream, one for each document.
class YamlReader {
 public:
  YamlReader(std::string_view text, std::vector<YamlDuplicate>* duplicates) : text_(text), duplicates_(duplicates) {}

  Result<void> take(fy_event& event) {
    switch (event.type) {
      case FYET_DOCUMENT_START:
        anchors_.clear();
        done_ = false;
        return {};
      case FYET_DOCUMENT_END: return finish_document();
      case FYET_MAPPING_START: return open(event, true, event.mapping_start.anchor);
      case FYET_SEQUENCE_START: return open(event, false, event.sequence_start.anchor);
      case FYET_MAPPING_END:
      case FYET_SEQUENCE_END: return close(event);
      case FYET_SCALAR: return scalar(event);
      case FYET_ALIAS: return alias(event);
      default: return {};
    }
  }

  array release() { return std::move(documents_); }

 private:
  Result<void> finish_document() {
    if (!root_.is_null()) documents_.push_back(std::move(root_));
    root_ = nullptr;
    return {};
  }

  Result<void> open(fy_event& event, bool is_mapping, fy_token* anchor) {
    if (frames_.size() >= max_depth) {
      return yaml_error_at(fy_event_start_mark(&event), "nested deeper than " + std::to_string(max_depth) + " levels");
    }
    if (!frames_.empty() && frames_.back().is_mapping && !frames_.back().has_key) {
      return yaml_error_at(fy_event_start_mark(&event), "a key must be a scalar");
    }
    Frame& frame = frames_.emplace_back();
    frame.is_mapping = is_mapping;
    frame.anchor = text_of(anchor);
    if (const fy_mark* mark = fy_event_start_mark(&event)) frame.column = static_cast<std::size_t>(mark->column);
    if (is_mapping) {
      frame.node.value.emplace_object();
    } else {
      frame.node.value.emplace_array();
    }
    return {};
  }

  Result<void> close(fy_event& event) {
    Frame frame = std::move(frames_.back());
    frames_.pop_back();
    for (Node& source : frame.merged) merge(frame.node, std::move(source));
    return put(event, std::move(frame.node), frame.anchor, false);
  }

  Result<void> scalar(fy_event& event) {
    auto text = scalar_text(text_, event, frames_.empty() ? std::nullopt : std::optional(frames_.back().column));
    if (!text) return fail(std::move(text.error()));
    const bool is_plain = is_plain_scalar(event);
    const std::string tag = text_of(event.scalar.tag);
    auto value = tag.empty() ? (is_plain ? plain_scalar(*text) : Result<Value>(Value(*text))) : tagged(tag, *text);
    if (!value) return yaml_error_at(fy_event_start_mark(&event), value.error().message);
    const bool is_merge_key = is_plain && tag.empty() && *text == "<<";
    return put(event, Node{std::move(*value), 1 + text->size() / 64, 0}, text_of(event.scalar.anchor), is_merge_key);
  }

  static Result<Value> tagged(const std::string& tag, const std::string& text) {
    constexpr std::string_view prefix = "tag:yaml.org,2002:";
    const std::string name = tag.starts_with(prefix) ? tag.substr(prefix.size()) : "";
    if (name != "int" && name != "float" && name != "bool" && name != "null") return Value(text);
    auto value = plain_scalar(text);
    if (!value) return value;
    const bool fits = (name == "null" && value->is_null()) || (name == "bool" && value->is_bool()) ||
                      (name == "float" && value->is_number()) ||
                      (name == "int" && (value->is_int64() || value->is_uint64()));
    if (!fits) return fail(ErrorCode::invalid, "\"" + text + "\" is not a valid " + name);
    return value;
  }

  Result<void> alias(fy_event& event) {
    const std::string name = text_of(event.alias.anchor);
    const auto found = anchors_.find(name);
    if (found == anchors_.end()) {
      return yaml_error_at(fy_event_start_mark(&event), "there is no anchor \"" + name + "\" before this alias");
    }
    if (!may_copy(found->second.weight))
      return yaml_error_at(fy_event_start_mark(&event), "anchors and aliases expand to more than 200000 values");
    return put(event, found->second, "", false);
  }

  bool may_copy(std::size_t weight) {
    copied_ += weight;
    return copied_ <= max_aliased;
  }

  // Adds a complete value to the innermost open list or mapping, as a key, a member or an element. Without one, the
  // value is the document.
  Result<void> put(fy_event& event, Node node, const std::string& anchor, bool is_merge_key) {
    const fy_mark* mark = fy_event_start_mark(&event);
    if (frames_.size() + node.depth > max_depth)
      return yaml_error_at(mark, "nested deeper than " + std::to_string(max_depth) + " levels");
    if (!anchor.empty()) {
      if (!may_copy(node.weight)) return yaml_error_at(mark, "anchors and aliases expand to more than 200000 values");
      anchors_[anchor] = node;
    }
    if (frames_.empty()) {
      if (done_) return yaml_error_at(mark, "the document has a second value");
      done_ = true;
      root_ = std::move(node.value);
      return {};
    }
    Frame& frame = frames_.back();
    if (!frame.is_mapping) {
      count(frame.node, node);
      frame.node.value.get_array().push_back(std::move(node.value));
      return {};
    }
    return frame.has_key ? put_member(frame, mark, std::move(node)) : put_key(frame, mark, node.value, is_merge_key);
  }

  static void count(Node& parent, const Node& child) {
    parent.weight += child.weight;
    parent.depth = std::max(parent.depth, child.depth + 1);
  }

  Result<void> put_key(Frame& frame, const fy_mark* mark, const Value& key, bool is_merge_key) {
    auto text = key_text(key);
    if (!text) return yaml_error_at(mark, "a key must be a scalar");
    if (!is_merge_key && frame.node.value.get_object().contains(*text)) {
      if (duplicates_ == nullptr) return yaml_error_at(mark, "duplicate key \"" + *text + "\"");
      duplicates_->push_back({.line = static_cast<std::size_t>(mark->line) + 1, .key = *text});
    }
    frame.has_key = true;
    frame.key_is_merge = is_merge_key;
    frame.key = std::move(*text);
    return {};
  }

  static Result<void> put_member(Frame& frame, const fy_mark* mark, Node node) {
    frame.has_key = false;
    if (frame.key_is_merge) return put_merge(frame, mark, std::move(node));
    count(frame.node, node);
    frame.node.value.get_object()[frame.key] = std::move(node.value);
    return {};
  }

  // Merge keys, `<<: *base` and `<<: [*a, *b]`: explicit members take precedence, then the first of several mappings.
  static Result<void> put_merge(Frame& frame, const fy_mark* mark, Node node) {
    if (node.value.is_array()) {
      for (Value& source : node.value.get_array()) {
        if (!source.is_object()) return yaml_error_at(mark, "\"<<\" must have a mapping or a list of mappings");
        frame.merged.push_back(Node{std::move(source), node.weight, node.depth});
      }
      return {};
    }
    if (!node.value.is_object()) return yaml_error_at(mark, "\"<<\" must have a mapping or a list of mappings");
    frame.merged.push_back(std::move(node));
    return {};
  }

  static void merge(Node& into, Node source) {
    count(into, Node{nullptr, source.weight, source.depth == 0 ? 0 : source.depth - 1});
    object& members = into.value.get_object();
    for (auto& member : source.value.get_object()) {
      if (!members.contains(member.key())) members[member.key()] = std::move(member.value());
    }
  }

  std::string_view text_;
  array documents_;
  Value root_;
  bool done_ = false;
  std::vector<Frame> frames_;
  std::map<std::string, Node> anchors_;
  std::size_t copied_ = 0;
  std::vector<YamlDuplicate>* const duplicates_;  // null: a repeated key is an error
};

Result<array> read_stream(std::string_view text, std::vector<YamlDuplicate>* duplicates) {
  YamlReader reader(text, duplicates);
  auto read = read_yaml_events(text, [&](fy_event& event) { return reader.take(event); });
  if (!read) return fail(std::move(read.error()));
  return reader.release();
}

Result<Value> only_document(Result<array> documents) {
  if (!documents) return fail(std::move(documents.error()));
  if (documents->empty()) return Value(nullptr);
  if (documents->size() > 1) {
    return fail(ErrorCode::invalid, "expected one YAML document, got " + std::to_string(documents->size()));
  }
  return std::move(documents->front());
}

}  // namespace

Result<array> parse_yaml_stream(std::string_view text) { return read_stream(text, nullptr); }

Result<Value> parse_yaml(std::string_view text) { return only_document(read_stream(text, nullptr)); }

Result<Value> parse_yaml(std::string_view text, std::vector<YamlDuplicate>& duplicates) {
  return only_document(read_stream(text, &duplicates));
}

}  // namespace pintle::json
