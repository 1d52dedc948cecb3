// SPDX-License-Identifier: Apache-2.0
// QuantityMap: amounts by name, such as the limits of a container.
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <utility>

#include <pintle/object/quantity.hpp>

namespace pintle {

/// A std::map whose initializer accepts quantities as literals: `.limits = {{"cpu", "500m"}, {"memory", "1Gi"}}`. An
/// invalid literal does not compile. The standard map would convert the literals at run time, which Quantity does not
/// permit. If several entries have one name, the last one is used.
class QuantityMap : public std::map<std::string, Quantity> {
 public:
  struct Entry {
    std::string name;
    Quantity amount;
  };

  QuantityMap() = default;
  QuantityMap(std::map<std::string, Quantity> amounts)
      : map(std::move(amounts)) {}  // NOLINT(google-explicit-constructor)
  QuantityMap(std::initializer_list<Entry> entries) {
    for (const Entry& entry : entries) insert_or_assign(entry.name, entry.amount);
  }
};

}  // namespace pintle
