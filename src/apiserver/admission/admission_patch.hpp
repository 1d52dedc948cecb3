// SPDX-License-Identifier: Apache-2.0
// The JSON patches of mutating webhooks and policies.
#pragma once

#include <string>
#include <string_view>

#include <pintle/base/error.hpp>
#include <pintle/json/value.hpp>

#include "apiserver/registry/refusal.hpp"

namespace pintle::apiserver {

// Returns the text of kube-apiserver for an error of json::apply_patch(). It names the operation that failed.
[[nodiscard]] std::string describe_patch_failure(const json::array& operations, const Error& error);

// Applies all operations or none. The refusal has the message of kube-apiserver, which names the operation that failed.
[[nodiscard]] StatusOr<void> apply_admission_patch(json::Value& object, const json::array& operations);

// Puts back managedFields that a webhook has made invalid. Returns the error in them, or "".
[[nodiscard]] std::string_view restore_managed_fields(json::Value& object, const json::Value& before);

}  // namespace pintle::apiserver
