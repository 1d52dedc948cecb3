// SPDX-License-Identifier: Apache-2.0
// Whether a write that required no version would change the last known state of its object. A write that would change
// nothing may have received a version that another client made.
#pragma once

#include <string_view>

#include <pintle/json/patch.hpp>
#include <pintle/json/value.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

// A write whose effect cannot be determined counts as one without effect: its event then causes a reconcile, and no
// change of another client is lost.

// For a merge patch or an apply. Lists are compared as a whole.
[[nodiscard]] bool merge_would_change(const Object& before, const json::Value& patch);
// A patch whose paths are missing would change the object, because a cache may keep a part of it only. One whose test
// fails has succeeded on a state of another client.
[[nodiscard]] bool json_patch_would_change(const Object& before, const json::Patch& patch);
// Items of lists are compared in any order. The effect of directives, such as "$patch", is not determined.
[[nodiscard]] bool strategic_patch_would_change(const Object& before, const json::Value& patch);
// For a replacement of the object or of its status. Compares the members of `body` that such a write changes. Members
// that it lacks may be defaults.
[[nodiscard]] bool replacement_would_change(const Object& before, const json::Value& body,
                                            std::string_view subresource);

}  // namespace pintle
