// SPDX-License-Identifier: Apache-2.0
// ValueType: the operations on the values of one C++ type, with the type erased. Internal part of described.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <pintle/base/annotations.hpp>
#include <pintle/base/time.hpp>
#include <pintle/json/document.hpp>
#include <pintle/object/bytes.hpp>
#include <pintle/object/fields.hpp>

namespace pintle::internal {

/// The path of a value in an object. It lives on the stack and becomes text only for an error.
struct PINTLE_EXPORT Place {
  const Place* parent = nullptr;
  std::string_view name{};  ///< the name of a member
  std::size_t index = 0;    ///< the index of an element, if `name` is empty

  [[nodiscard]] std::string to_string() const;  ///< "spec.rules[2].host"
};

/// Returns "expected a string, got an integer".
[[nodiscard]] PINTLE_EXPORT std::string expected(std::string_view wanted, json::View got);

/// The state of decoding one object: the first error.
class PINTLE_EXPORT Reading {
 public:
  /// Both record an error and return false, so that a reader can return their result.
  bool fails(const Place& place, std::string_view what);
  bool expected(const Place& place, std::string_view wanted, json::View got);

  [[nodiscard]] Error error() const;

 private:
  std::string message_;
};

struct Member;

/// The operations on the values of one C++ type.
struct ValueType {
  bool (*read)(json::View from, void* to, const Place& place, Reading& reading);
  json::Value (*write)(const void* value);
  bool (*is_left_out)(const void* value);  ///< whether encode() omits the value
  json::Value (*fresh)();                  ///< writes T{}
  json::object (*schema)();
  std::span<const Member> (*members)();  ///< the members of a struct
};

/// The rule of a union: exactly one of its members is set, or at most one if `may_be_none`.
struct UnionRule {
  bool may_be_none = false;
};

inline constexpr FieldRules no_rules{};

/// One member of a struct. For an alternative of a variant, `at` returns the address of the variant.
struct Member {
  std::string_view name;
  std::string_view description;
  const FieldRules* rules;
  std::span<const std::string_view> choices;
  const ValueType* type;
  void* (*at)(void* owner);
  std::span<const CelRule> cel{};
  const UnionRule* one_of = nullptr;  ///< set for the alternatives of one variant, which are adjacent

  [[nodiscard]] const void* in(const void* owner) const { return at(const_cast<void*>(owner)); }  // NOLINT
};

/// The result of fields(): the members, the rules about several members, and the access to the unknown fields (null:
/// not kept).
struct Layout {
  std::span<const Member> members{};
  std::span<const CelRule> rules{};
  json::object* (*unknown)(void* owner) = nullptr;
};

/// Removes the first member from `members`. If it is an alternative of a variant, also removes the other alternatives,
/// and returns all of them; otherwise returns none.
PINTLE_EXPORT std::span<const Member> take_union(std::span<const Member>& members);

struct IntegerRange {
  std::int64_t lowest;
  std::uint64_t highest;
};

struct EnumName {
  std::int64_t value;
  std::string_view name;
};

/// Whether an enumeration is open: its zero has no name. An unknown name is then read as zero, and zero is omitted.
[[nodiscard]] PINTLE_EXPORT bool is_open(std::span<const EnumName> names);

/// Access to a list whose type is erased, to fill it.
struct ListType {
  void* list;
  void* (*make)(void* list, std::size_t size);  ///< replaces the content; returns the address of the first element
  std::size_t stride;
  const ValueType* element;
};

/// The implementation of the operations, once for all types.
PINTLE_EXPORT bool read_bool(json::View from, bool& to, const Place& place, Reading& reading);
PINTLE_EXPORT bool read_integer(json::View from, IntegerRange range, std::int64_t& to, const Place& place,
                                Reading& reading);
PINTLE_EXPORT bool read_unsigned(json::View from, std::uint64_t highest, std::uint64_t& to, const Place& place,
                                 Reading& reading);
PINTLE_EXPORT bool read_double(json::View from, double& to, const Place& place, Reading& reading);
PINTLE_EXPORT bool read_string(json::View from, std::string& to, const Place& place, Reading& reading);
PINTLE_EXPORT bool read_bytes(json::View from, Bytes& to, const Place& place, Reading& reading);
PINTLE_EXPORT bool read_time(json::View from, WallTime& to, const Place& place, Reading& reading);
PINTLE_EXPORT bool read_duration(json::View from, Duration& to, const Place& place, Reading& reading);
PINTLE_EXPORT bool read_enum(json::View from, std::span<const EnumName> names, std::int64_t& to, const Place& place,
                             Reading& reading);
PINTLE_EXPORT bool read_list(json::View from, const ListType& to, const Place& place, Reading& reading);
PINTLE_EXPORT bool read_map(json::View from, void* map, void* (*entry)(void*, std::string_view), const ValueType& type,
                            const Place& place, Reading& reading);
PINTLE_EXPORT bool read_struct(json::View from, void* to, const Layout& layout, const Place& place, Reading& reading);

PINTLE_EXPORT json::Value write_duration(Duration duration);  ///< in the format of Go: "1h30m0s", "1.5s", "300ms"
PINTLE_EXPORT json::Value write_enum(std::span<const EnumName> names, std::int64_t value);
PINTLE_EXPORT json::array write_list(const void* first, std::size_t size, std::size_t stride, const ValueType& type);
PINTLE_EXPORT json::object write_struct(const void* value, const Layout& layout);

/// The purpose for which JSON is written: `apply` omits `status` and the fields that only the server sets.
enum class Purpose { write, apply };

PINTLE_EXPORT bool read_metadata(json::View from, Metadata& to, const Place& place, Reading& reading);
PINTLE_EXPORT json::object write_metadata(const Metadata& metadata, Purpose purpose);
/// Reads a kind, also one that is nested in another kind.
PINTLE_EXPORT bool read_kind(json::View from, Metadata& metadata, void* to, const Layout& layout, const Place& place,
                             Reading& reading);
PINTLE_EXPORT json::object write_kind(Type type, const Metadata& metadata, const Layout& layout, const void* from,
                                      Purpose purpose);

PINTLE_EXPORT json::object integer_schema(IntegerRange range);
PINTLE_EXPORT json::object duration_schema();
PINTLE_EXPORT json::object enum_schema(std::span<const EnumName> names);
/// The schema for the metadata of a template: the fields that its author may set. Without it, the server would prune
/// them.
PINTLE_EXPORT json::object metadata_schema();
PINTLE_EXPORT json::object list_schema(const ValueType& element);
/// Makes `list` a list map with these keys. A server accepts a key only if it is required or has a default. In built-in
/// kinds, the keys `protocol` and `name` are optional: this function sets the defaults of their OpenAPI schemas, "TCP"
/// for `protocol` and "" for `name`.
PINTLE_EXPORT void make_list_map(json::object& list, std::span<const std::string_view> keys);
PINTLE_EXPORT json::object map_schema(const ValueType& entry);
PINTLE_EXPORT json::object struct_schema(const Layout& layout, const void* fresh);
/// The schema of a kind that is nested in another kind. It contains apiVersion, kind and metadata, which the server
/// would prune otherwise.
PINTLE_EXPORT json::object nested_kind_schema(const Layout& layout, const void* fresh);

}  // namespace pintle::internal
