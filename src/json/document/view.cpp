// SPDX-License-Identifier: Apache-2.0
#include <pintle/json/document.hpp>

#include <cmath>
#include <utility>

#include <pintle/json/arena.hpp>
#include <pintle/json/pointer.hpp>

#include "inside.hpp"
#include "json/text/printer.hpp"
#include "json/text/tokens.hpp"
#include "json/text/value_sink.hpp"
#include "walk.hpp"

namespace pintle::json {

Number Inside::number() const noexcept {
  switch (tag()) {
    case Tag::signed_number: return bits<std::int64_t>();
    case Tag::unsigned_number: return bits<std::uint64_t>();
    case Tag::double_number: return bits<double>();
    case Tag::written_number: return WrittenNumber{text(word_)};
    default: return std::int64_t{integer_in(*word_)};
  }
}

const Word* Inside::member(const Word* head, std::string_view name) const noexcept {
  if (tag_of(*head) == Tag::shape) {
    const Shape known = shape(head);
    const Word hash = short_hash(hash_of(name, parts()->seed));
    for (std::size_t i = 0; i < known.size(); ++i) {
      if (known.hashes()[i] == hash && same_text(known.key(i), name)) return head + 1 + i;
    }
  } else if (tag_of(*head) == Tag::key_list) {
    const std::size_t members = size(head);
    for (std::size_t i = 0; i < members; ++i) {
      if (key(head, i) == name) return head + 1 + i;
    }
  }
  return nullptr;
}

Number number_of(View view) noexcept { return Inside(view).number(); }

Type View::type() const noexcept {
  if (word_ == nullptr) return Type::missing;
  const Inside inside(*this);
  switch (inside.tag()) {
    case Tag::literal:
      switch (static_cast<Literal>(payload_of(*word_))) {
        case Literal::null: return Type::null;
        case Literal::no:
        case Literal::yes: return Type::boolean;
        case Literal::empty_object: return Type::object;
        case Literal::empty_array: return Type::array;
      }
      return Type::null;
    case Tag::integer:
    case Tag::signed_number:
    case Tag::unsigned_number: return Type::integer;
    case Tag::double_number:
    case Tag::written_number: return Type::number;
    case Tag::short_text:
    case Tag::text:
    case Tag::shared_text: return Type::string;
    default: return tag_of(*inside.head()) == Tag::count ? Type::array : Type::object;
  }
}

std::optional<std::string_view> View::as_string() const noexcept {
  if (word_ == nullptr || !Inside(*this).is_text()) return std::nullopt;
  return Inside(*this).text();
}

std::optional<std::int64_t> View::as_integer() const noexcept {
  if (word_ == nullptr || !Inside(*this).is_number()) return std::nullopt;
  const Number number = number_of(*this);
  const auto* integer = std::get_if<std::int64_t>(&number);
  return integer == nullptr ? std::nullopt : std::optional(*integer);
}

std::optional<std::uint64_t> View::as_unsigned() const noexcept {
  if (word_ == nullptr || !Inside(*this).is_number()) return std::nullopt;
  const Number number = number_of(*this);
  if (const auto* large = std::get_if<std::uint64_t>(&number)) return *large;
  const auto* integer = std::get_if<std::int64_t>(&number);
  return integer == nullptr || *integer < 0 ? std::nullopt : std::optional(static_cast<std::uint64_t>(*integer));
}

std::optional<double> View::as_double() const noexcept {
  if (word_ == nullptr || !Inside(*this).is_number()) return std::nullopt;
  return to_double(number_of(*this));
}

std::optional<bool> View::as_bool() const noexcept {
  if (word_ == nullptr) return std::nullopt;
  if (*word_ == make_word(Literal::yes)) return true;
  return *word_ == make_word(Literal::no) ? std::optional(false) : std::nullopt;
}

std::size_t View::size() const noexcept {
  if (word_ == nullptr) return 0;
  const Inside inside(*this);
  const Word* head = inside.head();
  return head == nullptr ? 0 : inside.size(head);
}

View View::operator[](std::string_view pointer) const noexcept {
  View place = *this;
  std::string_view token;
  while (place.exists() && next_token(pointer, token)) {
    if (place.is_object()) {
      const bool is_escaped = token.find('~') != std::string_view::npos;
      place = is_escaped ? place.member(unescape_token(token)) : place.member(token);
    } else {
      const auto index = index_of(token);
      place = index ? place.element(*index) : View{};
    }
  }
  return pointer.empty() ? place : View{};
}

View View::member(std::string_view name) const noexcept {
  if (word_ == nullptr) return {};
  const Inside inside(*this);
  const Word* head = inside.head();
  if (head == nullptr) return {};
  const Word* found = inside.member(head, name);
  return found == nullptr ? View{} : inside.view(found);
}

View View::element(std::size_t index) const noexcept {
  if (word_ == nullptr) return {};
  const Inside inside(*this);
  const Word* head = inside.head();
  if (head == nullptr || tag_of(*head) != Tag::count || index >= payload_of(*head)) return {};
  return inside.view(head + 1 + index);
}

std::pair<std::string_view, View> View::member_at(std::size_t index) const noexcept {
  if (word_ == nullptr) return {};
  const Inside inside(*this);
  const Word* head = inside.head();
  if (head == nullptr || tag_of(*head) == Tag::count || index >= inside.size(head)) return {};
  return {inside.key(head, index), inside.view(head + 1 + index)};
}

Value View::to_value() const {
  ValueSink sink;
  walk(*this, sink);
  return sink.release();
}

Value to_value(View view, Arena& memory) {
  ValueSink sink(memory.storage());
  walk(view, sink);
  return sink.release();
}

std::string View::print() const {
  std::string out;
  print_to(out);
  return out;
}

void View::print_to(std::string& out) const {
  Printer printer(out);
  walk(*this, printer);
  printer.finish();
}

std::string View::print_pretty() const {
  std::string out;
  PrettyPrinter printer(out);
  walk(*this, printer);
  return out;
}

}  // namespace pintle::json
