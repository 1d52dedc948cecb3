// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/watcher/admission_controllers.hpp>

namespace pintle::watcher {

Result<AdmissionVerdict> SimpleValidatingAdmissionController::validate(const Object& object,
                                                                       const AdmissionContext& context) {
  return function_ ? function_(object, context) : admitted();
}

Result<MutatingResponse> SimpleMutatingAdmissionController::mutate(const Object& object,
                                                                   const AdmissionContext& context) {
  return function_ ? function_(object, context) : MutatingResponse();
}

}  // namespace pintle::watcher
