// SPDX-License-Identifier: Apache-2.0
#include "watched_part.hpp"

#include <algorithm>
#include <utility>

namespace pintle {

WatchedPart::WatchedPart(std::string of_namespace, const std::string& label_selector, const std::string& field_selector)
    : namespace_(std::move(of_namespace)) {
  if (auto labels = LabelSelector::parse(label_selector)) labels_ = std::move(*labels);
  if (auto fields = FieldSelector::parse(field_selector)) fields_ = std::move(*fields);
  if (!fields_) return;
  const auto is_plain = [](const FieldSelector::Requirement& one) { return one.path.starts_with("metadata."); };
  selects_by_name_only_ = std::all_of(fields_->requirements.begin(), fields_->requirements.end(), is_plain);
}

std::optional<bool> WatchedPart::contains(const Object& object) const {
  if (!labels_ || !fields_) return {};
  // An object without a namespace is of a cluster-scoped kind, which has no namespaces to watch.
  const std::string_view of = object.namespace_();
  if (!namespace_.empty() && !of.empty() && of != namespace_) return false;
  if (!labels_->matches(object.labels())) return false;
  if (fields_->matches(object.root())) return true;
  if (selects_by_name_only_) return false;
  return {};
}

}  // namespace pintle
