// SPDX-License-Identifier: Apache-2.0
// WatchedPart: decides whether an informer caches an object.
#pragma once

#include <optional>
#include <string>

#include <pintle/object/object.hpp>
#include <pintle/object/selector.hpp>

namespace pintle {

// Applies the namespace and the selectors as a server does. Thread-safe.
class WatchedPart {
 public:
  WatchedPart(std::string of_namespace, const std::string& label_selector, const std::string& field_selector);

  // Returns nothing if only the server can decide: a field that does not match as it is stored may have another value
  // when a server applies a selector.
  [[nodiscard]] std::optional<bool> contains(const Object& object) const;

 private:
  std::string namespace_;
  std::optional<LabelSelector> labels_;  // none: invalid
  std::optional<FieldSelector> fields_;
  bool selects_by_name_only_ = true;
};

}  // namespace pintle
