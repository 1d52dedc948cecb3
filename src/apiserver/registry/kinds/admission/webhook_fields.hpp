// SPDX-License-Identifier: Apache-2.0
// The rules that configurations of admission webhooks and of conversion webhooks share.
#pragma once

#include <string>
#include <vector>

#include <pintle/base/error.hpp>
#include <pintle/json/document.hpp>

namespace pintle::apiserver {

// Each adds the errors of one member to `causes`; `field` is its path.
void validate_client_config(json::View config, const std::string& field, std::vector<StatusCause>& causes);
// For a list that is not empty.
void validate_review_versions(json::View versions, const std::string& field, std::vector<StatusCause>& causes);

}  // namespace pintle::apiserver
