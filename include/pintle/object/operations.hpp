// SPDX-License-Identifier: Apache-2.0
// Operations for each type that a member may have: read, write and explain a value. The operations of structs are in
// layout.hpp, those of kinds in described.hpp. Internal part of codec.hpp, schema.hpp and crd.hpp; do not use it
// directly.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <pintle/base/time.hpp>
#include <pintle/json/value.hpp>
#include <pintle/object/box.hpp>
#include <pintle/object/bytes.hpp>
#include <pintle/object/choice.hpp>
#include <pintle/object/fields.hpp>
#include <pintle/object/metadata.hpp>
#include <pintle/object/optional_box.hpp>
#include <pintle/object/rule_checks.hpp>
#include <pintle/object/value_type.hpp>

namespace pintle::internal {

/// The ValueType of T. Its address can be used before T is complete.
template <class T>
struct ValueTypeOf {
  static const ValueType value;
};

template <class T>
struct Operations {
  static_assert(sizeof(T) == 0, "this type has no JSON form: give it fields(), or enum_names for an enumeration");
};

/// The operations that most types have in common.
template <class T>
struct Basics {
  static bool is_left_out(const void*) { return false; }
  static json::Value fresh() {
    const T value{};
    return Operations<T>::write(&value);
  }
  static std::span<const Member> members() { return {}; }
};

template <class T>
const T& as(const void* value) {
  return *static_cast<const T*>(value);
}
template <class T>
T& as(void* value) {
  return *static_cast<T*>(value);
}

template <>
struct Operations<bool> : Basics<bool> {
  static bool read(json::View from, void* to, const Place& at, Reading& r) {
    return read_bool(from, as<bool>(to), at, r);
  }
  static json::Value write(const void* value) { return as<bool>(value); }
  static json::object schema() { return {{"type", "boolean"}}; }
};

template <std::integral T>
  requires(!std::same_as<T, bool> && !std::same_as<T, char>)
struct Operations<T> : Basics<T> {
  static constexpr IntegerRange range{static_cast<std::int64_t>(std::numeric_limits<T>::min()),
                                      static_cast<std::uint64_t>(std::numeric_limits<T>::max())};
  using Wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;

