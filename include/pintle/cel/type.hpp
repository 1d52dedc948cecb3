// SPDX-License-Identifier: Apache-2.0
// cel::Type: the static types of CEL, for declarations and for the results of expressions.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pintle/base/annotations.hpp>

namespace pintle::cel {

struct Field;

/// The identity of an element of a list, as x-kubernetes-list-type and x-kubernetes-list-map-keys of a schema define
/// it: the fields with these names, or the whole element if there are none.
struct ListKeys {
  std::vector<std::string> names{};
};

/// A type of CEL. `dyn` is checked when an expression is evaluated; all other types are checked when it is compiled. A
/// copy shares its parts. Immutable, so concurrent use is safe.
class PINTLE_EXPORT Type {
 public:
  enum class Kind : std::uint8_t {
    dyn,
    null,
    boolean,
    integer,           ///< `int`
    unsigned_integer,  ///< `uint`
    number,            ///< `double`
    string,
    bytes,
    timestamp,
    duration,
    list,       ///< parameter: the elements
    map,        ///< parameters: the keys and the values
    object,     ///< has a name and fields
    type,       ///< the type of a type; parameter: that type, or none
    optional,   ///< parameter: the value
    opaque,     ///< has a name; its values come from the embedder
    parameter,  ///< a type parameter of a function, by its name
    error,      ///< the type of a part with a compile error
  };

  Type() : Type(Kind::dyn) {}
  static Type dyn() { return Type(Kind::dyn); }
  static Type null() { return Type(Kind::null); }
  static Type boolean() { return Type(Kind::boolean); }
  static Type integer() { return Type(Kind::integer); }
  static Type unsigned_integer() { return Type(Kind::unsigned_integer); }
  static Type number() { return Type(Kind::number); }
  static Type string() { return Type(Kind::string); }
  static Type bytes() { return Type(Kind::bytes); }
  static Type timestamp() { return Type(Kind::timestamp); }
  static Type duration() { return Type(Kind::duration); }
  static Type list(Type elements);
  /// Returns a list type whose elements have an identity. It compares equal to list(elements). Value::from_json() then
  /// makes lists that are compared without regard to the order of their elements. In a sum of two such lists, each
  /// identity occurs once.
  static Type list(Type elements, ListKeys keys);
  static Type map(Type keys, Type values);
  /// Two object types with the same name are the same type, so a name must be unique in an environment.
  static Type object(std::string name, std::vector<Field> fields);
  /// An object type that has every field, of type dyn. A library that declares it under the name "Object" also declares
  /// the open object types "Object.spec", "Object.spec.template" and so on.
  static Type open_object(std::string name);
  static Type type();
  static Type type(Type of);
  static Type optional(Type value);
  static Type opaque(std::string name);
  static Type parameter(std::string name);
  static Type error() { return Type(Kind::error); }

  [[nodiscard]] Kind kind() const noexcept { return kind_; }
  /// The name: "int", "list", "google.protobuf.Timestamp", or that of an object or opaque type.
  [[nodiscard]] std::string_view name() const noexcept;
  [[nodiscard]] std::span<const Type> parameters() const noexcept;
  [[nodiscard]] std::span<const Field> fields() const noexcept;
  /// Returns whether this is an open object type.
  [[nodiscard]] bool is_open() const noexcept;
  /// Returns the type of a field of an object type, or null if there is none.
  [[nodiscard]] const Type* field(std::string_view name) const noexcept;
  /// The identity of the elements of a list type; null for an ordinary list.
  [[nodiscard]] const ListKeys* list_keys() const noexcept;

  /// The text that Kubernetes shows for the type of a result: "bool", "null_type", "list(string)".
  [[nodiscard]] std::string to_string() const;

  /// Equal types have the same kind, name and parameters.
  friend PINTLE_EXPORT bool operator==(const Type& a, const Type& b) noexcept;

 private:
  struct Parts;
  explicit Type(Kind kind) noexcept : kind_(kind) {}
  Type(Kind kind, std::shared_ptr<const Parts> parts) noexcept : kind_(kind), parts_(std::move(parts)) {}

  Kind kind_;
  std::shared_ptr<const Parts> parts_{};
};

/// A field of an object type.
struct Field {
  std::string name{};
  Type type{};
  std::string json_name{};  ///< the name of the member in JSON, if it differs
};

}  // namespace pintle::cel
