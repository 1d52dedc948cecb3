// SPDX-License-Identifier: Apache-2.0
// MessageDecoder: sends the content of a protobuf message to a sink (see walk.hpp), as the JSON of the same object.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <pintle/base/result.hpp>
#include <pintle/base/utf8.hpp>
#include <pintle/json/message_types.hpp>

#include "embedded_json.hpp"
#include "json/document/hash.hpp"
#include "json/document/tape.hpp"
#include "value_forms.hpp"
#include "wire.hpp"

namespace pintle::json {

// The members of a message must be in ascending order, which Kubernetes guarantees: a repeated member is then in one
// piece, and no member occurs twice. The functions return false after an error, which error() describes.
template <class Sink>
class MessageDecoder {
 public:
  using Message = MessageTypes::Message;
  using Field = MessageTypes::Field;
  using Form = MessageTypes::Form;

  // `max_depth` is the maximum number of nested containers.
  MessageDecoder(Sink& sink, std::size_t max_depth) : sink_(sink), max_depth_(max_depth), embedded_(sink, max_depth) {}

  void restart() {
    depth_ = 0;
    error_.reset();
  }
  [[nodiscard]] const std::optional<Error>& error() const noexcept { return error_; }
  bool malformed() { return fail_with(make_error(ErrorCode::invalid, "the message is malformed")); }
  bool fail_with(Error error) {
    if (!error_) error_ = std::move(error);
    return false;
  }

  // Enters and leaves a container around the objects that follow.
  [[nodiscard]] bool enter() {
    if (++depth_ <= max_depth_) return true;
    return fail_with(make_error(ErrorCode::invalid, "nested deeper than " + std::to_string(max_depth_) + " levels"));
  }
  void leave() noexcept { --depth_; }

  void put_key(std::string_view name) {
    if constexpr (requires { std::as_const(sink_).likely_key(); }) {
      // A key of the sink itself needs no search.
      const std::string_view likely = std::as_const(sink_).likely_key();
      if (likely.size() == name.size() + 1 && same_text(likely.substr(0, name.size()), name)) {
        return sink_.key(likely.substr(0, name.size()));
      }
    }
    sink_.key(name);
  }
  void put_text(std::string_view text) {
    if (is_ascii(text)) return sink_.string(text);
    sink_.string(sanitize_utf8(text));  // as in JSON
  }

  // Sends the message as an object. `identity`: called after the object has begun; returns the number of members that
  // it has sent.
  [[nodiscard]] bool object(std::string_view bytes, const Message& message) {
    return object(bytes, message, [] { return std::size_t{0}; });
  }
  template <class Identity>
  [[nodiscard]] bool object(std::string_view bytes, const Message& message, Identity identity) {
    if (!enter()) return false;
    sink_.begin_object();
    std::size_t count = 0;
    if (!leaves_out()) {
      count = identity();
      if (!members_of_object(bytes, message, count)) return false;
    }
    sink_.end_object(count);
    leave();
    return true;
  }

 private:
  static constexpr bool is_tape = std::is_same_v<Sink, Tape>;
  // Whether the sink has a tape for containers to which no rule applies.
  static constexpr bool has_tape = requires(Sink& sink) { sink.direct(); };

  bool members_of_object(std::string_view bytes, const Message& message, std::size_t& count) {
    if constexpr (has_tape) {
      if (Tape* const tape = sink_.direct(); tape != nullptr) return members_on(*tape, bytes, message, count);
    }
    return members(bytes, message, count);
  }
  bool members_on(Tape& tape, std::string_view bytes, const Message& message, std::size_t& count) {
    if (direct_ == nullptr || &direct_->sink_ != &tape) {
      direct_ = std::make_unique<MessageDecoder<Tape>>(tape, max_depth_);
    }
    direct_->depth_ = depth_;
    if (direct_->members(bytes, message, count)) return true;
    return direct_->error_ ? fail_with(*std::exchange(direct_->error_, {})) : false;
  }

  // Whether the sink drops everything until the end of the innermost open container.
  [[nodiscard]] bool leaves_out() const noexcept {
    if constexpr (requires { sink_.leaves_out(); }) return sink_.leaves_out();
    return false;
  }

