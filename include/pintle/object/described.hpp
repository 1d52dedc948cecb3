// What fields() becomes: tables that read, write and explain a struct without knowing its type. The machinery behind
// codec.hpp, schema.hpp and crd.hpp; nothing here is called by hand.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <pintle/base/time.hpp>
#include <pintle/json/document.hpp>
#include <pintle/object/bytes.hpp>
#include <pintle/object/fields.hpp>
#include <pintle/object/optional_box.hpp>
#include <pintle/object/value_type.hpp>

namespace pintle::described {

// The one of a type; its address is known before the type is complete.
template <class T>
struct ValueTypeOf {
  static const ValueType value;
};

template <class T>
struct Operations {
  static_assert(sizeof(T) == 0,
                "pintle does not know this type as JSON: give it fields(), or enum_names for an enumeration");
};

// What can be wrong with the rules of a field, as far as the compiler knows.
enum class RuleFault : std::uint8_t { none, range, default_range, default_choice };

constexpr bool are_ranges(const ValueRules& rules) {
  return !(rules.minimum && rules.maximum && rules.minimum->is_above(*rules.maximum)) &&
         rules.min_length.value_or(0) <= rules.max_length.value_or(SIZE_MAX) &&
         rules.min_items.value_or(0) <= rules.max_items.value_or(SIZE_MAX);
}

constexpr bool is_in_range(const Literal& given, const ValueRules& rules) {
  if (given.kind == Literal::Kind::text) {
    std::size_t characters = 0;
    for (const char c : given.text) characters += (static_cast<unsigned char>(c) & 0xC0) != 0x80 ? 1 : 0;
    return characters >= rules.min_length.value_or(0) && characters <= rules.max_length.value_or(SIZE_MAX);
  }
  return !(rules.minimum && rules.minimum->is_above(given.number)) &&
         !(rules.maximum && given.number.is_above(*rules.maximum));
}

// `limits` is what the type of the member can hold.
constexpr RuleFault fault_of(const FieldRules& rules, std::span<const std::string_view> choices, IntegerRange limits) {
  const Literal& given = rules.default_value;
  if (!are_ranges(rules.value) || !are_ranges(rules.items)) return RuleFault::range;
  if (given.kind == Literal::Kind::number) {
    const std::int64_t whole = given.number.integer;
    if (whole < limits.lowest || std::cmp_greater(whole, limits.highest)) return RuleFault::default_range;
    return is_in_range(given, rules.value) ? RuleFault::none : RuleFault::default_range;
  }
  if (given.kind != Literal::Kind::text) return RuleFault::none;
  if (!is_in_range(given, rules.value)) return RuleFault::default_range;
  for (const std::string_view choice : choices) {
    if (choice == given.text) return RuleFault::none;
  }
  return choices.empty() ? RuleFault::none : RuleFault::default_choice;
}

template <class T>
constexpr IntegerRange limits_of() {
  if constexpr (std::is_integral_v<T>) {
    return {static_cast<std::int64_t>(std::numeric_limits<T>::min()),
            static_cast<std::uint64_t>(std::numeric_limits<T>::max())};
  } else {
    return {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::uint64_t>::max()};
  }
}

template <class T>
inline constexpr bool is_scalar =
    std::is_arithmetic_v<T> || std::is_enum_v<T> || std::same_as<T, std::string> || OwnJson<T>;

template <class O, class M, std::size_t C, std::size_t R>
constexpr bool is_key(const Field<O, M, C, R>& field, std::string_view key) {
  const bool is_there = field.rules.required || field.rules.default_value.kind != Literal::Kind::none ||
                        std::same_as<typename WithoutOptional<M>::type, M>;
  return field.name == key && is_scalar<typename WithoutOptional<M>::type> && is_there;
}
constexpr bool is_key(const auto&, std::string_view) { return false; }

// Whether each key is a scalar of the element that is always there. An initializer may be a default; the server knows.
template <class Element>
constexpr bool has_keys(std::span<const std::string_view> keys) {
  for (const std::string_view key : keys) {
    if (key.empty()) continue;
    if constexpr (HasFields<Element>) {
      const auto names_it = [key]<std::size_t... I>(const auto& list, std::index_sequence<I...>) {
        return (is_key(item_at<I>(list), key) || ...);
      };
      constexpr auto list = Element::fields();
      if (!names_it(list, std::make_index_sequence<list.size>())) return false;
    } else {
      return false;
    }
  }
  return true;
}

constexpr bool has_unique_names(std::span<const Member> members) {
  for (std::size_t i = 0; i < members.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (members[i].name == members[j].name) return false;
    }
  }
  return true;
}

