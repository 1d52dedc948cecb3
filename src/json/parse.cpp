// Text to documents. Boost.JSON finds the structure; numbers are read here, from their text, because its doubles are
// inexact.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <boost/json/basic_parser_impl.hpp>

#include <pintle/json/document.hpp>
#include <pintle/json/memory.hpp>
#include <pintle/json/reader.hpp>
#include <pintle/json/value.hpp>

#include "builder.hpp"
#include "number.hpp"
#include "projector.hpp"
#include "value_sink.hpp"
#include "walk.hpp"

namespace pintle::json {
namespace {

using boost::json::error_code;
using boost::json::string_view;

// Puts strings and numbers together that came in pieces, and tells the sink of whole ones.
template <class Sink>
class Handler {
 public:
  static constexpr std::size_t max_object_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_array_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_key_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_string_size = static_cast<std::size_t>(-1);

  Sink& sink() noexcept { return sink_; }
  void refuse_repeated_keys() noexcept { is_strict_ = true; }
  // Of the member that an object has twice, once that was the fault.
  [[nodiscard]] const std::optional<std::string>& repeated_key() const noexcept { return repeated_; }

  void restart() {
    text_.clear();
    keys_.clear();
    repeated_.reset();
  }

  bool on_document_begin(error_code&) { return true; }
  bool on_document_end(error_code&) { return true; }
  bool on_object_begin(error_code&) {
    if (is_strict_) keys_.emplace_back();
    return sink_.begin_object(), true;
  }
  bool on_object_end(std::size_t members, error_code&) {
    if (is_strict_) keys_.pop_back();
    return sink_.end_object(members), true;
  }
  bool on_array_begin(error_code&) { return sink_.begin_array(), true; }
  bool on_array_end(std::size_t elements, error_code&) { return sink_.end_array(elements), true; }
  bool on_key_part(string_view part, std::size_t, error_code&) { return text_.append(part), true; }
  bool on_key(string_view last, std::size_t, error_code& error) {
    const std::string_view key = whole(last);
    if (is_strict_ && !keys_.back().emplace(key).second) {
      repeated_ = key;
      error = boost::json::error::extra_data;
      return false;
    }
    return sink_.key(key), text_.clear(), true;
  }
  bool on_string_part(string_view part, std::size_t, error_code&) { return text_.append(part), true; }
  bool on_string(string_view last, std::size_t, error_code&) { return sink_.string(whole(last)), text_.clear(), true; }
  bool on_bool(bool flag, error_code&) { return sink_.boolean(flag), true; }
  bool on_null(error_code&) { return sink_.null(), true; }
  bool on_comment_part(string_view, error_code&) { return true; }
  bool on_comment(string_view, error_code&) { return true; }

  bool on_number_part(string_view part, error_code&) { return text_.append(part), true; }
  bool on_int64(std::int64_t number, string_view, error_code&) { return sink_.integer(number), text_.clear(), true; }
  bool on_uint64(std::uint64_t number, string_view, error_code&) {
    return sink_.unsigned_integer(number), text_.clear(), true;
  }
  bool on_double(double, string_view last, error_code& error) {
    const auto number = read_number(whole(last));
    if (!number) {
      error = boost::json::error::exponent_overflow;
      return false;
    }
    return tell_number(*number, sink_), text_.clear(), true;
  }

 private:
  std::string_view whole(string_view last) {
    if (text_.empty()) return {last.data(), last.size()};
    return text_.append(last);
  }

