// SPDX-License-Identifier: Apache-2.0
// Value::from_json and Value::to_json: values of JSON without a copy.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <typeinfo>
#include <utility>

#include <pintle/base/error.hpp>
#include <pintle/base/result.hpp>
#include <pintle/cel/value.hpp>
#include <pintle/json/document.hpp>
#include <pintle/json/value.hpp>

#include "text.hpp"
#include "time_text.hpp"
#include "value_access.hpp"

namespace pintle::cel {
namespace {

using Kind = Type::Kind;

const Type& parameter_of(const Type& type, std::size_t index) {
  static const Type unknown = Type::dyn();
  const auto parameters = type.parameters();
  return index < parameters.size() ? parameters[index] : unknown;
}

const Field* field_of(const Type& type, std::string_view name) {
  const auto all = type.fields();
  // The sizes of most names differ, so a few names are compared faster one after the other.
  constexpr std::size_t few = 16;
  if (all.size() <= few) {
    const auto same = std::ranges::find_if(
        all, [&](const Field& field) { return field.name.size() == name.size() && field.name == name; });
    return same == all.end() ? nullptr : &*same;
  }
  const auto found =
      std::ranges::lower_bound(all, name, {}, [](const Field& field) { return std::string_view(field.name); });
  return found != all.end() && found->name == name ? &*found : nullptr;
}

Value from_text(std::string_view text, const Type& type) {
  if (type.kind() == Kind::timestamp) {
    constexpr std::size_t date_size = 10;  // "2024-02-28"
    const auto time = parse_timestamp(text.size() == date_size ? std::string(text) + "T00:00:00Z" : std::string(text));
    if (time) return Value::timestamp(*time);
  } else if (type.kind() == Kind::duration) {
    if (const auto duration = parse_duration_text(text)) return Value::duration(*duration);
  } else if (type.kind() == Kind::bytes) {
    if (auto data = decode_base64(text)) return Value::bytes(*std::move(data));
  }
  return Value::borrowed_string(text);
}

Value from_integer(std::int64_t number, const Type& type) {
  if (type.kind() == Kind::number) return Value::number(static_cast<double>(number));
  if (type.kind() == Kind::unsigned_integer && number >= 0) {
    return Value::unsigned_integer(static_cast<std::uint64_t>(number));
  }
  return Value::integer(number);
}

Value from_number(double number, const Type& type) {
  constexpr double limit = 9.2e18;
  const bool is_whole = std::abs(number) < limit && std::trunc(number) == number;
  if (type.kind() == Kind::integer && is_whole) return Value::integer(static_cast<std::int64_t>(number));
  return Value::number(number);
}

// The interface that the two forms of JSON have in common.
struct ViewSource {
  json::View view;

  [[nodiscard]] std::size_t size() const noexcept { return view.size(); }
  [[nodiscard]] Value element(std::size_t index, const Type& type) const {
    return Value::from_json(view.element(index), type);
  }
  bool read(std::string_view name, const Type& type, Value& out) const {
    const auto found = view.member(name);
    if (found) out = Value::from_json(found, type);
    return found.exists();
  }
  [[nodiscard]] std::string_view name(std::size_t index) const noexcept { return view.member_at(index).first; }
};

struct ValueSource {
  const json::Value* value;

  [[nodiscard]] std::size_t size() const noexcept {
    return value->is_array() ? value->get_array().size() : value->get_object().size();
  }
  [[nodiscard]] Value element(std::size_t index, const Type& type) const {
    return Value::from_json(value->get_array()[index], type);
  }
  bool read(std::string_view name, const Type& type, Value& out) const {
    const auto* found = value->get_object().if_contains(name);
    if (found != nullptr) out = Value::from_json(*found, type);
    return found != nullptr;
  }
  [[nodiscard]] std::string_view name(std::size_t index) const noexcept {
    return (value->get_object().begin() + static_cast<std::ptrdiff_t>(index))->key();
  }
};

template <class Source>
class JsonList final : public List {
 public:
  JsonList(Source source, Type type) noexcept : source_(source), type_(std::move(type)) {}
  [[nodiscard]] std::size_t size() const override { return source_.size(); }
  [[nodiscard]] Value at(std::size_t index) const override { return source_.element(index, parameter_of(type_, 0)); }
  [[nodiscard]] const ListKeys* keys() const override { return type_.list_keys(); }

