// SPDX-License-Identifier: Apache-2.0
// Apply sets: the labels and annotations that mark the members of a parent (KEP-3659). Other tools see the same set.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include <pintle/object/object.hpp>

namespace pintle::apply_set {

inline constexpr std::string_view part_of_label = "applyset.kubernetes.io/part-of";  // on a member: the id
// The same id as an annotation of pintle, so that a member whose label was removed by another client is still found.
inline constexpr std::string_view member_annotation = "pintle.dev/part-of";
inline constexpr std::string_view id_label = "applyset.kubernetes.io/id";  // on the parent
inline constexpr std::string_view tooling_annotation = "applyset.kubernetes.io/tooling";
inline constexpr std::string_view kinds_annotation = "applyset.kubernetes.io/contains-group-kinds";
inline constexpr std::string_view namespaces_annotation = "applyset.kubernetes.io/additional-namespaces";

// Returns "applyset-<base64url(sha256("name.namespace.kind.group"))>-v1".
[[nodiscard]] std::string id_of(const ObjectKey& parent, const GroupVersionKind& kind);

// Kinds or namespaces as in an annotation: sorted and separated by commas. A kind is printed as "Kind.group", a kind of
// the core group as "Kind".
using Names = std::set<std::string>;
[[nodiscard]] Names names_in(std::string_view annotation);
[[nodiscard]] std::string print(const Names& names);
[[nodiscard]] std::string name_of(const GroupVersionKind& kind);
// Returns a kind without a version.
[[nodiscard]] GroupVersionKind kind_named(std::string_view name);

}  // namespace pintle::apply_set
