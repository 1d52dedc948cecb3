// SPDX-License-Identifier: Apache-2.0
#include <pintle/cel/value.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <pintle/base/result.hpp>

#include "containers.hpp"
#include "value_access.hpp"

namespace pintle::cel {
namespace {

template <class T, class Data>
std::optional<T> read(const Data& data) noexcept {
  const auto* value = std::get_if<T>(&data);
  return value == nullptr ? std::nullopt : std::optional<T>(*value);
}

}  // namespace

Value Value::string(std::string text) {
  auto owner = std::make_shared<const std::string>(std::move(text));
  const std::string_view view(*owner);
  return Value(Data(String{view, std::move(owner)}));
}

Value Value::bytes(std::string data) {
  return Value(Data(Bytes{std::make_shared<const std::string>(std::move(data))}));
}

Value Value::list(std::vector<Value> elements) {
  return list(std::shared_ptr<const List>(std::make_shared<ArrayList>(std::move(elements))));
}

Value Value::map(std::vector<std::pair<Value, Value>> entries) {
  return map(std::shared_ptr<const Map>(std::make_shared<EntryMap>(std::move(entries))));
}

Value Value::some(Value value) { return Value(Data(Optional{std::make_shared<const Value>(std::move(value))})); }

Type::Kind Value::kind() const noexcept {
  using Kind = Type::Kind;
  switch (data_.index()) {
    case 1: return Kind::boolean;
    case 2: return Kind::integer;
    case 3: return Kind::unsigned_integer;
    case 4: return Kind::number;
    case 5: return Kind::string;
    case 6: return Kind::bytes;
    case 7: return Kind::timestamp;
    case 8: return Kind::duration;
    case 9: return Kind::type;
    case 10: return Kind::list;
    case 11: return Kind::map;
    case 12: return Kind::optional;
    case 13: return Kind::opaque;
    default: return Kind::null;
  }
}

Type Value::type_of() const {
  switch (kind()) {
    case Type::Kind::boolean: return Type::boolean();
    case Type::Kind::integer: return Type::integer();
    case Type::Kind::unsigned_integer: return Type::unsigned_integer();
    case Type::Kind::number: return Type::number();
    case Type::Kind::string: return Type::string();
    case Type::Kind::bytes: return Type::bytes();
    case Type::Kind::timestamp: return Type::timestamp();
    case Type::Kind::duration: return Type::duration();
    case Type::Kind::type: return Type::type();
    case Type::Kind::list: return Type::list({});
    case Type::Kind::map: return as_map()->type();
    case Type::Kind::optional: return Type::optional({});
    case Type::Kind::opaque: return opaque_value()->type();
    default: return Type::null();
  }
}

std::optional<bool> Value::as_bool() const noexcept { return read<bool>(data_); }
std::optional<std::int64_t> Value::as_integer() const noexcept { return read<std::int64_t>(data_); }
std::optional<std::uint64_t> Value::as_unsigned() const noexcept { return read<std::uint64_t>(data_); }
std::optional<double> Value::as_number() const noexcept { return read<double>(data_); }
std::optional<Timestamp> Value::as_timestamp() const noexcept { return read<Timestamp>(data_); }
std::optional<std::chrono::nanoseconds> Value::as_duration() const noexcept {
  return read<std::chrono::nanoseconds>(data_);
}

std::optional<std::string_view> Value::as_string() const noexcept {
  const auto* string = std::get_if<String>(&data_);
  return string == nullptr ? std::nullopt : std::optional(string->text);
}

std::optional<std::string_view> Value::as_bytes() const noexcept {
  const auto* bytes = std::get_if<Bytes>(&data_);
  return bytes == nullptr ? std::nullopt : std::optional<std::string_view>(*bytes->data);
}

const List* Value::as_list() const noexcept {
  const auto* list = std::get_if<std::shared_ptr<const List>>(&data_);
  return list == nullptr ? nullptr : list->get();
}

const Map* Value::as_map() const noexcept {
  const auto* map = std::get_if<std::shared_ptr<const Map>>(&data_);
  return map == nullptr ? nullptr : map->get();
}

const Value* Value::optional_value() const noexcept {
  const auto* optional = std::get_if<Optional>(&data_);
  return optional == nullptr ? nullptr : optional->value.get();
}

const Opaque* Value::opaque_value() const noexcept {
  const auto* opaque = std::get_if<std::shared_ptr<const Opaque>>(&data_);
  return opaque == nullptr ? nullptr : opaque->get();
}

bool ValueAccess::append(Value& list, std::vector<Value>& elements) {
  auto* shared = std::get_if<std::shared_ptr<const List>>(&list.data_);
  if (shared == nullptr || shared->use_count() != 1) return false;
  // Every ArrayList is made as a non-const object, and this is the only reference to it.
  auto* array = dynamic_cast<ArrayList*>(const_cast<List*>(shared->get()));
  if (array == nullptr) return false;
  for (auto& element : elements) array->elements().push_back(std::move(element));
  return true;
}

}  // namespace pintle::cel
