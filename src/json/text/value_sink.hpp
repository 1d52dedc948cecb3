// SPDX-License-Identifier: Apache-2.0
// ValueSink: a sink (see walk.hpp) that builds a Value.
#pragma once

#include <boost/json/value_stack.hpp>

#include <pintle/json/value.hpp>

#include "number.hpp"

namespace pintle::json {

class ValueSink {
 public:
  explicit ValueSink(const boost::json::storage_ptr& storage = {}) { begin_in(storage); }

  // Builds the following values in this storage.
  void begin_in(const boost::json::storage_ptr& storage) { stack_.reset(storage); }

  void null() { stack_.push_null(); }
  void boolean(bool flag) { stack_.push_bool(flag); }
  void integer(std::int64_t number) { stack_.push_int64(number); }
  void unsigned_integer(std::uint64_t number) { stack_.push_uint64(number); }
  void real(double number) { stack_.push_double(number); }
  // A Value cannot represent the number exactly, so the nearest double is used.
  void written_number(std::string_view text) { stack_.push_double(to_double(WrittenNumber{text})); }
  void string(std::string_view text) { stack_.push_string(text); }
  void key(std::string_view text) { stack_.push_key(text); }
  void begin_object() {}
  void end_object(std::size_t members) { stack_.push_object(members); }
  void begin_array() {}
  void end_array(std::size_t elements) { stack_.push_array(elements); }

  Value release() { return stack_.release(); }

 private:
  boost::json::value_stack stack_;
};

}  // namespace pintle::json
