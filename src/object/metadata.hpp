// SPDX-License-Identifier: Apache-2.0
// Converts the metadata of described structs from and to JSON.
#pragma once

#include <pintle/object/codec.hpp>

namespace pintle {

// Stores the decoded object in a Metadata, as the snapshot against which updates are computed.
struct SnapshotKeeper {
  static void keep(Metadata& metadata, const Object& object) { metadata.snapshot_.object_ = object; }
};

namespace internal {

OwnerReference read_owner(json::View from);
json::object write_owner(const OwnerReference& owner);

}  // namespace internal
}  // namespace pintle
