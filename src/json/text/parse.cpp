// SPDX-License-Identifier: Apache-2.0
// Parses JSON text into documents and values.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <pintle/json/arena.hpp>
#include <pintle/json/document.hpp>
#include <pintle/json/message_types.hpp>
#include <pintle/json/reader.hpp>
#include <pintle/json/value.hpp>

#include "json/document/builder.hpp"
#include "json/document/projector.hpp"
#include "json/document/recent_texts.hpp"
#include "json/document/walk.hpp"
#include "json/protobuf/protobuf_scanner.hpp"
#include "scanner.hpp"
#include "value_sink.hpp"

namespace pintle::json {
namespace {

std::string describe(ScanFault error, const std::string& repeated_key) {
  switch (error) {
    case ScanFault::ends_early: return "the text ends too early";
    case ScanFault::more_follows: return "unexpected text after the end";
    case ScanFault::too_deep: return "nested deeper than " + std::to_string(max_depth) + " levels";
    case ScanFault::out_of_range: return "a number is out of range";
    case ScanFault::repeated_key: return "duplicate member \"" + repeated_key + "\"";
    default: return "syntax error";
  }
}

template <class Sink>
Result<void> outcome(const Scanner<Sink>& scanner) {
  if (scanner.error() == ScanFault::none) return {};
  return fail(ErrorCode::invalid, "invalid JSON at byte " + std::to_string(scanner.offset()) + ": " +
                                      describe(scanner.error(), scanner.repeated_key()));
}

// PartsSink: sends the content of parts to one builder and the text around the parts to another.
class PartsSink {
 public:
  void set(ReaderOptions options) {
    options_ = std::move(options);
    around_.emplace();
    part_.emplace(options_.pool);
    projector_.emplace(part_->tape());
    options_fault_ = projector_->set(options_.projection);
    takes_recent_ = options_.pool != nullptr && !options_.strict && options_.defaults.empty() &&
                    options_.overrides.empty() && options_fault_.has_value();
    form_ = form_of(options_.projection);
    restart();
  }
  void restart() {
    around_->tape().clear();
    part_->tape().clear();
    projector_->restart();
    whole_.reset();
    fault_.reset();
    depth_ = depth_in_part_ = 0;
    in_part_ = is_one_part();
    in_list_ = parts_follow_ = false;
    keep(options_fault_);
  }

  void null() {
    emit([](auto& to) { to.null(); });
  }
  void boolean(bool flag) {
    emit([flag](auto& to) { to.boolean(flag); });
  }
  void integer(std::int64_t number) {
    emit([number](auto& to) { to.integer(number); });
  }
  void unsigned_integer(std::uint64_t number) {
    emit([number](auto& to) { to.unsigned_integer(number); });
  }
  void real(double number) {
    emit([number](auto& to) { to.real(number); });
  }
  void written_number(std::string_view text) {
    emit([text](auto& to) { to.written_number(text); });
  }
  void string(std::string_view text) {
    emit([text](auto& to) { to.string(text); });
  }

  [[nodiscard]] bool leaves_out() const noexcept { return in_part_ && projector_->leaves_out(); }
  // Also used outside the parts: a wrong guess has no effect, because the scanner compares it with the text.
  [[nodiscard]] std::string_view likely_key() const noexcept { return std::as_const(*part_).tape().likely_key(); }

  // Returns the tape that receives everything until the end of the innermost open container as it is; null if there are
  // rules for its content. The members of the root are never put on it directly, because they may be rules or defaults.
  [[nodiscard]] Tape* direct() noexcept {
    return in_part_ && depth_in_part_ > 1 && projector_->keeps_all() ? &part_->tape() : nullptr;
  }
  void forget_sources() noexcept { part_->tape().forget_sources(); }
  // If an object that begins here is a part whose text was read a moment ago, completes the part and returns the size
  // of its text; otherwise 0.
  [[nodiscard]] std::size_t take_recent(std::string_view bytes) {
    if (!parts_follow_ || !takes_recent_) return 0;
    auto recent = Builder::recent(*options_.pool).take(bytes, form_);
    if (!recent) return 0;
    parts_follow_ = false;
    around_->tape().begin_object();
    around_->tape().end_object(0);
    ++parts_;
    if (options_.on_part) options_.on_part(std::move(recent->document));
    return recent->size;
  }

