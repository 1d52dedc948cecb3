// WatchedNamespaces: the namespaces that a manager or a controller watches.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <pintle/base/error.hpp>

namespace pintle {

// Empty: all namespaces.
struct WatchedNamespaces {
  std::vector<std::string> names{};

  [[nodiscard]] bool empty() const noexcept { return names.empty(); }
  auto operator<=>(const WatchedNamespaces&) const = default;
};

// Returns the first defect of the names: one is not the name of a namespace, or there are two that are equal.
[[nodiscard]] std::optional<Error> validate_namespaces(const std::vector<std::string>& names);

}  // namespace pintle
