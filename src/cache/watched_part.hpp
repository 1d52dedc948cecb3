// WatchedPart: whether an object is one that an informer holds.
#pragma once

#include <optional>
#include <string>

#include <pintle/object/object.hpp>
#include <pintle/object/selector.hpp>

namespace pintle {

// Namespace and selectors as a server applies them. Thread-safe.
class WatchedPart {
 public:
  WatchedPart(std::string of_namespace, const std::string& label_selector, const std::string& field_selector);

  // Nothing when only the server knows: a field that does not match as it is stored may have a value that servers give
  // it when they select.
  [[nodiscard]] std::optional<bool> contains(const Object& object) const;

 private:
  std::string namespace_;
  std::optional<LabelSelector> labels_;  // none: cannot be read
  std::optional<FieldSelector> fields_;
  bool selects_by_name_only_ = true;
};

}  // namespace pintle
