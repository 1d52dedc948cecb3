// SPDX-License-Identifier: Apache-2.0
// AuditTrail: the newest audit annotations of webhooks and policies.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include <pintle/apiserver/audit.hpp>
#include <pintle/base/executor.hpp>
#include <pintle/base/mutex.hpp>

#include "attributes.hpp"

namespace pintle::apiserver {

// Thread-safe.
class AuditTrail {
 public:
  explicit AuditTrail(Executor& executor) : mutex_(executor) {}

  void add(const Attributes& attributes, std::string key, std::string value);
  [[nodiscard]] std::vector<AuditAnnotation> annotations() const;

 private:
  mutable Mutex mutex_;
  std::deque<AuditAnnotation> annotations_ PINTLE_GUARDED_BY(mutex_);
};

}  // namespace pintle::apiserver
