// Metadata of described structs from JSON and back.
#pragma once

#include <pintle/object/codec.hpp>

namespace pintle {

// What decode leaves in a Metadata for `update`.
struct SnapshotKeeper {
  static void keep(Metadata& metadata, const Object& object) { metadata.snapshot_.object_ = object; }
};

namespace described {

OwnerReference read_owner(json::View from);
json::object write_owner(const OwnerReference& owner);

}  // namespace described
}  // namespace pintle