  Sink sink_;
  std::string text_;  // what came of a string or number that is not complete
  bool is_strict_ = false;
  std::vector<std::set<std::string, std::less<>>> keys_;  // of the objects that are open, when strict
  std::optional<std::string> repeated_;
};

std::string describe(const error_code& error) {
  if (error == boost::json::error::incomplete) return "the text ends too early";
  if (error == boost::json::error::extra_data) return "there is more after the end";
  if (error == boost::json::error::too_deep) return "nested deeper than " + std::to_string(max_depth);
  if (error == boost::json::error::exponent_overflow) return "a number is out of range";
  return error.message();
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// One text, in pieces.
template <class Sink>
class Parser {
 public:
  explicit Parser(std::size_t depth = max_depth) : parser_(with_depth(depth)) {}

  Handler<Sink>& handler() noexcept { return parser_.handler(); }
  Sink& sink() noexcept { return handler().sink(); }

  Result<void> add(std::string_view bytes) {
    error_code error;
    std::size_t used = 0;
    if (!parser_.done()) used = parser_.write_some(true, bytes.data(), bytes.size(), error);
    return blank_after(bytes, used, error);
  }
  Result<void> finish() {
    error_code error;
    if (!parser_.done()) parser_.write_some(false, nullptr, 0, error);
    return outcome(0, error);
  }
  void restart() {
    parser_.reset();
    handler().restart();
    before_ = 0;
  }

 private:
  static boost::json::parse_options with_depth(std::size_t depth) {
    boost::json::parse_options options;
    options.max_depth = depth;
    return options;
  }

  Result<void> blank_after(std::string_view bytes, std::size_t used, error_code error) {
    if (!error) {
      while (used < bytes.size() && is_blank(bytes[used])) ++used;
      if (used < bytes.size()) error = boost::json::error::extra_data;
    }
    return outcome(used, error);
  }

  Result<void> outcome(std::size_t used, const error_code& error) {
    before_ += used;
    if (!error) return {};
    const auto& repeated = handler().repeated_key();
    const std::string what = repeated ? "the member \"" + *repeated + "\" is there twice" : describe(error);
    return fail(ErrorCode::invalid, "invalid JSON at byte " + std::to_string(before_) + ": " + what);
  }

  boost::json::basic_parser<Handler<Sink>> parser_;
  std::size_t before_ = 0;  // bytes that were used
};

// What is in a part goes to one builder, what is around the parts to another.
class PartsSink {
 public:
  void set(ReaderOptions options) {
    options_ = std::move(options);
    around_.emplace();
    part_.emplace(options_.pool);
    projector_.emplace(part_->tape());
    options_fault_ = projector_->set(options_.projection);
    restart();
  }
  void restart() {
    around_->tape().clear();
    part_->tape().clear();
    projector_->restart();
    fault_.reset();
    depth_ = depth_in_part_ = 0;
    in_part_ = is_one_part();
    in_list_ = parts_follow_ = false;
    keep(options_fault_);
  }

  void null() {
    tell([](auto& to) { to.null(); });
  }
  void boolean(bool flag) {
    tell([flag](auto& to) { to.boolean(flag); });
  }
  void integer(std::int64_t number) {
    tell([number](auto& to) { to.integer(number); });
  }
  void unsigned_integer(std::uint64_t number) {
    tell([number](auto& to) { to.unsigned_integer(number); });
  }
  void real(double number) {
    tell([number](auto& to) { to.real(number); });
  }
  void written_number(std::string_view text) {
    tell([text](auto& to) { to.written_number(text); });
  }
  void string(std::string_view text) {
    tell([text](auto& to) { to.string(text); });
  }

  void key(std::string_view name) {
    if (in_part_) {
      projector_->key(name);
    } else {
      around_->tape().key(name);
      parts_follow_ = depth_ == 1 && name == options_.parts;
    }
  }
  void begin_object() {
    if (enters_part()) {
      projector_->begin_object();
      if (depth_in_part_++ == 0) add(options_.defaults);
    } else {
      around_->tape().begin_object();
      ++depth_;
    }
  }
  void end_object(std::size_t members) {
    if (in_part_) {
      const bool is_root = --depth_in_part_ == 0;
      if (is_root) add(options_.overrides);
      projector_->end_object(members + (is_root ? options_.defaults.size() + options_.overrides.size() : 0));
      if (is_root) end_part();
    } else {
      around_->tape().end_object(members);
      --depth_;
    }
  }
  void begin_array() {
    if (!in_part_ && std::exchange(parts_follow_, false)) {
      in_list_ = true;
      around_->tape().begin_array();
    } else if (enters_part()) {
      projector_->begin_array();
      ++depth_in_part_;
    } else {
      around_->tape().begin_array();
      ++depth_;
    }
  }
  void end_array(std::size_t elements) {
    if (in_part_) {
      projector_->end_array(elements);
      if (--depth_in_part_ == 0) end_part();
    } else if (std::exchange(in_list_, false)) {
      around_->tape().end_array(0);
    } else {
      around_->tape().end_array(elements);
      --depth_;
    }
  }

  [[nodiscard]] std::size_t parts() const noexcept { return parts_; }  // so far
  // What a document could not hold, or a path that is none.
  [[nodiscard]] Result<void> fault() const { return fault_ ? Result<void>(fail(*fault_)) : Result<void>(); }
  [[nodiscard]] Result<Document> finish() { return (is_one_part() ? part_ : around_)->finish(); }

 private:
  [[nodiscard]] bool is_one_part() const noexcept { return options_.parts.empty(); }

  template <class Event>
  void tell(Event event) {
    if (in_part_) {
      event(*projector_);
    } else if (!in_list_) {  // an element that is no document
      parts_follow_ = false;
      event(around_->tape());
    }
  }

  bool enters_part() {
    if (in_list_ || parts_follow_) in_part_ = true;
    return in_part_;
  }
  void add(const std::vector<std::pair<std::string, std::string>>& members) {
    for (const auto& [name, text] : members) {
      projector_->key(name);
      projector_->string(text);
    }
  }
  void end_part() {
    if (is_one_part()) return;
    in_part_ = false;
    if (std::exchange(parts_follow_, false)) {
      around_->tape().begin_object();
      around_->tape().end_object(0);
    }
    ++parts_;
    auto part = part_->finish();
    if (part && options_.on_part) options_.on_part(std::move(*part));
    if (!part) keep(fail(std::move(part.error())));
  }
  void keep(Result<void> done) {
    if (!done && !fault_) fault_ = std::move(done.error());
  }

  ReaderOptions options_;
  std::optional<Builder> around_;
  std::optional<Builder> part_;
  std::optional<Projector> projector_;
  Result<void> options_fault_;
  std::optional<Error> fault_;
  std::size_t parts_ = 0;
  std::size_t depth_ = 0;          // around the parts
  std::size_t depth_in_part_ = 0;  // containers of it that are open
  bool in_part_ = false;
  bool in_list_ = false;       // whose elements are the parts
  bool parts_follow_ = false;  // the key that came is that of the parts
};

}  // namespace

class Reader::Inner {
 public:
  // Parts may be as deep as documents; a list of them and what it is in come on top.
  explicit Inner(ReaderOptions options)
      : longest_(options.longest), parser_(max_depth + (options.parts.empty() ? 0 : 2)) {
    if (options.strict) parser_.handler().refuse_repeated_keys();
    parser_.sink().set(std::move(options));
  }

