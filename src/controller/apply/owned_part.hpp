// SPDX-License-Identifier: Apache-2.0
// owned_part_digest: a digest of the part of an object that an intent owns, to detect changes of that part.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include <pintle/json/document.hpp>

namespace pintle {

// Returns a digest of the values that `object` has for the fields that `intent` owns under server-side apply. Two
// states of an object have the same digest if and only if these values are equal, except that 64 bits can collide.
// Additions of the server and of other clients are not covered: members that the intent does not contain, elements of a
// list map with other keys, elements of a set that are not in the intent. Null members of the intent, `status` of a
// built-in kind, and the metadata that only the server writes are not covered either.
//
// The digest compares an object with an earlier state of itself, never with the intent. A value that the server
// replaces or stores in another spelling ("1000m" as "1") is therefore no difference. The list maps, sets and atomic
// maps of the built-in kinds are taken into account. Any other list, and each list of a custom resource, counts as
// atomic: an element that another client adds changes the digest.
[[nodiscard]] std::uint64_t owned_part_digest(json::View object, json::View intent);

// The merge rule of a list that is not atomic.
struct ListRule {
  std::string_view kind;                   // "" for any built-in kind
  std::string_view parent;                 // name of the member that contains the list; "" for any
  std::string_view name;                   // name of the list
  std::array<std::string_view, 2> keys{};  // keys of a list map; both empty for a set
};
// Returns null for an atomic list. `kind` is the name of a built-in kind; "" for a custom resource.
[[nodiscard]] const ListRule* list_rule(std::string_view kind, std::string_view parent, std::string_view name) noexcept;
// Returns whether this member of a built-in kind is an atomic map that can gain members, such as a selector.
[[nodiscard]] bool is_atomic_map(std::string_view name) noexcept;

}  // namespace pintle
