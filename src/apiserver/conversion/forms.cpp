// SPDX-License-Identifier: Apache-2.0
#include "forms.hpp"

#include <utility>

namespace pintle::apiserver {

using json::Value;

namespace {

Value shown(const Resource& resource, Value value) {
  resource.strategy->from_storage(value);
  value.as_object()["apiVersion"] = resource.api_version();
  return value;
}

}  // namespace

Value shown(const Resource& resource, const Object& stored) { return shown(resource, stored.to_value()); }

Value shown(const Resource& resource, const Object& stored, json::Arena& memory) {
  return shown(resource, json::to_value(stored.root(), memory));
}

Value stored(const Resource& resource, Value shown) {
  resource.strategy->to_storage(shown);
  shown.as_object()["apiVersion"] = resource.stored_api_version;
  return shown;
}

}  // namespace pintle::apiserver
