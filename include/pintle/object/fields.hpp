// SPDX-License-Identifier: Apache-2.0
// fields(): declares the JSON names, descriptions and rules of the members of a plain struct.
//
//   struct Spec {
//     std::string who = "world";
//     std::int32_t times = 1;
//     static constexpr auto fields() {
//       return pintle::fields(
//           pintle::field("who", &Spec::who, "Whom to greet.").min_length(1).column("Who"),
//           pintle::field("times", &Spec::times, "How often.").minimum(1).maximum(100));
//     }
//   };
//
// A member is a bool, an integer, a double, std::string, Bytes, WallTime, MicroTime, Duration, Quantity, IntOrString,
// json::Value (any JSON), an enumeration that has enum_names() or a Choice of one, a struct with fields(), or a type of
// your own that satisfies CustomJson. It may also be std::optional, Box, OptionalBox, std::vector or
// std::map<std::string, …> of one of these, or a std::variant (union_of). A struct that contains its own type does so
// in a Box.
//
// If one field identifies the elements of a list, the struct of the elements names that field:
//
//   static constexpr std::string_view list_map_key = "type";
//
// Several field managers can then own different elements of any list of that struct.
//
// docs/types.md describes all of this with examples.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <pintle/base/result.hpp>
#include <pintle/json/document.hpp>
#include <pintle/json/value.hpp>
#include <pintle/object/declared.hpp>
#include <pintle/object/enum_names.hpp>
#include <pintle/object/field_rules.hpp>
#include <pintle/object/kind.hpp>
#include <pintle/object/metadata.hpp>

namespace pintle {

class Quantity;     ///< object/quantity.hpp
class QuantityMap;  ///< object/quantity_map.hpp

template <class T>
class OptionalBox;
template <class Enum>
class Choice;  ///< object/choice.hpp

namespace internal {

template <class T>
struct WithoutOptional {
  using type = T;
};
template <class T>
struct WithoutOptional<std::optional<T>> {
  using type = T;
};
template <class T>
struct WithoutOptional<OptionalBox<T>> {
  using type = T;
};

/// The enumeration of a Choice; other types as they are.
template <class T>
struct WithoutChoice {
  using type = T;
};
template <class T>
struct WithoutChoice<Choice<T>> {
  using type = T;
};

/// The type of the elements of a list or of the entries of a map; void for other types.
template <class T>
struct ElementOf {
  using type = void;
};
template <class T>
struct ElementOf<std::optional<T>> : ElementOf<T> {};
template <class T>
struct ElementOf<std::vector<T>> {
  using type = T;
};
template <>
struct ElementOf<QuantityMap> {
  using type = Quantity;
};
template <class T>
struct ElementOf<std::map<std::string, T>> {
  using type = T;
};

}  // namespace internal

/// A type that defines its own JSON form: `static Result<T> from_json(json::View)`, `json::Value to_json() const` and
/// `static json::object json_schema()`.
template <class T>
concept CustomJson = std::is_class_v<T> && requires(json::View view, const T& value) {
  { T::from_json(view) } -> std::same_as<Result<T>>;
  { value.to_json() } -> std::same_as<json::Value>;
  { T::json_schema() } -> std::same_as<json::object>;
};

template <class T>
concept NumberField = std::is_arithmetic_v<typename internal::WithoutOptional<T>::type> &&
                      !std::same_as<typename internal::WithoutOptional<T>::type, bool>;
template <class T>
concept TextField = std::same_as<typename internal::WithoutOptional<T>::type, std::string>;
template <class T>
concept ListField =
    std::same_as<typename internal::WithoutOptional<T>::type, std::vector<typename internal::ElementOf<T>::type>>;
template <class T>
concept ManyField = !std::is_void_v<typename internal::ElementOf<T>::type>;

/// One member with its JSON name, its description and its rules. Each rule function returns a changed copy. A rule that
/// does not fit the type of the member does not compile.
template <class Owner, class Member, std::size_t Choices = 0, std::size_t Cels = 0>
struct Field {
  static constexpr std::size_t members = 1;  ///< number of JSON members that this item of fields() declares
  static constexpr std::size_t places = 1;   ///< number of C++ members that this item of fields() describes

  std::string_view name{};
  Member Owner::*member = nullptr;
  std::string_view description{};
  FieldRules rules{};
  std::array<std::string_view, Choices> choices{};
  std::array<CelRule, Cels> cel{};

