// SPDX-License-Identifier: Apache-2.0
// Scanner: parses JSON text that arrives in chunks, and sends its content to a sink (see walk.hpp).
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "escapes.hpp"
#include "json/document/passed_texts.hpp"
#include "json/document/tape.hpp"
#include "json/document/walk.hpp"
#include "number.hpp"
#include "plain_text.hpp"

namespace pintle::json {

enum class ScanFault : std::uint8_t { none, ends_early, more_follows, syntax, too_deep, out_of_range, repeated_key };

// Parses one text at a time. A token that a chunk cuts is buffered until the rest arrives.
template <class Sink>
class Scanner {
 public:
  // `depth` is the maximum number of nested containers.
  explicit Scanner(std::size_t depth) : max_depth_(depth) {}

  Sink& sink() noexcept { return sink_; }
  void refuse_repeated_keys() noexcept { is_strict_ = true; }

  void restart() {
    open_.clear();
    keys_.clear();
    rest_.clear();
    next_ = Next::value;
    cut_ = Cut::no;
    fault_ = ScanFault::none;
    offset_ = 0;
    tape_ = nullptr;
    tape_depth_ = 0;
  }

  // Returns whether the text is valid JSON so far. Must not be called after an error.
  [[nodiscard]] bool add(std::string_view bytes) {
    if (bytes.empty()) return true;
    end_ = bytes.data() + bytes.size();
    for (Level& level : open_) level.begin = nullptr;
    const char* at = go_on(bytes.data());
    while (at != nullptr && at != end_) at = step(at);
    offset_ += static_cast<std::size_t>((at == nullptr ? error_at_ : end_) - bytes.data());
    return at != nullptr;
  }
  [[nodiscard]] bool finish() {
    end_ = nullptr;
    if (cut_ == Cut::word) (void)end_word(rest_, end_);
    if (fault_ == ScanFault::none && next_ != Next::nothing) fault_ = ScanFault::ends_early;
    return fault_ == ScanFault::none;
  }

  [[nodiscard]] ScanFault error() const noexcept { return fault_; }
  [[nodiscard]] std::size_t offset() const noexcept { return offset_; }  // of the error, or of the next byte
  [[nodiscard]] const std::string& repeated_key() const noexcept { return repeated_; }

 private:
  enum class Next : std::uint8_t { value, first_element, key, first_key, colon, separator, nothing };
  enum class Cut : std::uint8_t { no, text, word };
  // Whether the sink has a tape for containers to which no rule applies.
  static constexpr bool has_tape = requires(Sink& sink) { sink.direct(); };
  struct Level {
    bool is_object = false;
    std::size_t size = 0;         // members or elements so far
    bool is_left_out = false;     // the sink drops it
    const char* begin = nullptr;  // its start, if it is in this chunk
  };

  // The following functions return the position at which parsing continues; null after an error.

  // Sends an event to the tape if there is one, and otherwise to the sink.
  template <class Event>
  [[gnu::always_inline]] void emit(Event event) {
    if constexpr (has_tape) {
      if (tape_ != nullptr) return event(*tape_);
    }
    event(sink_);
  }

  const char* error(const char* at, ScanFault what) {
    error_at_ = at;
    fault_ = what;
    return nullptr;
  }

  const char* go_on(const char* at) {
    if (cut_ == Cut::word) return word(at);
    if (cut_ == Cut::no) return at;
    while (!rest_.empty() && at != end_) {
      rest_ += *at++;
      const Escape read = read_escape(rest_, text_);
      if (read.is_wrong) return error(at - 1, ScanFault::syntax);
      if (read.size != 0) rest_.clear();
    }
    if (at == end_) return at;
    return next_ == Next::value ? text<false>(at) : text<true>(at);
  }

  const char* step(const char* at) {
    if (*at <= ' ') {
      at = std::find_if(at, end_, [](char c) { return c != ' ' && c != '\n' && c != '\r' && c != '\t'; });
      if (at == end_) return at;
    }
    switch (next_) {
      case Next::first_element:
        if (*at == ']') return close(at);
        [[fallthrough]];
      case Next::value: return value(at);
      case Next::first_key:
        if (*at == '}') return close(at);
        next_ = Next::key;
        [[fallthrough]];
      case Next::key: return *at == '"' ? key(at + 1) : error(at, ScanFault::syntax);
      case Next::colon: return *at == ':' ? after_colon(at + 1) : error(at, ScanFault::syntax);
      case Next::separator:
        if (*at == ',') return separated(at);
        return *at == (open_.back().is_object ? '}' : ']') ? close(at) : error(at, ScanFault::syntax);
      case Next::nothing: break;
    }
    return error(at, ScanFault::more_follows);
  }

