// SPDX-License-Identifier: Apache-2.0
// AdmissionWebhook: one webhook of a MutatingWebhookConfiguration or ValidatingWebhookConfiguration, ready for use.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include <pintle/cel/program.hpp>
#include <pintle/object/object.hpp>

#include "apiserver/webhooks/webhook_target.hpp"
#include "match_criteria.hpp"

namespace pintle::apiserver {

// Immutable after it was read.
struct AdmissionWebhook {
  std::string name{};
  WebhookTarget target{};
  MatchCriteria match{};
  std::vector<cel::Program> conditions{};
  bool ignores_failures = false;
  bool may_be_reinvoked = false;
  std::chrono::seconds timeout{10};
  std::string review_version = "v1";
  std::string error{};  // not empty: the webhook cannot be called, which is a failure of it
};

// Reads the webhooks of configurations, in the order in which they are called: by the names of the configurations, then
// in the order of the lists.
[[nodiscard]] std::vector<AdmissionWebhook> read_webhooks(const std::vector<Object>& configurations);

}  // namespace pintle::apiserver
