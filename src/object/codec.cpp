// SPDX-License-Identifier: Apache-2.0
#include <pintle/object/codec.hpp>

#include "metadata.hpp"

namespace pintle::internal {
namespace {

// Items of a list have neither apiVersion nor kind. If an object has one of them, it must be the right one.
bool is_kind(const Object& object, Type type, Reading& reading) {
  const auto differs = [](std::string_view got, std::string_view wanted) { return !got.empty() && got != wanted; };
  if (!object.root().is_object()) return reading.expected(Place{}, "an object", object.root());
  if (!differs(object.kind(), type.kind) && !differs(object.api_version(), type.api_version)) return true;
  return reading.fails(
      Place{}, "expected " + GroupVersionKind(type).to_string() + ", got " + object.group_version_kind().to_string());
}

}  // namespace

bool read_kind(json::View from, Metadata& metadata, void* to, const Layout& layout, const Place& place,
               Reading& reading) {
  if (!from.is_object()) return reading.expected(place, "an object", from);
  const Place at{&place, "metadata", 0};
  const bool fine =
      read_metadata(from.member("metadata"), metadata, at, reading) && read_struct(from, to, layout, place, reading);
  if (fine && layout.unknown != nullptr) {
    for (const std::string_view name : {"apiVersion", "kind", "metadata"}) layout.unknown(to)->erase(name);
  }
  return fine;
}

json::object write_kind(Type type, const Metadata& metadata, const Layout& layout, const void* from, Purpose purpose) {
  json::object out{{"apiVersion", type.api_version}, {"kind", type.kind}};
  out["metadata"] = write_metadata(metadata, purpose);
  json::object body = write_struct(from, layout);
  if (purpose == Purpose::apply) body.erase("status");
  for (auto& member : body) out[member.key()] = std::move(member.value());
  return out;
}

Result<void> read_object(const Object& from, Type type, const Layout& layout, void* to, Metadata& metadata) {
  Reading reading;
  const bool fine = is_kind(from, type, reading) && read_kind(from.root(), metadata, to, layout, Place{}, reading);
  if (!fine) return reading.error();
  SnapshotKeeper::keep(metadata, from);
  return {};
}

}  // namespace pintle::internal
