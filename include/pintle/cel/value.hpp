// SPDX-License-Identifier: Apache-2.0
// cel::Value: the values that CEL expressions read and return.
#pragma once

#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/result_fwd.hpp>
#include <pintle/cel/type.hpp>
#include <pintle/json/fwd.hpp>

namespace pintle::cel {

class List;
class Map;
class Opaque;
class Value;

/// A point in time from year 1 to year 9999, UTC.
struct Timestamp {
  std::int64_t seconds = 0;      ///< since 1970
  std::int32_t nanoseconds = 0;  ///< 0 to 999,999,999
  std::int32_t offset = 0;       ///< seconds east of UTC, only for the text of the time

  friend bool operator==(const Timestamp& a, const Timestamp& b) noexcept { return (a <=> b) == 0; }
  friend std::strong_ordering operator<=>(const Timestamp& a, const Timestamp& b) noexcept {
    return a.seconds != b.seconds ? a.seconds <=> b.seconds : a.nanoseconds <=> b.nanoseconds;
  }
};

/// One value of any kind. Copying it is cheap: strings, lists, maps and opaque values are shared. Values are immutable,
/// so concurrent use is safe. A value from `from_json` or `borrowed_string` refers to memory of the caller, and so may
/// each value that an expression derives from it.
class PINTLE_EXPORT Value {
 public:
  Value() noexcept = default;  ///< null
  Value(const Value&) = default;
  Value& operator=(const Value&) = default;
  Value(Value&& other) noexcept
      : kind_(std::exchange(other.kind_, Type::Kind::null)), data_(other.data_), owner_(std::move(other.owner_)) {}
  Value& operator=(Value&& other) noexcept {
    kind_ = std::exchange(other.kind_, Type::Kind::null);
    data_ = other.data_;
    owner_ = std::move(other.owner_);
    return *this;
  }
  ~Value() = default;
  static Value null() noexcept { return {}; }
  static Value boolean(bool value) noexcept { return Value(Type::Kind::boolean, {.flag = value}); }
  static Value integer(std::int64_t value) noexcept { return Value(Type::Kind::integer, {.integer = value}); }
  static Value unsigned_integer(std::uint64_t value) noexcept {
    return Value(Type::Kind::unsigned_integer, {.natural = value});
  }
  static Value number(double value) noexcept { return Value(Type::Kind::number, {.number = value}); }
  static Value string(std::string text);
  static Value borrowed_string(std::string_view text) noexcept { return Value(Type::Kind::string, {.text = text}); }
  static Value bytes(std::string data);
  static Value timestamp(Timestamp value) noexcept { return Value(Type::Kind::timestamp, {.time = value}); }
  static Value duration(std::chrono::nanoseconds value) noexcept {
    return Value(Type::Kind::duration, {.integer = value.count()});
  }
  static Value type(Type value);
  static Value list(std::vector<Value> elements);
  static Value list(std::shared_ptr<const List> list) noexcept;
  /// The keys must be distinct strings, integers or booleans.
  static Value map(std::vector<std::pair<Value, Value>> entries);
  static Value map(std::shared_ptr<const Map> map) noexcept;
  static Value some(Value value);  ///< an optional with a value
  static Value none() noexcept { return Value(Type::Kind::optional, {.value = nullptr}); }
  static Value opaque(std::shared_ptr<const Opaque> value) noexcept;

  /// A view of JSON, without a copy; the document must outlive the value. `type` is the declared type. In fields of
  /// type `double`, integers are read as doubles. In fields of type `timestamp` (also dates), `duration` or `bytes`
  /// (base64), strings are converted. A value that does not fit its type keeps the kind that it has in JSON. A null
  /// field of a value of an object type counts as absent. List::keys() of a list is Type::list_keys() of its type.
  static Value from_json(json::View view, const Type& type = {});
  static Value from_json(const json::Value& value, const Type& type = {});

  /// The kind of the type of this value. It is never dyn, parameter or error; for an object it is map.
  [[nodiscard]] Type::Kind kind() const noexcept { return kind_; }
  /// The type that `type(value)` returns. The parameters of lists and maps are dyn.
  [[nodiscard]] Type type_of() const;