  /// The server rejects an object without this member.
  [[nodiscard]] constexpr Field required() const { return with(&FieldRules::required, true); }
  /// The default, which the server sets if the member is missing. Without this rule, the initializer of the member is
  /// the default if it differs from the initial value of the type. Use this rule for a default such as 0, and for
  /// optional members.
  template <class Value>
  [[nodiscard]] constexpr Field default_value(const Value& value) const {
    return with(&FieldRules::default_value, literal_of(value));
  }
  /// The same for lists, maps and structs: `.default_json("[]")`.
  [[nodiscard]] constexpr Field default_json(std::string_view text) const {
    return with(&FieldRules::default_value, {.kind = Literal::Kind::json, .text = text});
  }
  /// The server also accepts null, and stores it. Decoding treats null as missing.
  [[nodiscard]] constexpr Field nullable() const { return with(&FieldRules::nullable, true); }
  /// Once the member is set, it can neither be changed nor removed.
  [[nodiscard]] constexpr Field immutable() const { return with(&FieldRules::immutable, true); }

  template <class Number>
    requires NumberField<Member> && std::is_arithmetic_v<Number>
  [[nodiscard]] constexpr Field minimum(Number bound) const {
    return with(&ValueRules::minimum, bound_of(bound));
  }
  template <class Number>
    requires NumberField<Member> && std::is_arithmetic_v<Number>
  [[nodiscard]] constexpr Field maximum(Number bound) const {
    return with(&ValueRules::maximum, bound_of(bound));
  }
  template <class Number>
    requires NumberField<Member> && std::is_arithmetic_v<Number>
  [[nodiscard]] constexpr Field multiple_of(Number step) const {
    return with(&ValueRules::multiple_of, bound_of(step));
  }

  /// The minimum or maximum length, in characters.
  [[nodiscard]] constexpr Field min_length(std::size_t length) const
    requires TextField<Member>
  {
    return with(&ValueRules::min_length, length);
  }
  [[nodiscard]] constexpr Field max_length(std::size_t length) const
    requires TextField<Member>
  {
    return with(&ValueRules::max_length, length);
  }
  /// A regular expression (RE2). It matches anywhere in the string; use ^ and $ to match the whole string.
  [[nodiscard]] constexpr Field pattern(std::string_view expression) const
    requires TextField<Member>
  {
    return with(&ValueRules::pattern, expression);
  }
  template <std::size_t N>
    requires TextField<Member>
  [[nodiscard]] constexpr Field<Owner, Member, N, Cels> one_of(const std::string_view (&values)[N]) const {
    Field<Owner, Member, N, Cels> changed{name, member, description, rules, {}, cel};
    for (std::size_t i = 0; i < N; ++i) changed.choices[i] = values[i];
    return changed;
  }

  /// The minimum or maximum number of elements of a list or of entries of a map.
  [[nodiscard]] constexpr Field min_items(std::size_t count) const
    requires ManyField<Member>
  {
    return with(&ValueRules::min_items, count);
  }
  [[nodiscard]] constexpr Field max_items(std::size_t count) const
    requires ManyField<Member>
  {
    return with(&ValueRules::max_items, count);
  }
  /// Rules for each element or entry: `.items([](auto item) { return item.min_length(1); })`. Rules about the member
  /// itself (such as required()) and one_of() do not compile here. For choices, use a list of an enumeration.
  template <class AddRules>
    requires ManyField<Member>
  [[nodiscard]] constexpr Field items(AddRules add_rules) const {
    using Item = Field<Owner, typename internal::ElementOf<Member>::type>;
    const Item item = add_rules(Item{});
    if (item.rules != FieldRules{.is_set = true, .value = item.rules.value})
      throw "items() accepts only rules about values";
    return with(&FieldRules::items, item.rules.value);
  }

