// SPDX-License-Identifier: Apache-2.0
// Admission controllers: the handlers of a WebhookServer, which decide about requests and change objects.
#pragma once

#include <functional>
#include <utility>

#include <pintle/base/annotations.hpp>
#include <pintle/base/result.hpp>
#include <pintle/object/object.hpp>
#include <pintle/webhook/admission_request.hpp>
#include <pintle/webhook/verdict.hpp>

namespace pintle::watcher {

/// Decides whether a request is admitted. It is called on several threads concurrently, and may block until the
/// deadline of the context.
class PINTLE_EXPORT ValidatingAdmissionController {
 public:
  virtual ~ValidatingAdmissionController() = default;
  /// `object` is the new object; for a deletion it is the object that is to be deleted. The other parts of the request
  /// are in the context. denied() defines the status code and the reason of a denial. An error denies the request with
  /// the text of the error, code 400 and no reason.
  virtual Result<AdmissionVerdict> validate(const Object& object, const AdmissionContext& context) = 0;
};

/// The result of a MutatingAdmissionController. A plain value.
struct MutatingResponse {
  Object updated_object{};                ///< empty: the object does not change
  AdmissionVerdict verdict = admitted();  ///< after a denial, updated_object is ignored
};

/// Changes an object before the API server stores it. It is called like a ValidatingAdmissionController, but not for a
/// deletion.
class PINTLE_EXPORT MutatingAdmissionController {
 public:
  virtual ~MutatingAdmissionController() = default;
  virtual Result<MutatingResponse> mutate(const Object& object, const AdmissionContext& context) = 0;
};

/// A validating controller made of a function. An empty function admits every request.
class PINTLE_EXPORT SimpleValidatingAdmissionController final : public ValidatingAdmissionController {
 public:
  using Function = std::function<Result<AdmissionVerdict>(const Object& object, const AdmissionContext& context)>;
  explicit SimpleValidatingAdmissionController(Function function) : function_(std::move(function)) {}

  Result<AdmissionVerdict> validate(const Object& object, const AdmissionContext& context) override;

 private:
  const Function function_;
};

/// A mutating controller made of a function. An empty function changes nothing.
class PINTLE_EXPORT SimpleMutatingAdmissionController final : public MutatingAdmissionController {
 public:
  using Function = std::function<Result<MutatingResponse>(const Object& object, const AdmissionContext& context)>;
  explicit SimpleMutatingAdmissionController(Function function) : function_(std::move(function)) {}

  Result<MutatingResponse> mutate(const Object& object, const AdmissionContext& context) override;

 private:
  const Function function_;
};

}  // namespace pintle::watcher
