// SPDX-License-Identifier: Apache-2.0
#include <pintle/cel/type.hpp>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pintle::cel {

struct Type::Parts {
  std::string name{};
  std::vector<Type> parameters{};
  std::vector<Field> fields{};
  bool is_open = false;
  std::optional<ListKeys> keys{};
};

Type Type::list(Type elements) {
  return {Kind::list, std::make_shared<Parts>(Parts{.parameters = {std::move(elements)}})};
}

Type Type::list(Type elements, ListKeys keys) {
  return {Kind::list, std::make_shared<Parts>(Parts{.parameters = {std::move(elements)}, .keys = std::move(keys)})};
}

Type Type::map(Type keys, Type values) {
  return {Kind::map, std::make_shared<Parts>(Parts{.parameters = {std::move(keys), std::move(values)}})};
}

Type Type::object(std::string name, std::vector<Field> fields) {
  std::ranges::stable_sort(fields, {}, &Field::name);
  return {Kind::object, std::make_shared<Parts>(Parts{.name = std::move(name), .fields = std::move(fields)})};
}

Type Type::open_object(std::string name) {
  return {Kind::object, std::make_shared<Parts>(Parts{.name = std::move(name), .is_open = true})};
}

Type Type::type() { return Type(Kind::type); }

Type Type::type(Type of) { return {Kind::type, std::make_shared<Parts>(Parts{.parameters = {std::move(of)}})}; }

Type Type::optional(Type value) {
  return {Kind::optional, std::make_shared<Parts>(Parts{.parameters = {std::move(value)}})};
}

Type Type::opaque(std::string name) { return {Kind::opaque, std::make_shared<Parts>(Parts{.name = std::move(name)})}; }

Type Type::parameter(std::string name) {
  return {Kind::parameter, std::make_shared<Parts>(Parts{.name = std::move(name)})};
}

std::string_view Type::name() const noexcept {
  switch (kind_) {
    case Kind::dyn: return "dyn";
    case Kind::null: return "null_type";
    case Kind::boolean: return "bool";
    case Kind::integer: return "int";
    case Kind::unsigned_integer: return "uint";
    case Kind::number: return "double";
    case Kind::string: return "string";
    case Kind::bytes: return "bytes";
    case Kind::timestamp: return "google.protobuf.Timestamp";
    case Kind::duration: return "google.protobuf.Duration";
    case Kind::list: return "list";
    case Kind::map: return "map";
    case Kind::type: return "type";
    case Kind::optional: return "optional_type";
    case Kind::error: return "*error*";
    default: return parts_->name;  // object, opaque, parameter
  }
}

std::span<const Type> Type::parameters() const noexcept {
  return parts_ ? std::span<const Type>(parts_->parameters) : std::span<const Type>();
}

std::span<const Field> Type::fields() const noexcept {
  return parts_ ? std::span<const Field>(parts_->fields) : std::span<const Field>();
}

bool Type::is_open() const noexcept { return parts_ && parts_->is_open; }

const Type* Type::field(std::string_view name) const noexcept {
  static const Type any = Type::dyn();
  if (is_open()) return &any;
  const auto all = fields();
  const auto found =
      std::ranges::lower_bound(all, name, {}, [](const Field& field) { return std::string_view(field.name); });
  return found != all.end() && found->name == name ? &found->type : nullptr;
}

const ListKeys* Type::list_keys() const noexcept { return parts_ && parts_->keys ? &*parts_->keys : nullptr; }

std::string Type::to_string() const {
  std::string out(name());
  if (parameters().empty()) return out;
  char separator = '(';
  for (const auto& parameter : parameters()) {
    out += separator;
    if (separator == ',') out += ' ';
    out += parameter.to_string();
    separator = ',';
  }
  return out + ')';
}

bool operator==(const Type& a, const Type& b) noexcept {
  if (a.kind_ != b.kind_) return false;
  if (a.parts_ == b.parts_) return true;
  if (a.name() != b.name()) return false;
  return std::ranges::equal(a.parameters(), b.parameters());
}

}  // namespace pintle::cel
