// Ownership: who made an object and takes it along when it goes.
#pragma once

#include <optional>

#include <pintle/object/fields.hpp>
#include <pintle/object/metadata.hpp>

namespace pintle {

// The reference that makes `owner` the controller of an object and keeps its deletion waiting for it.
[[nodiscard]] OwnerReference controller_reference(Type type, const Metadata& owner);
[[nodiscard]] OwnerReference controller_reference(const Object& owner);

// The metadata of a child: name and namespace of its owner, and the owner as its controller. A child cannot live in
// another namespace than its owner; one of an owner without a namespace gets none and may be given one. Change the name
// when an owner has several children of one kind.
[[nodiscard]] Metadata owned_by(const Object& owner);
template <Described T>
[[nodiscard]] Metadata owned_by(const T& owner) {
  Metadata metadata{.name = owner.metadata.name, .namespace_ = owner.metadata.namespace_};
  metadata.owner_references.push_back(controller_reference(T::type, owner.metadata));
  return metadata;
}

// The owner with controller = true, if there is one.
[[nodiscard]] std::optional<OwnerReference> controller_of(const Object& object);

}  // namespace pintle
