// SPDX-License-Identifier: Apache-2.0
// WatchedNamespaces: the namespaces that a manager or a controller watches.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <pintle/base/error.hpp>

namespace pintle {

// Either names or a selector; empty: all namespaces.
struct WatchedNamespaces {
  std::vector<std::string> names{};
  std::string selector{};  // labels of the namespaces

  [[nodiscard]] bool empty() const noexcept { return names.empty() && selector.empty(); }
  auto operator<=>(const WatchedNamespaces&) const = default;
};

// Returns the namespaces of a controller: `own`, if it names or selects some, otherwise `home`. If both have a
// selector, a namespace must match both.
[[nodiscard]] WatchedNamespaces narrowed(const WatchedNamespaces& home, const WatchedNamespaces& own);

// Returns the first defect of the names: one is not the name of a namespace, or there are two that are equal.
[[nodiscard]] std::optional<Error> validate_namespaces(const std::vector<std::string>& names);

}  // namespace pintle
