// SPDX-License-Identifier: Apache-2.0
#include "manager_mark.hpp"

#include <utility>

#include <pintle/json/pointer.hpp>

namespace pintle {

void mark_manager(json::Value& object, std::string_view manager, std::string_view version) {
  json::object annotations;
  if (const json::Value* there = json::find(object, "/metadata/annotations")) annotations = there->as_object();
  annotations[manager_annotation] = manager;
  if (!version.empty()) annotations[manager_version_annotation] = version;
  (void)!json::set(object, "/metadata/annotations", std::move(annotations));
}

}  // namespace pintle
