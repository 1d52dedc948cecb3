// SPDX-License-Identifier: Apache-2.0
#include "yaml_events.hpp"

#include <memory>
#include <utility>

#include <pintle/base/utf8.hpp>

#include "yaml_block.hpp"

namespace pintle::json {
namespace {

// The length of the UTF-8 sequence at the start of a text; 0 if it is invalid or a character that YAML does not allow.
std::size_t sequence_length(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const bool is_control = lead < 0x20 && lead != '\t' && lead != '\n' && lead != '\r';
  return is_control ? 0 : utf8_length(text);
}

// libfyaml skips invalid characters, so they are detected here.
Result<void> check_text(std::string_view text) {
  fy_mark mark{};
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = sequence_length(text.substr(at));
    if (length == 0)
      return yaml_error_at(&mark, "not a valid UTF-8 character, or a control character that YAML does not allow");
    mark.column = text[at] == '\n' ? 0 : mark.column + 1;
    mark.line += text[at] == '\n' ? 1 : 0;
    at += length;
  }
  return {};
}

struct Diagnostics {
  Diagnostics() {
    fy_diag_cfg config;
    fy_diag_cfg_default(&config);
    config.fp = nullptr;
    diag.reset(fy_diag_create(&config));
    fy_diag_set_collect_errors(diag.get(), true);
  }

  // The first error that libfyaml reported. libfyaml does not report every error.
  [[nodiscard]] Error error(const fy_mark& last) const {
    void* position = nullptr;
    const fy_diag_error* first = fy_diag_errors_iterate(diag.get(), &position);
    if (first == nullptr) return yaml_error_at(&last, "the text after this position is not valid YAML");
    std::string message = first->msg;
    while (!message.empty() && message.back() == '\n') message.pop_back();
    const fy_mark mark{0, first->line - 1, first->column - 1};
    return yaml_error_at(&mark, std::move(message));
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

Error yaml_error_at(const fy_mark* mark, std::string what) {
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

bool is_plain_scalar(const fy_event& event) {
  fy_token* token = event.scalar.value;
  return token == nullptr || fy_token_scalar_style(token) == FYSS_PLAIN;
}

Result<std::string> scalar_text(std::string_view source, fy_event& event, std::optional<std::size_t> column) {
  fy_token* token = event.scalar.value;
  std::string text = text_of(token);
  const fy_scalar_style style = token == nullptr ? FYSS_PLAIN : fy_token_scalar_style(token);
  if (style != FYSS_LITERAL && style != FYSS_FOLDED) return text;
  YamlBlock block = read_block(source, fy_token_start_mark(token)->input_pos, fy_token_end_mark(token)->input_pos,
                               style == FYSS_FOLDED, text);
  if (column && block.indent && *block.indent <= *column) {
    return yaml_error_at(fy_event_start_mark(&event),
                         "a block must be indented further than the list or mapping that contains it");
  }
  return std::move(block.text);
}

Result<void> read_yaml_events(std::string_view text, const std::function<Result<void>(fy_event&)>& take) {
  if (auto fine = check_text(text); !fine) return fine;
  const Diagnostics diagnostics;
  fy_parse_cfg config{};
  config.flags = static_cast<fy_parse_cfg_flags>(FYPCF_COLLECT_DIAG | FYPCF_DISABLE_DEPTH_LIMIT |
                                                 FYPCF_SLOPPY_FLOW_INDENTATION | FYPCF_JSON_NONE);
  config.diag = diagnostics.diag.get();
  const std::unique_ptr<fy_parser, DestroyParser> parser(fy_parser_create(&config));
  if (parser == nullptr || fy_parser_set_string(parser.get(), text.data(), text.size()) != 0) {
    return fail(ErrorCode::unavailable, "cannot create the YAML parser");
  }
  fy_mark last{};
  while (fy_event* event = fy_parser_parse(parser.get())) {
    if (const fy_mark* mark = fy_event_start_mark(event)) last = *mark;
    auto taken = take(*event);
    const bool is_end = event->type == FYET_STREAM_END;
    fy_parser_event_free(parser.get(), event);
    if (!taken || is_end) return taken;
  }
  return diagnostics.error(last);
}

}  // namespace pintle::json
