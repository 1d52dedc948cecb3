// SPDX-License-Identifier: Apache-2.0
#include "decoding.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

#include <fmt/format.h>

#include "../type_rows.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;

// "apps.v1.DeploymentSpec" → "v1.DeploymentSpec", with its package in Go.
std::string_view in_package(std::string_view type) {
  const std::size_t name = type.rfind('.');
  const std::size_t package = name == std::string_view::npos ? name : type.rfind('.', name - 1);
  return package == std::string_view::npos ? type : type.substr(package + 1);
}

std::string go_name(std::string_view word) {
  if (word.starts_with("[]")) return "[]" + go_name(word.substr(2));
  if (word.starts_with("{}")) return "map[string]" + go_name(word.substr(2));
  if (word == "boolean") return "bool";
  if (word == "double") return "float64";
  if (word == "bytes") return "[]uint8";
  return std::string(in_package(word));
}

// The decoder's name of a value: "string", "number 1.5", "object".
std::string value_name(const Value& value, bool with_number) {
  if (value.is_string()) return "string";
  if (value.is_bool()) return "bool";
  if (value.is_array()) return "array";
  if (value.is_object()) return "object";
  return with_number ? "number " + json::print(value) : "number";
}

bool fits_integer(const Value& value, std::string_view word) {
  if (!value.is_int64()) return false;
  const std::int64_t number = value.get_int64();
  return word == "int64" ||
         (number >= std::numeric_limits<std::int32_t>::min() && number <= std::numeric_limits<std::int32_t>::max());
}

class Decoding {
 public:
  // `owner`: the struct that contains the value.
  std::string check(const Value& value, std::string_view word, const std::string& place, std::string_view owner) {
    if (value.is_null()) return {};
    if (word.starts_with("[]")) return check_list(value, word, place, owner);
    if (word.starts_with("{}")) return check_map(value, word, place, owner);
    if (const TypeFacts* type = find_type(word)) {
      return value.is_object() ? check_struct(value.get_object(), *type, place) : mismatch(value, word, place, owner);
    }
    if (word == "int32" || word == "int64") {
      return fits_integer(value, word) ? std::string() : mismatch(value, word, place, owner);
    }
    const bool fits = (word != "string" && word != "bytes") || value.is_string();
    const bool is_sound = fits && (word != "boolean" || value.is_bool()) && (word != "double" || value.is_number());
    return is_sound ? std::string() : mismatch(value, word, place, owner);
  }

 private:
  static std::string mismatch(const Value& value, std::string_view word, const std::string& place,
                              std::string_view owner) {
    const bool is_integer = word == "int32" || word == "int64";
    return fmt::format("json: cannot unmarshal {} into Go struct field {}.{} of type {}", value_name(value, is_integer),
                       owner, place, go_name(word));
  }

  std::string check_list(const Value& value, std::string_view word, const std::string& place, std::string_view owner) {
    if (!value.is_array()) return mismatch(value, word, place, owner);
    for (const Value& item : value.get_array()) {
      if (auto error = check(item, word.substr(2), place, owner); !error.empty()) return error;
    }
    return {};
  }

  std::string check_map(const Value& value, std::string_view word, const std::string& place, std::string_view owner) {
    if (!value.is_object()) return mismatch(value, word, place, owner);
    for (const auto& entry : value.get_object()) {
      if (auto error = check(entry.value(), word.substr(2), place, owner); !error.empty()) return error;
    }
    return {};
  }

  std::string check_struct(const json::object& object, const TypeFacts& type, const std::string& place) {
    const TypeRow row = row_of(type);
    if (row.is_opaque) return {};
    const std::string_view name = type.name.substr(type.name.rfind('.') + 1);
    for (const auto& entry : object) {
      const std::string_view key = entry.key();
      const auto member =
          std::find_if(row.members.begin(), row.members.end(), [&](const MemberRow& one) { return one.name == key; });
      if (member == row.members.end()) continue;
      const std::string below = place.empty() ? std::string(key) : fmt::format("{}.{}", place, key);
      if (auto error = check(entry.value(), member->type, below, name); !error.empty()) return error;
    }
    return {};
  }
};

}  // namespace

std::string decoding_error(const Value& value, std::string_view type, const std::string& place) {
  return Decoding().check(value, type, place, type.substr(type.rfind('.') + 1));
}

}  // namespace pintle::apiserver
