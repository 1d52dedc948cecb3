// SPDX-License-Identifier: Apache-2.0
// The stored form of an object and the form of a version, for conversions that need no webhook.
#pragma once

#include <pintle/json/arena.hpp>
#include <pintle/json/value.hpp>
#include <pintle/object/object.hpp>

#include "apiserver/registry/resource.hpp"

namespace pintle::apiserver {

// Converts a stored object to the form of a version.
[[nodiscard]] json::Value shown(const Resource& resource, const Object& stored);
[[nodiscard]] json::Value shown(const Resource& resource, const Object& stored, json::Arena& memory);
// Converts it back.
[[nodiscard]] json::Value stored(const Resource& resource, json::Value shown);

}  // namespace pintle::apiserver
