#include <pintle/patterns/guard/linked.hpp>

#include <utility>

namespace pintle::guard {

Watches linked(GroupVersionKind kind, std::string label) {
  const auto named_by_label = [label = std::move(label)](const Object& object) -> std::vector<ObjectKey> {
    const std::string_view name = object.label(label);
    if (name.empty()) return {};
    return {{std::string(object.namespace_()), std::string(name)}};
  };
  return {.kind = std::move(kind), .map = named_by_label, .predicate = resource_version_changed()};
}

}  // namespace pintle::guard
