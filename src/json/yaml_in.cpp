// YAML text to value, from the events of libfyaml.
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include <libfyaml.h>

#include <pintle/json/value.hpp>

#include "yaml_block.hpp"
#include "yaml_scalar.hpp"

namespace pintle::json {
namespace {

// How many values aliases and merge keys may add to one stream: enough for people, too few for a bomb.
constexpr std::size_t max_copied = 200'000;

// A value that is done, and what copying it would cost.
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
  std::size_t column = 0;  // where it begins
  std::vector<Node> merged{};
};

Error error_at(const fy_mark* mark, std::string what) {
  const int line = mark == nullptr ? 0 : mark->line + 1;
  const int column = mark == nullptr ? 0 : mark->column + 1;
  return make_error(ErrorCode::invalid, "invalid YAML at line " + std::to_string(line) + ", column " +
                                            std::to_string(column) + ": " + std::move(what));
}

std::string text_of(fy_token* token) {
  std::size_t length = 0;
  const char* text = token == nullptr ? nullptr : fy_token_get_text(token, &length);
  return text == nullptr ? std::string() : std::string(text, length);
}

// How long the UTF-8 sequence is that a text begins with; 0 where it is none, or a character that YAML does not take.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [text](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const unsigned lead = byte(0);
  if (lead < 0x80) return lead >= 0x20 || lead == '\t' || lead == '\n' || lead == '\r' ? 1 : 0;
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0U) != 0x80U) return 0;
  }
  const bool is_overlong = lead < 0xc2 || (lead == 0xe0 && byte(1) < 0xa0) || (lead == 0xf0 && byte(1) < 0x90);
  const bool is_surrogate = lead == 0xed && byte(1) > 0x9f;
  const bool is_beyond = lead > 0xf4 || (lead == 0xf4 && byte(1) > 0x8f);
  return is_overlong || is_surrogate || is_beyond ? 0 : length;
}

// libfyaml passes over what is not text, so it never sees it.
Result<void> check_text(std::string_view text) {
  fy_mark mark{};
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = sequence_length(text.substr(at));
    if (length == 0) return error_at(&mark, "not a character of UTF-8 text");
    mark.column = text[at] == '\n' ? 0 : mark.column + 1;
    mark.line += text[at] == '\n' ? 1 : 0;
    at += length;
  }
  return {};
}

