// SPDX-License-Identifier: Apache-2.0
// AdmissionWebhook: one webhook of an admission, which has its own path and decides about requests.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/webhook/admission.hpp>

namespace pintle {

// The result of one call, also of one that failed.
enum class AdmissionOutcome {
  admitted,
  denied,
  failed,
  timed_out,
  cancelled,
  converted,  // of a conversion, which is neither admitted nor denied
};

[[nodiscard]] std::string_view to_string(AdmissionOutcome outcome) noexcept;

struct CallResult {
  AdmissionOutcome outcome = AdmissionOutcome::admitted;
  AdmissionVerdict verdict{};
  json::Patch patch{};
  std::string error{};      // of a call that failed
  bool has_thrown = false;  // a function of the author has thrown an exception
};

// Immutable, so it is thread-safe. Copies share the admission.
class AdmissionWebhook {
 public:
  AdmissionWebhook(std::shared_ptr<const AnyAdmission> admission, bool is_mutating)
      : admission_(std::move(admission)), is_mutating_(is_mutating) {}

  [[nodiscard]] const AnyAdmission& admission() const noexcept { return *admission_; }
  [[nodiscard]] bool is_mutating() const noexcept { return is_mutating_; }
  // Returns "/mutate/NAME" or "/validate/NAME"; without a name, "/mutate" or "/validate".
  [[nodiscard]] std::string path() const;

  // Calls the functions of the author. Does not throw.
  [[nodiscard]] CallResult decide(const AdmissionRequest& request, const AdmissionContext& context) const;
  // Returns the result of a call that failed, as the failure policy defines.
  [[nodiscard]] CallResult failure(AdmissionOutcome outcome, std::string error) const;

 private:
  [[nodiscard]] CallResult undecodable(const AdmissionRequest& request, const Error& error) const;
  [[nodiscard]] Result<internal::Mutation> call(const AdmissionRequest& request, const AdmissionContext& context) const;

  std::shared_ptr<const AnyAdmission> admission_;
  bool is_mutating_;
};

// Returns the webhooks of the admissions, each mutating one before the validating one of the same admission.
[[nodiscard]] std::vector<AdmissionWebhook> webhooks_of(const std::vector<AnyAdmission>& admissions);

}  // namespace pintle