// What most types have in common.
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

template <OwnJson T>
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

template <class T>
struct Operations<std::optional<T>> : Basics<std::optional<T>> {
  static bool read(json::View from, void* to, const Place& at, Reading& r) {
    // Not emplace(): clang takes a struct that is nested in the one being described for one without a default.
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

// Its schema ends here and its members are not looked through, because it may hold what it is held by.
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
  static_assert(!std::same_as<T, bool>, "a list of bool has no elements to point at; use another type");

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

template <class T>
struct Operations<std::map<std::string, T>> : Basics<std::map<std::string, T>> {
  static bool read(json::View from, void* to, const Place& at, Reading& r) {
    as<std::map<std::string, T>>(to).clear();
    const auto entry = [](void* map, std::string_view key) -> void* {
      return &as<std::map<std::string, T>>(map)[std::string(key)];
    };
    return read_map(from, to, entry, ValueTypeOf<T>::value, at, r);
  }
  static json::Value write(const void* value) {
    json::object out;
    for (const auto& [key, entry] : as<std::map<std::string, T>>(value)) out[key] = Operations<T>::write(&entry);
    return out;
  }
  static bool is_left_out(const void* value) { return as<std::map<std::string, T>>(value).empty(); }
  static json::object schema() { return map_schema(ValueTypeOf<T>::value); }
};

template <class T>
inline constexpr auto fields_of = T::fields();
template <class T>
using ItemsOf = std::make_index_sequence<fields_of<T>.size>;
// Copies of one item's parts: what a table points at is kept, the rest is not.
template <class T, std::size_t I>
inline constexpr auto rules_of = item_at<I>(fields_of<T>).rules;
template <class T, std::size_t I>
inline constexpr auto choices_of = item_at<I>(fields_of<T>).choices;
template <class T, std::size_t I>
inline constexpr auto cel_of = item_at<I>(fields_of<T>).cel;
template <class T, std::size_t I>
void* place_of(void* owner) {
  constexpr auto member = item_at<I>(fields_of<T>).member;
  return &(as<T>(owner).*member);
}

template <class T, std::size_t I, class O, class M, std::size_t C, std::size_t R>
constexpr void add_item(Member* to, const Field<O, M, C, R>&) {
  constexpr const auto& field = item_at<I>(fields_of<T>);
  *to = {field.name, field.description, &no_rules, {}, &ValueTypeOf<M>::value, &place_of<T, I>};
  if constexpr (field.rules.are_given) {
    constexpr RuleFault fault = fault_of(field.rules, field.choices, limits_of<typename WithoutOptional<M>::type>());
    static_assert(fault != RuleFault::range, "the minimum of a field is above its maximum");
    static_assert(fault != RuleFault::default_range, "the default of a field is outside its range");
    static_assert(fault != RuleFault::default_choice, "the default of a field is none of its choices");
    if constexpr (field.rules.sharing == Sharing::map) {
      static_assert(has_keys<typename ElementOf<M>::type>(field.rules.keys),
                    "a key of a list map must name a scalar of the element that is required or has a default");
    }
    to->rules = &rules_of<T, I>;
  }
  if constexpr (C > 0) to->choices = choices_of<T, I>;
  if constexpr (R > 0) to->cel = cel_of<T, I>;
}

// One alternative of a variant, at the place of the variant.
template <class V, std::size_t I>
struct AlternativeOf {};

template <bool MayBeNone>
inline constexpr UnionRule union_rule{.may_be_none = MayBeNone};

template <class T, std::size_t I, class O, class V, std::size_t N>
constexpr void add_item(Member* to, const Union<O, V, N>&) {
  constexpr bool may_be_none = std::same_as<std::variant_alternative_t<0, V>, std::monostate>;
  constexpr std::size_t nameless = may_be_none ? 1 : 0;
  static_assert(N + nameless == std::variant_size_v<V>,
                "union_of names each alternative of its variant, in their order");
  constexpr const auto& names = item_at<I>(fields_of<T>).alternatives;
  [to]<std::size_t... A>(std::index_sequence<A...>) {
    ((to[A] = {names[A].name,
               names[A].description,
               &no_rules,
               {},
               &ValueTypeOf<AlternativeOf<V, A + nameless>>::value,
               &place_of<T, I>,
               {},
               &union_rule<may_be_none>}),
     ...);
  }(std::make_index_sequence<N>{});
}

template <class T, std::size_t I>
constexpr void add_item(Member*, const CelRule&) {}
template <class T, std::size_t I, class O>
constexpr void add_item(Member*, const UnknownFields<O>&) {}

template <class T, std::size_t... I>
constexpr auto make_members(std::index_sequence<I...>) {
  std::array<Member, (std::remove_cvref_t<decltype(item_at<I>(fields_of<T>))>::members + ... + 0)> members{};
  [[maybe_unused]] Member* next = members.data();
  ((add_item<T, I>(next, item_at<I>(fields_of<T>)), next += item_at<I>(fields_of<T>).members), ...);
  return members;
}

constexpr bool is_rule(const CelRule&) { return true; }
constexpr bool is_rule(const auto&) { return false; }

template <class T, std::size_t... I>
constexpr auto make_rules(std::index_sequence<I...>) {
  std::array<CelRule, (std::size_t(is_rule(item_at<I>(fields_of<T>))) + ... + 0)> rules{};
  std::size_t count = 0;
  const auto add = [&](const auto& item) {
    if constexpr (is_rule(decltype(item){})) rules[count++] = item;
  };
  (add(item_at<I>(fields_of<T>)), ...);
  return rules;
}

template <class T>
inline constexpr auto members_of = make_members<T>(ItemsOf<T>{});
template <class T>
inline constexpr auto cel_rules_of = make_rules<T>(ItemsOf<T>{});

template <class T, std::size_t I, class O>
constexpr auto unknown_of(const UnknownFields<O>&) -> json::object* (*)(void*) {
  return [](void* owner) { return static_cast<json::object*>(place_of<T, I>(owner)); };
}
template <class T, std::size_t I>
constexpr auto unknown_of(const auto&) -> json::object* (*)(void*) {
  return nullptr;
}

template <class T>
constexpr Layout make_layout() {
  static_assert(has_unique_names(members_of<T>), "two fields of this struct have the same name");
  Layout layout{.members = members_of<T>};
  // Items that are no members are rare, and looking for them costs the compiler time.
  if constexpr (fields_of<T>.has_others) {
    layout.rules = cel_rules_of<T>;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      const auto keep = [&](auto unknown) { layout.unknown = unknown != nullptr ? unknown : layout.unknown; };
      (keep(unknown_of<T, I>(item_at<I>(fields_of<T>))), ...);
    }(ItemsOf<T>{});
  }
  return layout;
}

template <class T>
inline constexpr Layout layout_of = make_layout<T>();

template <HasFields T>
  requires(!HasFieldTable<T>)
struct Operations<T> : Basics<T> {
  static bool read(json::View from, void* to, const Place& at, Reading& r) {
    return read_struct(from, to, layout_of<T>, at, r);
  }
  static json::Value write(const void* value) { return write_struct(value, layout_of<T>); }
  static json::object schema() {
    const T fresh{};
    return struct_schema(layout_of<T>, &fresh);
  }
  static std::span<const Member> members() { return members_of<T>; }
};

template <HasFieldTable T>
struct Operations<T> {
  static bool read(json::View from, void* to, const Place& at, Reading& r) {
    return read_struct(from, to, {T::fields()}, at, r);
  }
  static json::Value write(const void* value) { return write_struct(value, {T::fields()}); }
  static bool is_left_out(const void*) { return false; }
  static json::Value fresh() { return with_fresh(&write_struct); }
  static json::object schema() {
    return with_fresh([](const void* value, const Layout& layout) { return struct_schema(layout, value); });
  }
  static std::span<const Member> members() { return T::fields(); }