// Turns the events of a stream into values, one a document.
class Builder {
 public:
  explicit Builder(std::string_view text) : text_(text) {}

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
      return error_at(fy_event_start_mark(&event), "nested deeper than " + std::to_string(max_depth));
    }
    if (!frames_.empty() && frames_.back().is_mapping && !frames_.back().has_key) {
      return error_at(fy_event_start_mark(&event), "a key must be a scalar");
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
    fy_token* token = event.scalar.value;
    const fy_scalar_style style = token == nullptr ? FYSS_PLAIN : fy_token_scalar_style(token);
    const bool is_plain = style == FYSS_PLAIN;
    std::string text = text_of(token);
    if (style == FYSS_LITERAL || style == FYSS_FOLDED) {
      Block block = read_block(text_, fy_token_start_mark(token)->input_pos, fy_token_end_mark(token)->input_pos,
                               style == FYSS_FOLDED, text);
      if (!frames_.empty() && block.indent && *block.indent <= frames_.back().column) {
        return error_at(fy_event_start_mark(&event), "a block must be indented further than what it belongs to");
      }
      text = std::move(block.text);
    }
    const std::string tag = text_of(event.scalar.tag);
    auto value = tag.empty() ? (is_plain ? plain_scalar(text) : Result<Value>(Value(text))) : tagged(tag, text);
    if (!value) return error_at(fy_event_start_mark(&event), value.error().message);
    const bool is_merge_key = is_plain && tag.empty() && text == "<<";
    return put(event, Node{std::move(*value), 1 + text.size() / 64, 0}, text_of(event.scalar.anchor), is_merge_key);
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
    if (!fits) return fail(ErrorCode::invalid, "\"" + text + "\" is no " + name);
    return value;
  }

  Result<void> alias(fy_event& event) {
    const std::string name = text_of(event.alias.anchor);
    const auto found = anchors_.find(name);
    if (found == anchors_.end()) {
      return error_at(fy_event_start_mark(&event), "there is no anchor \"" + name + "\" before this alias");
    }
    if (!may_copy(found->second.weight)) return error_at(fy_event_start_mark(&event), "aliases expand to too much");
    return put(event, found->second, "", false);
  }

  bool may_copy(std::size_t weight) {
    copied_ += weight;
    return copied_ <= max_copied;
  }

  // Adds a finished value to what is being read: as a key, a member, an element or the document.
  Result<void> put(fy_event& event, Node node, const std::string& anchor, bool is_merge_key) {
    const fy_mark* mark = fy_event_start_mark(&event);
    if (frames_.size() + node.depth > max_depth)
      return error_at(mark, "nested deeper than " + std::to_string(max_depth));
    if (!anchor.empty()) {
      if (!may_copy(node.weight)) return error_at(mark, "anchors hold too much");
      anchors_[anchor] = node;
    }
    if (frames_.empty()) {
      if (done_) return error_at(mark, "a second value in one document");
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

  static Result<void> put_key(Frame& frame, const fy_mark* mark, const Value& key, bool is_merge_key) {
    auto text = key_text(key);
    if (!text) return error_at(mark, "a key must be a scalar");
    if (!is_merge_key && frame.node.value.get_object().contains(*text)) {
      return error_at(mark, "key \"" + *text + "\" is there twice");
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

  // `<<: *base` and `<<: [*a, *b]`: what is written out wins, then the first of several.
  static Result<void> put_merge(Frame& frame, const fy_mark* mark, Node node) {
    if (node.value.is_array()) {
      for (Value& source : node.value.get_array()) {
        if (!source.is_object()) return error_at(mark, "\"<<\" takes a mapping or a list of mappings");
        frame.merged.push_back(Node{std::move(source), node.weight, node.depth});
      }
      return {};
    }
    if (!node.value.is_object()) return error_at(mark, "\"<<\" takes a mapping or a list of mappings");
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
};

struct Diagnostics {
  Diagnostics() {
    fy_diag_cfg config;
    fy_diag_cfg_default(&config);
    config.fp = nullptr;
    diag.reset(fy_diag_create(&config));
    fy_diag_set_collect_errors(diag.get(), true);
  }

  // What libfyaml found wrong first; it does not always say.
  [[nodiscard]] Error error(const fy_mark& last) const {
    void* position = nullptr;
    const fy_diag_error* first = fy_diag_errors_iterate(diag.get(), &position);
    if (first == nullptr) return error_at(&last, "something behind this is no YAML");
    std::string message = first->msg;
    while (!message.empty() && message.back() == '\n') message.pop_back();
    const fy_mark mark{0, first->line - 1, first->column - 1};
    return error_at(&mark, std::move(message));
  }

  struct Destroy {
    void operator()(fy_diag* unused) const { fy_diag_destroy(unused); }
  };
  std::unique_ptr<fy_diag, Destroy> diag;
};

struct DestroyParser {
  void operator()(fy_parser* parser) const { fy_parser_destroy(parser); }
};

}  // namespace

Result<array> parse_yaml_stream(std::string_view text) {
  if (auto fine = check_text(text); !fine) return fail(std::move(fine.error()));
  const Diagnostics diagnostics;
  fy_parse_cfg config{};
  config.flags = static_cast<fy_parse_cfg_flags>(FYPCF_COLLECT_DIAG | FYPCF_DISABLE_DEPTH_LIMIT |
                                                 FYPCF_SLOPPY_FLOW_INDENTATION | FYPCF_JSON_NONE);
  config.diag = diagnostics.diag.get();
  const std::unique_ptr<fy_parser, DestroyParser> parser(fy_parser_create(&config));
  if (parser == nullptr || fy_parser_set_string(parser.get(), text.data(), text.size()) != 0) {
    return fail(ErrorCode::unavailable, "the YAML reader did not start");
  }
  Builder builder(text);
  fy_mark last{};
  while (fy_event* event = fy_parser_parse(parser.get())) {
    if (const fy_mark* mark = fy_event_start_mark(event)) last = *mark;
    auto taken = builder.take(*event);
    const bool is_end = event->type == FYET_STREAM_END;
    fy_parser_event_free(parser.get(), event);
    if (!taken) return fail(std::move(taken.error()));
    if (is_end) return builder.release();
  }
  return diagnostics.error(last);
}

Result<Value> parse_yaml(std::string_view text) {
  auto documents = parse_yaml_stream(text);
  if (!documents) return fail(std::move(documents.error()));
  if (documents->empty()) return Value(nullptr);
  if (documents->size() > 1) {
    return fail(ErrorCode::invalid, "expected one YAML document, got " + std::to_string(documents->size()));
  }
  return std::move(documents->front());
}

}  // namespace pintle::json
