// SPDX-License-Identifier: Apache-2.0
// The rules for labels and label selectors inside objects.
#pragma once

#include <string>
#include <vector>

#include <pintle/base/error.hpp>
#include <pintle/json/document.hpp>

namespace pintle::apiserver {

// Each adds the errors of one member to `causes`; `field` is its path.
// A map of labels.
void validate_labels(json::View labels, const std::string& field, std::vector<StatusCause>& causes);
// A map of annotations: the keys, and the size of all.
void validate_annotations(json::View annotations, const std::string& field, std::vector<StatusCause>& causes);
// A label selector: {matchLabels, matchExpressions}.
void validate_selector(json::View selector, const std::string& field, std::vector<StatusCause>& causes);

}  // namespace pintle::apiserver
