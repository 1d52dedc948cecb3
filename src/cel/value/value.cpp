// SPDX-License-Identifier: Apache-2.0
#include <pintle/cel/value.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "containers.hpp"
#include "value_access.hpp"

namespace pintle::cel {

Value Value::string(std::string text) {
  auto owner = std::make_shared<const std::string>(std::move(text));
  const std::string_view view(*owner);
  return {Type::Kind::string, {.text = view}, std::move(owner)};
}

Value Value::bytes(std::string data) {
  auto owner = std::make_shared<const std::string>(std::move(data));
  const std::string_view view(*owner);
  return {Type::Kind::bytes, {.text = view}, std::move(owner)};
}

Value Value::type(Type value) {
  auto owner = std::make_shared<const Type>(std::move(value));
  const auto* type = owner.get();
  return {Type::Kind::type, {.type = type}, std::move(owner)};
}

Value Value::list(std::vector<Value> elements) {
  return list(std::shared_ptr<const List>(std::make_shared<ArrayList>(std::move(elements))));
}

Value Value::list(std::shared_ptr<const List> list) noexcept {
  const auto* data = list.get();
  return {Type::Kind::list, {.list = data}, std::move(list)};
}

Value Value::map(std::vector<std::pair<Value, Value>> entries) {
  return map(std::shared_ptr<const Map>(std::make_shared<EntryMap>(std::move(entries))));
}

Value Value::map(std::shared_ptr<const Map> map) noexcept {
  const auto* data = map.get();
  return {Type::Kind::map, {.map = data}, std::move(map)};
}

Value Value::some(Value value) {
  auto owner = std::make_shared<const Value>(std::move(value));
  const auto* data = owner.get();
  return {Type::Kind::optional, {.value = data}, std::move(owner)};
}

Value Value::opaque(std::shared_ptr<const Opaque> value) noexcept {
  const auto* data = value.get();
  return {Type::Kind::opaque, {.opaque = data}, std::move(value)};
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

bool ValueAccess::append(Value& list, std::vector<Value>& elements) {
  if (list.as_list() == nullptr || list.owner_.use_count() != 1) return false;
  // Every ArrayList is made as a non-const object, and this is the only reference to it.
  auto* array = dynamic_cast<ArrayList*>(const_cast<List*>(list.as_list()));
  if (array == nullptr) return false;
  for (auto& element : elements) array->elements().push_back(std::move(element));
  return true;
}

EntryMap* ValueAccess::own_map(Value& map) {
  if (map.as_map() == nullptr || map.owner_.use_count() != 1) return nullptr;
  // Every EntryMap is made as a non-const object, and this is the only reference to it.
  return dynamic_cast<EntryMap*>(const_cast<Map*>(map.as_map()));
}

}  // namespace pintle::cel
