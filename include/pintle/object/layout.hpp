// SPDX-License-Identifier: Apache-2.0
// Tables that are made from fields(). They read, write and explain a struct whose type is erased. Internal part of
// described.hpp; do not use it directly.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>

#include <boost/pfr/tuple_size.hpp>

#include <pintle/object/operations.hpp>
#include <pintle/object/optional_box.hpp>
#include <pintle/object/rule_checks.hpp>

namespace pintle::internal {

template <class T>
inline constexpr auto fields_of = T::fields();
template <class T>
using ItemsOf = std::make_index_sequence<fields_of<T>.size>;
/// Copies of the parts of an item, each as a separate variable. The compiler emits only those copies to which a table
/// points. With pointers into the item, it would emit the whole item.
template <class T, std::size_t I>
inline constexpr auto rules_of = internal::item_at<I>(fields_of<T>).rules;
template <class T, std::size_t I>
inline constexpr auto choices_of = internal::item_at<I>(fields_of<T>).choices;
template <class T, std::size_t I>
inline constexpr auto cel_of = internal::item_at<I>(fields_of<T>).cel;
template <class T, std::size_t I>
void* place_of(void* owner) {
  constexpr auto member = internal::item_at<I>(fields_of<T>).member;
  return &(as<T>(owner).*member);
}

template <class T, std::size_t I, class O, class M, std::size_t C, std::size_t R>
constexpr void add_item(Member* to, const Field<O, M, C, R>&) {
  constexpr const auto& field = internal::item_at<I>(fields_of<T>);
  *to = {field.name, field.description, &no_rules, {}, &ValueTypeOf<M>::value, &place_of<T, I>};
  if constexpr (field.rules.is_set) {
    constexpr RuleError error =
        rule_error(field.rules, field.choices, limits_of<typename internal::WithoutOptional<M>::type>());
    static_assert(error != RuleError::range, "the minimum of a field is above its maximum");
    static_assert(error != RuleError::default_range, "the default of a field is outside its range");
    static_assert(error != RuleError::default_choice, "the default of a field is not one of its choices");
    if constexpr (field.rules.merge_strategy == MergeStrategy::map) {
      static_assert(has_keys<typename internal::ElementOf<M>::type>(field.rules.keys),
                    "a key of a list map must name a scalar of the element that is required or has a default");
    }
    to->rules = &rules_of<T, I>;
  }
  if constexpr (C > 0) to->choices = choices_of<T, I>;
  if constexpr (R > 0) to->cel = cel_of<T, I>;
}

/// The type of a member that is one alternative of a variant. The address of such a member is that of the variant.
template <class V, std::size_t I>
struct AlternativeOf {};

template <bool MayBeNone>
inline constexpr UnionRule union_rule{.may_be_none = MayBeNone};

template <class T, std::size_t I, class O, class V, std::size_t N>
constexpr void add_item(Member* to, const Union<O, V, N>&) {
  constexpr bool may_be_none = std::same_as<std::variant_alternative_t<0, V>, std::monostate>;
  constexpr std::size_t nameless = may_be_none ? 1 : 0;
  static_assert(N + nameless == std::variant_size_v<V>,
                "union_of must name each alternative of its variant, in the same order");
  constexpr const auto& names = internal::item_at<I>(fields_of<T>).alternatives;
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
template <class T, std::size_t I>
constexpr void add_item(Member*, const LeftOut&) {}

template <class T, std::size_t... I>
constexpr auto make_members(std::index_sequence<I...>) {
  std::array<Member, (std::remove_cvref_t<decltype(internal::item_at<I>(fields_of<T>))>::members + ... + 0)> members{};
  [[maybe_unused]] Member* next = members.data();
  ((add_item<T, I>(next, internal::item_at<I>(fields_of<T>)), next += internal::item_at<I>(fields_of<T>).members), ...);
  return members;
}

constexpr bool is_rule(const CelRule&) { return true; }
constexpr bool is_rule(const auto&) { return false; }

template <class T, std::size_t... I>
constexpr auto make_rules(std::index_sequence<I...>) {
  std::array<CelRule, (std::size_t(is_rule(internal::item_at<I>(fields_of<T>))) + ... + 0)> rules{};
  std::size_t count = 0;
  const auto add = [&](const auto& item) {
    if constexpr (is_rule(decltype(item){})) rules[count++] = item;
  };
  (add(internal::item_at<I>(fields_of<T>)), ...);
  return rules;
}

/// Returns the number of members that fields() mentions.
template <class T, std::size_t... I>
constexpr std::size_t mentioned_members(std::index_sequence<I...>) {
  return (std::remove_cvref_t<decltype(internal::item_at<I>(fields_of<T>))>::places + ... + 0);
}

/// Converts to each base class of T.
template <class T>
struct AnyBaseOf {
  template <class Base>
    requires(std::is_base_of_v<Base, T> && !std::same_as<Base, T>)
  operator Base() const;  // NOLINT(google-explicit-constructor)
};

/// Returns whether T has this number of members. Returns true if they cannot be counted: T has a base class or is not
/// an aggregate.
template <class T>
constexpr bool has_members(std::size_t count) {
  if constexpr (std::is_aggregate_v<T> && !requires { T{AnyBaseOf<T>{}}; }) {
    return boost::pfr::tuple_size_v<T> == count;
  } else {
    return true;
  }
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
  constexpr std::size_t metadata = requires(T object) { T::type, object.metadata; } ? 1 : 0;
  static_assert(has_members<T>(mentioned_members<T>(ItemsOf<T>{}) + metadata),
                "a member of this struct is missing in fields(); add a field(), or mark the member with left_out()");
  Layout layout{.members = members_of<T>};
  // Items that are not members are rare, and the search for them costs compile time.
  if constexpr (fields_of<T>.has_non_members) {
    layout.rules = cel_rules_of<T>;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      const auto keep = [&](auto unknown) { layout.unknown = unknown != nullptr ? unknown : layout.unknown; };
      (keep(unknown_of<T, I>(internal::item_at<I>(fields_of<T>))), ...);
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

template <class V, std::size_t I>
struct Operations<AlternativeOf<V, I>> {
  using Alternative = std::variant_alternative_t<I, V>;

  static bool read(json::View from, void* to, const Place& at, Reading& r) {
    auto& held = as<V>(to) = V(std::in_place_index<I>, Alternative{});
    return Operations<Alternative>::read(from, &std::get<I>(held), at, r);
  }
  static json::Value write(const void* value) { return Operations<Alternative>::write(&std::get<I>(as<V>(value))); }
  static bool is_left_out(const void* value) { return as<V>(value).index() != I; }
  static json::Value fresh() { return Operations<Alternative>::fresh(); }
  static json::object schema() { return Operations<Alternative>::schema(); }
  static std::span<const Member> members() { return Operations<Alternative>::members(); }
};

}  // namespace pintle::internal
