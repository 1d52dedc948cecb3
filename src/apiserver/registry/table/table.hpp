// The table of the built-in kinds: what a cluster says of itself, without any rule. kinds.cpp and types.cpp are written
// by scripts/generate-kinds and are text in the program's image; nothing is read of it before it is asked for.
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
  std::string_view short_names{};  // "deploy", apart by a space
  std::string_view categories{};   // the same
  bool namespaced = false;
  std::string_view verbs{};         // the same
  std::string_view subresources{};  // "scale autoscaling/v1/Scale get,patch,update;status Deployment get,patch,update"
  std::string_view columns{};       // "Name|string|name|0;Ready|string||0": name, type, format, priority
  std::string_view fields{};        // what a field selector may name; nothing where it is not recorded
  std::string_view type{};
};

// A struct. `members`: one a line, "name type mark mark …"; before them a line "atomic" says that it is merged as a
// whole, one "opaque" that it holds itself and is published, but not looked into.
//
// A type is string, int32, int64, double, boolean, bytes, time, microtime, quantity, int-or-string,
// object, any, the name of another row, []T for a list or {}T for a map. The marks:
//
//   =JSON           what is printed where nothing is set; =null also for an empty list
//   keep            printed although it is empty       required
//   keys:A,B        a list map with these keys         set     a list without doubles
//   atomic          a list or map merged as a whole    granular  a map that is not, though its type is
//   merge, merge:A  a strategic patch merges the list, by this key       retain  it may name the members that stay
//   replace         it does not merge the map          enum:A|B
struct TypeFacts {
  std::string_view name{};
  std::string_view members{};
};

// In the order of discovery.
[[nodiscard]] std::span<const KindFacts> builtin_kinds() noexcept;
// In the order of their names.
[[nodiscard]] std::span<const TypeFacts> builtin_types() noexcept;

}  // namespace pintle::apiserver
