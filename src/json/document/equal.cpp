// SPDX-License-Identifier: Apache-2.0
#include <pintle/json/value.hpp>

#include "json/text/number.hpp"

namespace pintle::json {
namespace {

bool equal_arrays(const array& a, const array& b) noexcept {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!equal(a[i], b[i])) return false;
  }
  return true;
}

bool equal_objects(const object& a, const object& b) noexcept {
  if (a.size() != b.size()) return false;
  auto guess = b.begin();  // versions of one object usually have the same order
  for (const auto& [key, value] : a) {
    const auto found = guess->key() == key ? guess : b.find(key);
    ++guess;
    if (found == b.end() || !equal(value, found->value())) return false;
  }
  return true;
}

}  // namespace

bool equal(const Value& a, const Value& b) noexcept {
  if (a.is_number() && b.is_number()) return equal(number_of(a), number_of(b));
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case boost::json::kind::null: return true;
    case boost::json::kind::bool_: return a.get_bool() == b.get_bool();
    case boost::json::kind::string: return a.get_string() == b.get_string();
    case boost::json::kind::array: return equal_arrays(a.get_array(), b.get_array());
    case boost::json::kind::object: return equal_objects(a.get_object(), b.get_object());
    default: return false;
  }
}

}  // namespace pintle::json
