// SPDX-License-Identifier: Apache-2.0
// SentKind: the kind of a body that is not the kind of its resource: a Binding, an Eviction or a Scale.
#pragma once

#include <string_view>

#include <pintle/json/value.hpp>

#include "apiserver/registry/refusal.hpp"

namespace pintle::apiserver {

struct SentKind {
  std::string_view api_version{};
  std::string_view kind{};
  std::string_view type{};              // in the table of types
  std::string_view also_api_version{};  // another version with the same members; empty: none
};

// Refuses a body that is no object, or that has another kind or namespace (400).
[[nodiscard]] StatusOr<void> check_sent_kind(const json::Value& body, const SentKind& kind,
                                             std::string_view namespace_);
// Refuses a body with a member of another type (400).
[[nodiscard]] StatusOr<void> check_sent_members(const json::Value& body, const SentKind& kind);

}  // namespace pintle::apiserver
