// SPDX-License-Identifier: Apache-2.0
// WebhookPhase: the steps of calling one webhook, which both phases of admission share.
#pragma once

#include <optional>

#include <pintle/base/result.hpp>
#include <pintle/json/value.hpp>

#include "admission_context.hpp"
#include "admission_review.hpp"
#include "admission_webhook.hpp"
#include "apiserver/webhooks/webhook_client.hpp"

namespace pintle::apiserver {

// A request on its way to one webhook.
struct OutgoingReview {
  const AdmissionWebhook& webhook;
  ResourcePtr resource{};  // the version in which the objects are sent
  json::Value object{};
  json::Value old_object{};
  SentReview sent{};
  json::Value review{};

  [[nodiscard]] Result<AdmissionResponse> read(Result<json::Value> review_or_error) const;
};

class WebhookPhase {
 public:
  WebhookPhase(const AdmissionContext& context, bool mutates) : context_(context), mutates_(mutates) {}

  // Returns nothing if the webhook does not receive the request. Refuses a request whose time is over.
  [[nodiscard]] StatusOr<std::optional<OutgoingReview>> prepare(const AdmissionWebhook& webhook,
                                                                const json::Value& object,
                                                                const json::Value& old_object) const;
  // The call has the time of the webhook, but not more than the request has left.
  [[nodiscard]] WebhookClient::Call call(const OutgoingReview& review) const;
  // Returns the response if the webhook admits the request; nothing if it failed and that is ignored.
  [[nodiscard]] StatusOr<std::optional<AdmissionResponse>> admitted(const OutgoingReview& to,
                                                                    Result<json::Value> review) const;

 private:
  [[nodiscard]] bool is_late() const;

  const AdmissionContext& context_;
  const bool mutates_;
};

}  // namespace pintle::apiserver