  const char* value(const char* at) {
    next_ = Next::value;
    switch (*at) {
      case '"': return text<false>(at + 1);
      case '{':
      case '[': return open(at, *at == '{');
      case 't':
      case 'f':
      case 'n':
      case '-': return word(at);
      default: return *at >= '0' && *at <= '9' ? word(at) : error(at, ScanFault::syntax);
    }
  }

  const char* open(const char* at, bool is_object) {
    if (open_.size() == max_depth_) return error(at, ScanFault::too_deep);
    if constexpr (has_tape) {
      const std::size_t size = is_object && tape_ == nullptr ? sink_.take_recent({at, end_}) : 0;
      if (size != 0) return after_value(at + size);
    }
    const bool is_left_out = leaves_out();
    if (is_left_out) {
      const std::size_t size = passed_.size_at({at, end_}, open_.size());
      if (size != 0) return after_value(at + size);
    } else if (tape_ != nullptr) {
      const std::size_t size = tape_->recall_json({at, end_}, open_.size());
      if (size != 0) return after_value(at + size);
    }
    open_.push_back({.is_object = is_object, .is_left_out = is_left_out, .begin = at});
    if (is_object) {
      if (is_strict_) keys_.emplace_back();
      emit([](auto& to) { to.begin_object(); });
    } else {
      emit([](auto& to) { to.begin_array(); });
    }
    if constexpr (has_tape) {
      if (tape_ == nullptr && (tape_ = sink_.direct()) != nullptr) tape_depth_ = open_.size();
    }
    next_ = is_object ? Next::first_key : Next::first_element;
    return at + 1;
  }

  // Returns whether the sink drops everything until the end of the innermost open container.
  [[nodiscard]] bool leaves_out() const noexcept {
    if (tape_ != nullptr) return false;
    if constexpr (requires { sink_.leaves_out(); }) return sink_.leaves_out();
    return false;
  }

  const char* close(const char* at) {
    const Level level = open_.back();
    if (open_.size() == tape_depth_) tape_ = nullptr;
    if (tape_ == nullptr) tape_depth_ = 0;
    open_.pop_back();
    if (level.begin != nullptr && level.is_left_out) passed_.add({level.begin, at + 1}, open_.size());
    if (level.is_object) {
      if (is_strict_) keys_.pop_back();
      emit([&](auto& to) { to.end_object(level.size); });
    } else {
      emit([&](auto& to) { to.end_array(level.size); });
    }
    if (tape_ != nullptr && level.begin != nullptr) {
      tape_->note_source({.text = {level.begin, at + 1}, .depth = open_.size()});
    }
    return after_value(at + 1);
  }

  const char* after_value(const char* at) {
    if (open_.empty()) {
      next_ = Next::nothing;
      return at;
    }
    if (!open_.back().is_object) ++open_.back().size;
    next_ = Next::separator;
    return at != end_ && *at == ',' ? separated(at) : at;
  }

  const char* separated(const char* comma) {
    next_ = open_.back().is_object ? Next::key : Next::value;
    return comma + 1;
  }

  // Parses a key from the byte after its opening quote. An expected key is only compared; other keys are searched for
  // their end.
  const char* key(const char* at) {
    if constexpr (requires { sink_.likely_key(); }) {
      const std::string_view likely = tape_ != nullptr ? std::as_const(*tape_).likely_key() : sink_.likely_key();
      if (!likely.empty() && static_cast<std::size_t>(end_ - at) >= likely.size() &&
          same_text({at, likely.size()}, likely)) {
        return end_text<true>(likely.substr(0, likely.size() - 1), at + likely.size() - 1);
      }
    }
    return text<true>(at);
  }

  // Parses a string from the byte after its opening quote, or from the start of the chunk if the string was cut.
  template <bool is_key>
  const char* text(const char* at) {
    const char* const begin = at;
    at = plain_until(at, end_);
    if (cut_ == Cut::no && at != end_ && *at == '"') return end_text<is_key>({begin, at}, at);
    return long_text<is_key>(begin, at);
  }

