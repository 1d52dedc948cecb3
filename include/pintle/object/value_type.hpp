// ValueType: what can be done with a value of one C++ type, once the type is forgotten. The lower half of
// described.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <pintle/base/time.hpp>
#include <pintle/json/document.hpp>
#include <pintle/object/bytes.hpp>
#include <pintle/object/fields.hpp>

namespace pintle::described {

// Where in an object a value stands. Lives on the stack; it becomes text only in an error.
struct Place {
  const Place* parent = nullptr;
  std::string_view name{};  // of a member
  std::size_t index = 0;    // of an element, where name is empty

  [[nodiscard]] std::string to_string() const;  // "spec.rules[2].host"
};

// "expected a string, got an integer"
[[nodiscard]] std::string expected(std::string_view wanted, json::View got);

// Reads one object and keeps the first thing that was wrong.
class Reading {
 public:
  // Both answer false, so that a reader can return them.
  bool fails(const Place& place, std::string_view what);
  bool expected(const Place& place, std::string_view wanted, json::View got);

  [[nodiscard]] Error error() const;

 private:
  std::string message_;
};

struct Member;

// What can be done with a value of one C++ type.
struct ValueType {
  bool (*read)(json::View from, void* to, const Place& place, Reading& reading);
  json::Value (*write)(const void* value);
  bool (*is_left_out)(const void* value);  // an empty optional, list or map
  json::Value (*fresh)();                  // T{}, written
  json::object (*schema)();
  std::span<const Member> (*members)();  // of a struct
};

// Of several members exactly one is there, or at most one.
struct UnionRule {
  bool may_be_none = false;
};

inline constexpr FieldRules no_rules{};

// One member of a struct; for an alternative of a variant, `at` gives the variant.
struct Member {
  std::string_view name;
  std::string_view description;
  const FieldRules* rules;
  std::span<const std::string_view> choices;
  const ValueType* type;
  void* (*at)(void* owner);
  std::span<const CelRule> cel{};
  const UnionRule* one_of = nullptr;  // of the alternatives of one variant, which stand side by side

  [[nodiscard]] const void* in(const void* owner) const { return at(const_cast<void*>(owner)); }  // NOLINT
};

// What fields() comes to: the members, what holds for several of them, and where others are kept (null: nowhere).
struct Layout {
  std::span<const Member> members{};
  std::span<const CelRule> rules{};
  json::object* (*unknown)(void* owner) = nullptr;
};

// Takes the first member from the front, and the other alternatives of its variant with it: gives those alternatives,
// or none for a member of its own.
std::span<const Member> take_union(std::span<const Member>& members);

struct IntegerRange {
  std::int64_t lowest;
  std::uint64_t highest;
};

struct EnumName {
  std::int64_t value;
  std::string_view name;
};

// An enumeration whose zero has no name is open: a name it does not know reads as zero, and zero is left out.
[[nodiscard]] bool is_open(std::span<const EnumName> names);

// How a list is filled whose type is forgotten.
struct ListType {
  void* list;
  void* (*make)(void* list, std::size_t size);  // in place of what was there; answers where the first one is
  std::size_t stride;
  const ValueType* element;
};

// The work itself, once for all types.
bool read_bool(json::View from, bool& to, const Place& place, Reading& reading);
bool read_integer(json::View from, IntegerRange range, std::int64_t& to, const Place& place, Reading& reading);
bool read_unsigned(json::View from, std::uint64_t highest, std::uint64_t& to, const Place& place, Reading& reading);
bool read_double(json::View from, double& to, const Place& place, Reading& reading);
bool read_string(json::View from, std::string& to, const Place& place, Reading& reading);
bool read_bytes(json::View from, Bytes& to, const Place& place, Reading& reading);
bool read_time(json::View from, WallTime& to, const Place& place, Reading& reading);
bool read_duration(json::View from, Duration& to, const Place& place, Reading& reading);
bool read_enum(json::View from, std::span<const EnumName> names, std::int64_t& to, const Place& place,
               Reading& reading);
bool read_list(json::View from, const ListType& to, const Place& place, Reading& reading);
bool read_map(json::View from, void* map, void* (*entry)(void*, std::string_view), const ValueType& type,
              const Place& place, Reading& reading);
bool read_struct(json::View from, void* to, const Layout& layout, const Place& place, Reading& reading);

json::Value write_duration(Duration duration);  // as Go prints it: "1h30m0s", "1.5s", "300ms"
json::Value write_enum(std::span<const EnumName> names, std::int64_t value);
json::array write_list(const void* first, std::size_t size, std::size_t stride, const ValueType& type);
json::object write_struct(const void* value, const Layout& layout);

// Who is asked for: apply sends only what an author may own.
enum class Purpose { write, apply };

bool read_metadata(json::View from, Metadata& to, const Place& place, Reading& reading);
json::object write_metadata(const Metadata& metadata, Purpose purpose);
// A kind, also one that stands in another.
bool read_kind(json::View from, Metadata& metadata, void* to, const Layout& layout, const Place& place,
               Reading& reading);
json::object write_kind(Type type, const Metadata& metadata, const Layout& layout, const void* from, Purpose purpose);

json::object integer_schema(IntegerRange range);
json::object duration_schema();
json::object enum_schema(std::span<const EnumName> names);
// Of the metadata of a template, which no server knows by itself and would prune: what its author may write there.
json::object metadata_schema();
json::object list_schema(const ValueType& element);
// A server takes a key only if it is required or has a default. The two of the built-in kinds that are optional in
// their OpenAPI schemas get the defaults they have there: `protocol` "TCP", `name` "".
void make_list_map(json::object& list, std::span<const std::string_view> keys);
json::object map_schema(const ValueType& entry);
json::object struct_schema(const Layout& layout, const void* fresh);
// Of a kind that stands in another: with apiVersion, kind and metadata, which the server would prune otherwise.
json::object nested_kind_schema(const Layout& layout, const void* fresh);

}  // namespace pintle::described
