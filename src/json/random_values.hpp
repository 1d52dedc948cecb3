// SPDX-License-Identifier: Apache-2.0
// Random documents for property tests: small, varied, and with much in common.
#pragma once

#include <iterator>
#include <string>

#include <pintle/base/random.hpp>
#include <pintle/json/value.hpp>

namespace pintle::json {

inline std::string random_text(Random& random) {
  static const std::string pieces[] = {
      "a", "b",  "key", "/",  "~",  " ", "\n", "\n\n", "\t", "\"",           "\\", ":",    "- ", "#",
      "y", "on", "0x1", "1.", "~0", "é", "\r", "%",    "{",  "\xe2\x80\xa8", "😀", "null", "'",  "\x01"};
  std::string text;
  for (std::uint64_t i = random.below(4); i > 0; --i) text += pieces[random.below(std::size(pieces))];
  return text;
}

inline double random_double(Random& random) {
  switch (random.below(3)) {
    case 0: return random.unit() * 1000;
    case 1: return static_cast<double>(random.below(1000)) / 4;
    default: return (random.unit() - 0.5) * 1e300;
  }
}

inline Value random_value(Random& random, int depth = 4) {
  switch (random.below(depth > 0 ? 9 : 7)) {
    case 0: return nullptr;
    case 1: return random.below(2) == 0;
    case 2: return static_cast<std::int64_t>(random.below(5));
    case 3: return static_cast<std::int64_t>(random.next());
    case 4: return random.next() | (std::uint64_t{1} << 63U);
    case 5: return random_double(random);
    case 6: return Value(random_text(random));
    case 7: {
      array list;
      for (std::uint64_t i = random.below(5); i > 0; --i) list.push_back(random_value(random, depth - 1));
      return list;
    }
    default: {
      object members;
      for (std::uint64_t i = random.below(5); i > 0; --i)
        members[random_text(random)] = random_value(random, depth - 1);
      return members;
    }
  }
}

// The same document with a few places changed.
inline Value random_edit(Random& random, const Value& value) {
  if (random.below(8) == 0) return random_value(random, 2);
  Value edited(value);
  if (auto* members = edited.if_object()) {
    for (auto& member : *members) {
      if (random.below(3) == 0) member.value() = random_edit(random, member.value());
    }
    if (!members->empty() && random.below(3) == 0) members->stable_erase(members->begin());
    if (random.below(3) == 0) (*members)[random_text(random)] = random_value(random, 1);
  } else if (auto* list = edited.if_array()) {
    for (Value& element : *list) {
      if (random.below(3) == 0) element = random_edit(random, element);
    }
    if (!list->empty() && random.below(3) == 0) list->erase(list->begin());
    if (random.below(3) == 0) list->insert(list->begin(), random_value(random, 1));
  }
  return edited;
}

}  // namespace pintle::json