  // Adds the number of members in JSON to `count`.
  bool members(std::string_view bytes, const Message& message, std::size_t& count) {
    Wire in(bytes);
    const Field* field = message.fields.data();
    const Field* const end = field + message.fields.size();
    std::uint32_t before = 0;
    while (!in.done()) {
      const char* const begin = in.at();
      WireKey key;
      if (!in.key(key) || key.number <= before) return malformed();
      before = key.number;
      for (; field != end && field->number < key.number; ++field) absent(*field, count);
      if (field == end || field->number != key.number) {
        if (!unknown(in, key, message)) return false;
      } else if (!member(in, key, begin, *field++, count)) {
        return error_ ? false : malformed();
      }
    }
    for (; field != end; ++field) absent(*field, count);
    return true;
  }

  void absent(const Field& field, std::size_t& count) {
    if (!field.is_null_if_absent) return;
    put_key(field.name);
    sink_.null();
    ++count;
  }

  [[gnu::noinline]] bool unknown(Wire& in, WireKey key, const Message& message) {
    bool is_set = false;
    if (!in.skip(key.type, is_set)) return malformed();
    if (!is_set) return true;
    return fail_with(make_error(
        ErrorCode::unsupported,
        "member " + std::to_string(key.number) + " of " + std::string(message.name) + " is not supported in protobuf"));
  }

  bool member(Wire& in, WireKey key, const char* begin, const Field& field, std::size_t& count) {
    if (field.form == Form::integer || field.form == Form::boolean) {
      if (field.is_list) return numbers(in, key, field, count);
      if (!field.is_map) return number(in, key, field, count);
    }
    if (field.form == Form::real) return real(in, key, field, count);
    if (key.type != WireKey::chunk) return false;
    const std::string_view key_bytes(begin, static_cast<std::size_t>(in.at() - begin));
    std::string_view bytes;
    if (!in.chunk(bytes)) return false;
    if (field.is_list) return list(in, key_bytes, bytes, field, count);
    if (field.is_map) return map(in, key_bytes, bytes, field, count);
    if (field.is_inline) return enter() && members(bytes, *field.message, count) && (leave(), true);
    if (bytes.empty() && field.omits_empty) return true;
    put_key(field.name);
    ++count;
    return value(bytes, field);
  }

  bool number(Wire& in, WireKey key, const Field& field, std::size_t& count) {
    std::uint64_t number = 0;
    if (key.type != WireKey::varint || !in.varint(number)) return false;
    if (number == 0 && field.omits_empty) return true;
    put_key(field.name);
    ++count;
    put_number(number, field);
    return true;
  }
  void put_number(std::uint64_t number, const Field& field) {
    if (field.form == Form::boolean) return sink_.boolean(number != 0);
    sink_.integer(static_cast<std::int64_t>(number));
  }

  bool real(Wire& in, WireKey key, const Field& field, std::size_t& count) {
    double number = 0;
    if (key.type != WireKey::fixed64 || !in.fixed64(number)) return false;
    put_key(field.name);
    ++count;
    put_real(number);
    return true;
  }
  // Go prints a whole number without a fraction.
  void put_real(double number) {
    constexpr double exact = 9007199254740992;  // all integers up to 2^53 are exact
    if (number == std::floor(number) && std::abs(number) < exact)
      return sink_.integer(static_cast<std::int64_t>(number));
    sink_.real(number);
  }

  // The numbers of a list are separate members or packed into chunks.
  bool numbers(Wire& in, WireKey key, const Field& field, std::size_t& count) {
    if (!begin_list(field, count)) return false;
    std::size_t size = 0;
    const auto put = [&](Wire& from) {
      std::uint64_t number = 0;
      if (!from.varint(number)) return false;
      put_number(number, field);
      ++size;
      return true;
    };
    while (true) {
      if (key.type == WireKey::varint) {
        if (!put(in)) return false;
      } else {
        std::string_view packed;
        if (key.type != WireKey::chunk || !in.chunk(packed)) return false;
        for (Wire inside(packed); !inside.done();) {
          if (!put(inside)) return false;
        }
      }
      Wire next = in;
      if (in.done() || !next.key(key) || key.number != field.number) break;
      in = next;
    }
    end_list(size);
    return true;
  }

