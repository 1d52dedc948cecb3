// SPDX-License-Identifier: Apache-2.0
// Layouts: the protobuf messages of OpenAPI documents, and the encoding of JSON by them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <pintle/json/value.hpp>

namespace pintle::apiserver::openapi {

// The encoding of a member.
enum class Encoding {
  text,
  flag,
  integer,
  real,
  texts,
  any,                // any value, as YAML
  anys,               // a list of any values
  scalar,             // a number, a boolean or a text, in a message with a field for each
  message,            // an object
  wrapped,            // an object, in a message that contains only it
  names,              // one or more texts, in a message that contains only them
  map,                // objects by name
  paths,              // paths by name
  responses,          // responses by name, each in a message that is a response or a reference
  parameters,         // a list of objects, each in messages for the kind of parameter
  open,               // a schema or a boolean
  reference,          // an object or a reference to one
  references,         // a list of them
  wrapped_reference,  // one, in a message that contains only it
  reference_map,      // those by name
  later_responses,    // responses by name in version 3
  open_reference,     // a schema, a reference or a boolean
};

struct Layout;

struct Member {
  std::uint32_t number = 0;
  std::string_view name{};
  Encoding encoding = Encoding::text;
  const Layout& (*of)() = nullptr;
};

struct Layout {
  std::span<const Member> members;
  std::uint32_t extensions = 0;  // the field for members x-…
};

// Returns the members for the rules of a schema, which both versions number in the same order, from `first`.
constexpr std::array<Member, 15> rules_from(std::uint32_t first) {
  std::array<Member, 15> rules{Member{0, "multipleOf", Encoding::real},
                               {1, "maximum", Encoding::real},
                               {2, "exclusiveMaximum", Encoding::flag},
                               {3, "minimum", Encoding::real},
                               {4, "exclusiveMinimum", Encoding::flag},
                               {5, "maxLength", Encoding::integer},
                               {6, "minLength", Encoding::integer},
                               {7, "pattern"},
                               {8, "maxItems", Encoding::integer},
                               {9, "minItems", Encoding::integer},
                               {10, "uniqueItems", Encoding::flag},
                               {11, "maxProperties", Encoding::integer},
                               {12, "minProperties", Encoding::integer},
                               {13, "required", Encoding::texts},
                               {14, "enum", Encoding::anys}};
  for (Member& rule : rules) rule.number += first;
  return rules;
}

// Joins lists of members; the fields of a message are encoded in their order.
template <std::size_t... N>
constexpr std::array<Member, (N + ...)> joined(const std::array<Member, N>&... lists) {
  std::array<Member, (N + ...)> all{};
  auto next = all.begin();
  ((next = std::copy(lists.begin(), lists.end(), next)), ...);
  return all;
}

// Encodes an object. Members that are not in the layout are left out, as are values that an encoding cannot express.
[[nodiscard]] std::string encode(const json::Value& value, const Layout& layout);

// Encodes a parameter of version 2, whose layout depends on its location.
[[nodiscard]] std::string encode_parameter(const json::Value& value);

// Appends a field that is a text or a message.
void put_chunk(std::string& out, std::uint32_t number, std::string_view bytes);

}  // namespace pintle::apiserver::openapi
