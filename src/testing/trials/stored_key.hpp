// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <string>

#include <pintle/object/kind.hpp>

namespace pintle::testkit {

// An object by its resource, "configmaps" or "shelves.shop.example.com", and its key.
struct StoredKey {
  std::string resource{};
  ObjectKey key{};

  [[nodiscard]] std::string to_string() const { return resource + " " + key.to_string(); }
  friend auto operator<=>(const StoredKey&, const StoredKey&) = default;
};

}  // namespace pintle::testkit
