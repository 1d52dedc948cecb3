// SPDX-License-Identifier: Apache-2.0
// VolumeClaims, Volumes: bind each PersistentVolumeClaim to a PersistentVolume that fits. Nothing provisions volumes.
#pragma once

#include "../cluster_controller.hpp"
#include "../cluster_objects.hpp"

namespace pintle::apiserver {

// A claim gets the smallest volume that fits. With the binding mode WaitForFirstConsumer, a Pod must use the claim
// first.
class VolumeClaims final : public ClusterController {
 public:
  explicit VolumeClaims(ClusterObjects& objects) : objects_(objects) {}

  Instant reconcile(const Object& claim) override;

 private:
  [[nodiscard]] bool waits_for_consumer(const Object& claim) const;
  [[nodiscard]] Object volume_for(const Object& claim) const;
  // Returns the volume that refers to the claim; none if it belongs to another one.
  [[nodiscard]] Object take(const Object& volume, const Object& claim);
  void bind(const Object& claim, const Object& volume);

  ClusterObjects& objects_;
};

// The phase of a volume. A volume whose claim was deleted is deleted too if its reclaim policy is Delete.
class Volumes final : public ClusterController {
 public:
  explicit Volumes(ClusterObjects& objects) : objects_(objects) {}

  Instant reconcile(const Object& volume) override;

 private:
  ClusterObjects& objects_;
};

}  // namespace pintle::apiserver
