// SPDX-License-Identifier: Apache-2.0
// The JSON patches of mutating webhooks and policies.
#pragma once

#include <string_view>

#include <pintle/json/value.hpp>

#include "apiserver/registry/refusal.hpp"

namespace pintle::apiserver {

// Applies all operations or none. The refusal has the message of kube-apiserver, which names the operation that failed.
[[nodiscard]] StatusOr<void> apply_admission_patch(json::Value& object, const json::array& operations);

// Puts back managedFields that a webhook has made invalid. Returns the error in them, or "".
[[nodiscard]] std::string_view restore_managed_fields(json::Value& object, const json::Value& before);

}  // namespace pintle::apiserver
