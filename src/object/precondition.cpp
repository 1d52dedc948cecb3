// SPDX-License-Identifier: Apache-2.0
#include <pintle/object/precondition.hpp>

#include <utility>

#include <pintle/json/pointer.hpp>

namespace pintle {
namespace {

const json::Value* version_of(const json::Value& base) { return json::find(base, "/metadata/resourceVersion"); }

}  // namespace

void require_resource_version(json::Patch& patch, const json::Value& base) {
  const json::Value* version = version_of(base);
  if (patch.empty() || version == nullptr) return;
  json::Patch held;
  held.test("/metadata/resourceVersion", *version);
  patch.operations.insert(patch.operations.begin(), std::move(held.operations.front()));
}

void require_resource_version(json::Value& patch, const json::Value& base) {
  const json::Value* version = version_of(base);
  if (!patch.is_object() || patch.get_object().empty() || version == nullptr) return;
  json::Value& metadata = patch.get_object()["metadata"];
  if (!metadata.is_object()) metadata.emplace_object();
  metadata.get_object()["resourceVersion"] = *version;
}

}  // namespace pintle
