// SPDX-License-Identifier: Apache-2.0
// The identity of an object: its kind and its key.
#pragma once

#include <compare>
#include <string>
#include <string_view>

#include <pintle/base/annotations.hpp>
#include <pintle/base/hash.hpp>

namespace pintle {

/// The kind of a described struct as a constant: `static constexpr pintle::Type type{"apps/v1", "Deployment"};`
struct Type {
  std::string_view api_version;
  std::string_view kind;
};

/// A kind as group, version and name. The group of core kinds is "". A plain value.
struct PINTLE_EXPORT GroupVersionKind {
  GroupVersionKind() = default;
  /// `api_version` is "apps/v1" or "v1"; `kind` is "Deployment".
  GroupVersionKind(std::string_view api_version, std::string_view kind);
  GroupVersionKind(Type type) : GroupVersionKind(type.api_version, type.kind) {}  // NOLINT(google-explicit-constructor)

  std::string group{};
  std::string version{};
  std::string kind{};

  [[nodiscard]] std::string api_version() const;  ///< "apps/v1", "v1"
  [[nodiscard]] std::string to_string() const;    ///< "apps/v1 Deployment"
  [[nodiscard]] bool empty() const noexcept { return kind.empty(); }

  friend auto operator<=>(const GroupVersionKind&, const GroupVersionKind&) = default;
};

/// Returns whether both have the same group and name; their versions may differ.
[[nodiscard]] inline bool is_same_kind(const GroupVersionKind& a, const GroupVersionKind& b) {
  return a.group == b.group && a.kind == b.kind;
}

/// Returns "v1" for "apps/v1".
[[nodiscard]] constexpr std::string_view version_name(Type type) {
  return type.api_version.substr(type.api_version.find('/') + 1);
}

/// Namespace and name of an object. The namespace is "" for cluster-scoped kinds. A plain value.
struct PINTLE_EXPORT ObjectKey {
  std::string namespace_{};
  std::string name{};

  [[nodiscard]] std::string to_string() const;  ///< "namespace/name", "name"
  friend auto operator<=>(const ObjectKey&, const ObjectKey&) = default;
};

/// A view of an ObjectKey. The strings to which it refers must outlive it.
struct ObjectKeyView {
  ObjectKeyView(std::string_view in_namespace, std::string_view called) noexcept
      : namespace_(in_namespace), name(called) {}
  ObjectKeyView(const ObjectKey& key) noexcept  // NOLINT(google-explicit-constructor)
      : namespace_(key.namespace_), name(key.name) {}

  std::string_view namespace_;
  std::string_view name;

  friend auto operator<=>(const ObjectKeyView&, const ObjectKeyView&) = default;
};

/// Returns the plural of a kind in lower case, by the API conventions: "greetings" for Greeting, "policies" for Policy,
/// "ingresses" for Ingress.
[[nodiscard]] PINTLE_EXPORT std::string default_plural(std::string_view kind);

}  // namespace pintle

/// A key and a view of it have the same hash.
template <>
struct std::hash<pintle::ObjectKeyView> {
  std::size_t operator()(const pintle::ObjectKeyView& key) const noexcept {
    return pintle::hash_of(key.name, pintle::hash_of(key.namespace_, 0));
  }
};
template <>
struct std::hash<pintle::ObjectKey> {
  std::size_t operator()(const pintle::ObjectKey& key) const noexcept {
    return std::hash<pintle::ObjectKeyView>{}(key);
  }
};