  [[nodiscard]] bool is_null() const noexcept { return kind_ == Type::Kind::null; }
  [[nodiscard]] std::optional<bool> as_bool() const noexcept {
    return kind_ == Type::Kind::boolean ? std::optional(data_.flag) : std::nullopt;
  }
  [[nodiscard]] std::optional<std::int64_t> as_integer() const noexcept {
    return kind_ == Type::Kind::integer ? std::optional(data_.integer) : std::nullopt;
  }
  [[nodiscard]] std::optional<std::uint64_t> as_unsigned() const noexcept {
    return kind_ == Type::Kind::unsigned_integer ? std::optional(data_.natural) : std::nullopt;
  }
  [[nodiscard]] std::optional<double> as_number() const noexcept {
    return kind_ == Type::Kind::number ? std::optional(data_.number) : std::nullopt;
  }
  [[nodiscard]] std::optional<std::string_view> as_string() const noexcept {
    return kind_ == Type::Kind::string ? std::optional(data_.text) : std::nullopt;
  }
  [[nodiscard]] std::optional<std::string_view> as_bytes() const noexcept {
    return kind_ == Type::Kind::bytes ? std::optional(data_.text) : std::nullopt;
  }
  [[nodiscard]] std::optional<Timestamp> as_timestamp() const noexcept {
    return kind_ == Type::Kind::timestamp ? std::optional(data_.time) : std::nullopt;
  }
  [[nodiscard]] std::optional<std::chrono::nanoseconds> as_duration() const noexcept {
    return kind_ == Type::Kind::duration ? std::optional(std::chrono::nanoseconds(data_.integer)) : std::nullopt;
  }
  [[nodiscard]] const Type* as_type() const noexcept { return kind_ == Type::Kind::type ? data_.type : nullptr; }
  [[nodiscard]] const List* as_list() const noexcept { return kind_ == Type::Kind::list ? data_.list : nullptr; }
  [[nodiscard]] const Map* as_map() const noexcept { return kind_ == Type::Kind::map ? data_.map : nullptr; }
  /// The opaque value, if it is of the C++ class T.
  template <class T>
  [[nodiscard]] const T* as_opaque() const noexcept {
    return dynamic_cast<const T*>(opaque_value());
  }
  [[nodiscard]] bool is_optional() const noexcept { return kind_ == Type::Kind::optional; }
  /// The value in an optional; null if this is not an optional or has no value.
  [[nodiscard]] const Value* optional_value() const noexcept {
    return kind_ == Type::Kind::optional ? data_.value : nullptr;
  }

  /// Returns the value as JSON. Bytes become base64, timestamps and durations text. Error: invalid, for types, opaque
  /// values, and numbers that are not finite.
  [[nodiscard]] Result<json::Value> to_json() const;

 private:
  friend class ValueAccess;
  // The active member depends on kind_. A pointer refers to an object of owner_, and so does a text if there is an
  // owner. A std::variant would be slower: it copies by a call through a table.
  union Data {
    std::int64_t integer = 0;  // also a duration
    bool flag;
    std::uint64_t natural;
    double number;
    std::string_view text;
    Timestamp time;
    const Type* type;
    const List* list;
    const Map* map;
    const Value* value;
    const Opaque* opaque;
  };
  Value(Type::Kind kind, Data data) noexcept : kind_(kind), data_(data) {}
  Value(Type::Kind kind, Data data, std::shared_ptr<const void> owner) noexcept
      : kind_(kind), data_(data), owner_(std::move(owner)) {}
  [[nodiscard]] const Opaque* opaque_value() const noexcept {
    return kind_ == Type::Kind::opaque ? data_.opaque : nullptr;
  }

  Type::Kind kind_ = Type::Kind::null;
  Data data_{};
  std::shared_ptr<const void> owner_{};
};

/// A list. The embedder may implement it, for example for elements that are expensive to make. Must be immutable.
class PINTLE_EXPORT List {
 public:
  virtual ~List() = default;
  [[nodiscard]] virtual std::size_t size() const = 0;
  /// The index is less than size().
  [[nodiscard]] virtual Value at(std::size_t index) const = 0;
  /// The identity of an element; null for an ordinary list. Valid as long as this list.
  [[nodiscard]] virtual const ListKeys* keys() const { return nullptr; }
};

/// A map or an object. The embedder may implement it, for example for members that are computed on first use. It must
/// appear immutable; const functions may be called by several threads.
class PINTLE_EXPORT Map {
 public:
  virtual ~Map() = default;
  [[nodiscard]] virtual std::size_t size() const = 0;
  /// Returns the value of a key, or none. An error is the result of the expression that reads the key.
  [[nodiscard]] virtual Result<std::optional<Value>> find(const Value& key) const = 0;
  /// Returns a key in the order of the map. The index is less than size().
  [[nodiscard]] virtual Value key_at(std::size_t index) const = 0;
  /// The type: a map, or an object type.
  [[nodiscard]] virtual Type type() const { return Type::map({}, {}); }
};

/// A value that only functions of the embedder can read, such as an authorizer.
class PINTLE_EXPORT Opaque {
 public:
  virtual ~Opaque() = default;
  [[nodiscard]] virtual Type type() const = 0;
  /// Called for values of the same type (default: whether both are the same C++ object).
  [[nodiscard]] virtual bool equals(const Opaque& other) const { return this == &other; }
};

}  // namespace pintle::cel
