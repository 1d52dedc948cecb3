// SPDX-License-Identifier: Apache-2.0
// Opinionated admission controllers: they record in annotations who created and changed an object, and protect these
// annotations.
#pragma once

#include <memory>
#include <string_view>
#include <utility>

#include <pintle/base/annotations.hpp>
#include <pintle/base/executor.hpp>
#include <pintle/patterns/watcher/admission_controllers.hpp>
#include <pintle/patterns/watcher/common_metadata.hpp>

namespace pintle::watcher {

/// The reason of a denial by OpinionatedValidatingAdmissionController.
inline constexpr std::string_view field_not_allowed_reason = "field_not_allowed";

/// Calls another mutating controller, if there is one, and then sets metadata in its result:
///
/// | operation | label | annotations |
/// |---|---|---|
/// | create | the version of the kind | `createdBy`: the user of the request |
/// | update | the version of the kind | `updatedBy`: the user of the request; `updateTimestamp`: the current time |
///
/// See common_metadata.hpp for the complete names. An error or a denial of the other controller is returned as it is.
/// Thread-safe if the other controller is.
class PINTLE_EXPORT OpinionatedMutatingAdmissionController final : public MutatingAdmissionController {
 public:
  /// `clock`, for example Manager::executor(), must outlive this object. `underlying` may be null.
  explicit OpinionatedMutatingAdmissionController(const Clock& clock,
                                                  std::shared_ptr<MutatingAdmissionController> underlying = nullptr)
      : clock_(clock), underlying_(std::move(underlying)) {}

  Result<MutatingResponse> mutate(const Object& object, const AdmissionContext& context) override;

 private:
  const Clock& clock_;
  const std::shared_ptr<MutatingAdmissionController> underlying_;
};

struct OpinionatedValidatingOptions {
  /// An update may also change `updateTimestamp`, if `updatedBy` is the user of the request. Set this option if an
  /// OpinionatedMutatingAdmissionController handles the same kind. The API server calls that one first, and its update
  /// of the time would otherwise be denied.
  bool with_opinionated_mutation = false;
};

/// Checks the annotations of the OpinionatedMutatingAdmissionController, and then calls another validating controller,
/// if there is one:
///
/// | operation | `createdBy` | `updatedBy` | `updateTimestamp` |
/// |---|---|---|---|
/// | create | missing, or the user of the request | missing, or the user of the request | missing |
/// | update | unchanged | unchanged, or the user of the request | unchanged |
///
/// Any other value is denied with code 400 and field_not_allowed_reason, without a call of the other controller. A
/// missing annotation equals an empty one. Thread-safe if the other controller is.
class PINTLE_EXPORT OpinionatedValidatingAdmissionController final : public ValidatingAdmissionController {
 public:
  /// `underlying` may be null.
  explicit OpinionatedValidatingAdmissionController(std::shared_ptr<ValidatingAdmissionController> underlying = nullptr,
                                                    OpinionatedValidatingOptions options = {})
      : underlying_(std::move(underlying)), options_(options) {}

  Result<AdmissionVerdict> validate(const Object& object, const AdmissionContext& context) override;

 private:
  const std::shared_ptr<ValidatingAdmissionController> underlying_;
  const OpinionatedValidatingOptions options_;
};

}  // namespace pintle::watcher
