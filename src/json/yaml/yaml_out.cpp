// SPDX-License-Identifier: Apache-2.0
// Prints a value as YAML in block style.
#include <pintle/json/value.hpp>

#include "yaml_scalar.hpp"

namespace pintle::json {
namespace {

// Longer keys need the explicit form, which begins with "? ".
constexpr std::size_t max_simple_key = 512;

// Returns whether the text can be a literal block: several lines of printable characters that no parser changes.
bool fits_block(std::string_view text) {
  if (text.find('\n') == std::string_view::npos) return false;
  if (text.find_first_not_of("\n ") == std::string_view::npos) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte < 0x20 && byte != '\n') || byte == 0x7f) return false;
    // U+0080 to U+00A0, U+2028, U+2029 and U+FEFF: control characters, or line breaks for some parsers.
    if (byte == 0xc2 || byte == 0xef || (byte == 0xe2 && text.substr(i).starts_with("\xe2\x80"))) return false;
  }
  return true;
}

class YamlPrinter {
 public:
  std::string take(const Value& value) {
    if (is_block(value)) {
      print_block(value, 0);
    } else {
      print_inline(value, 0);
      out_ += '\n';
    }
    return std::move(out_);
  }

 private:
  // Returns whether a value has lines of its own.
  static bool is_block(const Value& value) {
    return (value.is_object() && !value.get_object().empty()) || (value.is_array() && !value.get_array().empty());
  }

  void start_line(std::size_t indent) { out_.append(indent, ' '); }

  void print_block(const Value& value, std::size_t indent) {
    if (value.is_object()) {
      print_members(value.get_object(), indent, false);
    } else {
      print_elements(value.get_array(), indent, false);
    }
  }

  // `on_line`: the first line has already begun, after a "- ".
  void print_members(const object& members, std::size_t indent, bool on_line) {
    for (const auto& [key, value] : members) {
      if (!on_line) start_line(indent);
      on_line = false;
      print_key(key, indent);
      if (is_block(value)) {
        out_ += '\n';
        print_block(value, value.is_array() ? indent : indent + 2);
      } else {
        out_ += ' ';
        print_inline(value, indent + 2);
        out_ += '\n';
      }
    }
  }

  void print_key(std::string_view key, std::size_t indent) {
    const bool is_long = key.size() > max_simple_key;
    if (is_long) out_ += "? ";
    if (needs_quotes(key)) {
      print_quoted(Value(key));
    } else {
      out_ += key;
    }
    if (is_long) {
      out_ += '\n';
      start_line(indent);
    }
    out_ += ':';
  }

  void print_elements(const array& elements, std::size_t indent, bool on_line) {
    for (const Value& element : elements) {
      if (!on_line) start_line(indent);
      on_line = false;
      out_ += "- ";
      if (!is_block(element)) {
        print_inline(element, indent + 2);
        out_ += '\n';
      } else if (element.is_object()) {
        print_members(element.get_object(), indent + 2, true);
      } else {
        print_elements(element.get_array(), indent + 2, true);
      }
    }
  }

  void print_inline(const Value& value, std::size_t indent) {
    if (!value.is_string()) {
      out_ += print(value);
      return;
    }
    const std::string_view text = value.get_string();
    if (fits_block(text)) {
      print_literal(text, indent);
    } else if (needs_quotes(text)) {
      print_quoted(value);
    } else {
      out_ += text;
    }
  }

  // YAML requires escapes for DEL and some line breaks, which JSON text contains unescaped.
  void print_quoted(const Value& value) {
    const std::string quoted = print(value);
    for (std::size_t i = 0; i < quoted.size(); ++i) {
      const std::string_view rest = std::string_view(quoted).substr(i);
      if (quoted[i] == '\x7f') {
        out_ += "\\x7f";
      } else if (rest.starts_with("\xc2") && rest.size() > 1 && static_cast<unsigned char>(rest[1]) < 0xa0) {
        static constexpr std::string_view hex = "0123456789abcdef";
        const auto low = static_cast<unsigned char>(rest[1]);
        out_ += "\\x";
        out_ += hex[low >> 4U];
        out_ += hex[low & 15U];
        i += 1;
      } else if (rest.starts_with("\xe2\x80\xa8") || rest.starts_with("\xe2\x80\xa9")) {
        out_ += rest[2] == '\xa8' ? "\\L" : "\\P";
        i += 2;
      } else if (rest.starts_with("\xef\xbb\xbf")) {
        out_ += "\\uFEFF";
        i += 2;
      } else {
        out_ += quoted[i];
      }
    }
  }

  void print_literal(std::string_view text, std::size_t indent) {
    out_ += '|';
    if (text.front() == ' ' || text.front() == '\n') out_ += '2';
    const bool ends_line = text.ends_with('\n');
    if (!ends_line) {
      out_ += '-';
    } else if (text.ends_with("\n\n")) {
      out_ += '+';
    }
    if (ends_line) text.remove_suffix(1);
    while (true) {
      const std::string_view line = text.substr(0, text.find('\n'));
      out_ += '\n';
      if (!line.empty()) start_line(indent == 0 ? 2 : indent);
      out_ += line;
      if (line.size() == text.size()) return;
      text.remove_prefix(line.size() + 1);
    }
  }

  std::string out_;
};

}  // namespace

std::string print_yaml(const Value& value) { return YamlPrinter().take(value); }

}  // namespace pintle::json
