// SPDX-License-Identifier: Apache-2.0
// Owner references: if the owner of an object is deleted, the garbage collector also deletes the object.
#pragma once

#include <optional>
#include <string_view>

#include <pintle/base/annotations.hpp>
#include <pintle/object/fields.hpp>
#include <pintle/object/metadata.hpp>

namespace pintle {

/// Returns an owner reference that makes `owner` the controller of an object and sets blockOwnerDeletion: a foreground
/// deletion of the owner waits for the deletion of the object.
[[nodiscard]] PINTLE_EXPORT OwnerReference controller_reference(Type type, const Metadata& owner);
[[nodiscard]] PINTLE_EXPORT OwnerReference controller_reference(const Object& owner);

/// Returns the metadata of a child: the name and the namespace of its owner, and the owner as its controller. `part` is
/// appended to the name: "web-login"; use it if an owner has several children of one kind. A child must be in the
/// namespace of its owner. If the owner has no namespace, the result has none either, and the caller may set one.
[[nodiscard]] PINTLE_EXPORT Metadata owned_by(const Object& owner, std::string_view part = {});
[[nodiscard]] PINTLE_EXPORT Metadata owned_by(Type type, const Metadata& owner, std::string_view part);
template <Described T>
[[nodiscard]] Metadata owned_by(const T& owner, std::string_view part = {}) {
  return owned_by(T::type, owner.metadata, part);
}

/// Returns the object with `owner` among its owner references. An object that already has a controller stays unchanged.
[[nodiscard]] PINTLE_EXPORT json::Value with_controller_reference(json::Value object, const OwnerReference& owner);

/// Returns the owner reference with controller = true, if there is one.
[[nodiscard]] PINTLE_EXPORT std::optional<OwnerReference> controller_of(const Object& object);

}  // namespace pintle
