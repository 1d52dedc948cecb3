// SPDX-License-Identifier: Apache-2.0
#include "admission_webhook.hpp"

#include <pintle/base/exceptions.hpp>

namespace pintle {

std::string_view to_string(AdmissionOutcome outcome) noexcept {
  switch (outcome) {
    case AdmissionOutcome::admitted: return "admitted";
    case AdmissionOutcome::denied: return "denied";
    case AdmissionOutcome::failed: return "failed";
    case AdmissionOutcome::timed_out: return "timed_out";
    case AdmissionOutcome::cancelled: return "cancelled";
    case AdmissionOutcome::converted: return "converted";
  }
  return "";
}

std::string AdmissionWebhook::path() const {
  const std::string root = is_mutating_ ? "/mutate" : "/validate";
  return admission_->name.empty() ? root : root + "/" + admission_->name;
}

Result<internal::Mutation> AdmissionWebhook::call(const AdmissionRequest& request,
                                                  const AdmissionContext& context) const {
  const bool is_delete = request.operation == AdmissionOperation::delete_;
  if (is_mutating_) return is_delete ? internal::Mutation{} : admission_->mutate(request.object, context);
  auto verdict = admission_->validate(is_delete ? request.old_object : request.object, context);
  if (!verdict) return fail(std::move(verdict.error()));
  return internal::Mutation{.verdict = std::move(*verdict)};
}

CallResult AdmissionWebhook::decide(const AdmissionRequest& request, const AdmissionContext& context) const {
  try {
    auto made = call(request, context);
    if (!made && made.error().reason == internal::undecodable_object) return undecodable(request, made.error());
    if (!made) return failure(AdmissionOutcome::failed, made.error().to_string());
    return {.outcome = made->verdict.is_admitted ? AdmissionOutcome::admitted : AdmissionOutcome::denied,
            .verdict = std::move(made->verdict),
            .patch = std::move(made->patch)};
  } catch (...) {
    CallResult result = failure(AdmissionOutcome::failed, describe_exception());
    result.has_thrown = true;
    return result;
  }
}

CallResult AdmissionWebhook::failure(AdmissionOutcome outcome, std::string error) const {
  CallResult result{.outcome = outcome, .error = std::move(error)};
  const std::string message = "webhook " + path() + " failed: " + result.error;
  result.verdict = admission_->failure_policy == FailurePolicy::ignore
                       ? admitted().with_warning(message)
                       : denied(message, outcome == AdmissionOutcome::timed_out ? 504 : 500,
                                outcome == AdmissionOutcome::timed_out ? "Timeout" : "InternalError");
  return result;
}

// The object is a mistake of the client, because mutating webhooks receive it before its schema is checked. A stored
// object that cannot be decoded must not prevent its deletion, and thus that of its namespace.
CallResult AdmissionWebhook::undecodable(const AdmissionRequest& request, const Error& error) const {
  const std::string message = "webhook " + path() + " cannot read the object: " + error.to_string();
  if (request.operation == AdmissionOperation::delete_) {
    return {.outcome = AdmissionOutcome::admitted,
            .verdict = admitted().with_warning(message + "; it is deleted without a check"),
            .error = message};
  }
  if (admission_->failure_policy == FailurePolicy::ignore) return failure(AdmissionOutcome::failed, error.to_string());
  return {.outcome = AdmissionOutcome::denied, .verdict = denied(message, 422, "Invalid")};
}

std::vector<AdmissionWebhook> webhooks_of(const std::vector<AnyAdmission>& admissions) {
  std::vector<AdmissionWebhook> webhooks;
  for (const AnyAdmission& one : admissions) {
    const auto shared = std::make_shared<const AnyAdmission>(one);
    if (shared->mutate) webhooks.emplace_back(shared, true);
    if (shared->validate) webhooks.emplace_back(shared, false);
  }
  return webhooks;
}

}  // namespace pintle
