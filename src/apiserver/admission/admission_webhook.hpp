// SPDX-License-Identifier: Apache-2.0
// AdmissionWebhook: one webhook of a MutatingWebhookConfiguration or ValidatingWebhookConfiguration, ready for use.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/cel/program.hpp>
#include <pintle/object/object.hpp>
#include <pintle/object/selector.hpp>

#include "apiserver/webhooks/webhook_target.hpp"

namespace pintle::apiserver {

// The requests that a webhook receives. A plain value.
struct AdmissionRule {
  std::vector<std::string> operations{};
  std::vector<std::string> groups{};
  std::vector<std::string> versions{};
  std::vector<std::string> resources{};  // "pods", "pods/status", "*", "*/scale", "pods/*", "*/*"
  std::string scope{};

  struct Request {
    std::string_view operation{};
    std::string_view group{};
    std::string_view version{};
    std::string_view plural{};
    std::string_view subresource{};
    bool namespaced = false;
  };
  [[nodiscard]] bool matches(const Request& request) const;
};

// Immutable after it was read.
struct AdmissionWebhook {
  std::string name{};
  WebhookTarget target{};
  std::vector<AdmissionRule> rules{};
  LabelSelector namespace_selector{};
  LabelSelector object_selector{};
  std::vector<cel::Program> conditions{};
  bool ignores_failures = false;
  bool matches_exactly = false;  // matchPolicy: Exact
  bool may_be_reinvoked = false;
  std::chrono::seconds timeout{10};
  std::string review_version = "v1";
  std::string error{};  // not empty: the webhook cannot be called, which is a failure of it
};

// Reads the webhooks of configurations, in the order in which they are called: by the names of the configurations, then
// in the order of the lists.
[[nodiscard]] std::vector<AdmissionWebhook> read_webhooks(const std::vector<Object>& configurations);

}  // namespace pintle::apiserver
