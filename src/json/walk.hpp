// walk(): tells a sink what a document holds, in order. A sink has null, boolean, integer, unsigned_integer, real,
// written_number, string, key, begin_object, end_object, begin_array and end_array; Tape is one.
#pragma once

#include <string_view>

#include <pintle/json/document.hpp>
#include <pintle/json/value.hpp>

#include "inside.hpp"
#include "number.hpp"

namespace pintle::json {

template <class Sink>
void tell_number(const Number& number, Sink& sink) {
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
    case boost::json::kind::double_: tell_number(number_of(value), sink); break;
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
void walk(View view, Sink& sink);

template <class Sink>
void walk_array(Inside array, Sink& sink) {
  const Word* head = array.head();
  const std::size_t size = head == nullptr ? 0 : array.size(head);
  sink.begin_array();
  for (std::size_t i = 0; i < size; ++i) walk(array.view(head + 1 + i), sink);
  sink.end_array(size);
}

template <class Sink>
void walk_object(Inside object, Sink& sink) {
  const Word* head = object.head();
  const std::size_t size = head == nullptr ? 0 : object.size(head);
  sink.begin_object();
  for (std::size_t i = 0; i < size; ++i) {
    sink.key(object.key(head, i));
    walk(object.view(head + 1 + i), sink);
  }
  sink.end_object(size);
}

// What is missing is told of as null.
template <class Sink>
void walk(View view, Sink& sink) {
  switch (view.type()) {
    case Type::missing:
    case Type::null: sink.null(); break;
    case Type::boolean: sink.boolean(*view.as_bool()); break;
    case Type::integer:
    case Type::number: tell_number(number_of(view), sink); break;
    case Type::string: sink.string(view.text()); break;
    case Type::array: walk_array(Inside(view), sink); break;
    case Type::object: walk_object(Inside(view), sink); break;
  }
}

}  // namespace pintle::json