  static bool read(json::View from, void* to, const Place& at, Reading& r) {
    Wide number = 0;
    if constexpr (std::is_signed_v<T>) {
      if (!read_integer(from, range, number, at, r)) return false;
    } else {
      if (!read_unsigned(from, range.highest, number, at, r)) return false;
    }
    as<T>(to) = static_cast<T>(number);
    return true;
  }
  static json::Value write(const void* value) { return static_cast<Wide>(as<T>(value)); }
  static json::object schema() { return integer_schema(range); }
};

template <>
struct Operations<double> : Basics<double> {
  static bool read(json::View from, void* to, const Place& at, Reading& r) {
    return read_double(from, as<double>(to), at, r);
  }
  static json::Value write(const void* value) { return as<double>(value); }
  static json::object schema() { return {{"type", "number"}, {"format", "double"}}; }
};

template <>
struct Operations<std::string> : Basics<std::string> {
  static bool read(json::View from, void* to, const Place& at, Reading& r) {
    return read_string(from, as<std::string>(to), at, r);
  }
  static json::Value write(const void* value) { return json::Value(as<std::string>(value)); }
  static json::object schema() { return {{"type", "string"}}; }
};

template <>
struct Operations<Bytes> : Basics<Bytes> {
  static bool read(json::View from, void* to, const Place& at, Reading& r) {
    return read_bytes(from, as<Bytes>(to), at, r);
  }
  static json::Value write(const void* value) { return json::Value(as<Bytes>(value).to_base64()); }
  static json::object schema() { return {{"type", "string"}, {"format", "byte"}}; }
};

template <>
struct Operations<WallTime> : Basics<WallTime> {
  static bool read(json::View from, void* to, const Place& at, Reading& r) {
    return read_time(from, as<WallTime>(to), at, r);
  }
  static json::Value write(const void* value) { return json::Value(format_time(as<WallTime>(value))); }
  static json::object schema() { return {{"type", "string"}, {"format", "date-time"}}; }
};

template <>
struct Operations<Duration> : Basics<Duration> {
  static bool read(json::View from, void* to, const Place& at, Reading& r) {
    return read_duration(from, as<Duration>(to), at, r);
  }
  static json::Value write(const void* value) { return write_duration(as<Duration>(value)); }
  static json::object schema() { return duration_schema(); }
};

template <CustomJson T>
struct Operations<T> : Basics<T> {
  static bool read(json::View from, void* to, const Place& at, Reading& r) {
    Result<T> made = T::from_json(from);
    if (!made) return r.fails(at, made.error().message);
    as<T>(to) = std::move(*made);
    return true;
  }
  static json::Value write(const void* value) { return as<T>(value).to_json(); }
  static json::object schema() { return T::json_schema(); }
};

template <>
struct Operations<json::Value> : Basics<json::Value> {
  static bool read(json::View from, void* to, const Place&, Reading&) {
    as<json::Value>(to) = from.to_value();
    return true;
  }
  static json::Value write(const void* value) { return json::Value(as<json::Value>(value)); }
  static bool is_left_out(const void* value) { return as<json::Value>(value).is_null(); }
  static json::object schema() { return {{"x-kubernetes-preserve-unknown-fields", true}}; }
};

template <class T>
  requires std::is_enum_v<T>
struct Operations<T> : Basics<T> {
  static EnumTable names() {
    if constexpr (std::same_as<decltype(enum_names(T{})), EnumTable>) {
      return enum_names(T{});
    } else {
      static constexpr auto rows = [] {
        constexpr auto given = enum_names(T{});
        std::array<EnumName, given.size()> table{};
        for (std::size_t i = 0; i < given.size(); ++i) {
          table[i] = {static_cast<std::int64_t>(given[i].first), given[i].second};
        }
        return table;
      }();
      return rows;
    }
  }

  static bool read(json::View from, void* to, const Place& at, Reading& r) {
    std::int64_t value = 0;
    if (!read_enum(from, names(), value, at, r)) return false;
    as<T>(to) = static_cast<T>(value);
    return true;
  }
  static json::Value write(const void* value) { return write_enum(names(), static_cast<std::int64_t>(as<T>(value))); }
  static bool is_left_out(const void* value) { return as<T>(value) == T{} && is_open(names()); }
  static json::object schema() { return enum_schema(names()); }
};

/// A Choice has the layout of its enumeration.
template <class T>
struct Operations<Choice<T>> : Operations<T> {
  static_assert(sizeof(Choice<T>) == sizeof(T));
};

template <class T>
struct Operations<std::optional<T>> : Basics<std::optional<T>> {
  static bool read(json::View from, void* to, const Place& at, Reading& r) {
    // Assigns T{} instead of calling emplace(), which does not compile with clang if T is nested in the described
    // struct: at this point, clang treats T as not default-constructible.
    auto& held = as<std::optional<T>>(to) = T{};
    return Operations<T>::read(from, &*held, at, r);
  }
  static json::Value write(const void* value) {
    const auto& held = as<std::optional<T>>(value);
    return held ? Operations<T>::write(&*held) : json::Value(nullptr);
  }
  static bool is_left_out(const void* value) { return !as<std::optional<T>>(value).has_value(); }
  static json::object schema() { return Operations<T>::schema(); }
  static std::span<const Member> members() { return Operations<T>::members(); }
};

/// The schema ends here and the members are not visited, because a Box can contain its own type.
template <class T>
struct Operations<Box<T>> : Basics<Box<T>> {
  static bool read(json::View from, void* to, const Place& at, Reading& r) {
    auto& held = as<Box<T>>(to) = T{};
    return Operations<T>::read(from, &*held, at, r);
  }
  static json::Value write(const void* value) { return Operations<T>::write(&*as<Box<T>>(value)); }
  static json::object schema() {
    json::object schema{{"x-kubernetes-preserve-unknown-fields", true}};
    if constexpr (HasFields<T>) schema["type"] = "object";
    return schema;
  }
};

template <class T>
struct Operations<std::vector<T>> : Basics<std::vector<T>> {
  static_assert(!std::same_as<T, bool>, "a list of bool has no addressable elements; use another element type");