  void key(std::string_view name) {
    if (in_part_) {
      if (lacks_defaults_ && depth_in_part_ == 1 && !gives_default(name)) add_defaults();
      projector_->key(name);
    } else {
      around_->tape().key(name);
      parts_follow_ = depth_ == 1 && name == options_.parts;
    }
  }
  void begin_object() {
    if (enters_part()) {
      projector_->begin_object();
      if (depth_in_part_++ == 0) begin_part();
    } else {
      around_->tape().begin_object();
      ++depth_;
    }
  }
  void end_object(std::size_t members) {
    if (in_part_) {
      const bool is_root = --depth_in_part_ == 0;
      if (is_root) {
        if (lacks_defaults_) add_defaults();
        for (const auto& member : options_.overrides) add(member);
      }
      projector_->end_object(members + (is_root ? std::exchange(added_, 0) : 0));
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

  [[nodiscard]] std::size_t parts() const noexcept { return parts_; }  // completed so far
  // The first error: a document that is too large, or an invalid path of the projection.
  [[nodiscard]] Result<void> error() const { return fault_ ? Result<void>(fail(*fault_)) : Result<void>(); }
  [[nodiscard]] Result<Document> finish() {
    if (whole_) return *std::exchange(whole_, {});
    return (is_one_part() ? part_ : around_)->finish();
  }

 private:
  [[nodiscard]] bool is_one_part() const noexcept { return options_.parts.empty(); }

  template <class Event>
  void emit(Event event) {
    if (in_part_) {
      event(*projector_);
    } else if (!in_list_) {  // a scalar in the list of parts is ignored
      parts_follow_ = false;
      event(around_->tape());
    }
  }

  bool enters_part() {
    if (in_list_ || parts_follow_) in_part_ = true;
    return in_part_;
  }
  void begin_part() {
    lacks_defaults_ = !options_.defaults.empty();
    given_.assign(options_.defaults.size(), false);
    added_ = 0;
  }
  bool gives_default(std::string_view name) {
    for (std::size_t i = 0; i < given_.size(); ++i) {
      if (options_.defaults[i].first == name) return given_[i] = true;
    }
    return false;
  }
  // Adds the missing defaults before the first other member, so that the parts of a list have the same shape as the
  // objects of a watch, whose text contains these members.
  void add_defaults() {
    lacks_defaults_ = false;
    for (std::size_t i = 0; i < given_.size(); ++i) {
      if (!given_[i]) add(options_.defaults[i]);
    }
  }
  void add(const std::pair<std::string, std::string>& member) {
    projector_->key(member.first);
    projector_->string(member.second);
    ++added_;
  }
  void end_part() {
    if (is_one_part()) {
      whole_ = part_->finish();  // while its text exists
      return;
    }
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
  std::optional<Result<Document>> whole_;  // without parts: the document, once it is complete
  std::optional<Error> fault_;
  std::size_t parts_ = 0;
  std::size_t depth_ = 0;          // open containers around the parts
  std::size_t depth_in_part_ = 0;  // open containers of the part
  std::size_t added_ = 0;          // members of the part that are not in the text
  std::string form_;               // of the projection
  bool takes_recent_ = false;      // a part is the same if its text was read in this form before
  std::vector<bool> given_;        // for each default: whether the part begins with it
  bool lacks_defaults_ = false;
  bool in_part_ = false;
  bool in_list_ = false;       // the list whose elements are the parts
  bool parts_follow_ = false;  // the last key is the name of the parts
};

}  // namespace

class Reader::Inner {
 public:
  // Parts may be as deep as documents. The list of parts and the root around it add two levels.
  explicit Inner(ReaderOptions options)
      : max_document_size_(options.max_document_size),
        depth_(max_depth + (options.parts.empty() ? 0 : 2)),
        messages_(options.messages),
        scanner_(depth_) {
    if (options.strict) scanner_.refuse_repeated_keys();
    scanner_.sink().set(std::move(options));
  }

  Result<void> add(std::string_view bytes) {
    if (fault_) return fail(*fault_);
    if (is_first_ && !bytes.empty()) detect(bytes.front());
    const std::size_t parts = scanner_.sink().parts();
    auto added = scan(bytes);
    scanner_.sink().forget_sources();  // the caller may change the bytes now
    since_part_ = scanner_.sink().parts() == parts ? since_part_ + bytes.size() : 0;
    if (added && since_part_ > max_document_size_) {
      added = fail(ErrorCode::invalid, "a document is longer than " + std::to_string(max_document_size_) + " bytes");
    }
    if (!added) fault_ = added.error();
    return added;
  }
  Result<Document> finish() {
    auto document = whole();
    fault_.reset();
    since_part_ = 0;
    is_first_ = true;
    is_protobuf_ = false;
    if (protobuf_) protobuf_->restart();
    scanner_.restart();
    scanner_.sink().restart();
    return document;
  }

 private:
  // No JSON text begins like the magic bytes of protobuf.
  void detect(char first) {
    is_first_ = false;
    is_protobuf_ = messages_ != nullptr && first == protobuf_magic.front();
    if (is_protobuf_ && !protobuf_) {
      protobuf_ = std::make_unique<ProtobufScanner<PartsSink>>(scanner_.sink(), *messages_, depth_, max_document_size_);
    }
  }
  Result<void> scan(std::string_view bytes) {
    if (!is_protobuf_) return scanner_.add(bytes) ? scanner_.sink().error() : outcome(scanner_);
    auto added = protobuf_->add(bytes);
    return added ? scanner_.sink().error() : std::move(added);
  }
  Result<Document> whole() {
    if (fault_) return fail(*fault_);
    if (is_protobuf_) {
      if (auto ended = protobuf_->finish(); !ended) return fail(std::move(ended.error()));
    } else if (!scanner_.finish()) {
      return fail(outcome(scanner_).error());
    }
    return scanner_.sink().finish();
  }

  const std::size_t max_document_size_;
  const std::size_t depth_;
  const MessageTypes* const messages_;
  std::size_t since_part_ = 0;  // bytes of the chunks since the end of the last part
  std::optional<Error> fault_;
  Scanner<PartsSink> scanner_;  // its sink receives the content of protobuf, too
  std::unique_ptr<ProtobufScanner<PartsSink>> protobuf_;
  bool is_first_ = true;  // no byte of the text has arrived
  bool is_protobuf_ = false;
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
  return builder.finish();
}

namespace {

Result<Value> value_of(Scanner<ValueSink>& scanner, std::string_view text) {
  if (!scanner.add(text) || !scanner.finish()) return fail(outcome(scanner).error());
  return scanner.sink().release();
}

}  // namespace

Result<Value> parse(std::string_view text) {
  Scanner<ValueSink> scanner(max_depth);
  return value_of(scanner, text);
}

Result<Value> parse(std::string_view text, Arena& memory) {
  Scanner<ValueSink> scanner(max_depth);
  scanner.sink().begin_in(memory.storage());
  return value_of(scanner, text);
}

Result<Value> parse_protobuf(std::string_view bytes, const MessageTypes& messages) {
  ValueSink sink;
  ProtobufScanner<ValueSink> scanner(sink, messages, max_depth, bytes.size());
  if (auto added = scanner.add(bytes); !added) return fail(std::move(added.error()));
  if (auto ended = scanner.finish(); !ended) return fail(std::move(ended.error()));
  return sink.release();
}

}  // namespace pintle::json
