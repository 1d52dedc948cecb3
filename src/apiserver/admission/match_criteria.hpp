// SPDX-License-Identifier: Apache-2.0
// MatchCriteria: the requests that a webhook, an admission policy or a binding of a policy receives.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <pintle/json/document.hpp>
#include <pintle/object/selector.hpp>

namespace pintle::apiserver {

// A plain value.
struct AdmissionRule {
  std::vector<std::string> operations{};
  std::vector<std::string> groups{};
  std::vector<std::string> versions{};
  std::vector<std::string> resources{};  // "pods", "pods/status", "*", "*/scale", "pods/*", "*/*"
  std::vector<std::string> names{};      // of objects; empty: all
  std::string scope{};

  struct Request {
    std::string_view operation{};
    std::string_view group{};
    std::string_view version{};
    std::string_view plural{};
    std::string_view subresource{};
    std::string_view name{};
    bool namespaced = false;
  };
  [[nodiscard]] bool matches(const Request& request) const;
};

// Immutable after it was read.
struct MatchCriteria {
  std::vector<AdmissionRule> rules{};
  std::vector<AdmissionRule> excluded{};  // take precedence over `rules`
  bool matches_without_rules = false;     // an empty list of rules matches every request
  LabelSelector namespace_selector{};
  LabelSelector object_selector{};
  bool matches_exactly = false;  // matchPolicy: Exact
  std::string error{};           // not empty: a selector cannot be read
};

// Reads the criteria of a webhook.
[[nodiscard]] MatchCriteria read_webhook_criteria(json::View webhook);
// Reads matchConstraints of a policy or matchResources of a binding. A missing value matches every request.
[[nodiscard]] MatchCriteria read_policy_criteria(json::View resources);

}  // namespace pintle::apiserver
