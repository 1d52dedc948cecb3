// SPDX-License-Identifier: Apache-2.0
// Handlers: one function for each verb, from a Call to its response.
#pragma once

#include <memory>

#include <pintle/http/handler.hpp>

#include "apiserver/call/call.hpp"
#include "apiserver/call/service.hpp"

namespace pintle::apiserver {

[[nodiscard]] StatusOr<http::Response> handle_get(Service& service, const Call& call);
[[nodiscard]] StatusOr<http::Response> handle_list(Service& service, const Call& call);
[[nodiscard]] StatusOr<http::Response> handle_watch(Service& service, const Call& call);
[[nodiscard]] StatusOr<http::Response> handle_create(Service& service, const Call& call);
[[nodiscard]] StatusOr<http::Response> handle_update(Service& service, const Call& call);
[[nodiscard]] StatusOr<http::Response> handle_patch(Service& service, const Call& call);
[[nodiscard]] StatusOr<http::Response> handle_delete(Service& service, const Call& call);
[[nodiscard]] StatusOr<http::Response> handle_delete_collection(Service& service, const Call& call);

// The create of a review (Resource::is_review): returns a status for the user that sent it, and stores nothing.
[[nodiscard]] StatusOr<http::Response> handle_review(Service& service, const Call& call);
// The subresource token of a ServiceAccount.
[[nodiscard]] StatusOr<http::Response> handle_token_request(Service& service, const Call& call);

// For Pods: assigns a node; deletes the Pod unless a disruption budget forbids it.
[[nodiscard]] StatusOr<http::Response> handle_bind(Service& service, const Call& call);
[[nodiscard]] StatusOr<http::Response> handle_evict(Service& service, const Call& call);

// The subresource scale: get, update and patch.
[[nodiscard]] StatusOr<http::Response> handle_scale(Service& service, const Call& call);

}  // namespace pintle::apiserver
