// SPDX-License-Identifier: Apache-2.0
#include "audit_trail.hpp"

#include <utility>

namespace pintle::apiserver {

void AuditTrail::add(const Attributes& attributes, std::string key, std::string value) {
  constexpr std::size_t max_annotations = 1'000;
  AuditAnnotation annotation{.user = attributes.user.name,
                             .operation = std::string(attributes.operation),
                             .resource = attributes.resource.group_resource(),
                             .subresource = std::string(attributes.subresource),
                             .namespace_ = std::string(attributes.namespace_),
                             .name = attributes.name,
                             .key = std::move(key),
                             .value = std::move(value)};
  const MutexLock lock(mutex_);
  annotations_.push_back(std::move(annotation));
  if (annotations_.size() > max_annotations) annotations_.pop_front();
}

std::vector<AuditAnnotation> AuditTrail::annotations() const {
  const MutexLock lock(mutex_);
  return {annotations_.begin(), annotations_.end()};
}

}  // namespace pintle::apiserver
