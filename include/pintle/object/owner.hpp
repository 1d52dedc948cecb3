// Ownership: who made an object and takes it along when it goes.
#pragma once

#include <optional>
#include <string_view>

#include <pintle/object/fields.hpp>
#include <pintle/object/metadata.hpp>

namespace pintle {

// The reference that makes `owner` the controller of an object and keeps its deletion waiting for it.
[[nodiscard]] OwnerReference controller_reference(Type type, const Metadata& owner);
[[nodiscard]] OwnerReference controller_reference(const Object& owner);

// The metadata of a child: name and namespace of its owner, and the owner as its controller. Where an owner has several
// children of one kind, `part` follows the name: "web-login". A child cannot live in another namespace than its owner;
// one of an owner without a namespace gets none and may be given one.
[[nodiscard]] Metadata owned_by(const Object& owner, std::string_view part = {});
[[nodiscard]] Metadata owned_by(Type type, const Metadata& owner, std::string_view part);
template <Described T>
[[nodiscard]] Metadata owned_by(const T& owner, std::string_view part = {}) {
  return owned_by(T::type, owner.metadata, part);
}

// An object to be made, with this owner among its own; unless it has a controller already.
[[nodiscard]] json::Value with_controller(json::Value object, const OwnerReference& owner);

// The owner with controller = true, if there is one.
[[nodiscard]] std::optional<OwnerReference> controller_of(const Object& object);

}  // namespace pintle
