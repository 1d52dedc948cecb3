// SPDX-License-Identifier: Apache-2.0
#include "metadata.hpp"

namespace pintle::internal {
namespace {

// Reads a member with the operations of its type. A missing or null member does not change `to`.
template <class T>
bool read_member(json::View from, std::string_view name, T& to, const Place& place, Reading& reading) {
  const json::View value = from.member(name);
  if (!value.exists() || value.is_null()) return true;
  return Operations<T>::read(value, &to, Place{&place, name, 0}, reading);
}

bool read_owners(json::View from, std::vector<OwnerReference>& to, const Place& place, Reading& reading) {
  if (!from.exists() || from.is_null()) return true;
  if (!from.is_array()) return reading.expected(place, "a list", from);
  for (const json::View entry : from.elements()) {
    if (!entry.is_object()) return reading.expected(Place{&place, {}, to.size()}, "an object", entry);
    to.push_back(read_owner(entry));
  }
  return true;
}

void put_text(json::object& out, std::string_view name, const std::string& text) {
  if (!text.empty()) out[name] = text;
}

template <class T>
void put(json::object& out, std::string_view name, const T& value) {
  if (!Operations<T>::is_left_out(&value)) out[name] = Operations<T>::write(&value);
}

}  // namespace

OwnerReference read_owner(json::View from) {
  return {.api_version = std::string(from.member("apiVersion").text()),
          .kind = std::string(from.member("kind").text()),
          .name = std::string(from.member("name").text()),
          .uid = std::string(from.member("uid").text()),
          .controller = from.member("controller") == true,
          .block_owner_deletion = from.member("blockOwnerDeletion") == true};
}

json::object write_owner(const OwnerReference& owner) {
  json::object out{{"apiVersion", owner.api_version}, {"kind", owner.kind}, {"name", owner.name}, {"uid", owner.uid}};
  if (owner.controller) out["controller"] = true;
  if (owner.block_owner_deletion) out["blockOwnerDeletion"] = true;
  return out;
}

bool read_metadata(json::View from, Metadata& to, const Place& place, Reading& reading) {
  if (!from.exists() || from.is_null()) return true;
  if (!from.is_object()) return reading.expected(place, "an object", from);
  const Place owners{&place, "ownerReferences", 0};
  return read_member(from, "name", to.name, place, reading) &&
         read_member(from, "namespace", to.namespace_, place, reading) &&
         read_member(from, "uid", to.uid, place, reading) &&
         read_member(from, "resourceVersion", to.resource_version, place, reading) &&
         read_member(from, "generation", to.generation, place, reading) &&
         read_member(from, "creationTimestamp", to.creation_timestamp, place, reading) &&
         read_member(from, "deletionTimestamp", to.deletion_timestamp, place, reading) &&
         read_member(from, "labels", to.labels, place, reading) &&
         read_member(from, "annotations", to.annotations, place, reading) &&
         read_member(from, "finalizers", to.finalizers, place, reading) &&
         read_owners(from.member("ownerReferences"), to.owner_references, owners, reading);
}

json::object write_metadata(const Metadata& metadata, Purpose purpose) {
  json::object out;
  put_text(out, "name", metadata.name);
  put_text(out, "namespace", metadata.namespace_);
  if (purpose == Purpose::write) {
    put_text(out, "uid", metadata.uid);
    put_text(out, "resourceVersion", metadata.resource_version);
    if (metadata.generation != 0) out["generation"] = metadata.generation;
    put(out, "creationTimestamp", metadata.creation_timestamp);
    put(out, "deletionTimestamp", metadata.deletion_timestamp);
  }
  put(out, "labels", metadata.labels);
  put(out, "annotations", metadata.annotations);
  put(out, "finalizers", metadata.finalizers);
  if (!metadata.owner_references.empty()) {
    json::array owners;
    for (const OwnerReference& owner : metadata.owner_references) owners.emplace_back(write_owner(owner));
    out["ownerReferences"] = std::move(owners);
  }
  return out;
}

}  // namespace pintle::internal
