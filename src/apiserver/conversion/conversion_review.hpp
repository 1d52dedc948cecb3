// SPDX-License-Identifier: Apache-2.0
// ConversionReviews: the request to a webhook that converts custom resources, and the check of its response.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <pintle/json/value.hpp>

#include "apiserver/registry/refusal.hpp"

namespace pintle::apiserver {

// Objects of one kind that must be converted. They are all in one version, so messages name that of the first.
struct ConversionTask {
  std::string uid{};
  std::string review_version{};       // "v1"
  std::string desired_api_version{};  // "demo.dev/v2"
  std::string kind{};
  std::vector<json::Value> objects{};
};

[[nodiscard]] json::Value conversion_review(const ConversionTask& task);

// Returns the converted objects of a response. Their labels and annotations are those of the webhook; the rest
// of their metadata is that of the originals. Refuses an error of the webhook and objects that were not converted.
[[nodiscard]] StatusOr<std::vector<json::Value>> converted_objects(const ConversionTask& task,
                                                                   const json::Value& review);

// The refusal of a request whose conversion failed.
[[nodiscard]] Refusal conversion_failed(const ConversionTask& task, std::string_view why);

}  // namespace pintle::apiserver