 private:
  static json::object with_fresh(json::object (*what)(const void*, const Layout&)) {
    OptionalBox<T> fresh;
    return what(&fresh.emplace(), {T::fields()});
  }
};

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
  static json::object schema() { return {{"type", "object"}}; }
};

template <class V, std::size_t I>
struct Operations<AlternativeOf<V, I>> {
  using Held = std::variant_alternative_t<I, V>;

  static bool read(json::View from, void* to, const Place& at, Reading& r) {
    auto& held = as<V>(to) = V(std::in_place_index<I>, Held{});
    return Operations<Held>::read(from, &std::get<I>(held), at, r);
  }
  static json::Value write(const void* value) { return Operations<Held>::write(&std::get<I>(as<V>(value))); }
  static bool is_left_out(const void* value) { return as<V>(value).index() != I; }
  static json::Value fresh() { return Operations<Held>::fresh(); }
  static json::object schema() { return Operations<Held>::schema(); }
  static std::span<const Member> members() { return Operations<Held>::members(); }
};

template <class T>
constinit const ValueType ValueTypeOf<T>::value{&Operations<T>::read,        &Operations<T>::write,
                                                &Operations<T>::is_left_out, &Operations<T>::fresh,
                                                &Operations<T>::schema,      &Operations<T>::members};

