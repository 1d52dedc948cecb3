// SPDX-License-Identifier: Apache-2.0
// Removes many members of an object at once.
#pragma once

#include <cstddef>
#include <span>
#include <utility>

#include <pintle/json/value.hpp>

namespace pintle::json {

// Removes the members at these indices, which are sorted. The others keep their order. The cost is linear, because an
// object with many removed members is built again; object::stable_erase() moves all later members each time.
inline void erase_members(object& members, std::span<const std::size_t> indices) {
  constexpr std::size_t few = 4;
  if (indices.size() <= few) {
    for (auto index = indices.rbegin(); index != indices.rend(); ++index)
      members.stable_erase(members.begin() + static_cast<std::ptrdiff_t>(*index));
    return;
  }
  object kept(members.storage());
  kept.reserve(members.size() - indices.size());
  auto next = indices.begin();
  std::size_t index = 0;
  for (auto& member : members) {
    if (next != indices.end() && *next == index++) {
      ++next;
    } else {
      kept.emplace(member.key(), std::move(member.value()));
    }
  }
  members = std::move(kept);
}

}  // namespace pintle::json
