// Codec: described structs from objects and back.
#pragma once

#include <utility>

#include <pintle/json/patch.hpp>
#include <pintle/object/described.hpp>
#include <pintle/object/fields.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

namespace described {

Result<void> read_object(const Object& from, Type type, const Layout& layout, void* to, Metadata& metadata);
json::Patch changes(const Object& snapshot, const json::Value& before, const json::Value& after);

}  // namespace described

// Reads an object into a struct. A member that is missing or null keeps its initializer; one the struct does not know
// is passed over and stays in metadata.snapshot(). Error: invalid with the place, "spec.replicas: expected an integer,
// got a string"; also when the object is of another kind.
template <Described T>
[[nodiscard]] Result<T> decode(const Object& object) {
  T decoded{};
  auto done = described::read_object(object, T::type, described::kind_layout_of<T>, &decoded, decoded.metadata);
  if (!done) return fail(std::move(done.error()));
  return decoded;
}

// Writes a struct: apiVersion, kind, metadata without what is empty, and the members. An empty optional, list or map is
// left out; every other member is there, also when it equals its default.
template <Described T>
[[nodiscard]] json::Value encode(const T& object) {
  return described::write_kind(T::type, object.metadata, described::kind_layout_of<T>, &object,
                               described::Purpose::write);
}

// The same as an intent for server-side apply: without status, uid, resourceVersion, generation and the two timestamps.
template <Described T>
[[nodiscard]] json::Value encode_for_apply(const T& object) {
  return described::write_kind(T::type, object.metadata, described::kind_layout_of<T>, &object,
                               described::Purpose::apply);
}

// The JSON patch that brings the difference of two structs to the object that `before` was decoded from: what the
// struct does not know stays as it is, also inside lists, and the patch tests the resourceVersion of `before` if it has
// one. Empty when the two are equal.
template <Described T>
[[nodiscard]] json::Patch changes(const T& before, const T& after) {
  return described::changes(before.metadata.snapshot(), encode(before), encode(after));
}

}  // namespace pintle