  Result<void> add(std::string_view bytes) {
    if (fault_) return fail(*fault_);
    const std::size_t parts = parser_.sink().parts();
    auto added = parser_.add(bytes);
    if (added) added = parser_.sink().fault();
    since_part_ = parser_.sink().parts() == parts ? since_part_ + bytes.size() : 0;
    if (added && since_part_ > longest_) {
      added = fail(ErrorCode::invalid, "a document is longer than " + std::to_string(longest_) + " bytes");
    }
    if (!added) fault_ = added.error();
    return added;
  }
  Result<Document> finish() {
    auto document = whole();
    fault_.reset();
    since_part_ = 0;
    parser_.restart();
    parser_.sink().restart();
    return document;
  }

 private:
  Result<Document> whole() {
    if (fault_) return fail(*fault_);
    if (auto finished = parser_.finish(); !finished) return fail(std::move(finished.error()));
    return parser_.sink().finish();
  }

  const std::size_t longest_;
  std::size_t since_part_ = 0;  // bytes, of the chunks in which no part ended
  std::optional<Error> fault_;
  Parser<PartsSink> parser_;
};

Reader::Reader(ReaderOptions options) : inner_(std::make_unique<Inner>(std::move(options))) {}
Reader::~Reader() = default;
Reader::Reader(Reader&&) noexcept = default;
Reader& Reader::operator=(Reader&&) noexcept = default;

Result<void> Reader::add(std::string_view bytes) { return inner_->add(bytes); }
Result<Document> Reader::finish() { return inner_->finish(); }

Result<Document> Document::parse(std::string_view text, Pool* pool) {
  Reader reader({.pool = pool});
  if (auto added = reader.add(text); !added) return fail(std::move(added.error()));
  return reader.finish();
}

Result<Document> project(View view, const Projection& projection, Pool* pool) {
  Builder builder(pool);
  Projector projector(builder.tape());
  if (auto set = projector.set(projection); !set) return fail(std::move(set.error()));
  walk(view, projector);
  if (!builder.tape().is_complete()) return Document();
  return builder.finish();
}

namespace {

Result<Value> value_of(Parser<ValueSink>& parser, std::string_view text) {
  auto parsed = parser.add(text);
  if (parsed) parsed = parser.finish();
  if (!parsed) return fail(std::move(parsed.error()));
  return parser.sink().release();
}

}  // namespace

Result<Value> parse(std::string_view text) {
  Parser<ValueSink> parser;
  return value_of(parser, text);
}

Result<Value> parse(std::string_view text, Memory& memory) {
  Parser<ValueSink> parser;
  parser.sink().begin_in(memory.storage());
  return value_of(parser, text);
}

}  // namespace pintle::json
