// owned_part_digest: a number for the part of an object that an intent owns, to tell whether that part has changed.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include <pintle/json/document.hpp>

namespace pintle {

// A digest of the values that `object` has for the fields that `intent` owns under server-side apply. Two states of an
// object have the same digest if and only if these values are equal, except that 64 bits can collide. What the server
// or others add is not covered: members that the intent does not name, elements of a list map with other keys, elements
// of a set that are not in the intent. Null members of the intent, `status` of a built-in kind, and the metadata that
// only the server writes are not covered either.
//
// The digest compares an object with an earlier state of itself, never with the intent, so that a value that the server
// stores in another spelling ("1000m" as "1") or replaces is no difference. The list maps, sets and atomic maps of the
// built-in kinds are known. Any other list, and each list of a custom resource, counts as atomic: an element that
// somebody adds changes the digest.
[[nodiscard]] std::uint64_t owned_part_digest(json::View object, json::View intent);

// How a list that is not atomic is merged.
struct ListRule {
  std::string_view kind;                   // "" for any built-in kind
  std::string_view parent;                 // name of the member around it, "" for any
  std::string_view name;                   // of the list
  std::array<std::string_view, 2> keys{};  // of a list map; both empty for a set
};
// Null for an atomic list. `kind` names one of the built-in kinds, or "" for a custom resource.
[[nodiscard]] const ListRule* list_rule(std::string_view kind, std::string_view parent, std::string_view name) noexcept;
// Whether this member of a built-in kind holds an atomic map that can gain members, such as a selector.
[[nodiscard]] bool is_atomic_map(std::string_view name) noexcept;

}  // namespace pintle