// The members of a kind beside its metadata.
template <Described T>
constexpr auto kind_members() {
  constexpr bool has_spec = requires(T object) { object.spec; };
  constexpr bool has_status = requires(T object) { object.status; };
  if constexpr (HasFields<T>) {
    return members_of<T>;
  } else {
    std::array<Member, (has_spec ? 1 : 0) + (has_status ? 1 : 0)> members{};
    if constexpr (has_spec) {
      members[0] = {"spec",
                    {},
                    &no_rules,
                    {},
                    &ValueTypeOf<decltype(T::spec)>::value,
                    [](void* o) -> void* { return &as<T>(o).spec; }};
    }
    if constexpr (has_status) {
      members.back() = {"status", {}, &no_rules, {}, &ValueTypeOf<decltype(T::status)>::value, [](void* o) -> void* {
                          return &as<T>(o).status;
                        }};
    }
    return members;
  }
}

template <Described T>
inline constexpr auto kind_members_of = kind_members<T>();

// Stands for the layout of a kind whose table only a source knows.
template <HasFieldTable T>
struct DeclaredLayout {
  operator Layout() const { return {T::fields()}; }  // NOLINT(google-explicit-constructor)
};

template <Described T>
constexpr auto kind_layout() {
  if constexpr (HasFieldTable<T>) {
    return DeclaredLayout<T>{};
  } else if constexpr (HasFields<T>) {
    return layout_of<T>;
  } else if constexpr (requires { std::span<const CelRule>(T::rules); }) {
    return Layout{kind_members_of<T>, T::rules, nullptr};
  } else {
    return Layout{kind_members_of<T>, {}, nullptr};
  }
}

template <Described T>
inline constexpr auto kind_layout_of = kind_layout<T>();

// A kind that stands in another, such as the claims of a StatefulSet.
template <Described T>
  requires(!HasFields<T>)
struct Operations<T> : Basics<T> {
  static bool read(json::View from, void* to, const Place& at, Reading& r) {
    auto& kind = as<T>(to);
    return read_kind(from, kind.metadata, &kind, kind_layout_of<T>, at, r);
  }
  static json::Value write(const void* value) {
    const auto& kind = as<T>(value);
    return write_kind(T::type, kind.metadata, kind_layout_of<T>, &kind, Purpose::write);
  }
  static json::object schema() {
    const T fresh{};
    return struct_schema(kind_layout_of<T>, &fresh);
  }
};

}  // namespace pintle::described
