#include <pintle/object/owner.hpp>

#include "metadata.hpp"

namespace pintle {

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

Metadata owned_by(const Object& owner) {
  Metadata metadata{.name = std::string(owner.name()), .namespace_ = std::string(owner.namespace_())};
  metadata.owner_references.push_back(controller_reference(owner));
  return metadata;
}

std::optional<OwnerReference> controller_of(const Object& object) {
  for (const json::View owner : object.owner_references().elements()) {
    if (owner.member("controller") == true) return described::read_owner(owner);
  }
  return std::nullopt;
}

}  // namespace pintle
