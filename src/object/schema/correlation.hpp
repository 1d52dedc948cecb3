// SPDX-License-Identifier: Apache-2.0
// Correlation: which earlier value belongs to a value of an update, and whether it changed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <pintle/json/document.hpp>

#include "schema_node.hpp"

namespace pintle {

// Finds the elements of a list map before an update. The schema and the document must outlive it.
class OldElements {
 public:
  OldElements(const SchemaNode& list, json::View old) : list_(list), old_(old) {}

  // Returns the old element with the keys of `element`. Missing if there is none, and for other lists, whose elements
  // have no identity. `index` is the place where the element is searched first, because most updates keep the order.
  [[nodiscard]] json::View of(json::View element, std::size_t index);

 private:
  [[nodiscard]] bool have_same_keys(json::View a, json::View b) const;
  [[nodiscard]] std::uint64_t hash_of_keys(json::View element) const;

  const SchemaNode& list_;
  const json::View old_;
  std::vector<std::pair<std::uint64_t, std::size_t>> by_hash_{};  // hash and index, sorted; since the first search
};

// Whether an update leaves a value as it is, as kube-apiserver compares values: elements of a list map may change their
// order, and an object with a member that is not in the schema counts as changed.
[[nodiscard]] bool is_unchanged(const SchemaNode& node, json::View value, json::View old);

}  // namespace pintle
