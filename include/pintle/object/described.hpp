// SPDX-License-Identifier: Apache-2.0
// The layouts of described kinds: their members other than the metadata. Internal part of codec.hpp, schema.hpp and
// crd.hpp; do not use it directly.
#pragma once

#include <array>
#include <span>
#include <utility>

#include <pintle/object/fields.hpp>
#include <pintle/object/layout.hpp>
#include <pintle/object/operations.hpp>

namespace pintle::internal {

/// The members of a kind other than its metadata.
template <Described T>
constexpr auto kind_members() {
  constexpr bool has_spec = requires(T object) { object.spec; };
  constexpr bool has_status = requires(T object) { object.status; };
  if constexpr (HasFields<T>) {
    return members_of<T>;
  } else {
    std::array<Member, (has_spec ? 1 : 0) + (has_status ? 1 : 0)> members{};
    static_assert(has_members<T>(1 + members.size()),
                  "without fields(), a kind has only metadata, spec and status; give it fields() for other members");
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

/// A placeholder for the layout of a kind whose field table is defined in a source file.
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

/// A kind that is nested in another kind, such as the volumeClaimTemplates of a StatefulSet.
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
    return nested_kind_schema(kind_layout_of<T>, &fresh);
  }
};

}  // namespace pintle::internal