  // Parses a string that must be assembled: it is plain from `begin` to `at`, and text_ contains the earlier part of a
  // cut string.
  template <bool is_key>
  [[gnu::noinline]] const char* long_text(const char* begin, const char* at) {
    if (cut_ == Cut::no) text_.clear();
    cut_ = Cut::text;
    while (true) {
      text_.append(begin, at);
      if (at == end_) return at;
      if (*at == '"') break;
      const Escape read = read_escape({at, end_}, text_);
      if (read.is_wrong) return error(at, ScanFault::syntax);
      if (read.size == 0) {
        rest_.assign(at, end_);
        return end_;
      }
      begin = at + read.size;
      at = plain_until(begin, end_);
    }
    cut_ = Cut::no;
    return end_text<is_key>(text_, at);
  }

  template <bool is_key>
  const char* end_text(std::string_view text, const char* quote) {
    const char* const at = quote + 1;
    if constexpr (is_key) {
      if (is_strict_ && !keys_.back().emplace(text).second) {
        repeated_ = text;
        return error(quote, ScanFault::repeated_key);
      }
      ++open_.back().size;
      emit([&](auto& to) { to.key(text); });
      next_ = Next::colon;
      return at != end_ && *at == ':' ? after_colon(at + 1) : at;
    } else {
      emit([&](auto& to) { to.string(text); });
      return after_value(at);
    }
  }

  const char* after_colon(const char* at) {
    next_ = Next::value;
    return at != end_ && *at > ' ' ? value(at) : at;
  }

  // Parses a number or a name (true, false, null), or the rest of a cut one. It ends at the first byte that cannot
  // belong to it.
  const char* word(const char* at) {
    const char* const begin = at;
    while (at != end_ && is_in_word(*at)) ++at;
    if (at != end_ && rest_.empty()) return end_word({begin, at}, at);
    rest_.append(begin, at);
    cut_ = Cut::word;
    return at == end_ ? at : end_word(rest_, at);
  }

  const char* end_word(std::string_view word, const char* at) {
    cut_ = Cut::no;
    const ScanFault wrong = emit_word(word);
    rest_.clear();
    return wrong == ScanFault::none ? after_value(at) : error(at, wrong);
  }

  ScanFault emit_word(std::string_view word) {
    if (word == "true" || word == "false") {
      emit([&](auto& to) { to.boolean(word == "true"); });
    } else if (word == "null") {
      emit([](auto& to) { to.null(); });
    } else {
      return emit_digits(word);
    }
    return ScanFault::none;
  }

  ScanFault emit_digits(std::string_view number) {
    const NumberForm form = form_of(number);
    if (form == NumberForm::none) return ScanFault::syntax;
    const char* const end = number.data() + number.size();
    std::int64_t integer = 0;
    std::uint64_t large = 0;
    if (form == NumberForm::integer && std::from_chars(number.data(), end, integer).ec == std::errc{}) {
      emit([&](auto& to) { to.integer(integer); });
    } else if (form == NumberForm::integer && std::from_chars(number.data(), end, large).ec == std::errc{}) {
      emit([&](auto& to) { to.unsigned_integer(large); });
    } else if (const auto real = read_number(number)) {
      emit([&](auto& to) { emit_number(*real, to); });
    } else {
      return ScanFault::out_of_range;
    }
    return ScanFault::none;
  }

  static bool is_in_word(char c) noexcept {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '+' ||
           c == '.';
  }

  Sink sink_;
  Tape* tape_ = nullptr;        // receives the events of the sink until the end of a container; null: none
  std::size_t tape_depth_ = 0;  // number of open containers when it began
  const std::size_t max_depth_;
  bool is_strict_ = false;
  Next next_ = Next::value;
  Cut cut_ = Cut::no;
  ScanFault fault_ = ScanFault::none;
  const char* end_ = nullptr;  // the end of the chunk
  const char* error_at_ = nullptr;
  std::size_t offset_ = 0;
  std::vector<Level> open_;
  PassedTexts passed_;
  std::string text_;                                      // a string that is not plain or was cut
  std::string rest_;                                      // a cut word, or a cut escape of a string
  std::vector<std::set<std::string, std::less<>>> keys_;  // the keys of the open objects, if strict
  std::string repeated_;
};

}  // namespace pintle::json
