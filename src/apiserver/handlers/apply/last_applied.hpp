// SPDX-License-Identifier: Apache-2.0
// The annotation of client-side apply, which server-side apply takes over and keeps up to date.
#pragma once

#include <pintle/base/error.hpp>
#include <pintle/json/document.hpp>
#include <pintle/json/value.hpp>

namespace pintle::apiserver {

// True if a conflict concerns only fields that the last client-side apply of this object set, and that still have the
// value of that apply. `refused` is the error of apply_configuration().
[[nodiscard]] bool is_last_applied(const Error& refused, const json::Value& live, json::View schema);

// If the object `live` had the annotation, stores `config` in that of `next`; removes it if it would be too large.
void renew_last_applied(const json::Value& live, const json::Value& config, json::Value& next);

}  // namespace pintle::apiserver
