// SPDX-License-Identifier: Apache-2.0
// MutatingWebhooks: the mutating webhooks in the admission of one request.
#pragma once

#include <vector>

#include <pintle/json/value.hpp>

#include "admission_context.hpp"
#include "webhook_phase.hpp"

namespace pintle::apiserver {

// Valid as long as the request. `object` is changed.
class MutatingWebhooks {
 public:
  MutatingWebhooks(const AdmissionContext& context, WebhookClient& client,
                   const std::vector<AdmissionWebhook>& webhooks, json::Value& object, const json::Value& old_object)
      : context_(context),
        client_(client),
        webhooks_(webhooks),
        phase_(context, true),
        object_(object),
        old_object_(old_object) {}

  // The first round: calls the webhooks one after the other.
  [[nodiscard]] StatusOr<void> run();
  // The second round: calls those webhooks with reinvocationPolicy IfNeeded again whose result was changed after their
  // call, by another webhook or otherwise.
  [[nodiscard]] StatusOr<void> run_again();
  // True if a webhook has changed the object.
  [[nodiscard]] bool has_changed() const noexcept { return has_changed_; }

 private:
  struct Outcome {
    bool is_called = false;
    bool changes = false;
  };

  StatusOr<Outcome> ask(const AdmissionWebhook& webhook);
  // Returns whether the patch has changed the object.
  StatusOr<bool> apply(OutgoingReview& to, const json::array& patch);
  void mark_called();

  const AdmissionContext& context_;
  WebhookClient& client_;
  const std::vector<AdmissionWebhook>& webhooks_;
  const WebhookPhase phase_;
  json::Value& object_;
  const json::Value& old_object_;
  json::Value output_{};                         // the object after the first round
  std::vector<const AdmissionWebhook*> called_;  // those to call again if the object changes later
  std::vector<const AdmissionWebhook*> marked_;
  bool has_changed_ = false;
};

}  // namespace pintle::apiserver
