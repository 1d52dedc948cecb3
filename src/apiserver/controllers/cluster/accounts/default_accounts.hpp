// SPDX-License-Identifier: Apache-2.0
// DefaultAccounts: gives each namespace the ServiceAccount "default", and the ConfigMap "kube-root-ca.crt" with the
// certificate of the server.
#pragma once

#include <string>

#include "../cluster_controller.hpp"
#include "../cluster_objects.hpp"

namespace pintle::apiserver {

class DefaultAccounts final : public ClusterController {
 public:
  DefaultAccounts(ClusterObjects& objects, std::string ca_certificate)
      : objects_(objects), ca_certificate_(std::move(ca_certificate)) {}

  Instant reconcile(const Object& namespace_) override;

 private:
  ClusterObjects& objects_;
  const std::string ca_certificate_;
};

[[nodiscard]] bool is_root_certificate(std::string_view collection, const Object& object);

}  // namespace pintle::apiserver
