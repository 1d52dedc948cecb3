// Value to text: the same value always gives the same text, and a number reads back as the one that was printed.
#include <array>
#include <charconv>
#include <cmath>

#include <pintle/json/value.hpp>

namespace pintle::json {
namespace {

void print_string(std::string& out, std::string_view text) {
  static constexpr std::string_view hex = "0123456789abcdef";
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    switch (c) {
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '\n': out += "\\n"; break;
      case '\r': out += "\\r"; break;
      case '\t': out += "\\t"; break;
      case '\b': out += "\\b"; break;
      case '\f': out += "\\f"; break;
      default:
        if (byte < 0x20) {
          out += "\\u00";
          out += hex[byte >> 4U];
          out += hex[byte & 15U];
        } else {
          out += c;
        }
    }
  }
  out += '"';
}

template <class Number, class... Format>
void print_chars(std::string& out, Number number, Format... format) {
  std::array<char, 64> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, format...).ptr;
  out.append(buffer.data(), end);
}

// The shortest digits that read back the same, as JavaScript places them, but always recognisable as no integer.
void print_double(std::string& out, double number) {
  if (!std::isfinite(number)) {
    out += "null";
    return;
  }
  const double size = std::abs(number);
  if (size != 0 && (size < 1e-6 || size >= 1e21)) {
    print_chars(out, number, std::chars_format::scientific);
    return;
  }
  const std::size_t start = out.size();
  print_chars(out, number, std::chars_format::fixed);
  if (out.find('.', start) == std::string::npos) out += ".0";
}

// Prints compactly, or with line breaks when `step` is not 0.
class Printer {
 public:
  Printer(std::string& out, std::size_t step) : out_(out), step_(step) {}

  void print(const Value& value) {
    switch (value.kind()) {
      case boost::json::kind::null: out_ += "null"; break;
      case boost::json::kind::bool_: out_ += value.get_bool() ? "true" : "false"; break;
      case boost::json::kind::int64: print_chars(out_, value.get_int64()); break;
      case boost::json::kind::uint64: print_chars(out_, value.get_uint64()); break;
      case boost::json::kind::double_: print_double(out_, value.get_double()); break;
      case boost::json::kind::string: print_string(out_, value.get_string()); break;
      case boost::json::kind::array: print_all(value.get_array(), '[', ']'); break;
      case boost::json::kind::object: print_all(value.get_object(), '{', '}'); break;
    }
  }

 private:
  void print(const boost::json::key_value_pair& member) {
    print_string(out_, member.key());
    out_ += step_ == 0 ? ":" : ": ";
    print(member.value());
  }

  template <class Items>
  void print_all(const Items& items, char open, char close) {
    out_ += open;
    indent_ += step_;
    bool first = true;
    for (const auto& item : items) {
      if (!first) out_ += ',';
      first = false;
      break_line();
      print(item);
    }
    indent_ -= step_;
    if (!first) break_line();
    out_ += close;
  }

  void break_line() {
    if (step_ == 0) return;
    out_ += '\n';
    out_.append(indent_, ' ');
  }

  std::string& out_;
  std::size_t step_;
  std::size_t indent_ = 0;
};

}  // namespace

std::string print(const Value& value) {
  std::string out;
  Printer(out, 0).print(value);
  return out;
}

std::string print_pretty(const Value& value) {
  std::string out;
  Printer(out, 2).print(value);
  return out;
}

}  // namespace pintle::json