  static bool read(json::View from, void* to, const Place& at, Reading& r) {
    const auto make = [](void* list, std::size_t size) -> void* {
      auto& made = as<std::vector<T>>(list) = std::vector<T>(size);
      return made.data();
    };
    return read_list(from, {to, make, sizeof(T), &ValueTypeOf<T>::value}, at, r);
  }
  static json::Value write(const void* value) {
    const auto& list = as<std::vector<T>>(value);
    return write_list(list.data(), list.size(), sizeof(T), ValueTypeOf<T>::value);
  }
  static bool is_left_out(const void* value) { return as<std::vector<T>>(value).empty(); }
  static json::object schema() {
    json::object schema = list_schema(ValueTypeOf<T>::value);
    if constexpr (requires { std::string_view(T::list_map_key); }) {
      static constexpr std::array<std::string_view, 1> keys{T::list_map_key};
      static_assert(has_keys<T>(keys),
                    "list_map_key must name a scalar of the element that is required or has a default");
      make_list_map(schema, keys);
    }
    return schema;
  }
};

template <class Map>
struct MapOperations : Basics<Map> {
  using Entry = typename Map::mapped_type;

  static bool read(json::View from, void* to, const Place& at, Reading& r) {
    as<Map>(to).clear();
    const auto entry = [](void* map, std::string_view key) -> void* { return &as<Map>(map)[std::string(key)]; };
    return read_map(from, to, entry, ValueTypeOf<Entry>::value, at, r);
  }
  static json::Value write(const void* value) {
    json::object out;
    for (const auto& [key, entry] : as<Map>(value)) out[key] = Operations<Entry>::write(&entry);
    return out;
  }
  static bool is_left_out(const void* value) { return as<Map>(value).empty(); }
  static json::object schema() { return map_schema(ValueTypeOf<Entry>::value); }
};
template <class T>
struct Operations<std::map<std::string, T>> : MapOperations<std::map<std::string, T>> {};
template <std::same_as<QuantityMap> Map>
struct Operations<Map> : MapOperations<Map> {};

template <class T>
struct Operations<OptionalBox<T>> : Basics<OptionalBox<T>> {
  static bool read(json::View from, void* to, const Place& at, Reading& r) {
    return Operations<T>::read(from, &as<OptionalBox<T>>(to).emplace(), at, r);
  }
  static json::Value write(const void* value) {
    const auto& held = as<OptionalBox<T>>(value);
    return held ? Operations<T>::write(&*held) : json::Value(nullptr);
  }
  static bool is_left_out(const void* value) { return !as<OptionalBox<T>>(value).has_value(); }
  static json::Value fresh() { return nullptr; }
  static json::object schema() { return Operations<T>::schema(); }
  static std::span<const Member> members() { return Operations<T>::members(); }
};

template <>
struct Operations<Metadata> : Basics<Metadata> {
  static bool read(json::View from, void* to, const Place& at, Reading& r) {
    return read_metadata(from, as<Metadata>(to), at, r);
  }
  static json::Value write(const void* value) { return write_metadata(as<Metadata>(value), Purpose::write); }
  static bool is_left_out(const void* value) { return write_metadata(as<Metadata>(value), Purpose::write).empty(); }
  static json::object schema() { return metadata_schema(); }
};

template <class T>
constinit const ValueType ValueTypeOf<T>::value{&Operations<T>::read,        &Operations<T>::write,
                                                &Operations<T>::is_left_out, &Operations<T>::fresh,
                                                &Operations<T>::schema,      &Operations<T>::members};

}  // namespace pintle::internal
