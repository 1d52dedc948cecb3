// SPDX-License-Identifier: Apache-2.0
#include "webhook_phase.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "apiserver/storage/uid.hpp"
#include "expression_inputs.hpp"
#include "match.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;

// Refuses the request if a match condition fails, none is false, and the webhook does not ignore failures.
StatusOr<bool> meets_conditions(const AdmissionWebhook& webhook, const Attributes& attributes,
                                const ExpressionInputs& inputs) {
  if (webhook.conditions.empty()) return true;
  ExpressionBudget budget(conditions_budget);
  const auto outcome = evaluate_conditions(webhook.conditions, activation_of(inputs), budget);
  if (outcome.error.empty()) return outcome.is_met;
  if (webhook.ignores_failures) return false;
  return refuse(forbidden(attributes.resource.named(attributes.name), outcome.error));
}

}  // namespace

bool WebhookPhase::is_late() const {
  const auto& deadline = context_.attributes.deadline;
  return deadline && context_.executor.now() >= *deadline;
}

WebhookClient::Call WebhookPhase::call(const OutgoingReview& review) const {
  Duration timeout = review.webhook.timeout;
  if (const auto& deadline = context_.attributes.deadline) {
    // Rounded up, so that the time of the request is over when the call ends.
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*deadline - context_.executor.now());
    timeout = std::clamp<Duration>(left, std::chrono::milliseconds(1), timeout);
  }
  return {.target = review.webhook.target,
          .type = {.group = "admission.k8s.io", .version = review.sent.version, .kind = "AdmissionReview"},
          .timeout = timeout};
}

Result<AdmissionResponse> OutgoingReview::read(Result<Value> review_or_error) const {
  if (!review_or_error) {
    const std::string& why = review_or_error.error().message;
    return fail(review_or_error.error().code, (why.starts_with(no_client) ? "" : "failed to call webhook: ") + why);
  }
  return read_admission_response(*review_or_error, sent);
}

StatusOr<std::optional<OutgoingReview>> WebhookPhase::prepare(const AdmissionWebhook& webhook, const Value& object,
                                                              const Value& old_object) const {
  const Attributes& attributes = context_.attributes;
  auto matched = matched_version(webhook.match, attributes, object, old_object, context_.storage, *context_.catalog);
  if (!matched) return refuse(std::move(matched.error()));
  if (*matched == nullptr) return std::nullopt;
  if (const std::string& error = webhook.match.error.empty() ? webhook.error : webhook.match.error; !error.empty()) {
    if (webhook.ignores_failures) return std::nullopt;
    return refuse(internal_failure(fmt::format("failed calling webhook \"{}\": {}", webhook.name, error)));
  }
  if (is_late()) return refuse(timed_out());
  OutgoingReview out{.webhook = webhook, .resource = std::move(*matched)};
  for (const auto& [from, to] : {std::pair(&object, &out.object), std::pair(&old_object, &out.old_object)}) {
    auto converted = context_.to_version(*from, attributes.resource, *out.resource);
    if (!converted) return refuse(std::move(converted.error()));
    *to = std::move(*converted);
  }
  Value request = admission_request(attributes, *out.resource);
  const Value visible = webhook.conditions.empty() ? Value() : condition_request(attributes, *out.resource);
  auto meets =
      meets_conditions(webhook, attributes,
                       {.context = context_, .object = out.object, .old_object = out.old_object, .request = visible});
  if (!meets) return refuse(std::move(meets.error()));
  if (!*meets) return std::nullopt;
  out.sent = {.version = webhook.review_version, .uid = make_uid(context_.executor), .mutates = mutates_};
  out.review = admission_review(out.sent.version, out.sent.uid, std::move(request),
                                {.object = out.object, .old_object = out.old_object});
  return out;
}

StatusOr<std::optional<AdmissionResponse>> WebhookPhase::admitted(const OutgoingReview& to,
                                                                  Result<Value> review) const {
  auto response = to.read(std::move(review));
  if (!response && is_late()) return refuse(timed_out());
  if (!response) {
    const std::string why = fmt::format("failed calling webhook \"{}\": {}", to.webhook.name, response.error().message);
    if (!to.webhook.ignores_failures) return refuse(internal_failure(why));
    context_.log.warning(why, {{"failure_policy", "Ignore"}});
    return std::nullopt;
  }
  context_.warnings.insert(context_.warnings.end(), response->warnings.begin(), response->warnings.end());
  for (auto& [key, value] : response->annotations) {
    context_.audit.add(context_.attributes, fmt::format("{}/{}", to.webhook.name, key), value);
  }
  if (!response->is_allowed) return refuse(denial(to.webhook.name, response->status));
  return std::move(*response);
}

}  // namespace pintle::apiserver
