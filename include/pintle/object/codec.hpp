// SPDX-License-Identifier: Apache-2.0
// Codec: converts objects to described structs and back.
#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

#include <pintle/base/annotations.hpp>
#include <pintle/json/patch.hpp>
#include <pintle/object/choice.hpp>
#include <pintle/object/described.hpp>
#include <pintle/object/fields.hpp>
#include <pintle/object/object.hpp>
#include <pintle/object/operations.hpp>

namespace pintle {

namespace internal {

PINTLE_EXPORT Result<void> read_object(const Object& from, Type type, const Layout& layout, void* to,
                                       Metadata& metadata);
PINTLE_EXPORT json::Patch changes(const Object& snapshot, const json::Value& before, const json::Value& after);

}  // namespace internal

/// Converts an object to a struct. If a member of the struct is missing or null in the object, it keeps the value of
/// its initializer. Fields of the object that the struct does not have are ignored; metadata.snapshot() contains them.
/// Error: invalid, with the path: "spec.replicas: expected an integer, got a string"; also if the object has another
/// kind.
template <Described T>
[[nodiscard]] Result<T> decode(const Object& object) {
  T decoded{};
  auto done = internal::read_object(object, T::type, internal::kind_layout_of<T>, &decoded, decoded.metadata);
  if (!done) return fail(std::move(done.error()));
  return decoded;
}

/// Converts a struct to JSON: apiVersion, kind, the non-empty parts of the metadata, and the members. These members are
/// omitted: empty optionals, lists, maps and nested Metadata; a json::Value that is null; an enumeration with the value
/// 0, if enum_names() has no name for 0; and the alternatives that a variant does not hold. All other members are
/// written, also those that equal their default.
template <Described T>
[[nodiscard]] json::Value encode(const T& object) {
  return internal::write_kind(T::type, object.metadata, internal::kind_layout_of<T>, &object, internal::Purpose::write);
}

/// As encode(), but for an intent of server-side apply: without status, uid, resourceVersion, generation,
/// creationTimestamp and deletionTimestamp.
template <Described T>
[[nodiscard]] json::Value encode_for_apply(const T& object) {
  return internal::write_kind(T::type, object.metadata, internal::kind_layout_of<T>, &object, internal::Purpose::apply);
}

/// Returns the JSON patch that applies the difference of two structs to the object from which `before` was decoded.
/// Fields that the struct does not have stay unchanged, also inside lists. The patch tests the resourceVersion of
/// `before` if it has one. The patch is empty if the structs are equal.
template <Described T>
[[nodiscard]] json::Patch changes(const T& before, const T& after) {
  return internal::changes(before.metadata.snapshot(), encode(before), encode(after));
}

/// Returns the JSON name of the value of an enumeration that has enum_names(); empty for a value without a name.
template <class Enum>
  requires(std::is_enum_v<Enum> && requires { enum_names(Enum{}); })
[[nodiscard]] std::string_view to_string(Enum value) {
  for (const internal::EnumName& one : internal::Operations<Enum>::names()) {
    if (one.value == static_cast<std::int64_t>(value)) return one.name;
  }
  return {};
}
template <class Enum>
[[nodiscard]] std::string_view to_string(Choice<Enum> value) {
  return to_string(static_cast<Enum>(value));
}

}  // namespace pintle
