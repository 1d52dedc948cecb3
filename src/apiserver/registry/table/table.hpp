// SPDX-License-Identifier: Apache-2.0
// The table of the built-in kinds: the facts that a cluster publishes, without rules. scripts/generate-kinds writes
// kinds.cpp and types.cpp, which are text in the image of the program and are not read before they are needed.
#pragma once

#include <span>
#include <string_view>

namespace pintle::apiserver {

struct KindFacts {
  std::string_view group{};
  std::string_view version{};
  std::string_view kind{};
  std::string_view plural{};
  std::string_view singular{};
  std::string_view short_names{};  // separated by spaces: "deploy"
  std::string_view categories{};   // separated by spaces
  bool namespaced = false;
  std::string_view verbs{};         // separated by spaces
  std::string_view subresources{};  // "scale autoscaling/v1/Scale get,patch,update;status Deployment get,patch,update"
  std::string_view columns{};       // "Name|string|name|0;Ready|string||0": name, type, format, priority
  std::string_view fields{};        // the names for field selectors; empty: not recorded
  std::string_view type{};
};

// A struct. `members` has one line for each member, "name type mark mark …". A line "atomic" before them means that the
// struct is merged as a whole; a line "opaque" means that it contains itself: OpenAPI documents describe its members,
// but they are not checked.
//
// A type is string, int32, int64, double, boolean, bytes, time, microtime, quantity, int-or-string, object, any, the
// name of another row, []T for a list, or {}T for a map. The marks:
//
//   =JSON           the value that is printed if nothing is set; =null also for an empty list
//   keep            printed even if it is empty
//   required
//   keys:A,B        a list map with these keys
//   set             a list without duplicates
//   atomic          a list or map that is merged as a whole
//   granular        a map that is merged by entry, although its type is atomic
//   merge, merge:A  a strategic patch merges the list, by this key
//   retain          a strategic patch may name the members to retain
//   replace         a strategic patch does not merge the map
//   enum:A|B        the permitted values
struct TypeFacts {
  std::string_view name{};
  std::string_view members{};
};

// In the order of discovery.
[[nodiscard]] std::span<const KindFacts> builtin_kinds() noexcept;
// Sorted by name.
[[nodiscard]] std::span<const TypeFacts> builtin_types() noexcept;

}  // namespace pintle::apiserver
