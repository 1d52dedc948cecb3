// Apply sets: the labels and annotations by which a parent knows its members (KEP-3659), so that other tools see the
// same set.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include <pintle/object/object.hpp>

namespace pintle::apply_set {

inline constexpr std::string_view part_of_label = "applyset.kubernetes.io/part-of";  // of a member: the id
// The same id again, as an annotation of ours: a member whose label somebody removed is still found.
inline constexpr std::string_view member_annotation = "pintle.dev/part-of";
inline constexpr std::string_view id_label = "applyset.kubernetes.io/id";  // of the parent
inline constexpr std::string_view tooling_annotation = "applyset.kubernetes.io/tooling";
inline constexpr std::string_view kinds_annotation = "applyset.kubernetes.io/contains-group-kinds";
inline constexpr std::string_view namespaces_annotation = "applyset.kubernetes.io/additional-namespaces";

// "applyset-<base64url(sha256("name.namespace.kind.group"))>-v1".
[[nodiscard]] std::string id_of(const ObjectKey& parent, const GroupVersionKind& kind);

// Groups and kinds, or namespaces, as an annotation holds them: sorted, with commas between. A kind is "Kind.group",
// one of the core group "Kind".
using Names = std::set<std::string>;
[[nodiscard]] Names names_in(std::string_view annotation);
[[nodiscard]] std::string print(const Names& names);
[[nodiscard]] std::string name_of(const GroupVersionKind& kind);
// Group and kind, without a version.
[[nodiscard]] GroupVersionKind kind_named(std::string_view name);

}  // namespace pintle::apply_set
