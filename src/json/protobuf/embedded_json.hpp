// SPDX-License-Identifier: Apache-2.0
// EmbeddedJson: sends the values of JSON in a protobuf message to a sink (see walk.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "json/text/scanner.hpp"

namespace pintle::json {

template <class Sink>
class EmbeddedJson {
 public:
  EmbeddedJson(Sink& sink, std::size_t max_depth) : scanner_(max_depth) { scanner_.sink().to = &sink; }

  // Returns whether the text is valid JSON in which at most `max_depth` containers are open at a time, with the `depth`
  // ones around it.
  [[nodiscard]] bool scan(std::string_view text, std::size_t depth, std::size_t max_depth) {
    Counting& counted = scanner_.sink();
    counted.depth = counted.deepest = depth;
    scanner_.restart();
    return scanner_.add(text) && scanner_.finish() && counted.deepest <= max_depth;
  }

 private:
  // Passes the events to the sink and counts the open containers.
  struct Counting {
    void null() { to->null(); }
    void boolean(bool flag) { to->boolean(flag); }
    void integer(std::int64_t number) { to->integer(number); }
    void unsigned_integer(std::uint64_t number) { to->unsigned_integer(number); }
    void real(double number) { to->real(number); }
    void written_number(std::string_view text) { to->written_number(text); }
    void string(std::string_view text) { to->string(text); }
    void key(std::string_view text) { to->key(text); }
    void begin_object() { to->begin_object(), enter(); }
    void end_object(std::size_t members) { to->end_object(members), --depth; }
    void begin_array() { to->begin_array(), enter(); }
    void end_array(std::size_t elements) { to->end_array(elements), --depth; }
    void enter() { deepest = std::max(deepest, ++depth); }

    Sink* to = nullptr;
    std::size_t depth = 0;
    std::size_t deepest = 0;
  };

  Scanner<Counting> scanner_;
};

}  // namespace pintle::json
