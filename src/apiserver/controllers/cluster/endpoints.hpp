// SPDX-License-Identifier: Apache-2.0
// ServiceEndpoints: the addresses of the Pods of each Service, as Endpoints and as an EndpointSlice.
#pragma once

#include <optional>
#include <vector>

#include "cluster_controller.hpp"
#include "cluster_objects.hpp"

namespace pintle::apiserver {

class ServiceEndpoints final : public ClusterController {
 public:
  explicit ServiceEndpoints(ClusterObjects& objects) : objects_(objects) {}

  Instant reconcile(const Object& service) override;

 private:
  void write(std::string_view collection, const Object& service, json::Value wanted);

  ClusterObjects& objects_;
};

}  // namespace pintle::apiserver
