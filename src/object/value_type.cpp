// SPDX-License-Identifier: Apache-2.0
// Reads and writes values of described structs.
#include <pintle/object/value_type.hpp>

#include <algorithm>
#include <utility>

namespace pintle::internal {
namespace {

std::string_view name_of(json::View value) {
  switch (value.type()) {
    case json::Type::missing: return "nothing";
    case json::Type::null: return "null";
    case json::Type::boolean: return "a boolean";
    case json::Type::integer: return "an integer";
    case json::Type::number: return "a number with a fraction";
    case json::Type::string: return "a string";
    case json::Type::array: return "a list";
    case json::Type::object: return "an object";
  }
  return "something else";
}

bool is_set(json::View value) { return value.exists() && !value.is_null(); }

bool is_member(std::span<const Member> members, std::string_view name) {
  return std::any_of(members.begin(), members.end(), [&](const Member& member) { return member.name == name; });
}

void keep_unknown(json::View from, json::object& to, std::span<const Member> members) {
  to.clear();
  for (const auto [name, value] : from.members()) {
    if (!is_member(members, name)) to[name] = value.to_value();
  }
}

bool has_one_of(json::View from, std::span<const Member> alternatives, const Place& place, Reading& reading) {
  std::string names;
  std::string_view first_set;
  for (const Member& member : alternatives) {
    names += (names.empty() ? "" : ", ") + std::string(member.name);
    if (!is_set(from.member(member.name))) continue;
    if (!first_set.empty()) {
      return reading.fails(
          place, "only one of " + std::string(first_set) + " and " + std::string(member.name) + " may be set");
    }
    first_set = member.name;
  }
  if (!first_set.empty() || alternatives.front().one_of->may_be_none) return true;
  return reading.fails(place, "one of " + names + " must be set");
}

}  // namespace

std::span<const Member> take_union(std::span<const Member>& members) {
  std::size_t count = 1;
  if (members[0].one_of != nullptr) {
    while (count < members.size() && members[count].at == members[0].at) ++count;
  }
  const auto taken = members.first(members[0].one_of == nullptr ? 0 : count);
  members = members.subspan(count);
  return taken;
}

std::string Place::to_string() const {
  const std::string before = parent == nullptr ? std::string() : parent->to_string();
  if (name.empty()) return parent == nullptr ? before : before + "[" + std::to_string(index) + "]";
  return before.empty() ? std::string(name) : before + "." + std::string(name);
}

std::string expected(std::string_view wanted, json::View got) {
  return "expected " + std::string(wanted) + ", got " + std::string(name_of(got));
}

bool Reading::fails(const Place& place, std::string_view what) {
  const std::string where = place.to_string();
  message_ = where.empty() ? std::string(what) : where + ": " + std::string(what);
  return false;
}

bool Reading::expected(const Place& place, std::string_view wanted, json::View got) {
  return fails(place, internal::expected(wanted, got));
}

Error Reading::error() const { return make_error(ErrorCode::invalid, message_); }

bool read_bool(json::View from, bool& to, const Place& place, Reading& reading) {
  const auto flag = from.as_bool();
  if (!flag) return reading.expected(place, "a boolean", from);
  to = *flag;
  return true;
}

bool read_integer(json::View from, IntegerRange range, std::int64_t& to, const Place& place, Reading& reading) {
  if (from.type() != json::Type::integer) return reading.expected(place, "an integer", from);
  const auto number = from.as_integer();
  if (!number || *number < range.lowest || std::cmp_greater(*number, range.highest)) {
    return reading.fails(place, from.print() + " is not between " + std::to_string(range.lowest) + " and " +
                                    std::to_string(range.highest));
  }
  to = *number;
  return true;
}

bool read_unsigned(json::View from, std::uint64_t highest, std::uint64_t& to, const Place& place, Reading& reading) {
  if (from.type() != json::Type::integer) return reading.expected(place, "an integer", from);
  const auto number = from.as_unsigned();
  if (!number || *number > highest) {
    return reading.fails(place, from.print() + " is not between 0 and " + std::to_string(highest));
  }
  to = *number;
  return true;
}

bool read_double(json::View from, double& to, const Place& place, Reading& reading) {
  const auto number = from.as_double();
  if (!number) return reading.expected(place, "a number", from);
  to = *number;
  return true;
}

bool read_string(json::View from, std::string& to, const Place& place, Reading& reading) {
  const auto text = from.as_string();
  if (!text) return reading.expected(place, "a string", from);
  to = *text;
  return true;
}

bool read_bytes(json::View from, Bytes& to, const Place& place, Reading& reading) {
  const auto text = from.as_string();
  if (!text) return reading.expected(place, "a string", from);
  auto bytes = Bytes::from_base64(*text);
  if (!bytes) return reading.fails(place, bytes.error().message);
  to = std::move(*bytes);
  return true;
}

bool read_time(json::View from, WallTime& to, const Place& place, Reading& reading) {
  const auto text = from.as_string();
  if (!text) return reading.expected(place, "a string", from);
  const auto time = parse_time(*text);
  if (!time) return reading.fails(place, time.error().message);
  to = *time;
  return true;
}

bool is_open(std::span<const EnumName> names) {
  return std::none_of(names.begin(), names.end(), [](const EnumName& entry) { return entry.value == 0; });
}

bool read_enum(json::View from, std::span<const EnumName> names, std::int64_t& to, const Place& place,
               Reading& reading) {
  const auto text = from.as_string();
  if (!text) return reading.expected(place, "a string", from);
  const auto found =
      std::find_if(names.begin(), names.end(), [&](const EnumName& entry) { return entry.name == *text; });
  if (found == names.end() && is_open(names)) return to = 0, true;
  if (found == names.end()) {
    std::string all;
    for (const EnumName& entry : names) all += (all.empty() ? "" : ", ") + std::string(entry.name);
    return reading.fails(place, "\"" + std::string(*text) + "\" is not one of " + all);
  }
  to = found->value;
  return true;
}

bool read_list(json::View from, const ListType& to, const Place& place, Reading& reading) {
  if (!from.is_array()) return reading.expected(place, "a list", from);
  auto* next = static_cast<std::byte*>(to.make(to.list, from.size()));
  std::size_t index = 0;
  for (const json::View element : from.elements()) {
    const Place at{&place, {}, index++};
    if (!to.element->read(element, next, at, reading)) return false;
    next += to.stride;
  }
  return true;
}

bool read_map(json::View from, void* map, void* (*entry)(void*, std::string_view), const ValueType& type,
              const Place& place, Reading& reading) {
  if (!from.is_object()) return reading.expected(place, "an object", from);
  for (const auto [key, value] : from.members()) {
    const Place at{&place, key, 0};
    if (!type.read(value, entry(map, key), at, reading)) return false;
  }
  return true;
}

bool read_struct(json::View from, void* to, const Layout& layout, const Place& place, Reading& reading) {
  if (!from.is_object()) return reading.expected(place, "an object", from);
  for (auto rest = layout.members; !rest.empty();) {
    const std::span<const Member> alternatives = take_union(rest);
    if (!alternatives.empty() && !has_one_of(from, alternatives, place, reading)) return false;
  }
  for (const Member& member : layout.members) {
    const json::View value = from.member(member.name);
    if (!is_set(value)) continue;
    const Place at{&place, member.name, 0};
    if (!member.type->read(value, member.at(to), at, reading)) return false;
  }
  if (layout.unknown != nullptr) keep_unknown(from, *layout.unknown(to), layout.members);
  return true;
}

json::Value write_enum(std::span<const EnumName> names, std::int64_t value) {
  const auto found =
      std::find_if(names.begin(), names.end(), [&](const EnumName& entry) { return entry.value == value; });
  return found == names.end() ? json::Value("") : json::Value(found->name);
}

json::array write_list(const void* first, std::size_t size, std::size_t stride, const ValueType& type) {
  json::array out;
  const auto* next = static_cast<const std::byte*>(first);
  for (std::size_t i = 0; i < size; ++i, next += stride) out.push_back(type.write(next));
  return out;
}

json::object write_struct(const void* value, const Layout& layout) {
  json::object out;
  for (const Member& member : layout.members) {
    const void* held = member.in(value);
    if (!member.type->is_left_out(held)) out[member.name] = member.type->write(held);
  }
  if (layout.unknown == nullptr) return out;
  for (const auto& [name, kept] : *layout.unknown(const_cast<void*>(value))) {  // NOLINT(*-const-cast)
    if (!is_member(layout.members, name)) out[name] = kept;
  }
  return out;
}

}  // namespace pintle::internal
