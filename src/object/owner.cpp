// SPDX-License-Identifier: Apache-2.0
#include <pintle/object/owner.hpp>

#include "metadata.hpp"

namespace pintle {
namespace {

Metadata child_of(OwnerReference owner, std::string namespace_, std::string_view part) {
  Metadata metadata{.name = owner.name, .namespace_ = std::move(namespace_)};
  if (!part.empty()) metadata.name += "-" + std::string(part);
  metadata.owner_references.push_back(std::move(owner));
  return metadata;
}

}  // namespace

OwnerReference controller_reference(Type type, const Metadata& owner) {
  return {.api_version = std::string(type.api_version),
          .kind = std::string(type.kind),
          .name = owner.name,
          .uid = owner.uid,
          .controller = true,
          .block_owner_deletion = true};
}

OwnerReference controller_reference(const Object& owner) {
  return {.api_version = std::string(owner.api_version()),
          .kind = std::string(owner.kind()),
          .name = std::string(owner.name()),
          .uid = std::string(owner.uid()),
          .controller = true,
          .block_owner_deletion = true};
}

Metadata owned_by(const Object& owner, std::string_view part) {
  return child_of(controller_reference(owner), std::string(owner.namespace_()), part);
}

Metadata owned_by(Type type, const Metadata& owner, std::string_view part) {
  return child_of(controller_reference(type, owner), owner.namespace_, part);
}

json::Value with_controller_reference(json::Value object, const OwnerReference& owner) {
  if (!object.is_object() || controller_of(Object(object))) return object;
  json::Value& metadata = object.get_object()["metadata"];
  if (!metadata.is_object()) metadata.emplace_object();
  json::Value& owners = metadata.get_object()["ownerReferences"];
  if (!owners.is_array()) owners.emplace_array();
  owners.get_array().emplace_back(internal::write_owner(owner));
  return object;
}

std::optional<OwnerReference> controller_of(const Object& object) {
  for (const json::View owner : object.owner_references().elements()) {
    if (owner.member("controller") == true) return internal::read_owner(owner);
  }
  return std::nullopt;
}

}  // namespace pintle
