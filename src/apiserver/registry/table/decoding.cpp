// SPDX-License-Identifier: Apache-2.0
#include "decoding.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "../type_rows.hpp"
#include "decoded_texts.hpp"

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
  if (word == "quantity") return "resource.Quantity";
  if (word == "time") return "string";  // the type from which it is read
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

// The names of Go types for texts, at the members that clients send most. Elsewhere, the type is named "string".
struct NamedText {
  std::string_view owner{};
  std::string_view member{};
  std::string_view type{};
};
constexpr NamedText named_texts[] = {
    {"ObjectMeta", "uid", "types.UID"},
    {"OwnerReference", "uid", "types.UID"},
    {"Preconditions", "uid", "types.UID"},
    {"ObjectReference", "uid", "types.UID"},
    {"ManagedFieldsEntry", "operation", "v1.ManagedFieldsOperationType"},
    {"DeleteOptions", "propagationPolicy", "v1.DeletionPropagation"},
    {"LabelSelectorRequirement", "operator", "v1.LabelSelectorOperator"},
    {"Container", "imagePullPolicy", "v1.PullPolicy"},
    {"ContainerPort", "protocol", "v1.Protocol"},
    {"PodSpec", "restartPolicy", "v1.RestartPolicy"},
    {"PodSpec", "dnsPolicy", "v1.DNSPolicy"},
    {"ServicePort", "protocol", "v1.Protocol"},
    {"ServiceSpec", "type", "v1.ServiceType"},
    {"ServiceSpec", "sessionAffinity", "v1.ServiceAffinity"},
    {"Secret", "type", "v1.SecretType"},
    {"DeploymentStrategy", "type", "v1.DeploymentStrategyType"},
    {"CustomResourceDefinitionSpec", "scope", "v1.ResourceScope"},
};

std::string go_text_type(std::string_view owner, std::string_view place) {
  const std::string_view name = place.substr(place.rfind('.') + 1);
  const auto found =
      std::ranges::find_if(named_texts, [&](const NamedText& one) { return one.owner == owner && one.member == name; });
  return std::string(found == std::end(named_texts) ? "string" : found->type);
}

class Decoding {
 public:
  // Reads a value. `owner`: the struct that contains it.
  void check(const Value& value, std::string_view word, const std::string& place, std::string_view owner) {
    if (is_over_ || value.is_null()) return;
    if (word.starts_with("[]")) return check_list(value, word, place, owner);
    if (word.starts_with("{}")) return check_map(value, word, place, owner);
    if (const TypeFacts* type = find_type(word)) {
      if (value.is_object()) return check_struct(value.get_object(), *type, place);
      return save(mismatch(value, word, place, owner));
    }
    if (word == "time" || word == "microtime") return check_time(value, word == "microtime", place, owner);
    if (word == "quantity") return end(quantity_error(value.is_string() ? text_of(value) : json::print(value)));
    if (word == "int-or-string") {
      if (!value.is_string() && !fits_integer(value, "int32")) end(mismatch(value, "int32", place, owner));
      return;
    }
    check_plain(value, word, place, owner);
  }

  std::string error() && { return std::move(error_); }

 private:
  static std::string_view text_of(const Value& value) { return value.get_string(); }

  static std::string mismatch(const Value& value, std::string_view word, const std::string& place,
                              std::string_view owner) {
    const bool is_integer = word == "int32" || word == "int64";
    const std::string type = word == "string" ? go_text_type(owner, place) : go_name(word);
    const std::string name = value_name(value, is_integer);
    if (place.empty()) return fmt::format("json: cannot unmarshal {} into Go value of type {}", name, type);
    return fmt::format("json: cannot unmarshal {} into Go struct field {}.{} of type {}", name, owner, place, type);
  }

  // Keeps the first error, after which the decoder continues.
  void save(std::string error) {
    if (error_.empty()) error_ = std::move(error);
  }
  // An error that ends the decoding.
  void end(std::string error) {
    if (error.empty()) return;
    error_ = std::move(error);
    is_over_ = true;
  }

  void check_time(const Value& value, bool micro, const std::string& place, std::string_view owner) {
    if (value.is_string()) return end(time_error(text_of(value), micro));
    end(mismatch(value, "time", place, owner));
  }

  void check_plain(const Value& value, std::string_view word, const std::string& place, std::string_view owner) {
    bool fits = true;
    if (word == "int32" || word == "int64") fits = fits_integer(value, word);
    if (word == "string" || word == "bytes") fits = value.is_string();
    if (word == "boolean") fits = value.is_bool();
    if (word == "double") fits = value.is_number();
    if (!fits) return save(mismatch(value, word, place, owner));
    if (word != "bytes") return;
    if (std::string error = base64_error(text_of(value)); !error.empty()) save(std::move(error));
  }

  void check_list(const Value& value, std::string_view word, const std::string& place, std::string_view owner) {
    if (!value.is_array()) return save(mismatch(value, word, place, owner));
    for (const Value& item : value.get_array()) check(item, word.substr(2), place, owner);
  }

  void check_map(const Value& value, std::string_view word, const std::string& place, std::string_view owner) {
    if (!value.is_object()) return save(mismatch(value, word, place, owner));
    for (const auto& entry : value.get_object()) check(entry.value(), word.substr(2), place, owner);
  }

  void check_struct(const json::object& object, const TypeFacts& type, const std::string& place) {
    const TypeRow row = row_of(type);
    if (row.is_opaque) return;
    const std::string_view name = type.name.substr(type.name.rfind('.') + 1);
    for (const auto& entry : object) {
      const std::string_view key = entry.key();
      const auto member =
          std::find_if(row.members.begin(), row.members.end(), [&](const MemberRow& one) { return one.name == key; });
      if (member == row.members.end()) continue;
      const std::string below = place.empty() ? std::string(key) : fmt::format("{}.{}", place, key);
      check(entry.value(), member->type, below, name);
    }
  }

  std::string error_;
  bool is_over_ = false;
};

}  // namespace

std::string decoding_error(const Value& value, std::string_view type, const DecodedPlace& place) {
  Decoding decoding;
  decoding.check(value, type, place.path, place.owner);
  return std::move(decoding).error();
}

}  // namespace pintle::apiserver