  bool begin_list(const Field& field, std::size_t& count, bool is_key_put = false) {
    if (!enter()) return false;
    if (!is_key_put) put_key(field.name);
    ++count;
    sink_.begin_array();
    return true;
  }
  void end_list(std::size_t size) {
    sink_.end_array(size);
    leave();
  }

  bool list(Wire& in, std::string_view key, std::string_view bytes, const Field& field, std::size_t& count) {
    PartText whole{.message = &field, .depth = depth_};
    if constexpr (is_tape) {
      Wire after = in;
      for (std::string_view next; after.repeats(key.data(), key.data() + key.size());) {
        if (!after.chunk(next)) return false;
      }
      whole.text = {key.data(), static_cast<std::size_t>(after.at() - key.data())};
      put_key(field.name);
      if (sink_.recall(whole)) {
        ++count;
        in = after;
        return true;
      }
    }
    if (!begin_list(field, count, is_tape)) return false;
    const bool is_left_out = leaves_out();
    std::size_t size = 0;
    do {
      ++size;
      if (!is_left_out && !value(bytes, field)) return false;
      if (!in.repeats(key.data(), key.data() + key.size())) break;
    } while (in.chunk(bytes) || malformed());
    if (error_) return false;
    end_list(size);
    if constexpr (is_tape) sink_.note_source(whole);
    return true;
  }

  bool map(Wire& in, std::string_view key, std::string_view bytes, const Field& field, std::size_t& count) {
    if (!enter()) return false;
    put_key(field.name);
    ++count;
    sink_.begin_object();
    const bool is_left_out = leaves_out();
    std::size_t size = 0;
    do {
      ++size;
      if (!is_left_out && !entry(bytes, field)) return false;
      if (!in.repeats(key.data(), key.data() + key.size())) break;
    } while (in.chunk(bytes) || malformed());
    if (error_) return false;
    sink_.end_object(size);
    leave();
    return true;
  }

  bool entry(std::string_view bytes, const Field& field) {
    std::string_view name;
    std::string_view content;
    std::uint64_t number = 0;
    for (Wire in(bytes); !in.done();) {
      WireKey key;
      bool is_set = false;
      if (!in.key(key)) return false;
      const bool is_read = key.type == WireKey::chunk && key.number == 1    ? in.chunk(name)
                           : key.type == WireKey::chunk && key.number == 2  ? in.chunk(content)
                           : key.type == WireKey::varint && key.number == 2 ? in.varint(number)
                                                                            : in.skip(key.type, is_set);
      if (!is_read) return false;
    }
    if (is_ascii(name)) {
      put_key(name);
    } else {
      put_key(sanitize_utf8(name));
    }
    if (field.form != Form::integer && field.form != Form::boolean) return value(content, field);
    put_number(number, field);
    return true;
  }

  [[gnu::noinline]] bool typed_object(std::string_view bytes, const Message& message) {
    return object(bytes, message, [&] {
      put_key("kind");
      sink_.string(message.kind);
      put_key("apiVersion");
      sink_.string(message.api_version);
      return std::size_t{2};
    });
  }

  // A message that a tape recognizes needs no decoding.
  bool known_object(std::string_view bytes, const Message& message) {
    if constexpr (is_tape) {
      const PartText text{.text = bytes, .message = &message, .depth = depth_};
      if (sink_.recall(text)) return true;
      if (!object(bytes, message)) return false;
      sink_.note_source(text);
      return true;
    } else {
      return object(bytes, message);
    }
  }

  bool value(std::string_view bytes, const Field& field) {
    switch (field.form) {
      case Form::string: put_text(bytes); return true;
      case Form::message:
        return field.has_kind ? typed_object(bytes, *field.message) : known_object(bytes, *field.message);
      case Form::quantity: return quantity(bytes);
      case Form::time:
      case Form::micro_time: return time(bytes, field.form == Form::micro_time);
      case Form::int_or_string: return int_or_string(bytes);
      case Form::json: return embedded(bytes);
      case Form::texts: return texts(bytes);
      case Form::union_: return last_member(bytes, *field.message);
      case Form::bytes:
        base64_.clear();
        append_base64(bytes, base64_);
        sink_.string(base64_);
        return true;
      case Form::integer:
      case Form::boolean:
      case Form::real: break;  // no chunk
    }
    return false;
  }

