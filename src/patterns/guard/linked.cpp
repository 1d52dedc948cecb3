// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/guard/linked.hpp>

#include <utility>

namespace pintle::guard {

Watches watch_linked(GroupVersionKind kind, std::string label) {
  const auto named_by_label = [label = std::move(label)](const Object& object,
                                                         const CacheReader& copies) -> std::vector<ObjectKey> {
    const std::string_view name = object.label(label);
    if (name.empty()) return {};
    return {copies.key_from(object.namespace_(), name)};
  };
  return {.kind = std::move(kind), .map_with_cache = named_by_label, .predicate = resource_version_changed()};
}

}  // namespace pintle::guard
