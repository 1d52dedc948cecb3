// Text to value. Boost.JSON finds the structure; numbers are read here, from their text, because its doubles are
// inexact.
#include <charconv>
#include <cmath>
#include <new>
#include <string>

#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/value_stack.hpp>

#include <pintle/json/value.hpp>

namespace pintle::json {
namespace {

using boost::json::error_code;
using boost::json::string_view;

// Receives the events of one document and stacks up the value.
class Builder {
 public:
  static constexpr std::size_t max_object_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_array_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_key_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_string_size = static_cast<std::size_t>(-1);

  Value release() { return stack_.release(); }
  void reset() { stack_.reset(); }

  bool on_document_begin(error_code&) { return true; }
  bool on_document_end(error_code&) { return true; }
  bool on_object_begin(error_code&) { return true; }
  bool on_object_end(std::size_t n, error_code&) { return stack_.push_object(n), true; }
  bool on_array_begin(error_code&) { return true; }
  bool on_array_end(std::size_t n, error_code&) { return stack_.push_array(n), true; }
  bool on_key_part(string_view part, std::size_t, error_code&) { return stack_.push_chars(part), true; }
  bool on_key(string_view last, std::size_t, error_code&) { return stack_.push_key(last), true; }
  bool on_string_part(string_view part, std::size_t, error_code&) { return stack_.push_chars(part), true; }
  bool on_string(string_view last, std::size_t, error_code&) { return stack_.push_string(last), true; }
  bool on_bool(bool flag, error_code&) { return stack_.push_bool(flag), true; }
  bool on_null(error_code&) { return stack_.push_null(), true; }
  bool on_comment_part(string_view, error_code&) { return true; }
  bool on_comment(string_view, error_code&) { return true; }

  bool on_number_part(string_view part, error_code&) { return number_.append(part.data(), part.size()), true; }
  bool on_int64(std::int64_t number, string_view, error_code&) {
    number_.clear();
    return stack_.push_int64(number), true;
  }
  bool on_uint64(std::uint64_t number, string_view, error_code&) {
    number_.clear();
    return stack_.push_uint64(number), true;
  }
  bool on_double(double estimate, string_view last, error_code& error) {
    number_.append(last.data(), last.size());
    double number = 0;
    const auto [end, fault] = std::from_chars(number_.data(), number_.data() + number_.size(), number);
    // Too small for a double is zero; too large is nothing that could be passed on.
    if (fault == std::errc::result_out_of_range && std::abs(estimate) < 1) {
      number = std::signbit(estimate) ? -0.0 : 0.0;
    } else if (fault != std::errc{} || end != number_.data() + number_.size()) {
      error = boost::json::error::exponent_overflow;
      return false;
    }
    number_.clear();
    return stack_.push_double(number), true;
  }

 private:
  boost::json::value_stack stack_;
  std::string number_;
};

std::string describe(const error_code& error) {
  if (error == boost::json::error::incomplete) return "the text ends too early";
  if (error == boost::json::error::extra_data) return "there is more after the end";
  if (error == boost::json::error::too_deep) return "nested deeper than " + std::to_string(max_depth);
  if (error == boost::json::error::exponent_overflow) return "a number is out of range";
  return error.message();
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

}  // namespace

Result<Value> parse(std::string_view text) {
  boost::json::parse_options options;
  options.max_depth = max_depth;
  boost::json::basic_parser<Builder> parser(options);
  parser.handler().reset();
  error_code error;
  std::size_t used = parser.write_some(false, text.data(), text.size(), error);
  if (!error) {
    while (used < text.size() && is_blank(text[used])) ++used;
    if (used < text.size()) error = boost::json::error::extra_data;
  }
  if (error) {
    return fail(ErrorCode::invalid, "invalid JSON at byte " + std::to_string(used) + ": " + describe(error));
  }
  return parser.handler().release();
}

}  // namespace pintle::json
