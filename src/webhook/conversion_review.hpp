// SPDX-License-Identifier: Apache-2.0
// ConversionReview: reads the reviews that an API server sends to conversion webhooks, and writes the responses.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/result.hpp>
#include <pintle/json/value.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

// The content of ConversionReview.request. A plain value.
struct ConversionRequest {
  std::string review_version{};  // "apiextensions.k8s.io/v1"; the response has the same
  std::string uid{};             // of this call
  std::string api_version{};     // the version that all objects of the response must have
  std::vector<Object> objects{};

  // Returns "demo.pintle.dev/v1 (3 objects)", for messages.
  [[nodiscard]] std::string describe() const;
};

using ConvertedObjects = std::vector<json::Value>;

// Parses a ConversionReview of version v1 or v1beta1, which have the same members. Error: invalid; the message names
// the member that is missing or wrong.
[[nodiscard]] Result<ConversionRequest> read_conversion_review(std::string_view body);

// Returns the review with the response: either all converted objects in the order of the request, or no object, the
// message of the error and its HTTP status (default: 500).
[[nodiscard]] std::string print_conversion_review(const ConversionRequest& request,
                                                  const Result<ConvertedObjects>& converted);

}  // namespace pintle