  bool quantity(std::string_view bytes) {
    WireParts parts;
    if (!parts.read(bytes)) return false;
    put_text(parts.chunks[0]);
    return true;
  }

  bool time(std::string_view bytes, bool micro) {
    if (bytes.empty()) return sink_.null(), true;  // the zero time of Go
    WireParts parts;
    if (!parts.read(bytes)) return false;
    const auto nanos = micro ? static_cast<std::int64_t>(parts.numbers[1]) : 0;
    const std::string_view text = times_.format(static_cast<std::int64_t>(parts.numbers[0]), nanos, micro);
    if (text.empty()) return false;
    sink_.string(text);
    return true;
  }

  bool int_or_string(std::string_view bytes) {
    WireParts parts;
    if (!parts.read(bytes)) return false;
    if (parts.numbers[0] != 0) {
      put_text(parts.chunks[2]);
    } else {
      sink_.integer(static_cast<std::int64_t>(parts.numbers[1]));
    }
    return true;
  }

  bool embedded(std::string_view bytes) {
    WireParts parts;
    if (!parts.read(bytes)) return false;
    const std::string_view text = parts.chunks[0];
    if (text.empty()) return sink_.null(), true;
    if (embedded_.scan(text, depth_, max_depth_)) return true;
    return fail_with(make_error(ErrorCode::invalid, "embedded JSON is malformed or too deep"));
  }

  // Sends the value of the last member of a message. A message without members is false if it can be, otherwise null.
  bool last_member(std::string_view bytes, const Message& message) {
    Wire last(bytes);
    WireKey key;
    std::uint32_t number = 0;
    for (Wire in(bytes); !in.done();) {
      const Wire begin = in;
      bool is_set = false;
      if (!in.key(key)) return false;
      if (key.number != number) last = begin;
      number = key.number;
      if (!in.skip(key.type, is_set)) return false;
    }
    const Field& first = message.fields.front();
    if (number == 0) return first.form == Form::boolean ? (sink_.boolean(false), true) : (sink_.null(), true);
    const auto field = std::ranges::find(message.fields, number, &Field::number);
    if (field == message.fields.end() || !last.key(key)) return false;
    if (field->form == Form::boolean) {
      std::uint64_t flag = 0;
      if (key.type != WireKey::varint || !last.varint(flag)) return false;
      sink_.boolean(flag != 0);
      return true;
    }
    return key.type == WireKey::chunk && (field->is_list ? elements(last, *field) : only_chunk(last, *field));
  }
  bool only_chunk(Wire& in, const Field& field) {
    std::string_view chunk;
    return in.chunk(chunk) && value(chunk, field);
  }
  // The elements of a list that is the rest of a message, after the first key.
  bool elements(Wire& in, const Field& field) {
    if (!enter()) return false;
    sink_.begin_array();
    std::size_t size = 0;
    WireKey key;
    do {
      if (!only_chunk(in, field)) return false;
      ++size;
    } while (!in.done() && in.key(key));
    sink_.end_array(size);
    leave();
    return true;
  }

  bool texts(std::string_view bytes) {
    if (!enter()) return false;
    sink_.begin_array();
    std::size_t size = 0;
    for (Wire in(bytes); !in.done();) {
      WireKey key;
      bool is_set = false;
      std::string_view text;
      const bool is_read =
          in.key(key) && (key.number == 1 && key.type == WireKey::chunk ? in.chunk(text) : in.skip(key.type, is_set));
      if (!is_read) return false;
      if (key.number != 1) continue;
      put_text(text);
      ++size;
    }
    sink_.end_array(size);
    leave();
    return true;
  }

  template <class>
  friend class MessageDecoder;

  Sink& sink_;
  const std::size_t max_depth_;
  std::size_t depth_ = 0;                         // open containers
  std::unique_ptr<MessageDecoder<Tape>> direct_;  // for the tape of the sink
  std::optional<Error> error_;
  EmbeddedJson<Sink> embedded_;
  TimeFormat times_;
  std::string base64_;
};

}  // namespace pintle::json
