// SPDX-License-Identifier: Apache-2.0
// AdmissionReviews: the request to an admission webhook, and its response.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pintle/base/result.hpp>
#include <pintle/json/value.hpp>

#include "apiserver/registry/refusal.hpp"
#include "attributes.hpp"

namespace pintle::apiserver {

// Returns the request of a review without uid and objects. `sent` is the version of the resource in which the objects
// are sent.
[[nodiscard]] json::Value admission_request(const Attributes& attributes, const Resource& sent);

// Returns the request that match conditions read: its `resource` is always that of the request.
[[nodiscard]] json::Value condition_request(const Attributes& attributes, const Resource& sent);

// Null stands for no object.
struct ReviewedObjects {
  const json::Value& object;
  const json::Value& old_object;
};
[[nodiscard]] json::Value admission_review(std::string_view version, const std::string& uid, json::Value request,
                                           const ReviewedObjects& objects);

// The response of a webhook.
struct AdmissionResponse {
  bool is_allowed = false;
  json::Value status{};  // of a denial
  std::optional<json::array> patch{};
  std::vector<std::string> warnings{};
  std::vector<std::pair<std::string, std::string>> annotations{};  // for the audit log
};

// The review that a response belongs to.
struct SentReview {
  std::string version{};
  std::string uid{};
  bool mutates = false;
};

// Error: invalid. The message is the part that kube-apiserver prints after the name of the webhook.
[[nodiscard]] Result<AdmissionResponse> read_admission_response(const json::Value& review, const SentReview& sent);

// Returns the refusal for a denial. `webhook` is the name of the webhook.
[[nodiscard]] Refusal denial(std::string_view webhook, const json::Value& status);

}  // namespace pintle::apiserver