  /// No two elements are equal.
  [[nodiscard]] constexpr Field list_set() const
    requires ListField<Member>
  {
    return with(&FieldRules::merge_strategy, MergeStrategy::set);
  }
  /// One to four fields that together identify an element, so that several field managers can own different elements of
  /// the list. Each is a scalar of the element that is required or has a default.
  template <std::convertible_to<std::string_view>... Keys>
    requires ListField<Member> && (sizeof...(Keys) >= 1 && sizeof...(Keys) <= 4)
  [[nodiscard]] constexpr Field list_map(const Keys&... keys) const {
    Field changed = with(&FieldRules::merge_strategy, MergeStrategy::map);
    std::size_t count = 0;
    ((changed.rules.keys[count++] = keys), ...);
    return changed;
  }
  /// One field manager owns the whole list, map or struct.
  [[nodiscard]] constexpr Field atomic() const { return with(&FieldRules::merge_strategy, MergeStrategy::atomic); }

  /// Adds a CEL rule that the server evaluates: `.rule("self.startsWith('a')", "must start with a")`.
  [[nodiscard]] constexpr Field<Owner, Member, Choices, Cels + 1> rule(CelRule added) const {
    Field<Owner, Member, Choices, Cels + 1> changed{name, member, description, rules, choices, {}};
    for (std::size_t i = 0; i < Cels; ++i) changed.cel[i] = cel[i];
    changed.cel[Cels] = added;
    return changed;
  }
  [[nodiscard]] constexpr auto rule(std::string_view text, std::string_view message) const {
    return rule(CelRule{.rule = text, .message = message});
  }

  /// Adds a column to `kubectl get` with this heading. For a list of conditions, the column shows the status of the
  /// condition whose type is the heading.
  [[nodiscard]] constexpr Field column(std::string_view heading) const {
    return column(PrinterColumn{.name = heading});
  }
  [[nodiscard]] constexpr Field column(PrinterColumn column) const { return with(&FieldRules::column, column); }
  /// The member is still read but should not be used. `what_instead` becomes part of the description.
  [[nodiscard]] constexpr Field deprecated(std::string_view what_instead) const {
    return with(&FieldRules::deprecated, what_instead);
  }

  template <class T>
  [[nodiscard]] constexpr Field with(T FieldRules::*rule, std::type_identity_t<T> value) const {
    Field changed = *this;
    changed.rules.*rule = value;
    changed.rules.is_set = true;
    return changed;
  }
  template <class T>
  [[nodiscard]] constexpr Field with(T ValueRules::*rule, std::type_identity_t<T> value) const {
    Field changed = *this;
    changed.rules.value.*rule = value;
    changed.rules.is_set = true;
    return changed;
  }

 private:
  template <class Number>
  static constexpr Bound bound_of(Number bound) {
    if constexpr (std::is_integral_v<Number>) return {true, static_cast<std::int64_t>(bound), 0};
    return {false, 0, static_cast<double>(bound)};
  }

  template <class Value>
  static constexpr Literal literal_of(const Value& value) {
    using Plain = typename internal::WithoutChoice<typename internal::WithoutOptional<Member>::type>::type;
    if constexpr (std::is_enum_v<Plain>) {
      static_assert(std::same_as<Value, Plain>, "the default of a field must have the type of the field");
      for (const auto& [named, text] : enum_names(Plain{})) {
        if (named == value) return {.kind = Literal::Kind::text, .text = text};
      }
      throw "the default of a field must be an enumerator with a name";
    } else if constexpr (std::same_as<Plain, bool>) {
      static_assert(std::same_as<Value, bool>, "the default of a field must have the type of the field");
      return {.kind = Literal::Kind::boolean, .flag = value};
    } else if constexpr (NumberField<Member>) {
      static_assert(std::is_arithmetic_v<Value> && (std::is_integral_v<Value> || !std::is_integral_v<Plain>),
                    "the default of a field must have the type of the field");
      return {.kind = Literal::Kind::number, .number = bound_of(value)};
    } else {
      static_assert(TextField<Member> || CustomJson<Plain>, "use default_json() for the default of this field");
      return {.kind = Literal::Kind::text, .text = value};
    }
  }
};

/// Declares a member: its JSON name, the pointer to it, and a description for people.
template <class Owner, class Member>
[[nodiscard]] constexpr Field<Owner, Member> field(std::string_view name, Member Owner::*member,
                                                   std::string_view description = {}) {
  return {name, member, description, {}, {}, {}};
}

/// One alternative of a variant, with the name of its JSON member.
struct Alternative {
  std::string_view name{};
  std::string_view description{};
};

/// The result of union_of().
template <class Owner, class Variant, std::size_t N>
struct Union {
  static constexpr std::size_t members = N;
  static constexpr std::size_t places = 1;