 private:
  Source source_;
  Type type_;
};

template <class Source>
class JsonMap final : public Map {
 public:
  JsonMap(Source source, Type type) noexcept : source_(source), type_(std::move(type)) {}
  [[nodiscard]] std::size_t size() const override { return source_.size(); }
  [[nodiscard]] Result<std::optional<Value>> find(const Value& key) const override {
    const auto name = key.as_string();
    Value value;
    if (!name || !read(*name, value)) return std::optional<Value>();
    return std::optional(std::move(value));
  }
  // Returns false if there is no such member. A field that is null counts as absent.
  bool read(std::string_view name, Value& out) const {
    if (type_.kind() != Kind::object) return source_.read(name, parameter_of(type_, 1), out);
    const auto* field = field_of(type_, name);
    if (field == nullptr) return source_.read(name, parameter_of(type_, 0), out) && !out.is_null();
    return source_.read(field->json_name.empty() ? name : field->json_name, field->type, out) && !out.is_null();
  }
  [[nodiscard]] Value key_at(std::size_t index) const override { return Value::borrowed_string(source_.name(index)); }
  [[nodiscard]] Type type() const override { return type_.kind() == Kind::object ? type_ : Type::map({}, {}); }

 private:
  Source source_;
  Type type_;
};

Result<json::Value> list_to_json(const List& list) {
  json::array out;
  for (std::size_t i = 0; i < list.size(); ++i) {
    auto element = list.at(i).to_json();
    if (!element) return element;
    out.push_back(*std::move(element));
  }
  return json::Value(std::move(out));
}

Result<json::Value> map_to_json(const Map& map) {
  json::object out;
  for (std::size_t i = 0; i < map.size(); ++i) {
    const auto key = map.key_at(i);
    if (!key.as_string()) return fail(ErrorCode::invalid, "a key of a JSON object must be a string");
    auto found = map.find(key);
    if (!found) return fail(std::move(found.error()));
    auto member = found->value_or(Value()).to_json();
    if (!member) return member;
    out.insert_or_assign(*key.as_string(), *std::move(member));
  }
  return json::Value(std::move(out));
}

}  // namespace

std::optional<bool> read_json_member(const Map& map, std::string_view name, Value& out) {
  if (typeid(map) != typeid(JsonMap<ViewSource>)) return std::nullopt;
  return static_cast<const JsonMap<ViewSource>&>(map).read(name, out);
}

Value Value::from_json(json::View view, const Type& type) {
  switch (view.type()) {
    case json::Type::boolean: return boolean(view.as_bool().value_or(false));
    case json::Type::integer:
      if (const auto number = view.as_integer()) return from_integer(*number, type);
      if (const auto number = view.as_unsigned()) return unsigned_integer(*number);
      return from_number(view.as_double().value_or(0), type);
    case json::Type::number: return from_number(view.as_double().value_or(0), type);
    case json::Type::string: return from_text(view.text(), type);
    case json::Type::array: return list(std::make_shared<JsonList<ViewSource>>(ViewSource{view}, type));
    case json::Type::object: return map(std::make_shared<JsonMap<ViewSource>>(ViewSource{view}, type));
    default: return null();
  }
}

Value Value::from_json(const json::Value& value, const Type& type) {
  switch (value.kind()) {
    case boost::json::kind::bool_: return boolean(value.get_bool());
    case boost::json::kind::int64: return from_integer(value.get_int64(), type);
    case boost::json::kind::uint64: return unsigned_integer(value.get_uint64());
    case boost::json::kind::double_: return from_number(value.get_double(), type);
    case boost::json::kind::string: return from_text(value.get_string(), type);
    case boost::json::kind::array: return list(std::make_shared<JsonList<ValueSource>>(ValueSource{&value}, type));
    case boost::json::kind::object: return map(std::make_shared<JsonMap<ValueSource>>(ValueSource{&value}, type));
    default: return null();
  }
}

Result<json::Value> Value::to_json() const {
  switch (kind()) {
    case Kind::null: return json::Value(nullptr);
    case Kind::boolean: return json::Value(*as_bool());
    case Kind::integer: return json::Value(*as_integer());
    case Kind::unsigned_integer: return json::Value(*as_unsigned());
    case Kind::number:
      if (!std::isfinite(*as_number())) return fail(ErrorCode::invalid, "JSON has no such number");
      return json::Value(*as_number());
    case Kind::string: return json::Value(*as_string());
    case Kind::bytes: return json::Value(encode_base64(*as_bytes()));
    case Kind::timestamp: return json::Value(format_timestamp(*as_timestamp()));
    case Kind::duration: return json::Value(format_duration_text(*as_duration()));
    case Kind::list: return list_to_json(*as_list());
    case Kind::map: return map_to_json(*as_map());
    case Kind::optional: return optional_value() == nullptr ? json::Value(nullptr) : optional_value()->to_json();
    default: return fail(ErrorCode::invalid, "JSON has no value of type " + type_of().to_string());
  }
}

}  // namespace pintle::cel
