// SPDX-License-Identifier: Apache-2.0
// walk(): sends the content of a document to a sink, in order. A sink has the member functions null, boolean, integer,
// unsigned_integer, real, written_number, string, key, begin_object, end_object, begin_array and end_array. Tape is a
// sink.
#pragma once

#include <string_view>

#include <pintle/json/document.hpp>
#include <pintle/json/value.hpp>

#include "inside.hpp"
#include "json/text/number.hpp"

namespace pintle::json {

template <class Sink>
void emit_number(const Number& number, Sink& sink) {
  if (const auto* integer = std::get_if<std::int64_t>(&number)) {
    sink.integer(*integer);
  } else if (const auto* large = std::get_if<std::uint64_t>(&number)) {
    sink.unsigned_integer(*large);
  } else if (const auto* real = std::get_if<double>(&number)) {
    sink.real(*real);
  } else {
    sink.written_number(std::get<WrittenNumber>(number).text);
  }
}

template <class Sink>
void walk(const Value& value, Sink& sink) {
  switch (value.kind()) {
    case boost::json::kind::null: sink.null(); break;
    case boost::json::kind::bool_: sink.boolean(value.get_bool()); break;
    case boost::json::kind::int64:
    case boost::json::kind::uint64:
    case boost::json::kind::double_: emit_number(number_of(value), sink); break;
    case boost::json::kind::string: sink.string(value.get_string()); break;
    case boost::json::kind::array:
      sink.begin_array();
      for (const Value& element : value.get_array()) walk(element, sink);
      sink.end_array(value.get_array().size());
      break;
    case boost::json::kind::object:
      sink.begin_object();
      for (const auto& [key, member] : value.get_object()) {
        sink.key(key);
        walk(member, sink);
      }
      sink.end_object(value.get_object().size());
      break;
  }
}

template <class Sink>
void walk(Inside place, Sink& sink);

template <class Sink>
void walk_array(Inside array, const Word* head, Sink& sink) {
  const std::size_t size = array.size(head);
  sink.begin_array();
  for (std::size_t i = 0; i < size; ++i) walk(array.at(head + 1 + i), sink);
  sink.end_array(size);
}

template <class Sink>
void walk_object(Inside object, const Word* head, Sink& sink) {
  sink.begin_object();
  std::size_t size = 0;
  if (tag_of(*head) == Tag::shape) {
    const Shape known = object.shape(head);
    for (; size < known.size(); ++size) {
      sink.key(known.key(size));
      walk(object.at(head + 1 + size), sink);
    }
  } else {
    for (; size < object.size(head); ++size) {
      sink.key(object.key(head, size));
      walk(object.at(head + 1 + size), sink);
    }
  }
  sink.end_object(size);
}

template <class Sink>
void emit_literal(Literal literal, Sink& sink) {
  switch (literal) {
    case Literal::null: return sink.null();
    case Literal::no: return sink.boolean(false);
    case Literal::yes: return sink.boolean(true);
    case Literal::empty_object: sink.begin_object(); return sink.end_object(0);
    case Literal::empty_array: sink.begin_array(); return sink.end_array(0);
  }
}

template <class Sink>
void walk(Inside place, Sink& sink) {
  switch (place.tag()) {
    case Tag::literal: return emit_literal(static_cast<Literal>(payload_of(place.word())), sink);
    case Tag::integer: return sink.integer(integer_in(place.word()));
    case Tag::short_text:
    case Tag::text:
    case Tag::shared_text: return sink.string(place.text());
    case Tag::container:
    case Tag::shared_container: {
      const Word* head = place.head();
      return tag_of(*head) == Tag::count ? walk_array(place, head, sink) : walk_object(place, head, sink);
    }
    default: return emit_number(place.number(), sink);
  }
}

// A missing view is sent as null.
template <class Sink>
void walk(View view, Sink& sink) {
  if (!view.exists()) return sink.null();
  walk(Inside(view), sink);
}

}  // namespace pintle::json
