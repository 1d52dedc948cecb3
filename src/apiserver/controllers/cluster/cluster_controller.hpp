// SPDX-License-Identifier: Apache-2.0
// ClusterController: one of the controllers that a cluster runs beside the API server.
#pragma once

#include <string>

#include <pintle/base/time.hpp>
#include <pintle/object/object.hpp>

namespace pintle::apiserver {

// Brings the objects of one kind to the state that they specify. Used by one thread.
class ClusterController {
 public:
  virtual ~ClusterController() = default;
  // Called when the object or an object that it controls has changed. The object is not being deleted. Returns when it
  // is due again even without a change; Instant::max(): never.
  virtual Instant reconcile(const Object& object) = 0;
  // The object with this uid was deleted.
  virtual void forget(const std::string& /*uid*/) {}
};

}  // namespace pintle::apiserver
