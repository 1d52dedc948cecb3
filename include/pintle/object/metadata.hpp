// SPDX-License-Identifier: Apache-2.0
// Metadata: metav1.ObjectMeta for described structs.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/time.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

/// One entry of metadata.ownerReferences. A plain value.
struct OwnerReference {
  std::string api_version{};
  std::string kind{};
  std::string name{};
  std::string uid{};
  bool controller = false;
  bool block_owner_deletion = false;

  friend bool operator==(const OwnerReference&, const OwnerReference&) = default;
};

/// The object from which a struct was decoded. Only decode() sets it.
class Snapshot {
 public:
  Snapshot() noexcept = default;

 private:
  friend struct Metadata;
  friend struct SnapshotKeeper;
  Object object_;
};

/// A plain value: `.metadata = {.name = "a", .namespace_ = "default"}`.
struct Metadata {
  std::string name{};
  std::string namespace_{};  ///< "" for cluster-scoped kinds
  std::string uid{};
  std::string resource_version{};
  std::int64_t generation = 0;
  std::optional<WallTime> creation_timestamp{};
  std::optional<WallTime> deletion_timestamp{};
  std::map<std::string, std::string> labels{};
  std::map<std::string, std::string> annotations{};
  std::vector<std::string> finalizers{};
  std::vector<OwnerReference> owner_references{};

  [[nodiscard]] ObjectKey key() const { return {namespace_, name}; }
  [[nodiscard]] bool is_deleting() const noexcept { return deletion_timestamp.has_value(); }
  /// The whole object from which the struct was decoded, including fields that the struct does not have. Empty if the
  /// struct was not decoded.
  [[nodiscard]] const Object& snapshot() const noexcept { return snapshot_.object_; }

  Snapshot snapshot_{};
};

}  // namespace pintle