  Variant Owner::*member = nullptr;
  std::array<Alternative, N> alternatives{};
};

/// Declares a union, as in the API conventions: each alternative of a std::variant is a JSON member of its own, and
/// exactly one of these members is set. `alternatives` are in the order of the variant. If the first alternative is
/// std::monostate, it has no name, and all of the members may be missing.
///
///   std::variant<EmptyFolder, FromConfigMap> source{};
///   … pintle::union_of(&Volume::source, {{"emptyDir", "A folder."}, {"configMap", "The data of a ConfigMap."}})
template <class Owner, class Variant, std::size_t N>
[[nodiscard]] constexpr Union<Owner, Variant, N> union_of(Variant Owner::*member,
                                                          const Alternative (&alternatives)[N]) {
  return {member, std::to_array(alternatives)};
}

/// The result of unknown_fields().
template <class Owner>
struct UnknownFields {
  static constexpr std::size_t members = 0;
  static constexpr std::size_t places = 1;

  json::object Owner::*member = nullptr;
};

/// Declares the member that stores all fields which no other member describes: `json::object others{};`. The server
/// keeps these fields, too.
template <class Owner>
[[nodiscard]] constexpr UnknownFields<Owner> unknown_fields(json::object Owner::*member) {
  return {member};
}

/// The result of left_out().
struct LeftOut {
  static constexpr std::size_t members = 0;
  static constexpr std::size_t places = 1;
};

/// Marks a member that has no JSON form, such as a cache: it is neither read nor written. Each member of a struct must
/// be an item of fields(); for a member without JSON form, use left_out(). Otherwise, the struct does not compile.
template <class Owner, class Member>
[[nodiscard]] constexpr LeftOut left_out(Member Owner::* /*member*/) {
  return {};
}

/// A rule about several fields of a struct, as an item of its fields(): `pintle::rule("self.low <= self.high", "…")`.
[[nodiscard]] constexpr CelRule rule(std::string_view text, std::string_view message) {
  return {.rule = text, .message = message};
}

namespace internal {

/// A replacement for std::tuple with only the functions that fields() needs. It compiles faster.
template <std::size_t I, class Item>
struct ListedItem {
  Item item;
};
template <class... Listed>
struct FieldList : Listed... {
  static constexpr std::size_t size = sizeof...(Listed);
  static constexpr bool has_non_members =
      ((decltype(Listed::item)::members == 0) || ...);  ///< has items other than members
};
template <std::size_t... I, class... Items>
constexpr FieldList<ListedItem<I, Items>...> make_field_list(std::index_sequence<I...>, const Items&... items) {
  return {{items}...};
}
template <std::size_t I, class Item>
constexpr const Item& item_at(const ListedItem<I, Item>& listed) {
  return listed.item;
}

}  // namespace internal

/// Lists the fields of a struct and the rules about several fields. JSON, schemas and printer columns contain the
/// fields in the order of this list.
template <class... Items>
[[nodiscard]] constexpr auto fields(Items... items) {
  return internal::make_field_list(std::index_sequence_for<Items...>(), items...);
}

/// The same in braces, with an optional comma at the end: `return pintle::Fields{field(…), field(…),};`
template <class List>
struct Fields : List {
  template <class... Items>
  explicit constexpr Fields(const Items&... items) : List(fields(items...)) {}
};
template <class... Items>
explicit Fields(const Items&...) -> Fields<decltype(fields(std::declval<Items>()...))>;

/// A struct with fields().
template <class T>
concept HasFields = std::is_class_v<T> && requires { T::fields(); };
template <class T>
concept HasFieldTable = HasFields<T> && std::same_as<decltype(T::fields()), FieldTable>;

/// A struct that describes a kind. It has `static constexpr pintle::Type type` and `pintle::Metadata metadata{}`. It
/// also has a member `spec`, a member `status` or both; a `status` adds the status subresource. A kind that has neither
/// has fields() instead.
template <class T>
concept Described = std::default_initializable<T> &&
                    requires(T object) {
                      { T::type } -> std::convertible_to<Type>;
                      { object.metadata } -> std::same_as<Metadata&>;
                    } &&
                    (
                        HasFields<T> || requires(T object) { object.spec; } || requires(T object) { object.status; });

}  // namespace pintle
