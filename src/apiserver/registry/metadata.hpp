// SPDX-License-Identifier: Apache-2.0
// The rules for metadata, which are the same for every kind.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/error.hpp>
#include <pintle/json/value.hpp>

#include "resource.hpp"

namespace pintle::apiserver {

// Return the error in a name, with the message of kube-apiserver; nothing if the name is valid.
[[nodiscard]] std::optional<std::string> subdomain_error(std::string_view name);
[[nodiscard]] std::optional<std::string> label_error(std::string_view name);
[[nodiscard]] std::optional<std::string> dns1035_label_error(std::string_view name);
[[nodiscard]] std::optional<std::string> qualified_name_error(std::string_view name);

// Validates the labels and annotations of an object.
void validate_labels_and_annotations(const json::Value& object, std::vector<StatusCause>& causes);

// Validates the metadata of a new object.
void validate_metadata(const json::Value& object, const Resource& resource, std::vector<StatusCause>& causes);

// Validates the metadata of a changed object. kube-apiserver does most of this twice, so most causes occur twice here
// as well.
void validate_metadata_change(const json::Value& next, const json::Value& old, const Resource& resource,
                              std::vector<StatusCause>& causes);

}  // namespace pintle::apiserver
